"""Perturbators of letters and keys. Private."""
