"""Texts with what holds for each alone, and the batches in which they are perturbed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeVar

import numpy as np

from perturb.arrays import Int64, UInt64
from perturb.engine.protection import Span
from perturb.engine.text.strings import Strings
from perturb.records.ids import keys_of_texts, record_keys

T = TypeVar("T")

# The characters of a batch: enough to spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 5 << 16
# The cost of a text, however short it is, in characters.
_TEXT_COST = 64


class Texts:
    """Texts, and what holds for each alone; every column is as long as `texts` or None.

    What is made of them is made once, for all that is done with the texts.

    Attributes:
        texts: the texts.
        ids: what names each original; None to name them by their texts.
        fields: where in its row each stands.
        protect: for each, further spans where no edit may be.
        only: for each, further spans that edits are restricted to.
        spans: for each, spans to carry along.
    """

    def __init__(
        self,
        texts: Sequence[str],
        ids: Sequence[str] | None = None,
        fields: Sequence[str] | None = None,
        protect: Sequence[Sequence[Span]] | None = None,
        only: Sequence[Sequence[Span]] | None = None,
        spans: Sequence[Sequence[Span]] | None = None,
    ) -> None:
        self.texts = texts
        self.ids = ids
        self.fields = fields
        self.protect = protect
        self.only = only
        self.spans = spans

    @cached_property
    def source(self) -> Strings:
        """The texts as the engine takes them."""
        return Strings.of_texts(self.texts)

    @cached_property
    def keys(self) -> UInt64:
        """The key of each."""
        if self.ids is None and len(self.texts) > 1:
            return keys_of_texts(self.texts, self.source)
        return record_keys(self.texts, self.ids, self.fields)

    @cached_property
    def batches(self) -> list[tuple[Int64, Texts]]:
        """The texts cut into batches, each with the rows of its texts."""
        return [(rows, self.at(rows)) for rows in cut_into_batches(self.texts)]

    def at(self, rows: Int64) -> Texts:
        """Return the texts at `rows`, which increase."""
        columns = (self.texts, self.ids, self.fields, self.protect, self.only, self.spans)
        first, last = int(rows[0]), int(rows[-1]) + 1
        if last - first == len(rows):
            return Texts(*(column and column[first:last] for column in columns))  # type: ignore[arg-type]
        at = rows.tolist()
        return Texts(*(column and list(map(column.__getitem__, at)) for column in columns))  # type: ignore[arg-type]


def cut_into_batches(texts: Sequence[str]) -> Iterator[Int64]:
    """Yield the rows of each batch; texts of ASCII are apart, as a byte holds their characters."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + _TEXT_COST
    narrow = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
    for rows in (np.flatnonzero(narrow), np.flatnonzero(~narrow)):
        ends = np.cumsum(sizes[rows])
        parts = 1 + int(ends[-1:].sum()) // _BATCH_SIZE
        for batch in np.split(rows, ends.searchsorted(ends[-1:] * np.arange(1, parts) // parts)):
            if len(batch):
                yield batch


def places_in_order(rows: Sequence[Int64]) -> Int64 | None:
    """Return where the rows 0, 1, 2, ... are among those of batches; None where these are in order.

    Args:
        rows: the rows of each batch.
    """
    if all(rows[n][-1] < rows[n + 1][0] for n in range(len(rows) - 1)):
        return None
    made = np.concatenate(rows)
    places = np.empty_like(made)
    places[made] = np.arange(len(made))
    return places


def in_order(places: Int64 | None, *columns: list[T]) -> list[list[T]]:
    """Return the entries of columns at `places`, as `places_in_order` gives them."""
    if places is None:
        return list(columns)
    back = places.tolist()
    return [list(map(column.__getitem__, back)) for column in columns]
