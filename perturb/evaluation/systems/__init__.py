"""Systems under test: an endpoint, a program, a Python function. Private."""
