"""The exceptions that perturb raises. Private; `perturb` exports them.

    PerturbError
    +-- UsageError         (also a ValueError): the call is wrong
    +-- DataError          (also a ValueError): the input data is wrong
    +-- VerificationError  (also a ValueError): a record can't be reproduced

A value of a wrong type raises a plain `TypeError`.
"""

from __future__ import annotations

from collections.abc import Iterable


class PerturbError(Exception):
    """The root of all errors of this package."""


class UsageError(PerturbError, ValueError):
    """The call is not valid: an unknown name, or a value out of range."""


class DataError(PerturbError, ValueError):
    """The input data is damaged, or not of the stated form."""


class VerificationError(PerturbError, ValueError):
    """A record does not match the text that its steps produce."""


def unknown(kind: str, got: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with the names that come near it."""
    return UsageError(f"unknown {kind} {got!r}: {suggestion(got, known)}")


def suggestion(got: str, known: Iterable[str]) -> str:
    """Return the names that come near an unknown one, or all of them, for a message."""
    from difflib import get_close_matches  # only mistakes have to wait for it

    known = sorted(known)
    near = get_close_matches(got, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"
