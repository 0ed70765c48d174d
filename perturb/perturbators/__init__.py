"""The built-in perturbators, one package a family. Private."""
