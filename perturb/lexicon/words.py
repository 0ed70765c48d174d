"""What a tagger needs to know of words besides their numbers: case, and what stands between."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.lexicon.lookup import lookup

if TYPE_CHECKING:
    from perturb.lexicon.arrays import Bool, Int32, Int64, UInt8
    from perturb.lexicon.hashing import Codes

# Shapes of a word.
LOWER, TITLE, UPPER, MIXED, DIGITS, POSSESSIVE = range(6)

# Kinds of code point below 256, one bit each; all others count as lower-case letters.
_CAPITAL, _SMALL, _DIGIT, _STOP, _PAUSE = (1 << bit for bit in range(5))
_KINDS = np.zeros(257, np.uint8)
_KINDS[65:91] = _CAPITAL
_KINDS[97:123] = _SMALL
_KINDS[192:256] = _SMALL
_KINDS[48:58] = _DIGIT
_KINDS[[ord(mark) for mark in ".!?:\n"]] = _STOP
_KINDS[[ord(mark) for mark in ',;()[]"/*=+<>|']] = _PAUSE
_KINDS[256] = _SMALL


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


def read_words(codes: Codes, starts: Int64, ends: Int64, texts: Int64) -> Words:
    """Look up the words of a buffer and see how they stand in it.

    Args:
        codes: code points, Latin-1 bytes or UTF-32.
        starts: shape (n,), ascending; where each word starts.
        ends: shape (n,); where each ends.
        texts: ascending; where each text of the batch starts in `codes`.

    Examples:
        >>> codes = np.frombuffer(b"It ran. Why?", np.uint8)
        >>> words = read_words(codes, np.array([0, 3, 8]), np.array([2, 6, 11]), np.array([0]))
        >>> words.first.tolist()
        [True, False, True]
    """
    kinds = _KINDS[codes if codes.dtype == np.uint8 else np.minimum(codes, 256)]
    first = _between(kinds, _STOP, starts, ends)
    first[np.searchsorted(starts, texts[texts <= starts[-1]]) if len(starts) else []] = True
    surfaces = lookup(codes, starts, ends)
    shapes = _shapes(kinds, starts, ends)
    shapes[(surfaces < 0) & _possessive(codes, starts, ends)] = POSSESSIVE
    return Words(
        surfaces,
        shapes,
        first,
        first | _between(kinds, _PAUSE, starts, ends),
    )


def _between(kinds: UInt8, kind: int, starts: Int64, ends: Int64) -> Bool:
    """Say for each word whether the gap before it holds a code point of a kind."""
    places = np.flatnonzero(kinds & kind)
    found = np.zeros(len(starts), bool)
    found[1:] = np.searchsorted(places, starts[1:]) > np.searchsorted(places, ends[:-1])
    return found


def _shapes(kinds: UInt8, starts: Int64, ends: Int64) -> UInt8:
    head = kinds[starts]
    capitals = np.concatenate(([0], np.cumsum(kinds & _CAPITAL == _CAPITAL)))
    count = capitals[ends] - capitals[starts]
    lengths = ends - starts
    shapes = np.full(len(starts), MIXED, np.uint8)
    shapes[count == 0] = LOWER
    shapes[(count == 1) & (head == _CAPITAL)] = TITLE
    shapes[(count == lengths) & (lengths > 1)] = UPPER
    shapes[head == _DIGIT] = DIGITS
    return shapes


def _possessive(codes: Codes, starts: Int64, ends: Int64) -> Bool:
    mark = codes[np.maximum(ends - 2, 0)]
    found: Bool = (mark == ord("'")) | (mark == ord("’"))
    found &= (ends - starts > 2) & (codes[ends - 1] == ord("s"))
    return found
