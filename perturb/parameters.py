"""The parameters of a perturbator: what is given fits what its function asks for."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from perturb.errors import UsageError, unknown
from perturb.registry import Perturbator
from perturb.tables import File, pinned


def filled(
    found: Perturbator, given: Mapping[str, Any], others: Sequence[str] = ()
) -> dict[str, Any]:
    """All parameters of a perturbator: those that are given, and the defaults of the others.

    Args:
        found: the perturbator.
        given: some parameters; a function of a module stands for its name, a path for its file.
        others: what could be given beside parameters, for the message on an unknown one.

    Raises:
        UsageError: a parameter that there is not, or a value that is not of its kind.
    """
    given = {key: _by_name(value) if callable(value) else value for key, value in given.items()}
    for key, value in given.items():
        if key not in found.parameters:
            raise unknown(f"parameter of {found.name}", key, [*found.parameters, *others])
        wanted = found.types.get(key, Any)
        if type(value) is str and File in (wanted, *get_args(wanted)):
            given[key] = value = pinned(value)
        if not _fits(value, wanted):
            raise UsageError(f"{found.name}: {key} must be {_in_words(wanted)}; got {value!r}")
    return {**found.parameters, **given}


def _by_name(function: Any) -> str:
    """A function as `module:name`, so that a record can hold it and another process find it."""
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
    return type(value) is wanted and not (wanted is float and not math.isfinite(value))


def _in_words(wanted: Any) -> str:
    if get_origin(wanted) is Literal or isinstance(wanted, UnionType):
        return " or ".join(_in_words(one) for one in get_args(wanted))
    names = {
        str: "a string",
        File: "the path of a file",
        int: "a whole number",
        float: "a finite number",
        bool: "true or false",
    }
    return "nothing" if wanted is NoneType else names.get(wanted, repr(wanted))
