"""The errors that `perturb` raises on purpose."""

from __future__ import annotations


class PerturbError(Exception):
    """The root of all errors of this package."""


class DataError(PerturbError, ValueError):
    """A file or a row does not hold what it must; the command line ends with status 1."""


class UsageError(PerturbError, ValueError):
    """A command or its options contradict themselves; the command line ends with status 2."""
