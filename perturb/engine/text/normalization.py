"""Unicode normalization forms, after UAX #15 with the tables of Unicode 18, for whole columns.

The tables are frozen in `wordlists/unicode`; Python's own normalization changes with its version.
Strings are decomposed by look-up, their marks are put in order by one stable sort, and all strings
are composed in step: the k-th characters of all of them are compared together.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.text.characters import CODE_POINTS, CharacterSet
from perturb.engine.text.strings import Strings, packed, ranges, same, single
from perturb.resources import read_rows
from perturb.values.arrays import Codes, Int64, UInt8, UInt16, UInt32

# Hangul syllables and their parts: leading consonants, vowels, trailing consonants.
_S, _L, _V, _T = 0xAC00, 0x1100, 0x1161, 0x11A7
_V_COUNT, _T_COUNT, _S_COUNT = 21, 28, 11172


def normalized(strings: Strings, form: str) -> Strings:
    """Return each string in a normalization form.

    Args:
        strings: the strings, none of them empty.
        form: "NFC", "NFD", "NFKC" or "NFKD".
    """
    parts = decomposed(strings, compatible="K" in form)
    return parts if form.endswith("D") else _composed(parts)


def decomposed(strings: Strings, *, compatible: bool = False) -> Strings:
    """Return each string with its characters decomposed and its marks in canonical order.

    Args:
        strings: the strings, none of them empty.
        compatible: whether compatibility decompositions are used as well as canonical ones.
    """
    mapping = _mapping(compatible)
    codes = strings.flat().astype(np.uint32)
    row = mapping.row[codes]
    changes = row > 0
    starts = np.where(changes, len(codes) + mapping.into.starts[row], np.arange(len(codes)))
    lengths = np.where(changes, mapping.into.lengths[row], 1)
    flat = np.concatenate([codes, mapping.into.codes])[ranges(starts, lengths)]
    ends = np.cumsum(lengths)[np.cumsum(strings.lengths) - 1]
    return _ordered(packed(flat, np.diff(ends, prepend=0)))


def firm(form: str) -> CharacterSet:
    """Return the characters that never join the one before: normalization can start there."""
    return _sets(form)[0]


def unsettled(form: str) -> CharacterSet:
    """Return the characters that a form may change, move or join to another."""
    return _sets(form)[1]


@cache
def combining_classes() -> UInt8:
    """Return the canonical combining class of every code point, shape (0x110000,)."""
    classes = np.zeros(CODE_POINTS, np.uint8)
    for first, last, number in read_rows("unicode", "combining_classes.tsv"):
        classes[int(first, 16) : int(last, 16) + 1] = int(number)
    return classes


@cache
def compositions() -> tuple[UInt32, UInt32, UInt32]:
    """Return pairs of characters and their compositions, without Hangul, ordered by the result."""
    rows = [
        (int(code, 16), *(int(part, 16) for part in into.split(" ")))
        for code, kind, into in read_rows("unicode", "decompositions.tsv")
        if kind == "canonical"
    ]
    composite, first, second = np.array(rows, np.uint32).T
    return first, second, composite


class _Mapping(NamedTuple):
    """The decomposition of each code point, as a row of `into`; row 0 means none."""

    row: UInt16
    into: Strings


@cache
def _mapping(compatible: bool) -> _Mapping:
    codes, full = _full(compatible)
    syllables, parts, lengths = _hangul()
    row = np.zeros(CODE_POINTS, np.uint16)
    row[codes] = np.arange(1, len(codes) + 1)
    row[syllables] = np.arange(len(codes) + 1, len(codes) + 1 + _S_COUNT)
    flat = np.array([code for into in full for code in into], np.uint32)
    sizes = np.concatenate([[0], [len(into) for into in full], lengths])
    return _Mapping(row, packed(np.concatenate([flat, parts]), sizes))


def _full(compatible: bool) -> tuple[list[int], list[tuple[int, ...]]]:
    """Return the characters that decompose, and their full decompositions."""
    steps = {
        int(code, 16): tuple(int(part, 16) for part in into.split(" "))
        for code, kind, into in read_rows("unicode", "decompositions.tsv")
        if compatible or kind != "compatible"
    }

    def whole(code: int) -> tuple[int, ...]:
        if code not in steps:
            return (code,)
        return tuple(part for step in steps[code] for part in whole(step))

    return list(steps), [whole(code) for code in steps]


def _hangul() -> tuple[Int64, UInt32, Int64]:
    """Return the syllables, their letters in a row, and the number of letters of each."""
    number = np.arange(_S_COUNT)
    trailing = number % _T_COUNT
    letters = np.stack(
        [_L + number // (_V_COUNT * _T_COUNT), _V + number // _T_COUNT % _V_COUNT, _T + trailing],
        axis=1,
    )
    present = np.ones(letters.shape, np.bool_)
    present[:, 2] = trailing > 0
    return _S + number, letters[present].astype(np.uint32), present.sum(axis=1)


def _ordered(strings: Strings) -> Strings:
    """Put the marks between two starters in the order of their classes."""
    classes = combining_classes()[strings.codes]
    falls = (classes[1:] > 0) & (classes[:-1] > classes[1:])
    if not falls.any():
        return strings
    starter = classes == 0
    starter[strings.starts] = True
    # The first mark of a string that has no starter before it is sorted as well.
    order = np.lexsort((classes, np.cumsum(starter)))
    return Strings(strings.codes[order], strings.starts, strings.ends)


def _composed(strings: Strings) -> Strings:
    """Compose each string, which must be decomposed and in order."""
    codes = strings.codes.copy()
    classes = combining_classes()[codes]
    stays = np.ones(len(codes), np.bool_)
    longest = np.argsort(-strings.lengths, kind="stable")
    starts, lengths = strings.starts[longest], strings.lengths[longest]
    # For each string: the place of its last starter, and the class of the last mark after it that
    # wasn't composed; -1 for none.
    starter, last = np.full(len(starts), -1), np.full(len(starts), -1)
    for step in range(lengths[0] if len(lengths) else 0):
        now = np.searchsorted(-lengths, -step)
        place = starts[:now] + step
        base, class_ = starter[:now], classes[place].astype(np.intp)
        composites = _pairs(codes[base], codes[place])
        joins = (base >= 0) & (last[:now] < class_) & (composites > 0)
        codes[base[joins]] = composites[joins]
        stays[place[joins]] = False
        begins = ~joins & (class_ == 0)
        starter[:now][begins] = place[begins]
        last[:now] = np.where(begins, -1, np.where(joins, last[:now], class_))
    ends = np.cumsum(stays)[strings.ends - 1]
    return packed(codes[stays], np.diff(ends, prepend=0))


@cache
def _pair_table() -> tuple[Int64, UInt32]:
    """Return every pair that composes, as one number, in order, and its composition."""
    first, second, composite = compositions()
    number = np.arange(_S_COUNT)
    trailing = number % _T_COUNT
    open_ = trailing == 0
    left = np.where(open_, _L + number // (_V_COUNT * _T_COUNT), _S + number - trailing)
    right = np.where(open_, _V + number // _T_COUNT % _V_COUNT, _T + trailing)
    pairs = _number(np.append(first, left), np.append(second, right))
    order = np.argsort(pairs)
    return pairs[order], np.append(composite, _S + number).astype(np.uint32)[order]


def _number(first: Codes | Int64, second: Codes | Int64) -> Int64:
    return (first.astype(np.int64) << 21) | second


def _pairs(first: Codes, second: Codes) -> UInt32:
    """Return the composition of each pair; 0 for none."""
    pairs, composites = _pair_table()
    numbers = _number(first, second)
    place = np.searchsorted(pairs, numbers).clip(max=len(pairs) - 1)
    return np.where(pairs[place] == numbers, composites[place], np.uint32(0))


@cache
def _sets(form: str) -> tuple[CharacterSet, CharacterSet]:
    mapping, classes = _mapping("K" in form), combining_classes()
    codes = np.flatnonzero(mapping.row)
    first = np.arange(CODE_POINTS)
    first[codes] = mapping.into.codes[mapping.into.starts[mapping.row[codes]]]
    loose = classes[first] > 0
    changing = mapping.row > 0
    if form.endswith("C"):
        joins = np.zeros(CODE_POINTS, np.bool_)
        joins[compositions()[1]] = True
        joins[_V : _V + _V_COUNT] = joins[_T + 1 : _T + _T_COUNT] = True
        loose |= joins[first]
        changing[_S : _S + _S_COUNT] = False
        codes = np.flatnonzero(changing)
        alone = single(codes.astype(np.uint32))
        changing[codes] = ~same(alone, normalized(alone, form))
    return CharacterSet(~loose), CharacterSet(changing | loose)
