"""Perturbators of characters and their marks. Private."""
