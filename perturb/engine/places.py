"""Places and spans in a batch: counted by text, covered, touched."""

from __future__ import annotations

import numpy as np

from perturb.arrays import Bool, Int64


def count(starts: Int64, edges: Int64) -> Int64:
    """Return the number of the increasing places from each edge to the next; all lie in them."""
    if len(edges) == 2:
        return np.array([len(starts)])
    firsts = starts.searchsorted(edges)
    counts: Int64 = firsts[1:] - firsts[:-1]
    return counts


def covered(starts: Int64, ends: Int64, size: int) -> Bool:
    """Return the mask, over `size` places, of those in one of the spans, which may overlap."""
    change = np.bincount(starts, minlength=size + 1)
    change -= np.bincount(ends, minlength=size + 1)
    return np.cumsum(change[:size]) > 0


def touching(blocked: Bool, starts: Int64, ends: Int64) -> Bool:
    """Return the mask of the spans that hold a blocked code point or, empty, stand beside one."""
    inserts = starts == ends
    first, last = starts - inserts, ends + inserts - 1
    if (last - first).max(initial=0) <= 1:  # the two of them are all that there is to look at
        found: Bool = blocked[first] | blocked[last]
        return found
    before = np.append(0, np.cumsum(blocked))
    return np.asarray(before[last + 1] > before[first])
