"""Check the parameters of a perturbator against the signature of its function."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from perturb.boundary import Code, File, Lexicon, check_trusted, pinned
from perturb.errors import UsageError, shown, suggestion
from perturb.registry.definition import Perturbator

# No whole number that a step is told is larger, or less than its negative.
LARGEST = (1 << 31) - 1


def check_whole(what: str, value: Any, least: float = -math.inf, most: float = math.inf) -> None:
    """Refuse what is no whole number, or is out of a range.

    Raises:
        TypeError: it is no whole number.
        UsageError: it is out of the range.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} must be a whole number; got {shown(value)}")
    if value < least:
        raise UsageError(f"{what} must be at least {least}; got {shown(value)}")
    if value > most:
        raise UsageError(f"{what} must be at most {most}; got {shown(value)}")


def checked_parameters(
    found: Perturbator, given: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all parameters of a perturbator: those that are given, and defaults for the others.

    Args:
        found: the perturbator.
        given: some parameters; a function of a module stands for its name, a path for its file.
        others: what could be given beside parameters, for the message on an unknown one.

    Raises:
        UsageError: an unknown parameter, or a value of a wrong type.
    """
    given = {key: _by_name(value) if callable(value) else value for key, value in given.items()}
    for key, value in given.items():
        if key not in found.parameters:
            known = _USUAL.get(key) or suggestion(key, [*found.parameters, *others])
            raise UsageError(f"{found.name} has no parameter {key!r}; {known}")
        wanted = found.types.get(key, Any)
        outside = next((one for one in (wanted, *get_args(wanted)) if one in _OUTSIDE), None)
        if outside is not None and isinstance(value, str):
            if value != found.parameters[key]:
                check_trusted(key, value)
            given[key] = value = _OUTSIDE[outside](value)
        if not _fits(value, wanted):
            raise UsageError(f"{found.name}: {key} must be {_in_words(wanted)}; got {shown(value)}")
    return {**found.parameters, **given}


# The types of what is opened or run, each with what makes one of a string.
_OUTSIDE: Mapping[Any, Callable[[str], str]] = {File: pinned, Code: Code, Lexicon: Lexicon}

# What other libraries call the strength, and the number of versions.
_USUAL = {
    **dict.fromkeys(
        ("rate", "prob", "probability", "strength", "level", "amount", "aug_p"), "did you mean p?"
    ),
    **dict.fromkeys(
        ("n", "num", "replicates", "num_perturbations"),
        "several versions come from perturb.augment(..., replicates=N), and count= is the number "
        "of edits in a text",
    ),
}


def _by_name(function: Any) -> str:
    """Return a function as `module:name`, for records and for other processes."""
    module, name = function.__module__, getattr(function, "__qualname__", repr(function))
    if getattr(sys.modules.get(module), name, None) is not function:
        raise UsageError(
            f"{name} can't be imported by its name from {module}; give a function of a module"
        )
    return f"{module}:{name}"


def _fits(value: Any, wanted: Any) -> bool:
    if wanted is Any:
        return True
    if get_origin(wanted) is Literal:
        return value in get_args(wanted)
    if isinstance(wanted, UnionType):
        return any(_fits(value, one) for one in get_args(wanted))
    if wanted is float and type(value) is int:
        return True
    if wanted is int and type(value) is int:
        return -LARGEST <= value <= LARGEST
    return type(value) is wanted and not (wanted is float and not math.isfinite(value))


def _in_words(wanted: Any) -> str:
    if get_origin(wanted) is Literal or isinstance(wanted, UnionType):
        return " or ".join(_in_words(one) for one in get_args(wanted))
    names = {
        str: "a string",
        File: "the path of a file",
        Code: "a function, as module:function",
        Lexicon: "a lexicon, such as nltk:fra",
        int: "a whole number within 32 bits",
        float: "a finite number",
        bool: "true or false",
    }
    return "nothing" if wanted is NoneType else names.get(wanted, repr(wanted))
