"""The form and spacing of words, which a tagger needs besides their numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native.words import word_forms
from perturb.lexicon.store import lookup, surfaces_of_words
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt8

# Shapes of a word, as in words.h.
LOWER, TITLE, UPPER, MIXED, DIGITS, POSSESSIVE = range(6)

# Kinds of code point, one bit each.
_STOP, _PAUSE = 1, 2
# Words further apart than this many code points are not in one sentence, whatever is between.
_FAR = 8
_KINDS = np.zeros(256, np.uint8)
_KINDS[[ord(mark) for mark in ".!?:\n"]] = _STOP | _PAUSE
_KINDS[[ord(mark) for mark in ',;()[]"/*=+<>|']] = _PAUSE


class Words(NamedTuple):
    """The words of a batch in order, each an element of four arrays of shape (n,).

    Attributes:
        surfaces: numbers in the lexicon, -1 for unknown words.
        shapes: LOWER, TITLE, UPPER (two capitals or more), MIXED, DIGITS, or POSSESSIVE for a word
            outside the lexicon that ends with an apostrophe and s.
        first: the word begins a sentence or a text.
        apart: something other than blanks stands before the word, or it is first.
    """

    surfaces: Int32
    shapes: UInt8
    first: Bool
    apart: Bool


def read_words(
    codes: Codes, starts: Int64, ends: Int64, texts: Int64, surfaces: Int32 | None = None
) -> Words:
    """Look up the words of a buffer and see how they stand in it.

    Args:
        codes: code points, Latin-1 bytes or UTF-32.
        starts: shape (n,), ascending; where each word starts.
        ends: shape (n,); where each ends.
        texts: ascending; where each text of the batch starts in `codes`.
        surfaces: from `lookup`, if it was asked already.

    Examples:
        >>> codes = np.frombuffer(b"It ran. Why?", np.uint8)
        >>> words = read_words(codes, np.array([0, 3, 8]), np.array([2, 6, 11]), np.array([0]))
        >>> words.first.tolist()
        [True, False, True]
    """
    surfaces = lookup(codes, starts, ends) if surfaces is None else surfaces
    forms = word_forms(codes, _KINDS, _STOP | _PAUSE, starts, ends)
    shapes, between = forms or (_shapes(codes, starts, ends), _between(codes, starts, ends))
    unknown = np.flatnonzero(surfaces < 0)
    possessive = unknown[_possessive(codes, starts[unknown], ends[unknown])]
    shapes[possessive] = POSSESSIVE
    if len(starts):
        between[np.searchsorted(starts, texts[texts <= starts[-1]])] = _STOP | _PAUSE
    return Words(surfaces, shapes, between & _STOP > 0, between > 0)


def read_batch(batch: Batch) -> Words:
    """Return what `read_words` does of all words of a batch, which remembers it."""
    words, surfaces = batch.words, batch.once(surfaces_of_words)
    return read_words(batch.codes, words.starts, words.ends, batch.texts.starts, surfaces)


def _between(codes: Codes, starts: Int64, ends: Int64) -> UInt8:
    """Return the kinds of code point that stand between each word and the one before."""
    kinds = np.zeros(len(starts), np.uint8)
    blank = (starts[1:] == ends[:-1] + 1) & (codes[ends[:-1]] == ord(" "))
    places = np.flatnonzero(~blank) + 1
    froms, tos = ends[places - 1], starts[places]
    kinds[places[tos - froms > _FAR]] = _STOP | _PAUSE
    for offset in range(min(_FAR, int((tos - froms).max(initial=0)))):
        inside = froms + offset < tos
        places, froms, tos = places[inside], froms[inside], tos[inside]
        kinds[places] |= _KINDS[np.minimum(codes[froms + offset], 255)]
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


def _possessive(codes: Codes, starts: Int64, ends: Int64) -> Bool:
    mark = codes[np.maximum(ends - 2, 0)]
    apostrophe: Bool = (mark == ord("'")) | (mark == ord("’"))
    marks: Bool = apostrophe & (ends - starts > 2) & (codes[ends - 1] == ord("s"))
    return marks
