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

from perturb._version import PUBLISHED

P = ParamSpec("P")
T = TypeVar("T")

# The characters of the longest message, so that it fits a screen, however long a quoted value is:
# 25 lines of 80. Chosen by hand.
_MOST = 2000
# The names shown if none is near the unknown one: two lines of a terminal. Chosen by hand.
_MOST_NAMES = 12
# Arguments, options and commands by other names that newcomers try.
MEANT = {
    **dict.fromkeys("rate prob probability strength level amount aug_p".split(), "p"),
    **dict.fromkeys("n num num_perturbations copies".split(), "replicates"),
    **dict.fromkeys("column key text_field text_column".split(), "field"),
    **dict.fromkeys("in file data".split(), "input"),
    "grid": "steps",
    "score": "metrics",
    **dict.fromkeys("undo revert original".split(), "restore"),
    **dict.fromkeys("describe info".split(), "show"),
    **dict.fromkeys("search find ls perturbators".split(), "list"),
    **dict.fromkeys("evaluate eval judge".split(), "score"),
    **dict.fromkeys("perturb augment noise".split(), "apply"),
}
# Other names that newcomers try for the attributes of a record.
OF_RECORDS = {
    **{name: f"text.{name}" for name in vars(str)},
    **dict.fromkeys("texts perturbed output result augmented noisy".split(), "text"),
    **dict.fromkeys("undo revert undone".split(), "restore"),
    **dict.fromkeys("originals clean before source".split(), "original"),
}
_SHORT = reprlib.Repr()
_SHORT.maxlevel = 4
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = _SHORT.maxset = 8
_SHORT.maxstring = _SHORT.maxother = 200


class PerturbError(Exception):
    """The base of all errors of this package; very long messages lose their middle."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class UsageError(PerturbError, ValueError):
    """The call is invalid: an unknown name, or a value out of range."""


class UnknownStepError(UsageError):
    """No perturbator of this name is known here."""


class OutOfReachError(UsageError):
    """A perturbator can't reach the requested severity.

    Attributes:
        limit: the perturbator with its highest severity, in words.
    """

    limit = ""


class DataError(PerturbError, ValueError):
    """The input data is damaged, or doesn't have the stated form."""


class VerificationError(PerturbError, ValueError):
    """A record doesn't match the text that its steps produce."""


def installing(extra: str) -> str:
    """Return the command that installs an extra of perturb, and where it works."""
    if PUBLISHED:
        return f"pip install 'perturb-text[{extra}]'"
    return f"pip install '.[{extra}]' in a checkout of perturb"


def unknown(kind: str, got: str, known: Iterable[str]) -> UsageError:
    """Return the error for an unknown name, with similar names."""
    return UsageError(f"unknown {kind} {got!r}: {suggestion(got, known)}")


def suggestion(got: str, known: Iterable[str], least: float = 0.5) -> str:
    """Return the names similar to an unknown one, or else the first names, for a message.

    `least` is the ratio of difflib from which names count as similar.
    """
    from difflib import get_close_matches  # only mistakes wait for this import

    known = sorted(known)
    # A name of two letters isn't a misprint of a long one: german, ge.
    likely = [name for name in known if len(name) > 2 or len(got) <= 4]
    # A word of two or three letters is an abbreviation if a name has its letters in that order: kb,
    # keyboard_typos. Below a ratio of 0.5 most letters differ; 0.6, difflib's default, misses "ocr"
    # for "ocr_noise". Three suggestions fit on a line.
    short = re.compile(".*".join(map(re.escape, got)) if 1 < len(got) <= 3 else "(?!)")
    near = get_close_matches(got, likely, 3, least) or [*filter(short.match, likely)][:3]
    if near:
        return f"did you mean {' or '.join(near)}?"
    more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES + 3 else ""
    return f"known: {', '.join(known[:_MOST_NAMES] if more else known) or 'none'}{more}"


def likely(name: str, known: Iterable[str], meant: Mapping[str, str], lead: str = "") -> str:
    """Return the end of a message on a missing attribute: which one may be meant.

    Args:
        name: the attribute.
        known: the existing attributes.
        meant: other names that newcomers try, with the attributes.
        lead: the text before an attribute.
    """
    if name.startswith("_"):  # programs ask for these to see what an object can do
        return ""
    near = suggestion(name, [each for each in known if not each.startswith("_")])
    hint = f"did you mean {meant[name]}?" if name in meant else near
    return f": {hint.replace('mean ', f'mean {lead}')}" if hint.startswith("did") else ""


def reason(error: OSError) -> str:
    """Return why a system call failed, in words; for a missing file with a similar name."""
    if error.errno == errno.EBADF:
        return "it is closed"
    words = error.strerror or str(error)
    if error.errno != errno.ENOENT or not isinstance(error.filename, str):
        return words
    path = Path(error.filename)
    if "\\" in path.name:
        return f"{words}; a backslash is part of a name here, and folders are divided by /"
    from difflib import get_close_matches  # as in `suggestion`

    names = [each.name for each in path.parent.glob("*")]
    # Files in a folder often share their ending, so only very similar names count: 0.8 accepts one
    # wrong letter in five. Chosen by hand.
    near = get_close_matches(path.name, names, n=1, cutoff=0.8)
    return f"{words}; did you mean {near[0]}?" if near else words


def shortened(message: str) -> str:
    """Return a message, without its middle if it is very long."""
    if len(message) <= _MOST:
        return message
    left_out = len(message) - _MOST
    return f"{message[: _MOST - 500]} ... {left_out:,} characters ... {message[-500:]}"


def shown(value: Any) -> str:
    """Return a value for a message: short, however long or deep the value is."""
    if isinstance(value, int) and value.bit_length() > 256:
        return f"a whole number of {value.bit_length()} bits"  # str() refuses long ones
    return _SHORT.repr(value)


def door(function: Callable[P, T]) -> Callable[P, T]:
    """Refuse unknown keywords of a public function with advice, which Python doesn't give.

    Raises:
        UsageError: there is an unknown keyword.
    """
    known = frozenset(inspect.signature(function).parameters) - {"self"}

    @wraps(function)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        if not named.keys() <= known:
            raise _unknown_keyword(function.__qualname__, min(named.keys() - known), known)
        return function(*args, **named)

    return checked


def _unknown_keyword(name: str, keyword: str, known: Collection[str]) -> UsageError:
    from difflib import get_close_matches

    name = name.removesuffix(".__init__")
    if MEANT.get(keyword, keyword) == "replicates" and "replicate" in known:
        return UsageError(
            f"{name} has no argument {keyword!r}: it makes one version, and replicate= is the "
            "number of that; augment makes several of a row: "
            "perturb.augment([{'text': TEXT}], STEPS, replicates=3)"
        )
    near = get_close_matches(keyword, known, n=1, cutoff=0.75)
    near += {MEANT.get(keyword, "")} & {*known}
    if near:
        return UsageError(f"{name} has no argument {keyword!r}: did you mean {near[0]}?")
    of_a_step = (
        f" give arguments of a step with it, as in perturb.steps.NAME({keyword}=...) or "
        f"'NAME:{keyword}=...';"
    )
    return UsageError(
        f"{name} has no argument {keyword!r}:{of_a_step * ('steps' in known)} the arguments of "
        f"{name} are {', '.join(sorted(known))}"
    )
