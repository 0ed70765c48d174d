"""The sentences and lines of texts, found for whole batches at once.

Sentences end at stops, at blank lines, and at a line end before a bullet or a label. Other line
ends don't end them, since lines may be wrapped. In a script without stops, such as Thai, each
paragraph is a sentence. Stops follow UAX #29, with these rules where it leaves the choice to the
language:

- Closing quotes and brackets after a stop belong to the sentence.
- White space must follow a Latin stop. 。 ！ ？ ।, and the stops of other scripts that put no space
  there, need none.
- No sentence ends before a comma or another stop; nor before a small letter, if the stop is a full
  stop or an ellipsis or is in quotes, unless the text has no capital at all.
- A full stop is part of the word before it if that is an abbreviation (`boundaries.tsv`); a single
  capital or letters with stops between, followed in the same line by a capital that begins none of
  the words that often begin sentences (J. Smith, U.S. Army; but "type B. Others are" passes for
  such a name too); or the label of its line (1. or A.).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.native import kernels
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import CODE_POINTS, CharacterSet, Kind, blank, of_kind, set_of
from perturb.engine.text.strings import Strings, repeated, runs
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64, UInt8, UInt16, UInt32, UInt64

# The stops that need no space after them, and all stops.
_STRONG = "。｡！？।॥۔։።፧။។།"
_STOPS = ".!?…‼⁇⁈⁉؟" + _STRONG
# A small letter after these may continue the sentence.
_SOFT = ".…"
_CLOSERS = "\"'”’»›)]}）］｝」』】》〉*_"
_OPENERS = "\"'“‘„«‹([{（［｛「『【《〈¿¡*_"
_GO_ON = ",;:،؛，、；：" + _STOPS
_DOT = ord(".")
# The letters of the longest abbreviation in the table, and the digits of the longest label: 999.
# A year at the start of a line, as in "1984. ", is therefore not a label.
_LONGEST, _LABEL = 8, 3
_BULLETS = "-*+•·‣◦▪–—#|>"


def lines(texts: Strings) -> Strings:
    """Return the lines of texts; see `Batch.lines`."""
    codes = texts.codes
    ends, starts = line_ends(codes)
    starts = np.sort(np.concatenate([texts.starts, starts]))
    ends = np.sort(np.concatenate([texts.ends, ends]))
    real = (starts < ends) | of_kind(Kind.NEWLINE).mask(codes[ends])
    return Strings(codes, starts[real], ends[real])


def line_ends(codes: Codes, among: CharacterSet | None = None) -> tuple[Int64, Int64]:
    """Return the spans of line ends; a carriage return and line feed are one.

    Args:
        codes: the code points.
        among: the characters that end lines; None for all there are.
    """
    at = np.flatnonzero((among or of_kind(Kind.NEWLINE)).mask(codes))
    returned = (codes[at] == ord("\n")) & (codes[at - 1] == ord("\r"))
    double = (codes[at] == ord("\r")) & (codes[at + 1] == ord("\n"))
    return at[~returned], (at + 1 + double)[~returned]


def sentences(texts: Strings) -> Strings:
    """Return the sentences of texts; see `Batch.sentences`."""
    codes, stops = texts.codes, stops_of(texts)
    ended, parted = stops.ending, partings(codes)
    starts = [blank().past(codes, texts.starts), stops.next[ended], parted.ends]
    ends = [blank().back(codes, texts.ends), stops.closed[ended], parted.starts]
    first, last = (np.sort(np.concatenate(edges), kind="stable") for edges in (starts, ends))
    real = first < last
    return Strings(codes, first[real], last[real])


def partings(codes: Codes) -> Strings:
    """Return the white space that separates paragraphs, or list items on their own lines."""
    if not of_kind(Kind.NEWLINE).is_in(codes):
        return repeated("", 0)
    breaks, behind = line_ends(codes)
    starts, ends = blank().back(codes, breaks), blank().past(codes, behind)
    parts = starts[1:] == starts[:-1]
    spaced = of_kind(Kind.SPACE).mask(codes[np.minimum(ends + 1, len(codes) - 1)])
    listed = (set_of(_BULLETS).mask(codes[ends]) & spaced) | _labelled(codes, ends)
    rows = np.flatnonzero(listed | np.append(parts, False)[: len(starts)])
    return Strings(codes, starts[rows], ends[rows])


def _labelled(codes: Codes, at: Int64) -> Bool:
    """Mark the places of digits or a letter with a stop or closing bracket and a space after."""
    end = len(codes) - 1
    at = at + (codes[at] == ord("("))
    size = np.zeros(len(at), np.intp)
    for _ in range(_LABEL):
        size += of_kind(Kind.DIGIT).mask(codes[np.minimum(at + size, end)])
    size = np.where(of_kind(Kind.LETTER).mask(codes[at]), 1, size)
    sign = set_of(".)").mask(codes[np.minimum(at + size, end)])
    spaced = of_kind(Kind.SPACE).mask(codes[np.minimum(at + size + 1, end)])
    return (size > 0) & sign & spaced


class Stops(NamedTuple):
    """Runs of stops; every array has shape (n,)."""

    starts: Int64
    ends: Int64
    closed: Int64  # the place after closing quotes and brackets
    next: Int64  # the place after the white space that follows those
    bound: Bool  # whether it is part of the word before
    ending: Bool  # whether it ends a sentence


def stops_of(texts: Strings) -> Stops:
    """Return all runs of stops in the texts."""
    classes = _classes(256 if texts.codes.dtype == np.uint8 else CODE_POINTS)
    native = kernels.stops(texts, classes, (*_boundaries(-1), *_boundaries(1)))
    return _stops_by_numpy(texts) if native is None else Stops(*native)


@cache
def _classes(count: int) -> UInt16:
    """Return the classes of the first code points, a bit for each, as in sentences.h."""
    classes = np.zeros(count, np.uint16)
    sets = (
        *(set_of(_STOPS), set_of(_CLOSERS), blank(), set_of(_OPENERS), set_of(_STRONG)),
        *(set_of(_GO_ON), _small(), capitals(), of_kind(Kind.LETTER), of_kind(Kind.DIGIT)),
        *(of_kind(Kind.NEWLINE), of_kind(Kind.SPACE), of_kind(Kind.LETTER, Kind.MARK)),
        set_of(_SOFT),
    )
    for number, members in enumerate(sets):
        classes |= members.first(count).astype(np.uint16) << number
    return classes


def _stops_by_numpy(texts: Strings) -> Stops:
    codes = texts.codes
    starts, ends = runs(set_of(_STOPS).mask(codes))
    closed = set_of(_CLOSERS).past(codes, ends)
    after = blank().past(codes, closed)
    word = set_of(_OPENERS).past(codes, after)
    last, following = codes[ends - 1], codes[word]
    at_end = codes[after] == 0
    at_end[at_end] = np.isin(after[at_end], texts.ends)
    ending = (after > closed) | at_end | set_of(_STRONG).mask(last)
    ending &= ~set_of(_GO_ON).mask(codes[after])
    soft = (set_of(_SOFT).mask(last) | (closed > ends)) & _small().mask(following)
    rows = np.flatnonzero(ending & soft)
    ending[rows] = ~_has_capital(texts, starts[rows])
    bound = np.zeros(len(starts), np.bool_)
    (rows,) = ((ends == starts + 1) & (last == _DOT) & ((after > closed) | at_end)).nonzero()
    spelled, going_on = _bound(codes, starts[rows], word[rows])
    bound[rows] = spelled | going_on | (~ending[rows] & soft[rows])
    ending[rows] &= ~going_on | at_end[rows]
    return Stops(starts, ends, closed, after, bound, ending)


def final_stops(texts: Strings) -> Strings:
    """Return the stops that end sentences, without closing quotes and brackets after them."""
    stops = stops_of(texts)
    return Strings(texts.codes, stops.starts[stops.ending], stops.ends[stops.ending])


def bound_dots(texts: Strings) -> Int64:
    """Return the full stops that belong to an abbreviation or to the label of a line."""
    stops = stops_of(texts)
    return stops.starts[stops.bound]


def _bound(codes: Codes, dots: Int64, following: Int64) -> tuple[Bool, Bool]:
    """Mark the full stops that belong to the word before them.

    Args:
        codes: the code points of the batch.
        dots: shape (n,); the places of the full stops.
        following: shape (n,); the start of the word after each.

    Returns:
        Masks, of shape (n,), of those in words such as p.m., and of those that end no sentence.
    """
    before = _letters_at(codes, dots - 1, -1)
    kind = _looked_up(before, -1)
    next_ = codes[following]
    bound: Bool = kind == _KINDS["title"]
    bound |= (kind == _KINDS["number"]) & of_kind(Kind.DIGIT).mask(next_)
    length = (before > 0).sum(axis=1)
    spelled = (before == _DOT).any(axis=1) & (length > 1)
    bound |= spelled & _small().mask(next_)
    head = before[np.arange(len(dots)), np.maximum(length - 1, 0)]
    initial = (spelled | (length == 1)) & capitals().mask(head) & (head != ord("I"))
    initial &= ~of_kind(Kind.NEWLINE).mask(codes[dots + 1]) & capitals().mask(next_)
    begins = _looked_up(_letters_at(codes, following[initial], 1), 1) == _KINDS["start"]
    bound[initial] |= ~begins
    return spelled, bound | _labels(codes, dots)


def _labels(codes: Codes, dots: Int64) -> Bool:
    """Mark the full stops with only a number or a letter before them in their line."""
    size = np.zeros(len(dots), np.intp)
    digits = of_kind(Kind.DIGIT)
    for _ in range(_LABEL):
        size += digits.mask(codes[dots - 1 - size])
    letter = of_kind(Kind.LETTER).mask(codes[dots - 1])
    place = dots - 1 - np.where(letter, 1, size)
    space, line = of_kind(Kind.SPACE), of_kind(Kind.NEWLINE)
    for _ in range(_LONGEST):
        place -= space.mask(codes[place])
    opens = line.mask(codes[place]) | (codes[place] == 0)
    labels: Bool = opens & (letter | (size > 0))
    return labels


def _has_capital(texts: Strings, places: Int64) -> Bool:
    """Mark the places whose texts have a capital anywhere."""
    if not len(places):
        return np.zeros(0, np.bool_)
    rows, back = np.unique(np.searchsorted(texts.starts, places, "right") - 1, return_inverse=True)
    near = texts.take(rows)
    at, ends = np.flatnonzero(capitals().mask(near.flat())), np.cumsum(near.lengths)
    capital: Bool = np.searchsorted(at, ends) > np.searchsorted(at, ends - near.lengths)
    return capital[back]


def _letters_at(codes: Codes, places: Int64, step: int) -> UInt32:
    """Return the letters and stops from each place on, forwards or backwards, then zeros.

    Returns:
        Shape (places, longest + 1); a row without a 0 is cut off.
    """
    reach = places[:, None] + step * np.arange(_LONGEST + 1)
    near: UInt32 = codes[reach.clip(0, len(codes) - 1)].astype(np.uint32)
    inside = of_kind(Kind.LETTER, Kind.MARK).mask(near.ravel()).reshape(near.shape)
    inside = inside | ((near == _DOT) & (step < 0))
    near[~np.logical_and.accumulate(inside, axis=1)] = 0
    return near


_KINDS = {"title": 1, "number": 2, "start": 3}


@cache
def _boundaries(step: int) -> tuple[UInt64, UInt32, UInt8]:
    """Return the words of `boundaries.tsv` that follow a full stop, or (-1) precede one.

    Returns:
        Words in the form of `_letters_at`, in the order of their hashes, with their kinds.
    """
    words = {}
    for word, kind, _ in read_rows("languages", "boundaries.tsv"):
        if (kind == "start") == (step > 0):
            for form in (word, word[0].upper() + word[1:], word.upper()):
                words[form[::step].ljust(_LONGEST + 1, "\0")] = _KINDS[kind]
    table = np.array([[ord(letter) for letter in word] for word in words], np.uint32)
    kinds = np.array(list(words.values()), np.uint8)
    order = np.argsort(_hashed(table))
    return _hashed(table)[order], table[order], kinds[order]


def _looked_up(words: UInt32, step: int) -> UInt8:
    """Return the kind of each word; 0 if it isn't in the table."""
    hashes, table, kinds = _boundaries(step)
    row = np.minimum(np.searchsorted(hashes, _hashed(words)), len(hashes) - 1)
    return np.where((table[row] == words).all(axis=1), kinds[row], 0).astype(np.uint8)


def _hashed(words: UInt32) -> UInt64:
    hashes = np.zeros(len(words), np.uint64)
    for column in words.T:
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + column
    return hashes


@cache
def _small() -> CharacterSet:
    """Return the letters that have a capital."""
    _, upper = case_maps()
    return CharacterSet(upper != np.arange(CODE_POINTS))
