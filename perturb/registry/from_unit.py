"""Perturbators from a function of one unit: a word, a sentence, a line, a character or a text."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, get_type_hints

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError

UnitFunction = Callable[..., str] | Callable[..., Awaitable[str]]


def takes_unit(function: Callable[..., Any]) -> bool:
    """Return whether the first argument of a function is annotated as a string."""
    first = next(iter(inspect.signature(function).parameters), None)
    return first is not None and get_type_hints(function).get(first) is str


def find_units(name: str, function: UnitFunction, unit: str) -> Callable[..., Sites]:
    """Return a function from a batch to the units that `function` changes, and what it writes.

    Args:
        name: the perturbator, for messages.
        function: returns the replacement of one unit, plain or async; it must return the same for
            the same unit, and is never called with "".
        unit: "character", "word", "sentence", "line" or "text".

    Raises:
        UsageError: the unit is "place", which no function of a string can find.
    """
    if unit == "place":
        raise UsageError(
            f"{name}: a function of a string needs a unit to be called with: character, word, "
            "sentence, line or text; got 'place'"
        )

    def made_of(units: list[str], parameters: dict[str, Any]) -> list[str]:
        made: list[Any] = [function(one, **parameters) for one in units]
        if any(map(inspect.isawaitable, made)):
            from perturb.registry.async_calls import finished  # only async functions wait for it

            made = finished(name, list(zip(units, made, strict=True)))
        for one, text in zip(units, made, strict=True):
            if not isinstance(text, str):
                raise TypeError(
                    f"{name}: the function must return a string for {one!r}; got {text!r}"
                )
        return made

    @wraps(function)
    def find(batch: Batch, **parameters: Any) -> Sites:
        spans = batch.spans_of(unit)
        units = spans.to_list()
        different = list(dict.fromkeys(filter(None, units)))
        written = {"": "", **dict(zip(different, made_of(different, parameters), strict=True))}
        changed = np.array([written[one] != one for one in units], np.bool_)
        starts, ends = spans.starts[changed], spans.ends[changed]

        def write(chosen: Chosen) -> Strings:
            return column(written[one] for one in chosen.texts.to_list())

        return Sites(starts, ends, unit, write)

    return find
