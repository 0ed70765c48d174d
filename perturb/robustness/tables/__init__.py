"""Findings as sentences, tables, pictures and gates. Private."""
