"""Originals: what rows of one id say of their original is compared before they are joined by it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from perturb.errors import DataError
from perturb.plan.recipe_text import read_options
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.record_text import original_text, record_of
from perturb.robustness.linking.sources import rows_at
from perturb.values.arrays import Bool, Int32, Int64, UInt32, UInt64, distinct, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.pairs.columns import Columns

    # A row, by the sources it is of and its place among their rows.
    Place = tuple[Sequence[RowSource], int]

# The characters of two texts that are shown before they differ, and after: both fit in a line.
_BEFORE, _AFTER = 20, 40


def compared(columns: Columns, sources: Sequence[RowSource]) -> Columns:
    """Compare what rows of one id say of their original; `Columns` tells what then stays.

    Raises:
        DataError: two have different originals, or different right answers where these stay the
            same. The first such id is named.
    """
    right, _ = _compared(columns, columns.right, sources, "right answer")
    proof, compared = _compared(columns, columns.proof, sources, "original")
    said, none = {"right answer": right, "original": proof}, np.empty(0, np.uint64)
    return columns._replace(right=none, proof=none, said=said, compared=compared)


def _compared(
    columns: Columns, numbers: UInt64, sources: Sequence[RowSource], what: str
) -> tuple[dict[int, tuple[UInt64, UInt32]], Bool]:
    """Return what originals are by rows, and which have a clean row with a number of their kind.

    The upper half of a number, its kind, says what the lower half is a hash of; only like is
    compared with like. By kind these are the keys of originals, and their lower halves.
    """
    every, compared, others = columns.originals, numbers > 0, [np.empty((2, 0), int)]
    first = defaultdict[int, Int32](lambda: np.full(every.size, -1, np.int32))
    clean = defaultdict[int, Bool](lambda: np.zeros(every.size, bool))

    def rows_of() -> Iterator[tuple[int, Int64, Int32]]:
        """Yield kinds, with some of their rows, from the last ones on, and the originals."""
        for part in parts(numbers)[::-1]:
            kinds = numbers[part] >> np.uint64(32)
            for kind in filter(None, distinct(kinds).tolist()):  # there are few
                rows = np.flatnonzero(kinds == kind) + part.start
                yield kind, rows, columns.original[rows]

    for kind, rows, own in rows_of():
        first[kind][own[::-1]] = rows[::-1]
        clean[kind][own[columns.condition[rows] < 0]] = True
    for kind, rows, own in rows_of():
        compared[rows] = clean[kind][own]
        twins = np.stack([rows, first[kind][own]])
        others.append(twins[:, np.not_equal(*numbers[twins])])
    other, twin = np.concatenate(others, axis=1)
    if other.size:
        at = np.argmin(other)
        pair = [(sources, int(place[at])) for place in (twin, other)]
        raise differing(pair, what, distinct(columns.original[other]).size, columns.target)
    # Of all originals, as there mostly are, the keys take no memory.
    some = {kind: slice(None) if at.min() >= 0 else at >= 0 for kind, at in first.items()}
    said = {at: (every[one], numbers[first[at][one]].astype(np.uint32)) for at, one in some.items()}
    return said, compared


def differing(pair: Sequence[Place], what: str, count: int, target: str) -> DataError:
    """Return the error for two rows of one id that differ in this."""
    found = [next(rows_at(sources, [place])) for sources, place in pair]
    rows = [row for *_, row in found]
    if what == "original":
        record = next(filter(None, map(record_of, rows)))
        paths = read_options(record["recipe"])["field"]
        texts = ["\n".join(original_text(row, [path]) or "" for path in paths) for row in rows]
    else:
        texts = [str(row[target]) for row in rows]
    return DataError(
        f"{' and '.join(source.at(number) for source, number, _ in found)} have the same id, "
        f"{link(found[0][2]).original_id!r}, but not the same {what}"
        f"{f' (and {count - 1:,} more such ids)' * (count > 1)}: {parted(*texts)}. Give the "
        "originals that were perturbed; those without a text are joined by id alone"
    )


def parted(one: str, other: str) -> str:
    """Return the beginnings of two texts for a message, or what stands around where they part."""
    pairs = enumerate(zip(one, other, strict=False))
    start = max(next((at for at, (a, b) in pairs if a != b), 0) - _BEFORE, 0)
    ends = (text[start : start + _BEFORE + _AFTER] for text in (one, other))
    return " and ".join(repr("…" * (start > 0) + end) for end in ends)
