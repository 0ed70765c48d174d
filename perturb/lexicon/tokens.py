"""The form and spacing of words, which a tagger needs in addition to their numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native.words import FAR, KINDS, OWNS, PAUSE, STOP
from perturb.lexicon.hashing import vocabulary
from perturb.lexicon.store import surfaces_of_words
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt8

# Shapes of a word, as in words.h.
LOWER, TITLE, UPPER, MIXED, DIGITS, POSSESSIVE = range(6)


class Words(NamedTuple):
    """The words of a batch in order, each an element of four arrays of shape (n,).

    Attributes:
        surfaces: numbers in the lexicon, -1 for unknown words.
        shapes: LOWER, TITLE, UPPER (two capitals or more), MIXED, DIGITS, or POSSESSIVE for a word
            outside the lexicon that ends with an apostrophe and s.
        first: the word begins a sentence or a text.
        apart: something other than blanks precedes the word, or it is first.
    """

    surfaces: Int32
    shapes: UInt8
    first: Bool
    apart: Bool


def read_batch(batch: Batch) -> Words:
    """Look up the words of a batch, and read their forms and spacing.

    Examples:
        >>> read_batch(Batch.of(["It ran. Why?"])).first.tolist()
        [True, False, True]
    """
    codes, starts, ends = batch.codes, batch.words.starts, batch.words.ends
    surfaces, forms = surfaces_of_words(batch), vocabulary(batch).forms
    shapes, before = forms or (_shapes(codes, starts, ends), _before(codes, starts, ends))
    shapes = np.where((before & OWNS > 0) & (surfaces < 0), np.uint8(POSSESSIVE), shapes)
    stops, apart = before & STOP > 0, before & (STOP | PAUSE) > 0
    if len(starts):
        begins = starts.searchsorted(batch.texts.starts[batch.texts.starts <= starts[-1]])
        stops[begins] = apart[begins] = True
    return Words(surfaces, shapes, stops, apart)


def _before(codes: Codes, starts: Int64, ends: Int64) -> UInt8:
    """Return the kinds of code point between each word and the one before, and `OWNS`."""
    kinds = np.zeros(len(starts), np.uint8)
    blank = (starts[1:] == ends[:-1] + 1) & (codes[ends[:-1]] == ord(" "))
    places = np.flatnonzero(~blank) + 1
    froms, tos = ends[places - 1], starts[places]
    kinds[places[tos - froms > FAR]] = STOP | PAUSE
    for offset in range(min(FAR, int((tos - froms).max(initial=0)))):
        inside = froms + offset < tos
        places, froms, tos = places[inside], froms[inside], tos[inside]
        kinds[places] |= KINDS[np.minimum(codes[froms + offset], 255)]
    (owning,) = ((codes[ends - 1] == ord("s")) & (ends - starts > 2)).nonzero()
    mark = codes[ends[owning] - 2]
    kinds[owning[(mark == ord("'")) | (mark == ord("’"))]] |= OWNS
    return kinds


def _shapes(codes: Codes, starts: Int64, ends: Int64) -> UInt8:
    capitals = np.flatnonzero(codes - codes.dtype.type(65) < 26)
    owners = np.searchsorted(starts, capitals, "right") - 1
    inside = (owners >= 0) & (capitals < ends[owners]) if len(starts) else np.zeros(0, bool)
    count = np.bincount(owners[inside], minlength=len(starts))
    head = codes[starts]
    shapes = np.where(count == 0, LOWER, MIXED).astype(np.uint8)
    shapes[(count == 1) & (head - codes.dtype.type(65) < 26)] = TITLE
    shapes[(count > 1) & (count == ends - starts)] = UPPER
    shapes[head - codes.dtype.type(48) < 10] = DIGITS
    return shapes
