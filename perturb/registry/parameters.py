"""Check the parameters of a perturbator against the signature of its function."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from perturb.boundary import Code, File, Lexicon, check_trusted, pinned
from perturb.errors import MEANT, UsageError, shown, suggestion
from perturb.registry.definition import Perturbator
from perturb.values.scalars import plain

# No whole number that a step is told is larger, or less than its negative.
LARGEST = (1 << 31) - 1


class Range(NamedTuple):
    """The numbers that a parameter takes, as in `marks: Annotated[int, Range(1, 32)] = 1`."""

    least: float
    most: float = math.inf

    def __str__(self) -> str:
        if self.most == math.inf:
            return f"at least {self.least:g}"
        return f"from {self.least:g} to {self.most:g}"


def ranges(perturbator: Perturbator) -> dict[str, str]:
    """Return the range of each parameter of a perturbator that has one, in words."""
    return {
        key: str(part)
        for key, kind in perturbator.types.items()
        for each in (kind, *get_args(kind))
        for part in get_args(each)
        if get_origin(each) is Annotated and isinstance(part, Range)
    }


def checked_parameters(
    perturbator: Perturbator, settings: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all parameters of a perturbator: those that are given, and defaults for the others.

    Args:
        perturbator: the perturbator.
        settings: some parameters; a function of a module stands for its name, a path for its file.
        others: what could be given beside parameters, for the message on an unknown one.

    Raises:
        UsageError: an unknown parameter, or a value of a wrong type or out of range.
    """
    parameters = dict(perturbator.parameters)
    for key, value in settings.items():
        value = _by_name(value) if callable(value) else plain(value)
        if key not in parameters:
            hint = _USUAL.get(MEANT.get(key, key)) or suggestion(key, [*parameters, *others])
            if hint.startswith("known"):  # most of these would be what every step has
                hint = f"it has {', '.join(parameters) or 'none of its own'}"
            raise UsageError(f"{perturbator.name} has no parameter {key!r}; {hint}")
        kind = perturbator.types.get(key, Any)
        outside = next((each for each in (kind, *get_args(kind)) if each in _OUTSIDE), None)
        if outside is not None and isinstance(value, str):
            if value != parameters[key]:
                check_trusted(key, value)
            value = _OUTSIDE[outside](value)
        if not _fits(value, kind):
            raise UsageError(
                f"{perturbator.name}: {key} must be {_in_words(kind)}; got {shown(value)}"
            )
        parameters[key] = value
    return parameters


# The types of what is opened or run, each with what makes one of a string.
_OUTSIDE: Mapping[Any, Callable[[str], str]] = {File: pinned, Code: Code, Lexicon: Lexicon}

# What may be meant beside the settings of a step.
_USUAL = {
    "p": "did you mean p?",
    "replicates": "several versions come from perturb.augment(..., replicates=N), and count= is "
    "the number of edits in a text",
}


def _by_name(function: Any) -> str:
    """Return a function as `module:name`, for records and for other processes."""
    module, name = function.__module__, getattr(function, "__qualname__", repr(function))
    if getattr(sys.modules.get(module), name, None) is not function:
        raise UsageError(
            f"{name} can't be imported by its name from {module}; give a function of a module"
        )
    return f"{module}:{name}"


# `int | None` and, where one of the two is annotated, what typing makes of it.
_UNIONS = (UnionType, Union)


def _fits(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if get_origin(kind) is Annotated:
        number, (least, most) = get_args(kind)
        return _fits(value, number) and least <= value <= most
    if get_origin(kind) in _UNIONS:
        return any(_fits(value, each) for each in get_args(kind))
    if kind is float and type(value) is int:
        return True
    if kind is int and type(value) is int:
        return -LARGEST <= value <= LARGEST
    return type(value) is kind and not (kind is float and not math.isfinite(value))


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Annotated:
        number, limits = get_args(kind)
        of = " of" if limits.most == math.inf else ""
        return f"{'a whole number' if number is int else 'a number'}{of} {limits}"
    if get_origin(kind) in (Literal, *_UNIONS):
        return " or ".join(_in_words(each) for each in get_args(kind))
    names = {
        str: "a string",
        File: "the path of a file",
        Code: "a function, as module:function",
        Lexicon: "a lexicon, such as nltk:fra",
        int: "a whole number within 32 bits",
        float: "a finite number",
        bool: "true or false",
        NoneType: "nothing",
    }
    return names.get(kind, repr(kind))
