"""Formulas of robustness: scores in, numbers out. Private."""
