"""Perturbators of people, places and varieties. Private."""
