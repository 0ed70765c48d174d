"""Spans of texts that edits carry along, and spans that they avoid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.places import covered
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Int64

# The code points of a text from a start to before an end.
Span = tuple[int, int]


class Spans(NamedTuple):
    """Spans of the texts of a batch, carried along by the edits.

    Attributes:
        starts: shape (n,); in code points of the batch, in any order.
        ends: shape (n,).
        touched: shape (n,); whether an edit lay inside or across the border so far.
    """

    starts: Int64
    ends: Int64
    touched: Bool

    @classmethod
    def of(cls, texts: Strings, spans: Sequence[Sequence[Span]]) -> Spans:
        """Make spans from spans relative to the start of each text."""
        rows = np.repeat(texts.starts, [len(row) for row in spans])
        flat = np.array([span for row in spans for span in row], np.intp).reshape(-1, 2)
        return cls(rows + flat[:, 0], rows + flat[:, 1], np.zeros(len(flat), np.bool_))

    def carried(self, edits: Edits) -> Spans:
        """Return the spans in the texts after `edits`."""
        starts, ends, touched = edits.carry(self.starts, self.ends)
        return Spans(starts, ends, touched | self.touched)

    def of_rows(self, texts: Strings, rows: Int64, part: Strings) -> Spans:
        """Return the spans of the texts at `rows`, which `part` holds in the same order."""
        text = np.searchsorted(texts.starts, self.starts, "right") - 1
        place = np.minimum(np.searchsorted(rows, text), len(rows) - 1)
        (here,) = np.nonzero(rows[place] == text)
        moved = (part.starts - texts.starts[rows])[place[here]]
        return Spans(self.starts[here] + moved, self.ends[here] + moved, self.touched[here])

    def mask(self, size: int) -> Bool:
        """Mark which of `size` code points lie in a span."""
        return covered(self.starts, self.ends, size)


class Scope(NamedTuple):
    """The limits of the edits to the texts of a batch.

    Attributes:
        protect: the spans that no edit may touch; None for no spans.
        only: the spans to which edits are restricted; None for no restriction.
        unwritten: the characters that no edit may write; edits that would are dropped.
    """

    protect: Spans | None = None
    only: Spans | None = None
    unwritten: CharacterSet | None = None

    def of_rows(self, texts: Strings, rows: Int64, part: Strings) -> Scope:
        """Return the scope of the texts at `rows`, which `part` holds in the same order."""
        protect, only = (s and s.of_rows(texts, rows, part) for s in (self.protect, self.only))
        return Scope(protect, only, self.unwritten)

    def outside(self, starts: Int64, ends: Int64) -> Scope:
        """Return the scope that protects further spans as well."""
        touched = np.zeros(len(starts), np.bool_)
        if self.protect is not None:
            starts = np.append(self.protect.starts, starts)
            ends = np.append(self.protect.ends, ends)
            touched = np.append(self.protect.touched, touched)
        return self._replace(protect=Spans(starts, ends, touched))

    def carried(self, edits: Edits) -> Scope:
        """Return the scope in the texts after `edits`."""
        if self.protect is None and self.only is None:
            return self
        protect, only = (s and s.carried(edits) for s in (self.protect, self.only))
        return Scope(protect, only, self.unwritten)
