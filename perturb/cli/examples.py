"""Examples of perturbators, each on a text that it changes visibly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from perturb.api import apply
from perturb.records.record import Record
from perturb.registry.describe import describe

STRENGTHS = ("low", "medium", "high")
_SEEDS = range(20)


def versions(name: str) -> list[tuple[str, Record]]:
    """Return labelled examples at three strengths, or with three seeds if all strengths agree.

    The seed is the first of twenty with the most different results: a reader learns nothing from a
    seed at which low and high strength agree.
    """
    facts = describe(name)
    text, shares = facts["example"], [facts["intensities"][strength] for strength in STRENGTHS]
    if len({*shares}) == 1:
        some = islice(_distinct(text, facts["name"]), len(shares))
        return [(f"seed = {record.seed}", record) for record in some]
    best: list[Record] = []
    most = 0
    for seed in _SEEDS:
        records = [apply(text, facts["name"], p=p, seed=seed) for p in shares]
        if (different := len({text, *map(str, records)})) > most:
            best, most = records, different
        if most > len(shares):  # all differ
            break
    return [(f"p = {p:g}", record) for p, record in zip(shares, best, strict=True)]


def _distinct(text: str, name: str) -> Iterator[Record]:
    """Yield the distinct results for an example at full strength, over all seeds."""
    seen = {text}
    for seed in _SEEDS:
        record = apply(text, name, p=1.0, seed=seed)
        if str(record) not in seen:
            seen.add(str(record))
            yield record
