"""The built-in perturbators, one module a family. Private."""
