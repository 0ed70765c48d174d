"""Facts about each code point, and tables keyed by character, for whole arrays of code points.

The facts are frozen in `wordlists/unicode/properties.tsv`, so that output bytes depend neither on
Python's version of Unicode nor on a library's. The members' names in lower case are the words of
that table; `properties.npy` beside it has their numbers, which load faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from perturb.engine.text.strings import ONE, Strings, column, encode, every, ranges, runs, single
from perturb.resources import damaged, path
from perturb.rng import below
from perturb.values.arrays import Bool, Codes, Int32, Int64, UInt8, UInt32

CODE_POINTS = 0x110000


class Kind(IntEnum):
    """The kind of a character: its general category, in the groups that matter here."""

    OTHER = 0  # unassigned, private use, surrogate
    LETTER = 1
    MARK = 2
    DIGIT = 3  # decimal digits
    NUMBER = 4  # other numbers: Roman numerals, fractions, superscripts
    CONNECTOR = 5  # the underscore and the like
    SPACE = 6  # white space that doesn't end a line
    NEWLINE = 7
    PUNCTUATION = 8
    SYMBOL = 9
    CONTROL = 10  # except spaces and newlines
    FORMAT = 11


class Break(IntEnum):
    """The part a character plays in grapheme clusters.

    These are the values of Grapheme_Cluster_Break; Other and Extend are split by the other
    properties that the rules use, Extended_Pictographic and Indic_Conjunct_Break (InCB). Every rule
    that joins two characters needs one from CR on: without any, no cluster has two characters.
    """

    OTHER = 0
    PICTOGRAPHIC = 1  # Other, Extended_Pictographic
    CONSONANT = 2  # Other, InCB=Consonant
    CONTROL = 3
    LF = 4
    CR = 5
    LINKER = 6  # Other, InCB=Linker
    EXTEND = 7  # Extend, InCB=Extend
    EXTEND_LINKER = 8  # Extend, InCB=Linker
    NON_JOINER = 9  # Extend, InCB=None: U+200C
    ZWJ = 10  # InCB=Extend too
    SPACING_MARK = 11
    PREPEND = 12
    REGIONAL_INDICATOR = 13
    L = 14
    V = 15
    T = 16
    LV = 17
    LVT = 18


class Script(IntEnum):
    """The script of a letter or mark; OTHER for everything else or shared by scripts."""

    OTHER = 0
    LATIN = 1
    GREEK = 2
    CYRILLIC = 3
    ARMENIAN = 4
    GEORGIAN = 5
    HEBREW = 6
    ARABIC = 7
    SYRIAC = 8
    THAANA = 9
    DEVANAGARI = 10
    BENGALI = 11
    GURMUKHI = 12
    GUJARATI = 13
    ORIYA = 14
    TAMIL = 15
    TELUGU = 16
    KANNADA = 17
    MALAYALAM = 18
    SINHALA = 19
    THAI = 20
    LAO = 21
    TIBETAN = 22
    MYANMAR = 23
    KHMER = 24
    ETHIOPIC = 25
    CHEROKEE = 26
    MONGOLIAN = 27
    HANGUL = 28
    HIRAGANA = 29
    KATAKANA = 30
    BOPOMOFO = 31
    HAN = 32


def kinds() -> UInt8:
    """Return the `Kind` of every code point, shape (0x110000,), read-only."""
    return _table(0)


def breaks() -> UInt8:
    """Return the `Break` of every code point, shape (0x110000,), read-only."""
    return _table(1)


def scripts() -> UInt8:
    """Return the `Script` of every code point, shape (0x110000,), read-only."""
    return _table(2)


@cache
def _table(number: int) -> UInt8:
    """Return the value of each run as many times as the run is long."""
    begins, *columns = _runs()
    table = columns[number].astype(np.uint8).repeat(np.diff(begins, append=CODE_POINTS))
    table.flags.writeable = False
    return table


@cache
def _runs() -> tuple[Int32, Int32, Int32, Int32]:
    """Return the starts of the runs of equal code points, and the values of each run."""
    file = path("unicode", "properties.npy")
    try:
        begins, kind, break_, script = np.load(file)
    except (EOFError, OSError, ValueError) as error:
        raise damaged(file, str(error)) from None
    return begins, kind, break_, script


# The steps walked from a place before all runs of the batch are looked up, which takes a pass over
# the batch. Chosen by hand: most runs of spaces and quotes are shorter.
_STEPS = 4


class CharacterSet:
    """A set of characters, made for tests of whole arrays.

    Args:
        member: shape (0x110000,); whether each code point is in the set; or a function that makes
            any slice of that on demand, since most texts need only Latin-1. NUL never belongs to
            the set, since it separates the texts of a batch.
    """

    def __init__(self, member: Bool | Callable[[slice], Bool]) -> None:
        self._slice = member if callable(member) else member.__getitem__
        self._latin = self.first(256).tobytes()

    @cached_property
    def _member(self) -> Bool:
        """Whether each code point is in the set."""
        return self.first(CODE_POINTS)

    def first(self, count: int) -> Bool:
        """Return whether each of the first `count` code points is in the set."""
        member = self._slice(slice(count))
        member[0] = False
        return member

    @classmethod
    def of(cls, characters: Iterable[str]) -> CharacterSet:
        """Make the set of the given single characters."""
        # Zeroed pages cost no memory until they are touched, so the whole of Unicode is cheap.
        member = np.zeros(CODE_POINTS, np.bool_)
        member[[ord(character) for character in characters]] = True
        return cls(member)

    def mask(self, codes: Codes) -> Bool:
        """Mark those of `codes` that are in the set."""
        if codes.dtype == np.uint8:
            return np.frombuffer(codes.tobytes().translate(self._latin), np.bool_)
        return self._member.take(codes.astype(np.intp))

    def is_in(self, codes: Codes) -> bool:
        """Return whether any of `codes` is in the set; for sets of few Latin-1 characters."""
        if codes.dtype == np.uint8:
            signs, searched = np.frombuffer(self._latin, np.bool_).nonzero()[0], codes.tobytes()
            return any(sign in searched for sign in signs.tolist())
        return bool(self.mask(codes).any())

    def beyond_latin_1(self) -> Int64:
        """Return the code points of the set outside Latin-1."""
        return np.flatnonzero(self._member[256:]) + 256

    def past(self, codes: Codes, places: Int64) -> Int64:
        """Return for each place the first one at or after it outside the set."""
        for _ in range(_STEPS):
            places = places + self.mask(codes[places])
        if not self.mask(codes[places]).any():
            return places
        starts, ends = (np.append(border, len(codes)) for border in runs(self.mask(codes)))
        row = np.searchsorted(ends, places, "right")
        return np.where(starts[row] <= places, ends[row], places)

    def back(self, codes: Codes, places: Int64) -> Int64:
        """Return for each place the start of the run of the set that ends there, or itself."""
        for _ in range(_STEPS):
            places = places - self.mask(codes[places - 1])
        if not self.mask(codes[places - 1]).any():
            return places
        starts, ends = (np.append(border, len(codes)) for border in runs(self.mask(codes)))
        row = np.searchsorted(ends, places)
        return np.where(starts[row] < places, starts[row], places)


def classes_of(count: int, *sets: CharacterSet) -> UInt8:
    """Return for each of some code points the bits of the sets that have it, lowest first."""
    bits = np.zeros(count, np.uint8)
    for number, members in enumerate(sets):
        bits |= members.first(count).view(np.uint8) << number
    return bits


@lru_cache(maxsize=32)
def of_kind(*members: Kind) -> CharacterSet:
    """Return the characters of the given kinds."""
    marks = bytearray(256)
    for kind in members:
        marks[kind] = True
    return CharacterSet(
        lambda part: np.frombuffer(bytearray(kinds()[part].tobytes().translate(marks)), np.bool_)
    )


@lru_cache(maxsize=16)
def of_script(*members: Script) -> CharacterSet:
    """Return the letters and marks of the given scripts."""
    return CharacterSet(np.isin(scripts(), members))


def blank() -> CharacterSet:
    """Return the white space, including line ends."""
    return of_kind(Kind.SPACE, Kind.NEWLINE)


@lru_cache(maxsize=64)
def set_of(characters: str) -> CharacterSet:
    """Return the characters of a string."""
    return CharacterSet.of(characters)


Letters = tuple[tuple[int, int], ...]


class ByteTable(NamedTuple):
    """Alternatives of characters that are a byte each, and are single characters of a byte too.

    Attributes:
        number: shape (256,); the number of alternatives of each byte.
        first: shape (256,); the start of the alternatives of each in `options`.
        options: all alternatives, and one more byte.
        letters: the code points beyond Latin-1 that have a byte of their own, with that byte.
    """

    number: UInt32
    first: UInt32
    options: UInt8
    letters: Letters = ()


class Alternatives:
    """The possible replacements of each of some characters.

    Args:
        table: character -> the strings to draw from, equally likely; a string given twice is twice
            as likely. No character may be its own alternative; one without any is left out.
    """

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        table = {character: options for character, options in table.items() if options}
        self.characters = CharacterSet.of(table)
        self._table = table
        codes = [ord(character) for character in table]
        # Up to the last of them: a row for each code point would be 9 MB, in pages of 2 MB.
        self._row = np.zeros(max(codes, default=0) + 1, np.intp)
        self._row[codes] = np.arange(len(codes))
        self._size = np.array([len(options) for options in table.values()], np.uint64)
        self._first = np.append(0, np.cumsum(self._size, dtype=np.intp)[:-1])
        self._options = column(option for options in table.values() for option in options)

    def without(self, unwanted: CharacterSet) -> Alternatives:
        """Return the table without strings that have an unwanted character on either side."""

        def is_allowed(text: str) -> bool:
            return not unwanted.mask(encode(text)).any()

        keys = filter(is_allowed, self._table)
        return Alternatives({key: [*filter(is_allowed, self._table[key])] for key in keys})

    def draw(self, codes: Codes, draws: UInt32) -> Strings:
        """Draw an alternative for each of `codes`; all of them must be in the table."""
        if codes.dtype == np.uint8 and (latin := self.latin_1) is not None:
            # Replacements take no more bytes than the characters that they replace.
            places = latin.first.take(codes) + below(draws, latin.number.take(codes))
            return single(latin.options.take(places.astype(np.intp, copy=False)))
        row = self._row.take(codes.astype(np.intp))
        return self._options.take(self._first[row] + below(draws, self._size[row]))

    @cached_property
    def latin_1(self) -> ByteTable | None:
        """The alternatives of Latin-1 by character; None if one of them is outside Latin-1."""
        (codes,) = self.characters.mask(np.arange(256, dtype=np.uint32)).nonzero()
        rows = self._row[codes]
        number, first = np.zeros((2, 256), np.uint32)
        number[codes] = self._size[rows]
        first[codes] = np.cumsum(number[codes]) - number[codes]
        options = self._options.take(ranges(self._first[rows], number[codes].astype(np.intp)))
        flat = options.flat()
        if not every(options.lengths == ONE) or flat.max(initial=0) > 0xFF:
            return None
        return ByteTable(number, first, np.append(flat, 0).astype(np.uint8))

    @cached_property
    def in_bytes(self) -> ByteTable | None:
        """The alternatives of all characters, those beyond Latin-1 by bytes that no other has.

        Where these are not enough it is `latin_1`.
        """
        used = {*self._table, *chain.from_iterable(self._table.values())}
        beyond = sorted(letter for letter in used if letter > "\xff")
        free = [letter for letter in map(chr, range(0x81, 0xFF)) if letter not in used]
        if not beyond or len(beyond) > len(free) or max(map(len, used)) > 1:
            return self.latin_1
        byte = str.maketrans("".join(beyond), "".join(free[: len(beyond)]))
        table = {
            key.translate(byte): [option.translate(byte) for option in options]
            for key, options in self._table.items()
        }
        made = Alternatives(table).latin_1
        return made and made._replace(letters=tuple(byte.items()))
