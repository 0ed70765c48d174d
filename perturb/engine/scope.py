"""Spans of texts that edits carry along, and spans that they avoid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    def carried(self, edits: Edits, texts: Strings | None = None) -> Spans:
        """Return the spans in the texts after `edits`.

        Args:
            edits: the edits.
            texts: the texts before; where an edit moves the text of a span, this moves too.
        """
        starts, ends, touched = edits.carry(self.starts, self.ends)
        for row, moved in _moved(self, edits, texts, touched) if texts else ():
            starts[row], ends[row], touched[row] = *moved, False
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


# How much text beside a span may be needed to tell it from others of the same text.
_BESIDE = 0, 8, 32


def _moved(
    spans: Spans, edits: Edits, texts: Strings, touched: Bool
) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the spans with the text that a larger edit around them has elsewhere, and its place.

    The text must be there once before and after, if need be together with some text beside it.
    """
    (rows,) = touched.nonzero()
    at = edits.ends.searchsorted(spans.starts[rows], "right")
    around = (edits.starts[at] <= spans.starts[rows]) & (edits.ends[at] >= spans.ends[rows])
    around &= edits.ends[at] - edits.starts[at] > spans.ends[rows] - spans.starts[rows]
    rows, at = rows[around], at[around]
    into = edits.written()[0][at].tolist()
    removed = Strings(texts.codes, edits.starts[at], edits.ends[at]).to_list()
    written = edits.replacements.take(at).to_list()
    starts, ends = ((each[rows] - edits.starts[at]).tolist() for each in (spans.starts, spans.ends))
    for row, *one, place in zip(rows.tolist(), removed, written, starts, ends, into, strict=True):
        found = place_in(*one)
        if found >= 0:
            yield row, (place + found, place + found + one[3] - one[2])


def place_in(before: str, after: str, start: int, end: int) -> int:
    """Return where a part of a text is in another one; -1 if that isn't sure."""
    for size in _BESIDE:
        for first, last in ((max(0, start - size), end), (start, end + size)):
            part = before[first:last]
            if before.count(part) == after.count(part) == 1:
                return after.index(part) + start - first
    return -1


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
