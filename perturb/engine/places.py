"""Places and spans in a batch: counted by text, covered, touched."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, ranges
from perturb.values.arrays import Bool, Int32, Int64, NDArray

Number = TypeVar("Number", bound=np.number)

# Up to one covered place in so many, only these are visited, and not all places. With spans of 5
# that takes a sixteenth of the time even at one place in five; but overlapping spans may hold more
# places than there are, and the list takes 8 bytes for each. Chosen by hand.
_SPARSE = 8


def count(starts: Int64, edges: Int64) -> Int64:
    """Return the number of places from each edge to the next; places increase within them."""
    if len(edges) == 2:
        return np.array([len(starts)])
    firsts = starts.searchsorted(edges)
    return firsts[1:] - firsts[:-1]


def are_among(values: NDArray[Number], wanted: NDArray[Number]) -> Bool:
    """Mark the values that are one of `wanted`, which increase.

    NumPy's `isin` may import its masked arrays first, which takes longer than most first calls.
    """
    if not len(wanted):
        return np.zeros(len(values), np.bool_)
    among: Bool = wanted[np.minimum(wanted.searchsorted(values), len(wanted) - 1)] == values
    return among


def covered(starts: Int64, ends: Int64, size: int) -> Bool:
    """Return the mask, over `size` places, of those in any of the spans, which may overlap."""
    lengths = ends - starts
    if int(lengths.sum()) * _SPARSE < size:
        mask = np.zeros(size, np.bool_)
        mask[ranges(starts, lengths)] = True
        return mask
    change = np.bincount(starts, minlength=size + 1)
    change -= np.bincount(ends, minlength=size + 1)
    return np.cumsum(change[:size]) > 0


def adjacent(places: Int64) -> tuple[Int64, Int64]:
    """Return the starts and ends of the runs among increasing places."""
    (gaps,) = (places[1:] != places[:-1] + 1).nonzero()
    size = len(places)
    return places[np.append(0, gaps + 1)[:size]], places[np.append(gaps, size - 1)[:size]] + 1


def touching(blocked: Bool, starts: Int64, ends: Int64) -> Bool:
    """Return the mask of the spans that hold a blocked code point or, empty, stand beside one."""
    inserts = starts == ends
    touched: Bool
    if (ends - starts).max(initial=0) <= 2:  # a span is its first and its last place
        touched = blocked[starts - inserts]
        last = ends + inserts
        last -= 1
        touched |= blocked[last]
        return touched
    few = np.count_nonzero(blocked) * _SPARSE < len(blocked)
    before = blocked.nonzero()[0].searchsorted if few else marked_before(blocked).take
    touched = before(ends + inserts) > before(starts - inserts)
    return touched


def holding(strings: Strings, characters: CharacterSet) -> Bool:
    """Mark the strings that contain one of the characters."""
    before = marked_before(characters.mask(strings.flat()))
    ends = np.cumsum(strings.lengths)
    held: Bool = before[ends] > before[ends - strings.lengths]
    return held


def marked_before(mask: Bool) -> Int32:
    """Return the number of marks before each place, and of all; shape (places + 1,)."""
    before = np.zeros(len(mask) + 1, np.int32)
    np.cumsum(mask, out=before[1:])
    return before
