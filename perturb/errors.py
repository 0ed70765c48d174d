"""The exceptions that perturb raises. Private; `perturb` exports them.

    PerturbError
    +-- UsageError         (also a ValueError): the call is wrong
    +-- DataError          (also a ValueError): the input data is wrong
    +-- VerificationError  (also a ValueError): a record can't be reproduced

A value of a wrong type raises a plain `TypeError`.
"""

from __future__ import annotations

import errno
import reprlib
from collections.abc import Iterable
from typing import Any

# A message that quotes what it got may be no longer than this, however long the value is.
_MOST = 2000
_SHORT = reprlib.Repr()
_SHORT.maxlevel = 4
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = 8
_SHORT.maxstring = _SHORT.maxother = 200


class PerturbError(Exception):
    """The root of all errors of this package; the middle of a very long message is left out."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


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
    # Two letters are no misprint of a long name: german, ge.
    likely = [name for name in known if len(name) > 2 or len(got) <= 4]
    near = get_close_matches(got, likely, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known) or 'none'}"


def reason(error: OSError) -> str:
    """Return why a call of the system failed, in words."""
    return "it is closed" if error.errno == errno.EBADF else error.strerror or str(error)


def shortened(message: str) -> str:
    """Return a message without its middle where it is very long."""
    if len(message) <= _MOST:
        return message
    left_out = len(message) - _MOST
    return f"{message[: _MOST - 500]} ... {left_out:,} characters ... {message[-500:]}"


def shown(value: Any) -> str:
    """Return a value for a message: short, however long or deep the value is."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a whole number of {value.bit_length()} bits"  # Python writes no number so long
    return _SHORT.repr(value)
