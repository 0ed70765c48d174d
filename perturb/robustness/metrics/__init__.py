"""Formulas of robustness: scores in, numbers out."""
