"""The exceptions that perturb raises. Private; `perturb` exports them.

    PerturbError
    +-- UsageError         (also a ValueError): the call is wrong
    +-- DataError          (also a ValueError): the input data is wrong
    +-- VerificationError  (also a ValueError): a record can't be reproduced

A value of a wrong type raises a plain `TypeError`.
"""

from __future__ import annotations

import errno
import inspect
import re
import reprlib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# A message that quotes what it got may be no longer than this, however long the value is.
_MOST = 2000
# Of names that are all far from what was meant, so many are told.
_MOST_NAMES = 12
# Arguments, options and commands by the names that newcomers give them.
MEANT = {
    **dict.fromkeys("rate prob probability strength level amount aug_p".split(), "p"),
    **dict.fromkeys("n num num_perturbations copies".split(), "replicates"),
    **dict.fromkeys("column key text_field text_column".split(), "field"),
    **dict.fromkeys("in file data".split(), "input"),
    **dict.fromkeys("undo revert original".split(), "restore"),
    **dict.fromkeys("describe info".split(), "show"),
    **dict.fromkeys("evaluate eval judge".split(), "score"),
    **dict.fromkeys("perturb augment noise".split(), "apply"),
}
# What newcomers call the attributes of a record.
OF_RECORDS = {
    **{name: f"text.{name}" for name in vars(str)},
    **dict.fromkeys("texts perturbed output result augmented noisy".split(), "text"),
    **dict.fromkeys("originals clean before source".split(), "original"),
}
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


class UnknownStepError(UsageError):
    """A perturbator of this name is not known here."""


class OutOfReachError(UsageError):
    """A perturbator can't be as severe as it is asked to be.

    Attributes:
        limit: the perturbator with the highest severity that it reaches, in words.
    """

    limit = ""


class DataError(PerturbError, ValueError):
    """The input data is damaged, or not of the stated form."""


class VerificationError(PerturbError, ValueError):
    """A record does not match the text that its steps produce."""


def unknown(kind: str, got: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with the names that come near it."""
    return UsageError(f"unknown {kind} {got!r}: {suggestion(got, known)}")


def suggestion(got: str, known: Iterable[str]) -> str:
    """Return the names that come near an unknown one, or else the first of them, for a message."""
    from difflib import get_close_matches  # only mistakes have to wait for it

    known = sorted(known)
    # Two letters are no misprint of a long name: german, ge.
    likely = [name for name in known if len(name) > 2 or len(got) <= 4]
    # Nor is a name near whose letters come in another order: kb is keyboard_typos, or is not.
    short = re.compile(".*".join(map(re.escape, got)) if 1 < len(got) <= 3 else "(?!)")
    near = get_close_matches(got, likely, n=3, cutoff=0.5) or list(filter(short.match, likely))[:3]
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES + 3 else ""
    return f"known: {', '.join(known[:_MOST_NAMES] if more else known) or 'none'}{more}"


def likely(name: str, known: Iterable[str], meant: Mapping[str, str], lead: str = "") -> str:
    """Return the end of a message on an attribute that is not there: which one may be meant.

    Args:
        name: the attribute.
        known: those that there are.
        meant: what newcomers call some of them.
        lead: what stands before an attribute.
    """
    if name.startswith("_"):  # as programs ask for, to see what an object can do
        return ""
    near = suggestion(name, [each for each in known if not each.startswith("_")])
    hint = f"did you mean {meant[name]}?" if name in meant else near
    return f": {hint.replace('mean ', f'mean {lead}')}" if hint.startswith("did") else ""


def reason(error: OSError) -> str:
    """Return why a call of the system failed, in words; for a file that is not there, what is."""
    if error.errno == errno.EBADF:
        return "it is closed"
    words = error.strerror or str(error)
    if error.errno != errno.ENOENT or not isinstance(error.filename, str):
        return words
    path = Path(error.filename)
    if "\\" in path.name:
        return f"{words}; a backslash is part of a name here, and folders are divided by /"
    from difflib import get_close_matches  # as in `suggestion`, where what ends alike is near

    names = [each.name for each in path.parent.glob("*")]
    near = get_close_matches(path.name, names, n=1, cutoff=0.8)
    return f"{words}; did you mean {near[0]}?" if near else words


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


def door(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse unknown keywords of a public function with advice, where Python would name them only.

    Raises:
        UsageError: there is an unknown keyword.
    """
    known = frozenset(inspect.signature(function).parameters) - {"self"}

    @wraps(function)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        try:
            return function(*args, **named)
        except TypeError:
            if named.keys() <= known:
                raise
            unknown = min(named.keys() - known)
            raise _unknown_keyword(function.__qualname__, unknown, known) from None

    return checked


def _unknown_keyword(name: str, keyword: str, known: Collection[str]) -> UsageError:
    from difflib import get_close_matches

    name = name.removesuffix(".__init__")
    near = get_close_matches(keyword, known, n=1, cutoff=0.75)
    near += {MEANT.get(keyword, "")} & {*known}
    if near:
        return UsageError(f"{name} has no argument {keyword!r}: did you mean {near[0]}?")
    return UsageError(
        f"{name} has no argument {keyword!r}: what belongs to a step stands with it, as in "
        f"perturb.steps.NAME({keyword}=...) or 'NAME:{keyword}=...'; the arguments of {name} are "
        f"{', '.join(sorted(known))}"
    )
