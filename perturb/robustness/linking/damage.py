"""Damage: edits that change what a question asks, by touching numbers, negations or options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from perturb.records.notation import BARE, read_many, written_text
from perturb.robustness.linking.record_text import original_and_edits
from perturb.values.arrays import Bool, Int64, UInt8, UInt16

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from perturb.records.notation import ChangedTexts, Records
    from perturb.robustness.linking.sources import Row, RowSource

    # Where matches start and end in some texts, in order.
    Places = tuple[Int64, Int64]

KINDS = ("numbers", "negations", "options")
# Bits, so that the damage of a row is one byte of a column: DAMAGED has those of the three kinds.
_NUMBERS, _NEGATIONS, OPTIONS = 1, 2, 4
DAMAGED, WRITES_DIGITS, UNKNOWN = 7, 8, 16
FOLLOWED = _NUMBERS | OPTIONS  # a right answer may follow these
# Of the matches that `_matches` returns.
_BITS = (_NUMBERS, _NEGATIONS, _NEGATIONS, OPTIONS)
# The presets of protection that keep edits off each kind.
PROTECT = ("number", "negation", "option_label")
ADVICE = " To leave them alone, perturb with --protect "

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
# What a number is made of.
_PART = re.compile(r"[\d.,:/]")
# Of texts in lower case. What a match may begin with comes first, so that the search jumps there.
_NEGATION = re.compile(
    r"n(?<!\wn)(?:o(?:t|ne|body|thing|r|where)?|ever|either)\b|w(?<!\ww)ithout\b|c(?<!\wc)annot\b"
)
# Of texts from their end, where one begins with a sign that is rarer than a word.
_CONTRACTION = re.compile(r"t(?<!\wt)['’]n\w+")
_OPTION = re.compile(r"^[ \t]*\(?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=[ \t])", re.MULTILINE)
# One line that begins like an option, such as "A. Smith wrote", is no list of options.
_FEWEST_OPTIONS = 2
# Each count takes two bytes, and a larger one would raise an error: it counts as the largest.
_MOST_EDITS = (1 << 16) - 1


def touched(
    source: RowSource, batch: Sequence[tuple[int, Row]], records: Records, rows: Sequence[int]
) -> tuple[UInt8, UInt16]:
    """Return what the edits of each row touch, and how many there are.

    Args:
        source: where the rows are from.
        batch: the rows.
        records: their records.
        rows: the places of those with edits.

    Raises:
        DataError: the edits of a row are damaged (it is named).
    """
    texts, edits = ([column[at] for at in rows] for column in (records.original, records.edits))
    originals, changed = originals_and_edits(source, [batch[at] for at in rows], texts, edits)
    is_there = np.array([text is not None for text in originals], np.bool_)
    found = np.bincount(changed.of_rows, minlength=len(rows))
    damaged = damages([text or "" for text in originals], changed)
    damage, counts = np.zeros(len(batch), np.uint8), np.zeros(len(batch), np.uint16)
    damage[rows] = np.where(~changed.left & (is_there | (found == 0)), damaged, UNKNOWN)
    counts[rows] = np.clip(found, 1, _MOST_EDITS)  # options or passages move without one
    return damage, counts


def originals_and_edits(
    source: RowSource, batch: Sequence[tuple[int, Row]], texts: Iterable[str], edits: Iterable[str]
) -> tuple[list[str | None], ChangedTexts]:
    """Return what `original_and_edits` does, of many rows: their texts, and the edits as columns.

    Args:
        source: where the rows are from.
        batch: the rows.
        texts: the originals in their records.
        edits: the edits there.

    Raises:
        DataError: the edits of a row are damaged (it is named).
    """
    originals: list[str | None] = [*texts]
    changes = [*edits]
    changed = read_many(changes)
    is_plain = np.bincount(changed.rows, minlength=len(changes)) == 1
    is_plain |= np.array([not each for each in changes], np.bool_)
    is_plain &= ~changed.left & np.array(list(map(bool, originals)), np.bool_)
    others = np.flatnonzero(~is_plain).tolist()  # damaged, of several texts, or without one
    for at in others:
        number, row = batch[at]
        with source.naming(number):
            originals[at], some = original_and_edits(row)
            changes[at] = written_text(BARE, some)
    return originals, read_many(changes) if others else changed


def damages(originals: Sequence[str], changed: ChangedTexts) -> UInt8:
    """Return which kinds the edits of each text touch, as bits in the order of KINDS.

    And WRITES_DIGITS. A number is one that the original holds: a digit that is written into a word
    makes no other number, one beside a number does. A negation in other case is the same negation.
    An edit touches the text that it replaces; an insertion, only the text that it parts.

    Args:
        originals: the texts that the edits refer to, one a row.
        changed: the edits, of at most one text a row.
    """
    texts, old, new = changed.of_rows, changed.old, changed.new
    found = np.zeros(len(originals), np.uint8)
    if not len(texts):
        return found
    numbered: dict[str, int] = {}  # the texts of a grid come once for each of its conditions
    places = np.array([numbered.setdefault(text, len(numbered)) for text in originals])[texts]
    joined = "\n".join(numbered)
    ends = np.cumsum([len(text) + 1 for text in numbered]) - 1
    begins = np.append(0, ends[:-1] + 1)
    start = np.minimum(begins[places] + changed.starts, ends[places])
    end = np.minimum(start + old.lengths, ends[places])
    touched = np.zeros(len(texts), np.uint8)
    every = _matches(joined, begins)
    for bits, matches in zip(_BITS, every, strict=True):
        touched[_meet(matches, start, end)] |= bits
    some = np.flatnonzero(touched & _NEGATIONS)
    pairs = zip(old.take(some).to_list(), new.take(some).to_list(), strict=True)
    touched[some[[one.lower() == other.lower() for one, other in pairs]]] &= ~np.uint8(_NEGATIONS)
    written = "".join(new.to_list())
    parts = [match.start() for match in _PART.finditer(written)]
    writing = np.cumsum(new.lengths).searchsorted(parts, "right")
    joining = new.lengths == 0
    joining[writing] = True
    (some,) = joining.nonzero()
    near = some[_are_near(every[0], start[some]) | _are_near(every[0], end[some])]
    edits = zip(start[near].tolist(), end[near].tolist(), new.take(near).to_list(), strict=True)
    touched[near[[_joins(joined, *edit) for edit in edits]]] |= _NUMBERS
    writing = writing[[written[part].isdecimal() for part in parts]]
    touched[writing[touched[writing] & _NUMBERS == 0]] |= WRITES_DIGITS
    first = np.flatnonzero(np.diff(texts, prepend=-1))
    found[texts[first]] = np.bitwise_or.reduceat(touched, first)
    return found


def _meet(matches: Places, start: Int64, end: Int64) -> Bool:
    """Mark the edits with a match that ends behind their start and starts before their end."""
    return _at(matches[0], matches[1].searchsorted(start, "right")) < end


def _are_near(numbers: Places, place: Int64) -> Bool:
    """Mark the places beside a number, or one character from it, where an edit may join it."""
    return _at(numbers[0], numbers[1].searchsorted(place - 1)) <= place + 1


def _at(values: Int64, places: Int64) -> Int64:
    """Return values, and for the place behind all one that no text reaches."""
    return np.append(values, np.iinfo(np.int64).max)[places]


def _joins(original: str, start: int, end: int, text: str) -> bool:
    """Return true if an edit of no text or parts of a number makes a number longer."""
    # A number goes on behind one separator, so two characters show it.
    left, right = original[max(start - 2, 0) : start], original[end : end + 2]
    around = left + text + right
    borders = len(left), len(left) + len(text)
    numbers = (number.span() for number in _NUMBER.finditer(around))
    return any(first < border < last for first, last in numbers for border in borders)


def _matches(joined: str, begins: Int64) -> tuple[Places, ...]:
    """Return the places of numbers, negations, contractions of these, and labels of options."""
    # The capital I with a dot is the one letter that grows; the small one without a dot is as much
    # a letter.
    lower = joined.replace("İ", "ı").lower()
    last, first = (len(lower) - each[::-1] for each in _places(_CONTRACTION.finditer(lower[::-1])))
    labels = _places(_OPTION.finditer(joined))
    texts = begins.searchsorted(labels[0], "right")
    listed = np.bincount(texts)[texts] >= _FEWEST_OPTIONS
    return (
        _places(_NUMBER.finditer(joined)),
        _places(_NEGATION.finditer(lower)),
        (first, last),
        (labels[0][listed], labels[1][listed]),
    )


def _places(matches: Iterable[re.Match[str]]) -> Places:
    spans = np.array([match.span() for match in matches], np.int64).reshape(-1, 2)
    return spans[:, 0], spans[:, 1]
