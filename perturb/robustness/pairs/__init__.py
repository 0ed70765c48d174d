"""Graded rows as columns, joined with the clean rows of their originals. Private."""
