"""The number of open and of closed units of each text: `p` is a share of the open ones.

A unit is closed where one of its characters may not be edited, or where its first letter is of a
script that the step can't write. A unit that holds a site all the same is open.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from perturb.arrays import Bool, Codes, Int64
from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Script, scripts

_LATIN_1 = 0xFF


def count_units(
    batch: Batch, sites: Sites, free: Sites, blocked: Bool | None
) -> tuple[Int64, Int64]:
    """Count the units of each text.

    Args:
        batch: the texts.
        sites: all sites of the step.
        free: those of them that hold no blocked code point.
        blocked: shape (code points,); where no edit may be; None for nowhere.

    Returns:
        The numbers of open and of closed units, each of shape (texts,).
    """
    if sites.unit == "place":
        found, here = sites.count(batch.edges), free.count(batch.edges)
        return here, found - here
    total = batch.units(sites.unit)
    foreign = None if sites.scripts is None else _foreign(batch.codes, sites.scripts)
    if blocked is None and foreign is None:
        return total, np.zeros(len(total), np.int64)
    if sites.unit == "character" and batch.boundaries is None:
        closed = _closed_code_points(batch, free, blocked, foreign)
    else:
        closed = _closed_spans(batch, free, blocked, foreign, sites.scripts)
    return total - closed, closed


def _closed_code_points(
    batch: Batch, free: Sites, blocked: Bool | None, foreign: Int64 | None
) -> Int64:
    """Count the closed characters of each text where every code point is a character."""
    closed = np.zeros(len(batch.codes), np.bool_) if blocked is None else blocked.copy()
    if foreign is not None:
        closed[foreign] = True
        closed &= ~free.starting(len(closed))
    counts = np.add.reduceat(closed.view(np.uint8), batch.edges[:-1], dtype=np.int64)
    return np.asarray(counts, np.int64)


def _closed_spans(
    batch: Batch,
    free: Sites,
    blocked: Bool | None,
    foreign: Int64 | None,
    written: frozenset[Script] | None,
) -> Int64:
    """Count the closed units of each text, whatever the unit is."""
    spans = batch.spans_of(free.unit)
    closed = np.zeros(len(spans), np.bool_)
    if blocked is not None:
        before = np.append(0, np.cumsum(blocked))
        closed |= before[spans.ends] > before[spans.starts]
    if foreign is not None and written is not None:
        closed |= _led_by(spans, foreign, written)
    if len(spans):
        row = spans.starts.searchsorted(free.starts, "right") - 1
        text = batch.texts.starts.repeat(free.count(batch.edges))
        closed[row[(row >= 0) & (spans.starts[row] >= text)]] = False
    return batch.count(spans.starts[closed])


def _led_by(spans: Strings, foreign: Int64, written: frozenset[Script]) -> Bool:
    """Return the mask of the spans whose first letter is foreign."""
    place = np.append(foreign, len(spans.codes))[foreign.searchsorted(spans.starts)]
    led: Bool = place < spans.ends
    (later,) = (led & (place > spans.starts)).nonzero()
    if len(later):
        own = np.append(0, np.cumsum(_letters_of(written).mask(spans.codes)))
        led[later] = own[place[later]] == own[spans.starts[later]]
    return led


def _foreign(codes: Codes, written: frozenset[Script]) -> Int64 | None:
    """Return the places of the letters of other scripts than those written; None if there are none.

    All letters of Latin-1 are Latin.
    """
    if Script.LATIN not in written:
        places = np.flatnonzero(_letters_of(frozenset(Script) - written).mask(codes))
    elif codes.dtype == np.uint8:
        return None
    else:
        places = np.flatnonzero(codes > _LATIN_1)
        places = places[_letters_of(frozenset(Script) - written).mask(codes[places])]
    return places if len(places) else None


@lru_cache(maxsize=16)
def _letters_of(wanted: frozenset[Script]) -> CharacterSet:
    """Return the letters and marks of the wanted scripts."""
    return CharacterSet(np.isin(scripts(), list(wanted - {Script.OTHER})))
