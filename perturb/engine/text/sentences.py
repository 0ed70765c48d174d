"""The sentences and lines of texts, found for whole batches at once.

Sentences end at stops (see `stops`), at blank lines, and at a line end before a bullet or a label.
Other line ends do not end them: they may be wrapped lines. A script without stops, such as Thai,
gives a sentence a paragraph.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.text.characters import blank, of_kind, set_of
from perturb.engine.text.stops import stops_of
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Kind
from perturb.values.arrays import Bool, Codes, Int64

_BULLETS = "-*+•·‣◦▪–—#|>"
# No label of a line has more digits.
_LABEL = 3


def lines(texts: Strings) -> Strings:
    """Return the lines of texts; see `Batch.lines`."""
    codes = texts.codes
    ends, starts = line_ends(codes)
    starts = np.sort(np.concatenate([texts.starts, starts]))
    ends = np.sort(np.concatenate([texts.ends, ends]))
    real = (starts < ends) | of_kind(Kind.NEWLINE).mask(codes[ends])
    return Strings(codes, starts[real], ends[real])


def line_ends(codes: Codes) -> tuple[Int64, Int64]:
    """Return the spans of line ends; a carriage return and a line feed are one."""
    at = np.flatnonzero(of_kind(Kind.NEWLINE).mask(codes))
    returned = (codes[at] == ord("\n")) & (codes[at - 1] == ord("\r"))
    double = (codes[at] == ord("\r")) & (codes[at + 1] == ord("\n"))
    return at[~returned], (at + 1 + double)[~returned]


def sentences(texts: Strings) -> Strings:
    """Return the sentences of texts; see `Batch.sentences`."""
    codes, stops = texts.codes, stops_of(texts)
    ended, parted = stops.ending, partings(codes)
    starts = [blank().past(codes, texts.starts), stops.next[ended], parted.ends]
    ends = [blank().back(codes, texts.ends), stops.closed[ended], parted.starts]
    first, last = np.sort(np.concatenate(starts)), np.sort(np.concatenate(ends))
    real = first < last
    return Strings(codes, first[real], last[real])


def partings(codes: Codes) -> Strings:
    """Return the white space that separates paragraphs, or the items of a list line by line."""
    breaks, behind = line_ends(codes)
    starts, ends = blank().back(codes, breaks), blank().past(codes, behind)
    parts = starts[1:] == starts[:-1]
    spaced = of_kind(Kind.SPACE).mask(codes[np.minimum(ends + 1, len(codes) - 1)])
    listed = (set_of(_BULLETS).mask(codes[ends]) & spaced) | _labelled(codes, ends)
    rows = np.flatnonzero(listed | np.append(parts, False)[: len(starts)])
    return Strings(codes, starts[rows], ends[rows])


def _labelled(codes: Codes, at: Int64) -> Bool:
    """Mark the places of digits or a letter, followed by a stop or closing bracket and a space."""
    end = len(codes) - 1
    at = at + (codes[at] == ord("("))
    size = np.zeros(len(at), np.int64)
    for _ in range(_LABEL):
        size += of_kind(Kind.DIGIT).mask(codes[np.minimum(at + size, end)])
    size = np.where(of_kind(Kind.LETTER).mask(codes[at]), 1, size)
    sign = set_of(".)").mask(codes[np.minimum(at + size, end)])
    spaced = of_kind(Kind.SPACE).mask(codes[np.minimum(at + size + 1, end)])
    labelled: Bool = (size > 0) & sign & spaced
    return labelled
