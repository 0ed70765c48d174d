"""Perturbators of prompts and options. Private."""
