"""The rows that several systems share, in one order."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np

from perturb.errors import DataError
from perturb.robustness.grading.plan import OUT
from perturb.robustness.pairs.originals import differing
from perturb.values.arrays import Rows, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.robustness.pairs.join import Pairs


def shared_rows(*sides: Pairs) -> list[Rows]:
    """Return the numbers of the pairs that all systems have, in each, in the order of the first.

    Raises:
        DataError: there is none.
    """
    first, *others = (pairs.key for pairs in sides)
    if all(np.array_equal(first, key) for key in others):
        return [np.arange(first.size, dtype=np.int32)] * len(sides)
    shared = reduce(partial(np.intersect1d, assume_unique=True), others, first)
    if not shared.size:
        which, every = ("two", "both systems") if len(sides) == 2 else ("systems", "all of them")
        raise DataError(
            f"the {which} share no perturbed row: perturb once, and ask {every} with the same "
            "seeds, or all without (--seeds of perturb run)"
        )
    places = []
    for key in (first, *others):
        order = np.argsort(key)
        places.append(order[np.searchsorted(key, shared, sorter=order)])
    order = np.argsort(places[0])
    return [each[order] for each in places]


def aligned(sides: Mapping[str, Pairs]) -> tuple[list[Pairs], list[str]]:
    """Return the rows that all systems share, in one order, and how many others have, as hints.

    Originals and conditions of all are numbered and called as those of the first.

    Raises:
        DataError: they share none, or rows of one id are of other originals.
    """
    shared = shared_rows(*sides.values())
    hints = []
    for (name, pairs), rows in zip(sides.items(), shared, strict=True):
        if alone := pairs.place.size - rows.size:
            count = f"{alone:,} perturbed {'row' if alone == 1 else 'rows'}"
            which = f"that {name} alone has" if len(sides) == 2 else f"of {name} that not all have"
            hints.append(f"Left out: {count} {which}.")
    first, *others = (pairs.take(at) for pairs, at in zip(sides.values(), shared, strict=True))
    for other in others:
        refuse_others(first, other)
    every = [first, *(pairs.numbered_as(first) for pairs in others)]
    return every, [*hints, *joined_by_id(*sides.values())]


def shared_by(sides: Sequence[Pairs], measure: int) -> list[Pairs]:
    """Return the rows that all systems share, as one measure knows them; see `Pairs.by`."""
    every = [pairs.by(measure).kept for pairs in sides]
    if len(every) == 1 or every[0].columns.unanswered != OUT:
        return every  # they are the same rows
    return [pairs.take(rows) for pairs, rows in zip(every, shared_rows(*every), strict=True)]


def refuse_others(one: Pairs, other: Pairs) -> None:
    """Refuse two systems whose rows, the same by their ids, are of different originals.

    Raises:
        DataError: see `compared`.
    """
    for what, here in one.columns.said.items():
        there = other.columns.said[what]
        for kind in sorted(here.keys() & there.keys()):
            sides = here[kind], there[kind]
            if all(np.array_equal(here[kind][at], there[kind][at]) for at in (0, 1)):  # as mostly
                continue
            names, *at = np.intersect1d(sides[0][0], sides[1][0], True, return_indices=True)
            differ = np.not_equal(*(said[1][each] for said, each in zip(sides, at, strict=True)))
            others = one.columns.originals.searchsorted(names[differ])
            rows = np.flatnonzero(np.isin(one.original, others)) if others.size else others
            if rows.size:
                at = rows[np.argmin(one.place[rows])]
                pair = [(pairs.sources, int(pairs.place[at])) for pairs in (one, other)]
                raise differing(pair, what, distinct(one.original[rows]).size, one.columns.target)


def joined_by_id(*sides: Pairs) -> Iterator[str]:
    """Yield how many rows were left out as repeats, and joined by id alone, if any were."""
    if count := sum(pairs.repeats for pairs in sides):
        rows = "1 row is" if count == 1 else f"{count:,} rows are"
        yield (
            f"{rows} left out: originals without ids that repeat others exactly count once, and "
            "the first of them does."
        )
    if count := sum(int((~pairs.compared).sum()) for pairs in sides):
        every = sum(pairs.place.size for pairs in sides)
        yield (
            f"{count:,} of {every:,} perturbed rows were joined with their originals by id alone: "
            "the clean rows lack the text, so nothing shows that they are the same."
        )
