"""Apostrophes that belong to a word, told from single quotes."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.text.characters import set_of
from perturb.engine.text.unicode import Kind
from perturb.lexicon.phrases import among
from perturb.values.arrays import Bool, Int64

# Words that lost their beginning.
_ELIDED = frozenset("tis twas twere til em cause cos cuz bout n round neath nuff".split())
_SIGNS, _OPENING = "'’", "'‘"


def is_elided(batch: Batch, places: Int64) -> Bool:
    """Mark the `places` before a word or decade that an apostrophe begins: 'tis, '90s."""
    words, codes = batch.words, batch.codes
    rows = np.searchsorted(words.starts, places + 1)
    elided: Bool = np.append(words.starts, -1)[rows] == places + 1
    rows, ends = rows[elided], words.ends[rows[elided]]
    digit = of_kind(Kind.DIGIT)
    decade = (ends == words.starts[rows] + 3) & (codes[ends - 1] == ord("s"))
    decade &= digit.mask(codes[ends - 3]) & digit.mask(codes[ends - 2])
    elided[elided] = decade | among(batch, rows, _ELIDED)
    return elided


def apostrophes(batch: Batch) -> Int64:
    """Return the apostrophes at the edge of words: the dogs' bowl, 'tis.

    One after an s is a quote where a quote was opened before it in the line.
    """
    codes, letter = batch.codes, of_kind(Kind.LETTER)
    (places,) = batch.marked(set_of(_SIGNS)).nonzero()
    if not len(places):
        return places
    begins = is_elided(batch, places)
    (near,) = batch.marked(set_of(_OPENING + _SIGNS)).nonzero()
    opens = letter.mask(codes[near + 1]) & ~letter.mask(codes[near - 1])
    opens &= ~is_elided(batch, near)
    line_ends = np.flatnonzero(of_kind(Kind.NEWLINE).mask(codes) | (codes == 0))
    opened = np.cumsum(opens)
    row = np.searchsorted(near, places)
    first = np.searchsorted(line_ends.searchsorted(near), line_ends.searchsorted(places))
    before = opened[row] - np.append(0, opened)[first]
    ends = (codes[places - 1] | 32 == ord("s")) & ~letter.mask(codes[places + 1]) & (before == 0)
    edges: Int64 = places[begins | ends]
    return edges
