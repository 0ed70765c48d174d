"""Perturbators by name, their parameters and strengths. Private."""
