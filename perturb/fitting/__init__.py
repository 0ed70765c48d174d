"""Noise from pairs of clean and noisy texts: the edits, their counts, and the fit. Private."""
