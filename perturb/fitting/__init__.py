"""From pairs of clean and noisy texts to noise: what was edited, and how near it comes. Private."""
