"""Faults in the results of tools. Private."""
