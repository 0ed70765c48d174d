"""Robustness measures: from scores and linkage records to a verdict."""

from perturb.values.exports import exports

_HOME, __getattr__ = exports(__name__)
__all__ = sorted(_HOME)
