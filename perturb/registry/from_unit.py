"""Perturbators from a function of one unit: a word, a sentence, a line, a character or a text."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable
from functools import wraps
from itertools import repeat
from typing import Any, get_type_hints

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.errors import UsageError

# The parameter by which a function takes the random numbers of a place.
RNG = "rng"
UnitFunction = Callable[..., str] | Callable[..., Awaitable[str]]


def takes_unit(function: Callable[..., Any]) -> bool:
    """Return whether the first argument of a function is annotated as a string."""
    first = next(iter(inspect.signature(function).parameters), None)
    return first is not None and get_type_hints(function).get(first) is str


def find_units(name: str, function: UnitFunction, unit: str) -> Callable[..., Sites]:
    """Return a function from a batch to the units that `function` changes, and what it writes.

    Args:
        name: the perturbator, for messages.
        function: returns the replacement of one unit, plain or async; it is never called with "".
            Where it has a parameter `rng`, it gets a `KeyedRandom` of the place by it. What it
            returns must depend on its arguments alone.
        unit: "character", "word", "sentence", "line" or "text".

    Raises:
        UsageError: the unit is "place", which no function of a string can find.
    """
    if unit == "place":
        raise UsageError(
            f"{name}: a function of a string needs a unit to be called with: character, word, "
            "sentence, line or text; got 'place'"
        )

    draws = RNG in inspect.signature(function).parameters

    def made_of(units: list[str], parameters: Iterable[dict[str, Any]]) -> list[str]:
        pairs = zip(units, parameters, strict=False)  # the parameters may be one for all
        made: list[Any] = [function(one, **own) for one, own in pairs]
        if any(map(inspect.isawaitable, made)):
            from perturb.registry.async_calls import finished  # only async functions wait for it

            made = finished(name, list(zip(units, made, strict=True)))
        for one, text in zip(units, made, strict=True):
            if not isinstance(text, str):
                raise TypeError(
                    f"{name}: the function must return a string for {one!r}; got {text!r}"
                )
        return made

    def drawn(batch: Batch, spans: Strings, parameters: dict[str, Any]) -> list[str]:
        """Call the function for each unit, with the random numbers of its place."""
        from perturb.registry.from_regex import KeyedRandom  # loads the module regex

        rows = batch.edges.searchsorted(spans.starts, "right") - 1
        keys, origins = batch.keys[rows], spans.starts - batch.edges[rows]
        randoms = map(KeyedRandom, keys.tolist(), origins.tolist())
        return made_of(spans.to_list(), ({**parameters, RNG: random} for random in randoms))

    def same(spans: Strings, parameters: dict[str, Any]) -> list[str]:
        """Call the function once for all units that are equal."""
        units = spans.to_list()
        different = list(dict.fromkeys(units))
        made = dict(zip(different, made_of(different, repeat(parameters)), strict=True))
        return [made[one] for one in units]

    @wraps(function)
    def find(batch: Batch, **parameters: Any) -> Sites:
        spans = batch.spans_of(unit)
        spans = spans.take(np.flatnonzero(spans.lengths))
        made = drawn(batch, spans, parameters) if draws else same(spans, parameters)
        pairs = zip(made, spans.to_list(), strict=True)
        changed = np.array([text != one for text, one in pairs], np.bool_)
        starts, ends = spans.starts[changed], spans.ends[changed]
        written = dict(zip(spans.starts.tolist(), made, strict=True))

        def write(chosen: Chosen) -> Strings:
            return column(written[start] for start in chosen.texts.starts.tolist())

        return Sites(starts, ends, unit, write)

    if draws:  # what perturb gives is no parameter of the step
        signature = inspect.signature(function)
        own = [one for one in signature.parameters.values() if one.name != RNG]
        find.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        find.__annotations__ = {k: v for k, v in find.__annotations__.items() if k != RNG}
    return find
