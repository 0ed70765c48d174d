"""Texts with what holds for each alone, and the batches in which they are perturbed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from perturb.arrays import UInt64
from perturb.engine.protection import Span
from perturb.records.ids import record_keys

# The characters of a batch: enough to spread the cost of the calls; more would leave the cache.
_BATCH_SIZE = 5 << 16
# The cost of a text, however short it is, in characters.
_TEXT_COST = 64


@dataclass(slots=True)
class Texts:
    """Texts, and what holds for each alone; every column is as long as `texts` or None.

    Attributes:
        texts: the texts.
        ids: what names each original; None to name them by their texts.
        fields: where in its row each stands.
        protect: for each, further spans where no edit may be.
        only: for each, further spans that edits are restricted to.
        spans: for each, spans to carry along.
    """

    texts: Sequence[str]
    ids: Sequence[str] | None = None
    fields: Sequence[str] | None = None
    protect: Sequence[Sequence[Span]] | None = None
    only: Sequence[Sequence[Span]] | None = None
    spans: Sequence[Sequence[Span]] | None = None
    _keys: UInt64 | None = None

    def keys(self) -> UInt64:
        """Return the key of each; they are made once, for whatever is done with the texts."""
        if self._keys is None:
            self._keys = record_keys(self.texts, self.ids, self.fields)
        return self._keys

    def take(self, rows: Sequence[int]) -> Texts:
        """Return the texts at `rows`, which increase."""
        columns = (self.texts, self.ids, self.fields, self.protect, self.only, self.spans)
        first, last = rows[0], rows[-1] + 1
        if last - first == len(rows):
            taken = Texts(*(column and column[first:last] for column in columns))  # type: ignore[arg-type]
            taken._keys = self.keys()[first:last]
        else:
            taken = Texts(*(column and list(map(column.__getitem__, rows)) for column in columns))  # type: ignore[arg-type]
            taken._keys = self.keys()[rows]
        return taken


def cut_into_batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """Cut texts into batches; those of ASCII apart, since their characters fit into bytes."""
    sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + _TEXT_COST
    narrow = np.fromiter(map(str.isascii, texts), np.bool_, len(texts))
    for rows in (np.flatnonzero(narrow), np.flatnonzero(~narrow)):
        ends = np.cumsum(sizes[rows])
        parts = 1 + int(ends[-1:].sum()) // _BATCH_SIZE
        for batch in np.split(rows, ends.searchsorted(ends[-1:] * np.arange(1, parts) // parts)):
            if len(batch):
                yield batch.tolist()
