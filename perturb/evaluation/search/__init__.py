"""Searches over edits: the fewest that flip an answer, and the worst within a budget. Private."""
