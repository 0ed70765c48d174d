"""Rows, what their records say, and the conditions they are of. Private."""
