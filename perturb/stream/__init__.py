"""Perturb and verify files, block by block, on one process or several. Private."""
