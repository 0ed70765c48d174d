"""Originals: what rows of one id say of their original is compared before they are joined by it."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from perturb.errors import DataError, PerturbError
from perturb.io import json_path
from perturb.plan.recipe_text import read_options
from perturb.records.ids import check_of
from perturb.records.notation import NAMES, Records
from perturb.rng import key64
from perturb.robustness.linking.conditions import KEPT, identity, link
from perturb.robustness.linking.record_text import original_text, record_of
from perturb.robustness.linking.sources import rows_at
from perturb.values.arrays import Bool, Int32, Int64, UInt32, UInt64, distinct, parts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.robustness.linking.sources import Row, RowSource
    from perturb.robustness.pairs.columns import Columns
    from perturb.robustness.pairs.join import Pairs

    # A row, by the sources it is of and its place among their rows.
    Place = tuple[Sequence[RowSource], int]

# The characters of two texts that are shown before they differ, and after: both fit in a line.
_BEFORE, _AFTER = 20, 40


def a_record(sources: Sequence[RowSource]) -> Mapping[str, str] | None:
    """Return the first record of the last source that has one; None where no row has."""
    for source in sources[::-1]:
        for number, row in source.rows:
            with source.naming(number):
                if record := link(row).record:
                    return record
    return None


def as_record(row: Row, other: Mapping[str, str]) -> dict[str, str]:
    """Return what the record of an original without one would say, but for a condition's name.

    Args:
        row: the original, which holds its text itself.
        other: the record of another row, which says in which fields that text is.
    """
    is_text, original_id = bool(other["original"]), identity(row)
    text = _text_of(row, _layout(other["recipe"], is_text)[1], is_text)
    fields = {"original_id": original_id, "status": "original", "expect": KEPT}
    fields |= {"original": text} if is_text else {"check": text}
    return dict.fromkeys(NAMES, "") | fields | {"recipe": other["recipe"]}


def numbers_of(records: Records) -> list[int]:
    """Return the numbers of what proves the originals of rows: their texts, or else their checks.

    One is 0 where the row does not say what its original is.
    """
    texts = (text or check for text, check in zip(records.original, records.check, strict=True))
    return [crc32(text.encode("utf-8", "surrogatepass")) or 1 if text else 0 for text in texts]


def proofs_of(numbers: UInt32, layouts: Sequence[tuple[str, bool]], kinds: Int32) -> UInt64:
    """Return numbers that prove originals: one half says what the other is a hash of.

    Args:
        numbers: shape (n,); those of `numbers_of`.
        layouts: for each kind of rows its recipe, and whether they hold the text or its check.
        kinds: shape (n,); the kind of each row.

    Returns:
        The numbers; 0 where the row does not say what its original is.
    """
    proofs: UInt64 = np.array([_layout(*layout)[0] << 32 for layout in layouts], np.uint64)[kinds]
    proofs |= numbers
    proofs[numbers == 0] = 0
    return proofs


def right_number(text: str) -> int:
    """Return the number of a right answer."""
    return 1 << 32 | key64(text) >> 32


@lru_cache(maxsize=1 << 13)
def _layout(recipe: str, is_text: bool) -> tuple[int, tuple[str, ...]]:
    """Return the number of what proves an original, and the paths to what that is made of."""
    options = read_options(recipe)
    paths = options["field"] if is_text else (*options["field"], *options["target"])
    # 0 says that there is no proof, and 1 is of right answers.
    return key64(is_text, *paths) >> 32 or 2, paths


def _text_of(row: Row, paths: Sequence[str], is_text: bool) -> str:
    """Return the text or the check of a row without a record; "" where it lacks a part of it."""
    try:
        found = [value for path in paths for _, value in json_path.locate(row, path)]
        texts = ["\n".join(value if isinstance(value, list) else [value]) for value in found]
    except (PerturbError, TypeError):  # it is not there, or no text
        return ""
    return "".join(texts[:1]) if is_text else check_of(texts)


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
        raise _differing(pair, what, distinct(columns.original[other]).size, columns.target)
    # Of all originals, as there mostly are, the keys take no memory.
    some = {kind: slice(None) if at.min() >= 0 else at >= 0 for kind, at in first.items()}
    said = {at: (every[one], numbers[first[at][one]].astype(np.uint32)) for at, one in some.items()}
    return said, compared


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
                raise _differing(pair, what, distinct(one.original[rows]).size, one.columns.target)


def _differing(pair: Sequence[Place], what: str, count: int, target: str) -> DataError:
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
