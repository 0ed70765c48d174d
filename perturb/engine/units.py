"""The numbers of open and closed units of each text; `p` is a share of the open ones.

A unit is closed if one of its characters may not be edited, or if its first letter belongs to a
script that the step can't write. A unit with a site is open all the same.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import marked_before
from perturb.engine.sites import Sites
from perturb.engine.text.scripts import FOREIGN, OWN, letter_classes
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Int64, UInt8


def count_units(
    batch: Batch, sites: Sites, free: Sites, blocked: Bool | None, words: Strings | None = None
) -> tuple[Int64, Int64]:
    """Count the units of each text.

    Args:
        batch: the texts.
        sites: all sites of the step.
        free: the sites without a blocked code point.
        blocked: shape (code points,); the code points that no edit may touch; None for none.
        words: the units, if these are words and not the units of the sites.

    Returns:
        The numbers of open and of closed units, each of shape (texts,).
    """
    if words is None and sites.unit == "place":
        all_sites, here = sites.count(batch.edges), free.count(batch.edges)
        return here, all_sites - here
    total = batch.units(sites.unit) if words is None else batch.count(words.starts)
    classes = None if sites.scripts is None else letter_classes(batch, sites.scripts)
    if blocked is None and classes is None:
        return total, np.zeros(len(total), np.intp)
    if words is None and sites.unit == "character" and batch.boundaries is None:
        closed = _closed_code_points(batch, free, blocked, classes)
    else:
        spans = batch.spans_of(free.unit) if words is None else words
        closed = _closed_spans(batch, free, spans, blocked, classes)
    return total - closed, closed


def _closed_code_points(
    batch: Batch, free: Sites, blocked: Bool | None, classes: UInt8 | None
) -> Int64:
    """Count the closed characters of each text if every code point is a character."""
    closed = np.zeros(len(batch.codes), np.bool_) if blocked is None else blocked
    if classes is not None:
        closed = closed | (classes == FOREIGN)
        closed[free.starts] = False
    counts = np.add.reduceat(closed.view(np.uint8), batch.edges[:-1], dtype=np.intp)
    return np.asarray(counts, np.intp)


def _closed_spans(
    batch: Batch, free: Sites, spans: Strings, blocked: Bool | None, classes: UInt8 | None
) -> Int64:
    """Count the closed units of each text, whatever the unit."""
    closed = np.zeros(len(spans), np.bool_)
    if blocked is not None:
        before = marked_before(blocked)
        closed |= before[spans.ends] > before[spans.starts]
    if classes is not None:
        closed |= _led_by_foreign(spans, classes)
    (rows,) = closed.nonzero()
    if len(rows):
        # A site belongs to the last unit of its text that starts at or before it.
        last = np.append(spans.starts, len(batch.codes))[rows + 1]
        last = np.minimum(last, batch.edges[batch.text_of(spans.starts[rows]) + 1])
        first_site = free.starts.searchsorted(spans.starts[rows])
        closed[rows[free.starts.searchsorted(last) > first_site]] = False
    return batch.count(spans.starts[closed])


def _led_by_foreign(spans: Strings, classes: UInt8) -> Bool:
    """Return the mask of the spans that begin with a foreign letter."""
    first = classes[spans.starts]
    led: Bool = (first == FOREIGN) & (spans.starts < spans.ends)
    (rows,) = (first == 0).nonzero()
    if len(rows):
        starts, ends = spans.starts[rows], spans.ends[rows]
        foreign, own = (np.flatnonzero(classes == which) for which in (FOREIGN, OWN))
        places = np.append(foreign, len(classes))[foreign.searchsorted(starts)]
        others = np.append(own, len(classes))[own.searchsorted(starts)]
        led[rows] = (places < ends) & (places < others)
    return led
