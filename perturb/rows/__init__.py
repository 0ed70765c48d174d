"""Perturb the texts in rows: mappings with fields. Private."""
