"""Perturbators of words. Private."""
