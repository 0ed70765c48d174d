"""Examples of what perturbators do, each on a text that it changes visibly."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from perturb.api import apply, describe
from perturb.records.record import Record

STRENGTHS = ("low", "medium", "high")
_SEEDS = range(20)
_ARGUMENT = re.compile(r"^ {4}(\w+): ", re.MULTILINE)


def versions(name: str) -> list[tuple[str, Record]]:
    """Return labelled examples at three strengths, or with three seeds if the strengths are equal.

    The seed is the first of twenty at which the most of the three differ.
    """
    said = describe(name)
    shares = [said["intensities"][strength] for strength in STRENGTHS]
    if len({*shares}) == 1:
        return [(f"seed = {one.seed}", one) for one in islice(_distinct(said), len(shares))]
    seed = max(_SEEDS, key=lambda seed: _different(said, shares, seed))
    return [
        (f"p = {p:g}", record) for p, record in zip(shares, _at(said, shares, seed), strict=True)
    ]


def _different(said: dict[str, Any], shares: list[float], seed: int) -> int:
    return len({said["example"], *map(str, _at(said, shares, seed))})


def _at(said: dict[str, Any], shares: list[float], seed: int) -> list[Record]:
    return [apply(said["example"], said["name"], p=p, seed=seed) for p in shares]


def _distinct(said: dict[str, Any]) -> Iterator[Record]:
    """Yield the distinct results for an example at full strength, over all seeds."""
    seen = {said["example"]}
    for seed in _SEEDS:
        record = apply(said["example"], said["name"], p=1.0, seed=seed)
        if str(record) not in seen:
            seen.add(str(record))
            yield record


def documented(doc: str) -> tuple[str, dict[str, str]]:
    """Return the body of a docstring, and the description of each argument except the batch."""
    body, _, rest = doc.partition("\nArgs:\n")
    arguments, _, _ = rest.partition("\n\n")
    _, *pieces = _ARGUMENT.split(arguments)
    said = zip(pieces[::2], pieces[1::2], strict=True)
    return body.strip(), {
        name: " ".join(inspect.cleandoc(text).split()) for name, text in said if name != "batch"
    }
