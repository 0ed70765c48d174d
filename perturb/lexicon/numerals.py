"""Whole numbers in digits and in words: found, read and written for a whole batch at once."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.text.strings import Strings, column, concatenate, packed, ranges, same
from perturb.lexicon.hashing import letters_of
from perturb.lexicon.phrases import Found, Phrases, after, is_digit
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

# Numbers below this are written, in four groups of three digits with commas between, as
# 999,999,999,999 has in 15 characters. Larger numbers are rarely spelled out.
LIMIT = 10**12
_GROUPS = 4
_LONGEST = 15
_HUNDRED = 100
# Row of the lone zero in the tables of groups.
_ZERO = 1000
# The meaning of "and" among number words.
_AND = -1


class Numbers(NamedTuple):
    """Numbers in a batch, in order and apart; every array has shape (n,).

    Attributes:
        starts: where each starts, in code points of the batch.
        ends: where each ends.
        values: the value of each.
        grouped: whether commas separate its thousands.
        first: the number of its first word in the batch.
        last: the number of its last word.
    """

    starts: Int64
    ends: Int64
    values: Int64
    grouped: Bool
    first: Int64
    last: Int64

    def keep(self, mask: Bool) -> Numbers:
        """Return the numbers where `mask` is true."""
        return Numbers._make(column[mask] for column in self)


def in_digits(batch: Batch) -> Numbers:
    """Find the words that are whole numbers below `LIMIT` in ASCII digits.

    If commas separate thousands, they must separate all of them. A number with a leading zero, such
    as 007, doesn't count.
    """
    codes = batch.codes
    rows = np.flatnonzero(is_digit(codes[batch.words.starts]))
    rows = rows[batch.words.lengths[rows] <= _LONGEST]
    words = batch.words.take(rows)
    values, commas = np.zeros((2, len(rows)), np.int64)
    fits = (codes[words.starts] != ord("0")) | (words.lengths == 1)
    for place in range(int(words.lengths.max(initial=0))):
        left = words.lengths - 1 - place
        code = codes[np.minimum(words.starts + place, words.ends - 1)].astype(np.int64)
        digit = (left >= 0) & is_digit(code)
        comma = (code == ord(",")) & (left % 4 == 3)
        values = np.where(digit, 10 * values + code - ord("0"), values)
        commas += comma & (left >= 0)
        fits &= digit | comma | (left < 0)
    fits &= (commas == 0) | (commas == words.lengths // 4)
    numbers = Numbers(words.starts, words.ends, values, commas > 0, rows, rows)
    return numbers.keep(fits & (values < LIMIT))


def in_words(batch: Batch) -> Numbers:
    """Find the whole numbers below `LIMIT` in words, such as "one hundred and five".

    Consecutive number words that make no number together, such as "one two three", don't count one
    by one either.
    """
    table, meanings = _number_words()
    tokens = table.find(batch)
    tokens = tokens.keep(~_is_loose_and(batch, tokens, meanings))
    values = meanings[tokens.rows]
    if not len(values):
        return in_digits(Batch.of([]))
    linked = after(batch, tokens.last[:-1]) == tokens.first[1:]
    run = np.concatenate([[0], np.cumsum(~linked)])
    heads = np.flatnonzero(np.diff(run, prepend=-1))
    tails = np.append(heads[1:], len(run)) - 1
    sums = np.add.reduceat(values * _factors(values, run), heads)
    starts, first = tokens.starts[heads], tokens.first[heads]
    ends, last = tokens.ends[tails], tokens.last[tails]
    grouped = np.zeros(len(heads), np.bool_)
    numbers = Numbers(starts, ends, sums, grouped, first, last)
    numbers = numbers.keep((sums >= 0) & (sums < LIMIT))
    ands = tokens.starts[values == _AND]
    return numbers.keep(same(_plain(batch, numbers, ands), _unhyphened(named(numbers.values))))


def _is_loose_and(batch: Batch, tokens: Found, meanings: Int64) -> Bool:
    """Mark each "and" that does not join two number words."""
    values = np.concatenate([[_AND], meanings[tokens.rows], [_AND]])
    next_to = after(batch, tokens.last[:-1]) == tokens.first[1:]
    linked = np.concatenate([[False], next_to, [False]])[: len(tokens.rows) + 1]
    before, here, behind = values[:-2], values[1:-1], values[2:]
    joins = linked[:-1] & linked[1:] & (before >= _HUNDRED) & (behind < _HUNDRED) & (behind > 0)
    marks: Bool = (here == _AND) & ~joins
    return marks


def _factors(values: Int64, run: Int64) -> Int64:
    """Return the factor of each small number; 0 for all other words."""
    # One more at the end, in a run of its own.
    padded, runs, order = np.append(values, 1), np.append(run, -1), np.arange(len(values))
    hundred = (padded[1:] == _HUNDRED) & (runs[1:] == run)
    scales = np.append(np.flatnonzero(values > _HUNDRED), len(values))
    scale = scales[np.searchsorted(scales, order)]
    factors = np.where(runs[scale] == run, padded[scale], 1) * np.where(hundred, _HUNDRED, 1)
    return np.where((values >= 0) & (values < _HUNDRED), factors, 0)


def _plain(batch: Batch, numbers: Numbers, ands: Int64) -> Strings:
    """Return the spelled numbers in lower case, without hyphens and "and"."""
    folded = letters_of(batch)
    kept = np.ones(len(folded), np.bool_)
    kept[ranges(ands - 1, np.full(len(ands), len(" and")))] = False
    places = ranges(numbers.starts, numbers.ends - numbers.starts)
    before = np.concatenate([[0], np.cumsum(kept)])
    lengths = before[numbers.ends] - before[numbers.starts]
    return _unhyphened(packed(folded[places[kept[places]]], lengths))


def _unhyphened(strings: Strings) -> Strings:
    flat = strings.flat()
    return packed(np.where(flat == ord("-"), ord(" "), flat).astype(np.uint8), strings.lengths)


def named(values: Int64) -> Strings:
    """Spell numbers below `LIMIT`.

    Examples:
        >>> named(np.array([0, 21, 1_000_305])).to_list()
        ['zero', 'twenty-one', 'one million three hundred five']
    """
    groups = zip(_names(), _groups(values), strict=True)
    spelled = concatenate(*(names.take(group) for names, group in groups))
    return Strings(spelled.codes, spelled.starts, spelled.ends - 1)


def digits(values: Int64, commas: bool) -> Strings:
    """Write numbers below `LIMIT` in digits.

    Examples:
        >>> digits(np.array([7, 1000]), commas=True).to_list()
        ['7', '1,000']
    """
    table = _digit_groups(commas)
    led, parts = np.zeros(len(values), np.bool_), []
    for group in _groups(values):
        parts.append(table.take(np.where(led, group + _ZERO + 1, group)))
        led |= group > 0
    return concatenate(*parts)


def _groups(values: Int64) -> list[Int64]:
    """Return the rows of the groups of each number in the tables of groups, from the left."""
    groups = [values // 1000**power % 1000 for power in range(_GROUPS - 1, -1, -1)]
    groups[-1][values == 0] = _ZERO
    return groups


@cache
def _cardinals() -> dict[int, str]:
    """Return the names of all numbers below a hundred, and of the powers of ten that have one."""
    rows = read_rows("english", "numbers.tsv")
    cardinals = {int(number): cardinal for number, cardinal, _ in rows}
    for ten in range(20, 100, 10):
        cardinals |= {ten + unit: f"{cardinals[ten]}-{cardinals[unit]}" for unit in range(1, 10)}
    return cardinals


@cache
def _number_words() -> tuple[Phrases, Int64]:
    """Return the words that numbers are made of, and their values; `_AND` for "and"."""
    meanings = {name: number for number, name in _cardinals().items()} | {"and": _AND}
    table = Phrases((word, word) for word in meanings)
    return table, np.array([meanings[word] for word in table.keys], np.int64)


@cache
def _names() -> list[Strings]:
    """Return for each group, from the left, the names of 0 to 999 in it, and of the lone zero."""
    cardinals = _cardinals()
    below_hundred = ["", *(f"{cardinals[number]} " for number in range(1, _HUNDRED))]
    hundreds = ["", *(f"{cardinals[number]} {cardinals[_HUNDRED]} " for number in range(1, 10))]
    small = [hundred + rest for hundred in hundreds for rest in below_hundred]
    scales = [f"{cardinals[1000**power]} " for power in range(_GROUPS - 1, 0, -1)]
    large = [column(name and name + scale for name in [*small, ""]) for scale in scales]
    return [*large, column([*small, f"{cardinals[0]} "])]


@cache
def _digit_groups(commas: bool) -> Strings:
    """0 to 999 and the lone zero as first group, nothing for 0; then 0 to 999 as later ones."""
    comma = "," if commas else ""
    later = (f"{comma}{number:03}" for number in range(1000))
    return column(["", *map(str, range(1, 1000)), "0", *later])
