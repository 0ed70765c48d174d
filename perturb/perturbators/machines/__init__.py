"""Errors that machines and encodings make. Private."""
