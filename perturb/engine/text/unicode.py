"""Facts about each code point that the engine needs.

The facts are frozen in `wordlists/unicode/properties.tsv`, so that output bytes depend neither on
Python's version of Unicode nor on a library's. The members' names in lower case are the words of
that table; `properties.npy` beside it has their numbers, which load faster.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from perturb.resources import TableError, path
from perturb.values.arrays import Int32, UInt8

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
        raise TableError(
            f"{file} is damaged: {error}. Reinstall perturb, or restore the file from git."
        ) from None
    return begins, kind, break_, script
