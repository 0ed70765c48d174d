"""From an output to what it answers, and whether that is right. Private."""
