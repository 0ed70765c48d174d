"""The exceptions that perturb raises. Private; `perturb` exports them.

    PerturbError
    +-- UsageError         (also a ValueError): the call is wrong
    +-- DataError          (also a ValueError): the input data is wrong
    +-- VerificationError  (also a ValueError): a record does not give its own text again

A value of a wrong type raises a plain `TypeError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class PerturbError(Exception):
    """The root of all errors of this package."""


class UsageError(PerturbError, ValueError):
    """The call asks for something that does not exist or cannot be."""


class DataError(PerturbError, ValueError):
    """The input data is not what it was said to be."""


class VerificationError(PerturbError, ValueError):
    """A record and what it says about itself do not agree."""


def unknown(kind: str, got: str, known: Iterable[str]) -> UsageError:
    """The error for a name that is not known, with the names that come near it."""
    known = sorted(known)
    near = get_close_matches(got, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"
    return UsageError(f"unknown {kind} {got!r}: {hint}")
