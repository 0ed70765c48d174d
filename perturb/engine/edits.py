"""Edits of a batch, as arrays: apply, invert, compose, carry spans along."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.text.strings import ONE, Strings, every, ranges, repeated, same, single, stack
from perturb.values.arrays import Bool, Codes, Int64


class Edits:
    """Replacements of spans, in order and without overlap, over a whole batch.

    Attributes:
        starts: shape (n,); where each replaced span starts, in code points of the source.
        ends: shape (n,); where it ends; equal to the start for an insertion.
        replacements: n strings; empty for a deletion.
    """

    def __init__(self, starts: Int64, ends: Int64, replacements: Strings) -> None:
        self.starts = starts
        self.ends = ends
        self.replacements = replacements
        # The texts before and after these edits, if known.
        self._applied: tuple[Strings, Strings] | None = None
        # The texts, and what `edges` returns for them, if known.
        self.known_edges: tuple[Strings, Int64] | None = None

    def __len__(self) -> int:
        return len(self.starts)

    @classmethod
    def of_characters(cls, places: Int64, written: Codes, source: Strings, after: Codes) -> Edits:
        """Return the edits that replace single characters, which made `after` of the source.

        Args:
            places: shape (n,); which code points are replaced, each by another.
            written: shape (n,); the code points that replace them.
            source: the texts.
            after: the code points of all texts after the edits.
        """
        edits = cls(places, places + ONE, single(written))
        vars(edits)["one_for_one"] = written
        edits._applied = source, Strings(after, source.starts, source.ends)
        return edits

    @classmethod
    def deleting(cls, places: Int64) -> Edits:
        """Return the edits that delete single code points."""
        return cls(places, places + ONE, repeated("", len(places)))

    def keep(self, mask: Bool) -> Edits:
        """Return the edits where `mask` is true."""
        rows = np.flatnonzero(mask)
        return Edits(self.starts[rows], self.ends[rows], self.replacements.take(rows))

    def edges(self, source: Strings) -> Int64:
        """Return the first edit of each text of the source, and the number of all edits."""
        if self.known_edges is not None and self.known_edges[0] is source:
            return self.known_edges[1]
        return np.searchsorted(self.starts, np.append(source.starts, len(source.codes)))

    def per_text(self, source: Strings) -> Int64:
        """Count the edits in each text of the source."""
        return np.diff(self.edges(source))

    def merged(self, others: Edits) -> Edits:
        """Return these edits and others that lie apart from them, in order."""
        if not len(others):
            return self
        starts = np.concatenate([self.starts, others.starts])
        order = np.argsort(starts, kind="stable")
        ends = np.concatenate([self.ends, others.ends])
        texts = stack(self.replacements, others.replacements)
        return Edits(starts[order], ends[order], texts.take(order))

    @cached_property
    def one_for_one(self) -> Codes | None:
        """The code points written, if each edit replaces one code point by one; else None."""
        strings = self.replacements
        single = every((self.ends - self.starts) * strings.lengths == ONE)
        return strings.codes[strings.starts] if single else None

    def growth(self) -> Int64:
        """Return the number of code points by which each edit lengthens the text."""
        return self.replacements.lengths - (self.ends - self.starts)

    def written(self) -> tuple[Int64, Int64]:
        """Return the spans of the replacements in the result."""
        growth = self.growth()
        starts = self.starts + np.cumsum(growth) - growth
        return starts, starts + self.replacements.lengths

    def apply(self, source: Strings) -> Strings:
        """Return the texts after the edits."""
        if not len(self):
            return source
        if self._applied is not None and self._applied[0] is source:
            return self._applied[1]
        if self.one_for_one is not None:
            codes = source.codes.astype(np.result_type(source.codes, self.one_for_one))
            codes[self.starts] = self.one_for_one
            return Strings(codes, source.starts, source.ends)
        if kernels.pays(len(source), len(source.codes)):
            native = kernels.apply_edits(self.starts, self.ends, self.replacements, source)
            if native is not None:
                return native
        growth, codes_written = self.growth(), self.replacements.flat()
        places = ranges(self.written()[0], self.replacements.lengths)
        remaining = np.ones(len(source.codes), np.bool_)
        remaining[ranges(self.starts, self.ends - self.starts)] = False
        kind = np.result_type(source.codes, codes_written)
        codes = np.empty(len(source.codes) + growth.sum(), kind)
        untouched = np.ones(len(codes), np.bool_)
        untouched[places] = False
        codes[places] = codes_written
        codes[untouched] = source.codes[remaining]
        grown = np.concatenate([[0], np.cumsum(growth)])
        starts = source.starts + grown[np.searchsorted(self.starts, source.starts)]
        ends = source.ends + grown[np.searchsorted(self.starts, source.ends, "right")]
        return Strings(codes, starts, ends)

    def changing(self, source: Strings) -> Bool:
        """Mark the edits that write something other than the replaced text."""
        if self.one_for_one is not None:
            changed: Bool = source.codes[self.starts] != self.one_for_one
            return changed
        return ~same(Strings(source.codes, self.starts, self.ends), self.replacements)

    def carry(self, starts: Int64, ends: Int64) -> tuple[Int64, Int64, Bool]:
        """Move spans of the source into the result.

        A span that an edit covers in part grows to include the whole replacement. An insertion at
        the border of a span stays outside.

        Returns:
            The starts and the ends in the result, and which spans had an edit inside or across
            their border.
        """
        into, out_of = self.written()
        last = np.searchsorted(self.ends, starts, "right")
        next_ = np.searchsorted(self.starts, ends, "left")
        touched = next_ > last
        grown = np.concatenate([[0], np.cumsum(self.growth())])
        moved_starts = starts + grown[last]
        moved_ends = ends + grown[np.maximum(next_, last)]
        first_edit, last_edit = last[touched], next_[touched] - 1
        crossing = self.starts[first_edit] < starts[touched]
        moved_starts[touched] = np.where(crossing, into[first_edit], moved_starts[touched])
        crossing = self.ends[last_edit] > ends[touched]
        moved_ends[touched] = np.where(crossing, out_of[last_edit], moved_ends[touched])
        return moved_starts, moved_ends, touched


def compose(first: Edits, second: Edits, source: Strings, result: Strings) -> Edits:
    """Return the edits from `source` to `result`, where `second` was applied after `first`.

    Overlapping edits become one. Text that the second restored is no edit.
    """
    if not len(first) or not len(second):
        return second if len(second) else first
    if kernels.pays(len(source), len(source.codes)):
        columns = [(each.starts, each.ends, each.replacements.lengths) for each in (first, second)]
        native = kernels.compose_edits(columns[0], columns[1], source.codes, result.codes)
        if native is not None:
            starts, ends, *written = native
            return Edits(starts, ends, Strings(result.codes, *written))
    return _composed(first, second, source, result)


def _composed(first: Edits, second: Edits, source: Strings, result: Strings) -> Edits:
    """Compose edits in NumPy; see `compose`."""
    written_starts, written_ends = first.written()
    starts = np.concatenate([written_starts, second.starts])
    ends = np.concatenate([written_ends, second.ends])
    # On a doubled axis an empty span reaches half a place to both sides, so that it meets the
    # spans it touches, while two spans that aren't empty can still be adjacent.
    empty = starts == ends
    lows, highs = 2 * starts - empty, 2 * ends + empty
    order = np.lexsort((highs, lows))
    reach = np.maximum.accumulate(highs[order])
    apart = np.concatenate([[True], lows[order][1:] >= reach[:-1]])
    # An edit of only one of the two stays as it was, though a deletion meets the edit beside it:
    # so the edits of a text don't depend on whether there are others elsewhere.
    meets = np.flatnonzero(apart)
    members = np.diff(np.append(meets, len(order)))
    firsts = np.add.reduceat(order < len(first), meets, dtype=np.intp)
    apart |= np.repeat((firsts == 0) | (firsts == members), members)
    opens = np.flatnonzero(apart)
    starts, ends = starts[order][opens], np.maximum.reduceat(ends[order], opens)
    closes = np.append(opens[1:], len(order))
    of_first = np.concatenate([[0], np.cumsum(order < len(first))])
    of_second = np.arange(len(order) + 1) - of_first
    shrunk = np.concatenate([[0], np.cumsum(-first.growth())])
    grown = np.concatenate([[0], np.cumsum(second.growth())])
    composed = Edits(
        starts + shrunk[of_first[opens]],
        ends + shrunk[of_first[closes]],
        Strings(result.codes, starts + grown[of_second[opens]], ends + grown[of_second[closes]]),
    )
    return composed.keep(composed.changing(source))


def followed(strings: Strings, suffix: str) -> Strings:
    """Return strings that lie one behind the other, with a suffix behind each."""
    behind = Edits(strings.ends, strings.ends, repeated(suffix, len(strings)))
    grown = np.arange(len(strings) + 1) * len(suffix)
    codes = behind.apply(strings).codes
    return Strings(codes, strings.starts + grown[:-1], strings.ends + grown[1:])
