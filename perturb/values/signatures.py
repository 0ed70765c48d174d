"""Signatures that name each of a list of keyword arguments. Private."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, signature
from typing import Any, TypeVar

Door = TypeVar("Door", bound=Callable[..., Any])


def spelled_out(door: Door, kinds: Mapping[str, Any], defaults: Mapping[str, Any]) -> Door:
    """Give a function that takes `**options` the signature that names each of them.

    Args:
        door: the function.
        kinds: the type of each option, as `__annotations__` of a `TypedDict` has them.
        defaults: those that the signature shows; every other one is None.
    """
    taken = signature(door)
    *named, _ = taken.parameters.values()
    for name, kind in kinds.items():
        default, words = defaults.get(name), kind.__forward_arg__
        named.append(Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=words))
    door.__signature__ = taken.replace(parameters=named)  # type: ignore[attr-defined]
    return door
