"""Perturbators of order and passages. Private."""
