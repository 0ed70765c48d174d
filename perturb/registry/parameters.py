"""Check the parameters of a perturbator against the signature of its function."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from perturb.boundary import Code, File, Lexicon, check_trusted, pinned
from perturb.errors import MEANT, UsageError, shown, suggestion
from perturb.registry.definition import Perturbator
from perturb.values.scalars import plain

# Whole numbers of parameters lie between this and its negative: 32 bits hold both, and a larger
# number would only ask for more memory than there is.
LARGEST = (1 << 31) - 1


def checked_parameters(
    perturbator: Perturbator, settings: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all parameters of a perturbator: the caller's, and defaults for the others.

    Args:
        perturbator: the perturbator.
        settings: the caller's parameters; a function of a module means its name, a path its file.
        others: other valid names, for the message on an unknown one.

    Raises:
        UsageError: an unknown parameter, or a value of a wrong type or out of range.
    """
    parameters = dict(perturbator.parameters)
    for key, value in settings.items():
        value = _by_name(value) if callable(value) else plain(value)
        if key not in parameters:
            hint = _USUAL.get(MEANT.get(key, key)) or suggestion(key, [*parameters, *others])
            if hint.startswith("known"):  # a list of settings that every step has would be noise
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
        limits = perturbator.ranges.get(key)
        if limits and value is not None and not limits.least <= value <= limits.most:
            raise UsageError(f"{perturbator.name}: {key} must be {limits}; got {shown(value)}")
        parameters[key] = value
    return parameters


# The types of parameters that perturb opens or runs, each with its constructor from a string.
_OUTSIDE: Mapping[Any, Callable[[str], str]] = {File: pinned, Code: Code, Lexicon: Lexicon}

# Hints for names that aren't settings of a step.
_USUAL = {
    "p": "did you mean p?",
    "replicates": "for several versions use perturb.augment(..., replicates=N); for a number of "
    "edits per text, count=N",
}


def _by_name(function: Any) -> str:
    """Return a function as `module:name`, for records and for other processes."""
    module, name = function.__module__, getattr(function, "__qualname__", repr(function))
    if getattr(sys.modules.get(module), name, None) is not function:
        raise UsageError(
            f"{name} can't be imported by name from {module}; move it to the module's top level"
        )
    return f"{module}:{name}"


def _fits(value: Any, kind: Any) -> bool:
    if kind is Any:
        return True
    if get_origin(kind) is Literal:
        return value in get_args(kind)
    if isinstance(kind, UnionType):
        return any(_fits(value, each) for each in get_args(kind))
    if kind is float and type(value) is int:
        return True
    if kind is int and type(value) is int:
        return -LARGEST <= value <= LARGEST
    return type(value) is kind and not (kind is float and not math.isfinite(value))


def _in_words(kind: Any) -> str:
    if get_origin(kind) is Literal or isinstance(kind, UnionType):
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
