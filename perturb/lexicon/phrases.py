"""Tables of words and phrases, found in all texts of a batch at once by their hashes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import CharacterSet, Script, scripts, set_of
from perturb.engine.text.strings import Strings, column, every, packed, ranges
from perturb.lexicon.hashing import (
    LATIN_FOLDED,
    HashTable,
    hash_spans,
    hash_strings,
    hash_words,
    letters_of,
    vocabulary,
)
from perturb.resources import read_rows
from perturb.rng import below
from perturb.values.arrays import Bool, Codes, Int64, UInt32, distinct

# Words to look for: a set of them, or a few with spaces between.
Wanted = frozenset[str] | str
_NONE = -1
# Every word that was ever asked for, by its hash, with its number. A batch looks all of them up
# once, and each set of words is a mask over the numbers.
_ASKED: dict[int, int] = {}
_NUMBERS = itertools.count()
_SMALL_I = re.compile(r"(?<!\S)i(?![^' \n])")
# Latin-1 in capitals; ß, µ and ÿ have no capital there.
_LATIN = "".join(map(chr, range(256)))
_RAISED = np.frombuffer(
    "".join(sign if sign in "ßµÿ" else sign.upper() for sign in _LATIN).encode("latin-1"), np.uint8
)
# ß has no capital here, and the last code replaces everything beyond Latin-1: neither is cased.
_CAPITALS = np.array([sign.isupper() for sign in _LATIN])
_SMALL = np.array([sign.islower() and sign not in "ßµÿ" for sign in _LATIN])


class Found(NamedTuple):
    """Phrases of a table in a batch, in order and apart.

    Attributes:
        starts: shape (n,); where each starts, in code points of the batch.
        ends: shape (n,); where each ends.
        rows: shape (n,); the number of the phrase in `Phrases.keys`.
        first: shape (n,); the number of its first word in the batch.
        last: shape (n,); the number of its last word.
    """

    starts: Int64
    ends: Int64
    rows: Int64
    first: Int64
    last: Int64

    def keep(self, mask: Bool) -> Found:
        """Return the phrases where `mask` is true."""
        (rows,) = mask.nonzero()
        return Found(*(column[rows] for column in self))


class Phrases:
    """Words and phrases, and the replacements of each.

    A phrase matches a text as it is in the table, apart from case and the form of the apostrophe,
    so single spaces separate its words. One punctuation character before its first word and one
    after its last may belong to it ('cause, w/).

    Args:
        pairs: phrases with a replacement each, at least one pair; both are ASCII, or with `accents`
            Latin-1, in any case. A phrase without a letter or digit never matches.
        weighted: whether a repeated pair is drawn more often, in proportion.
        accents: whether phrases may have letters beyond ASCII.
    """

    def __init__(
        self, pairs: Iterable[Sequence[str]], *, weighted: bool = False, accents: bool = False
    ) -> None:
        self._accents = accents
        lines = "\n".join(map("\t".join, pairs)).lower().split("\n")
        columns = "\t".join(lines if weighted else dict.fromkeys(lines)).split("\t")
        keys, options = columns[::2], columns[1::2]
        number: dict[str, int] = {}
        rows = [number.setdefault(key, len(number)) for key in keys]
        self.keys = list(number)
        self._pairs = rows, options
        self._enter(Batch.of(self.keys))

    @cached_property
    def _options(self) -> tuple[Int64, Strings, Bool]:
        """The replacements of the phrases, made late since many tables are only searched.

        The start of the replacements of each phrase, and the end of all; the replacements; which
        phrases begin with the word I.
        """
        rows, options = self._pairs
        return (
            np.append(0, np.cumsum(np.bincount(rows, minlength=len(self.keys)))),
            column(_capital_i(options)).take(np.argsort(rows, kind="stable")),
            np.array([key[0] == "I" for key in _capital_i(self.keys)], np.bool_),
        )

    def _enter(self, keys: Batch) -> None:
        """Put the hash of every key, and of every word that leads one, into the table."""
        words, letters = keys.words, letters_of(keys, self._accents)
        counts = keys.count(words.starts)
        (rows,) = counts.nonzero()
        counts = counts[rows]
        heads = words.starts.searchsorted(keys.texts.starts[rows])
        tails = heads + counts - 1
        starts, ends = words.starts[heads], words.ends[tails]
        # The characters around the words of a key in its own line; a separator if there are none.
        self._before = np.zeros(len(self.keys), np.uint8)
        self._after = np.zeros(len(self.keys), np.uint8)
        self._before[rows], self._after[rows] = letters[starts - 1], letters[ends]
        self._signs = bool(self._before.any() or self._after.any())
        leads = hash_words(letters, starts, words.ends[heads])
        trails = hash_words(letters, words.starts[tails], ends)
        whole = hash_words(letters, starts, ends)
        hashes = distinct(np.concatenate([leads, trails, whole]))
        # For each hash, and at the end for an unknown one: the row of its key, and as bits the
        # lengths in words of the keys that it leads, and of those that it ends.
        self._row = np.full(len(hashes) + 1, _NONE)
        self._row[np.searchsorted(hashes, whole)] = rows
        self._reach, self._ends = np.zeros((2, len(hashes) + 1), np.intp)
        np.bitwise_or.at(self._reach, np.searchsorted(hashes, leads), 1 << counts)
        np.bitwise_or.at(self._ends, np.searchsorted(hashes, trails), 1 << counts)
        self._counts = [count for count in distinct(counts).tolist() if count > 1]
        self._table = HashTable.of(hashes)

    def find(self, batch: Batch) -> Found:
        """Find the phrases of a batch, which remembers them; see `Found`.

        The search goes from left to right and takes the longest at each place.
        """
        return batch.once(self._find)

    def _find(self, batch: Batch) -> Found:
        words, (numbers, hashes, _) = batch.words, vocabulary(batch, self._accents)
        entries = self._table.places(hashes)
        (first,) = (self._reach.take(entries) > 0).take(numbers[:-1]).nonzero()
        heads = numbers.take(first)
        rows = self._standing(self._row.take(entries).take(heads), batch, first, first)
        last = first.copy()
        reach, ends = self._reach.take(entries).take(heads), self._ends.take(entries)
        for count in self._counts:
            # Few pairs of words that may lead and end a phrase belong to one.
            trails = ends.take(numbers.take(first + (count - 1), mode="clip"))
            (able,) = (reach & trails & 1 << count).nonzero()
            heads, tails = first[able], first[able] + count - 1
            spans = words.starts[heads], words.ends[tails]
            at, found = self._table.find(hash_spans(batch, *spans, self._accents))
            longer = self._standing(self._row[found], batch, heads[at], tails[at])
            at, longer = at[longer >= 0], longer[longer >= 0]
            rows[able[at]], last[able[at]] = longer, tails[at]
        (known,) = (rows >= 0).nonzero()
        rows, first, last = rows[known], first[known], last[known]
        starts, ends = words.starts[first], words.ends[last]
        if self._signs:
            starts -= self._before[rows] > 0
            ends += self._after[rows] > 0
        matches = Found(starts, ends, rows, first, last)
        apart = every(starts[1:] >= ends[:-1])
        return matches if apart else matches.keep(_leftmost(starts, ends))

    def write(self, rows: Int64, spans: Strings, draws: UInt32) -> Strings:
        """Draw a replacement for each span, in its case.

        Args:
            rows: shape (n,); the number of the phrase of each span.
            spans: their places.
            draws: shape (n,); random numbers.
        """
        bounds, strings, led_by_i = self._options
        low = bounds[rows]
        options = strings.take(low + below(draws, bounds[rows + 1] - low))
        led = led_by_i[rows]
        (some,) = led.nonzero()
        led[some] = ~_opens(spans.take(some)) | (spans.lengths[some] > 1)
        return in_case_of(spans, options, led)

    def sites(self, found: Found, unit: str) -> Sites:
        """Return a site at each phrase found."""

        def written(chosen: Chosen) -> Strings:
            return self.write(found.rows[chosen.rows], chosen.texts, chosen.draw())

        return Sites(found.starts, found.ends, unit, written)

    def _standing(self, rows: Int64, batch: Batch, first: Int64, last: Int64) -> Int64:
        """Return the rows, -1 where the punctuation around the words is not the phrase's."""
        if not self._signs:
            return rows
        words, letters = batch.words, letters_of(batch, self._accents)
        before, after = self._before[rows], self._after[rows]
        starts, ends = words.starts[first], words.ends[last]
        stands = (before == 0) | (letters[starts - 1] == before)
        follows = np.append(words.starts, _NONE)[last + 1]
        stands &= (after == 0) | ((letters[ends] == after) & (follows != ends + 1))
        return np.where(stands, rows, _NONE)


@cache
def taboo_words() -> frozenset[str]:
    """Return the words that no replacement may have, in lower case; a text may have them."""
    return frozenset(row[0] for row in read_rows("english", "taboo.tsv"))


def decent(pairs: Iterable[Sequence[str]]) -> list[Sequence[str]]:
    """Return the pairs whose second string has no taboo word."""
    return [pair for pair in pairs if taboo_words().isdisjoint(pair[1].lower().split())]


def after(batch: Batch, rows: Int64) -> Int64:
    """Return the word after each of the words at `rows`, -1 if not just a space separates them."""
    return np.where(batch.once(_spaced).take(rows), rows + 1, _NONE)


def before(batch: Batch, rows: Int64) -> Int64:
    """Return the word before each of the words at `rows`, -1 if not just a space separates them."""
    previous = rows - 1
    return np.where(batch.once(_spaced).take(previous), previous, _NONE)


def parted(batch: Batch, rows: Int64, signs: str) -> Int64:
    """Return the word before each of the words at `rows`, -1 if not one sign and a blank part them.

    Args:
        batch: the texts.
        rows: the words; or as many as there are, for what follows the last.
        signs: the signs.
    """
    starts, codes = np.append(batch.words.starts, _NONE), batch.codes
    previous = np.maximum(rows - 1, 0)
    ends = batch.words.ends[previous]
    near = (rows > 0) & (ends + 2 == starts[rows]) & set_of(signs).mask(codes[ends])
    near &= codes[np.minimum(ends + 1, len(codes) - 1)] != 0  # the border of a text
    return np.where(near, previous, _NONE)


def _spaced(batch: Batch) -> Bool:
    """Mark the words that only a space separates from the next; at -1 and -2 there is none."""
    starts, ends = batch.words.starts, batch.words.ends
    spaced = np.zeros(len(starts) + 1, np.bool_)
    spaced[:-2] = starts[1:] == ends[:-1] + 1
    spaced[:-2] &= batch.codes.take(ends[:-1]) == ord(" ")
    return spaced


def among(batch: Batch, rows: Int64, wanted: Wanted, accents: bool = False) -> Bool:
    """Mark the words at `rows` that are in `wanted`, in any case; a row of -1 never is.

    The case of letters beyond ASCII matters, but with `accents` that of Latin-1 doesn't.
    """
    return batch.once(numbers_among, wanted, accents).take(vocabulary(batch, accents).numbers[rows])


def words_among(batch: Batch, wanted: Wanted) -> Int64:
    """Return the words of a batch that are in `wanted`, in any case."""
    marks = batch.once(numbers_among, wanted, False)
    return marks.take(vocabulary(batch).numbers[:-1]).nonzero()[0]


def count_among(batch: Batch, wanted: Wanted) -> Int64:
    """Return how many words of each text are in `wanted`, in any case."""
    return batch.count(batch.words.starts[words_among(batch, wanted)])


def numbers_among(batch: Batch, wanted: Wanted, accents: bool) -> Bool:
    """Mark the numbers of the vocabulary that belong to some words; the last never does."""
    marks = _marks_of(wanted)
    return marks.take(batch.once(_asked_of, accents, len(_ASKED)), mode="clip")


def _asked_of(batch: Batch, accents: bool, count: int) -> Int64:
    """Return for each number of the vocabulary its number in `_ASKED`; the last has none."""
    table, numbers = _table_of(count)
    return numbers.take(table.places(vocabulary(batch, accents).hashes))


@cache
def _marks_of(words: Wanted) -> Bool:
    """Mark the numbers of some words in `_ASKED`, up to the highest; the last is for no word."""
    hashes = hash_strings(words.split() if isinstance(words, str) else [*words]).tolist()
    numbers = [_ASKED.setdefault(number, next(_NUMBERS)) for number in hashes]
    marks = np.zeros(max(numbers, default=0) + 2, np.bool_)
    marks[numbers] = True
    return marks


@lru_cache(maxsize=1)
def _table_of(count: int) -> tuple[HashTable, Int64]:  # noqa: ARG001
    """Return the table of the `count` hashes in `_ASKED`, and the number of each.

    The last number is for no hash.
    """
    hashes, numbers = zip(*sorted(_ASKED.items()), strict=True)
    table = HashTable.of(np.array(hashes, np.uint64))
    return table, np.array([*numbers, np.iinfo(np.intp).max])


def is_capital(codes: Codes) -> Bool:
    """Mark the capitals of ASCII."""
    return (codes >= ord("A")) & (codes <= ord("Z"))


def is_small(codes: Codes) -> Bool:
    """Mark the small letters of ASCII."""
    return (codes >= ord("a")) & (codes <= ord("z"))


def is_digit(codes: Codes | Int64) -> Bool:
    """Mark the digits of ASCII."""
    return (codes >= ord("0")) & (codes <= ord("9"))


def begins_with_digit(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that begin with a digit; a row of -1 never does."""
    return (rows >= 0) & is_digit(batch.codes[batch.words.starts[rows]])


@cache
def latin() -> CharacterSet:
    """Return the characters that English words may be next to: Latin letters and digits."""
    member = scripts() == Script.LATIN
    member[ord("0") : ord("9") + 1] = True
    return CharacterSet(member)


def in_case_of(spans: Strings, options: Strings, led_by_i: Bool) -> Strings:
    """Write each option in the case of the span that it replaces.

    All capitals (at least two) give all capitals, and a capital at the start gives one there. The
    word I is special: it stays a capital unless it replaces a small i, and calls for no other.

    Args:
        spans: Latin-1 apart from apostrophes; none is empty.
        options: Latin-1, in lower case apart from the word I.
        led_by_i: which spans begin with the word I.
    """
    capital = _in_case(_CAPITALS, spans.codes[_first_letter(spans)])
    rows = np.flatnonzero(capital | led_by_i)
    if not len(rows):
        return options
    capital, led_by_i, spans = capital[rows], led_by_i[rows], spans.take(rows)
    flat, offsets = spans.flat(), np.cumsum(spans.lengths) - spans.lengths
    capitals = np.add.reduceat(_in_case(_CAPITALS, flat), offsets, dtype=np.intp)
    small = np.add.reduceat(_in_case(_SMALL, flat), offsets, dtype=np.intp)
    upper = (small == 0) & (capitals > 1)
    cased = packed(options.flat(), options.lengths)
    for which, table in ((upper, _RAISED), (led_by_i & (capitals == 0), LATIN_FOLDED)):
        recased = cased.take(rows[which])
        places = ranges(recased.starts, recased.lengths)
        cased.codes[places] = table[cased.codes[places]]
    places = _first_letter(cased.take(rows[capital & ~upper & ~led_by_i]))
    cased.codes[places] = _RAISED[cased.codes[places]]
    return cased


def _opens(spans: Strings) -> Bool:
    """Mark the spans at the start of a text, a line or, judging by one character, a sentence."""
    codes, last = spans.codes, spans.starts - 1
    blank = codes[last] == ord(" ")
    before = codes[last - blank]
    return np.where(blank, set_of(".?!").mask(before), np.isin(before, (0, ord("\n"), ord("\r"))))


def _first_letter(strings: Strings) -> Int64:
    """Return the start of each string, past an apostrophe."""
    first = strings.codes[strings.starts]
    rows: Int64 = strings.starts + ((first == ord("'")) | (first == ord("’")))
    return rows


def _in_case(letters: Bool, codes: Codes) -> Bool:
    return letters[np.minimum(codes, 255)]


def _capital_i(lines: list[str]) -> list[str]:
    """Write the word I, alone or before an apostrophe, as a capital."""
    return _SMALL_I.sub("I", "\n".join(lines)).split("\n")


def _leftmost(starts: Int64, ends: Int64) -> Bool:
    """Walk spans from left to right and skip each that overlaps the last one taken.

    From each span the walk goes to the first that begins at its end or later, and it always visits
    a span that no earlier one reaches. Steps of doubling length find the rest.
    """
    size = len(starts)
    reached = np.ones(size + 1, np.bool_)
    reached[1:-1] = np.maximum.accumulate(ends)[:-1] <= starts[1:]
    following = np.append(np.searchsorted(starts, ends), size)
    step = following
    while not reached[following[reached]].all():
        reached[step[reached]] = True
        step = step[step]
    return reached[:-1]
