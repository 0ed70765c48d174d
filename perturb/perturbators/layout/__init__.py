"""Perturbators of case, space and punctuation. Private."""
