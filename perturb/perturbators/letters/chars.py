"""Changes to single characters: replaced, inserted, deleted, swapped, doubled, or leet."""

from __future__ import annotations

import string
from functools import cache
from typing import Annotated, Literal

import numpy as np

from perturb.engine.batch import Batch, letters, of_kind, visible
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import (
    alphabet_scripts,
    draw_from_alphabet,
    in_alphabet,
    letters_in_alphabet,
    other_than,
)
from perturb.engine.text.characters import Alternatives, CharacterSet, Kind, Script
from perturb.engine.text.strings import Strings, concatenate, packed, repeated, same, single
from perturb.errors import UsageError
from perturb.perturbators.declaration import letter_perturbator, own_perturbator, word_perturbator
from perturb.perturbators.shared.character_tables import ALPHABETS
from perturb.registry.definition import Range
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

# The most letters that `elongate` may add: far beyond what anyone types, but a limit, since each
# edit takes that much memory.
_Copies = Annotated[int, Range(1, 1000)]
# Letters that a speaker can hold, by script: Latin, Greek, Cyrillic, Armenian, Georgian, Arabic.
_VOWELS = (
    "aeiouyàáâãäåāăąæèéêëēĕėęěìíîïĩīĭįıòóôõöøōŏőœùúûüũūŭůűųýÿŷ"
    "αεηιουωάέήίόύώϊϋΐΰ"
    "аеёиоуыэюяіїє"
    "աեէըիոօ"
    "აეიოუ"
    "اوي"
)

_H2O = "H2O Eval Studio, Random Character Perturbation"
# The alphabet of H2O's character perturbator.
_H2O_ALPHABET = string.ascii_letters + string.digits + "\n" + string.punctuation


@letter_perturbator(
    "char_replace",
    scripts=ALPHABETS,
    source=_H2O,
    version=2,
    aliases={"random_replacement": {"alphabet": _H2O_ALPHABET, "digits": True}},
)
def char_replace(batch: Batch, *, alphabet: str | None = None, digits: bool = False) -> Sites:
    """Replace a letter by another of its alphabet, in its case.

    Args:
        batch: the texts.
        alphabet: the characters to draw from, for any visible character; without it a letter
            becomes one of its own script, and other characters stay.
        digits: whether to change numbers as well; without an alphabet, a digit becomes a digit.
    """
    return _random(batch, alphabet, digits=digits, inserts=False)


@letter_perturbator(
    "char_insert",
    scripts=ALPHABETS,
    source=_H2O,
    version=2,
    aliases={"random_insert": {"alphabet": _H2O_ALPHABET, "digits": True}},
)
def char_insert(batch: Batch, *, alphabet: str | None = None, digits: bool = False) -> Sites:
    """Insert a random letter before a letter.

    Args:
        batch: the texts.
        alphabet: the characters to draw from, for places before any visible character; without it
            the letter has the script and case of the one that follows.
        digits: whether to insert characters into and next to numbers as well; without an alphabet,
            a digit before a digit.
    """
    return _random(batch, alphabet, digits=digits, inserts=True)


def _random(batch: Batch, alphabet: str | None, *, digits: bool, inserts: bool) -> Sites:
    """Return sites at which a random character is written: over one, or before it."""
    if alphabet is None:
        return batch.sites_at_clusters(
            in_alphabet() if digits else letters_in_alphabet(),
            lambda chosen: single(draw_from_alphabet(chosen.first, chosen.draw())),
            inserts=inserts,
        ).limited(scripts=alphabet_scripts())
    codes = np.array(sorted(set(map(ord, alphabet))), np.uint32)
    if len(codes) < 2:
        raise UsageError(f"alphabet needs at least two different characters; got {alphabet!r}")

    def drawn(chosen: Chosen) -> Strings:
        if inserts:
            return single(codes[chosen.below(len(codes))])
        return single(other_than(chosen.first, codes, chosen.draw()))

    sites = batch.sites_at_clusters(visible(), drawn, inserts=inserts)
    return sites if digits else batch.outside_numbers(sites)


@letter_perturbator(
    "char_delete",
    version=2,
    touches={"letters", "punctuation"},
    source=_H2O,
    aliases={"random_delete": {"fill": "X", "digits": True}},
)
def char_delete(batch: Batch, *, fill: str = "", digits: bool = False) -> Sites:
    """Delete a visible character, or replace it by `fill`.

    Args:
        batch: the texts.
        fill: the replacement of each; characters that are `fill` already stay.
        digits: whether to delete digits and the punctuation inside numbers as well.
    """
    write = (lambda chosen: repeated(fill, len(chosen.keys))) if fill else None
    sites = batch.sites_at_clusters(visible(), write)
    if len(fill) == 1:
        sites = sites.keep(batch.codes[sites.starts] != ord(fill))
    return sites if digits else batch.outside_numbers(sites)


@letter_perturbator(
    "char_swap",
    version=2,
    share=lambda p, **_: p / 2,  # each swap moves two
    intensities=(0.04, 0.1, 0.2, 0.3, 0.4, 0.5),
    source="F. J. Damerau, A technique for computer detection and correction of errors, 1964",
)
def char_swap(batch: Batch, *, digits: bool = False) -> Sites:
    """Swap two different neighbouring letters.

    Swap neighbouring characters within a word; `p` is the share of characters that move.

    Two adjacent swaps are three changes by Levenshtein's distance, not four: if many characters
    move, the error rate is lower than `p`.

    Args:
        batch: the texts.
        digits: whether to swap digits as well, with each other and with letters.
    """
    characters = of_kind(Kind.LETTER, Kind.MARK, *([Kind.DIGIT] if digits else []))
    if batch.boundaries is not None:
        spans, pairs, alike = _neighbours(batch, characters)
        pairs = pairs[~alike]

        def exchanged(chosen: Chosen) -> Strings:
            first = pairs[chosen.rows]
            return concatenate(spans.take(first + 1), spans.take(first))

        return Sites(spans.starts[pairs], spans.ends[pairs + 1], "character", exchanged)
    # If each character is one code point, masks do the same with less work.
    codes, mask = batch.codes, characters.mask(batch.codes)
    (starts,) = (mask[:-1] & mask[1:] & (codes[:-1] != codes[1:])).nonzero()

    def turned(chosen: Chosen) -> Strings:
        places = chosen.texts.starts
        both = np.empty((len(places), 2), codes.dtype)
        both[:, 0], both[:, 1] = codes[places + 1], codes[places]
        return packed(both.ravel(), np.full(len(places), 2))

    return Sites(starts, starts + 2, "character", turned)


@letter_perturbator(
    "char_repeat",
    source="F. J. Damerau, A technique for computer detection and correction of errors, 1964",
    example="The yellow balloon will happily drift across the street.",
)
def char_repeat(batch: Batch, *, mode: Literal["double", "collapse"] = "double") -> Sites:
    """Double a letter, as a bouncing key does; or write double letters once.

    Args:
        batch: the texts.
        mode: "double" repeats letters of any script; "collapse" drops each letter that equals the
            one before it, and `p` is a share of these.
    """
    if mode == "collapse":
        spans, pairs, alike = _neighbours(batch, letters())
        again = spans.take(pairs[alike] + 1)
        return Sites(again.starts, again.ends, "place")

    def doubled(chosen: Chosen) -> Strings:
        starts = chosen.texts.starts
        return Strings(batch.codes, starts, batch.past_cluster(starts))

    return batch.sites_at_clusters(letters(), doubled, inserts=True)


def _neighbours(batch: Batch, characters: CharacterSet) -> tuple[Strings, Int64, Bool]:
    """Return the characters of a set, the rows of those before another, and if both are equal."""
    sites = batch.sites_at_clusters(characters)
    spans = Strings(batch.codes, sites.starts, sites.ends)
    (pairs,) = (spans.ends[:-1] == spans.starts[1:]).nonzero()
    return spans, pairs, same(spans.take(pairs), spans.take(pairs + 1))


@word_perturbator(
    "elongate",
    touches={"letters"},
    source="S. Brody, N. Diakopoulos, Using word lengthening to detect sentiment, 2011",
)
def elongate(
    batch: Batch, *, where: Literal["vowel", "last"] = "vowel", longest: _Copies = 4
) -> Sites:
    """Stretch a word as in speech: sooo, pleaseee.

    Words of one letter and words with digits stay.

    Args:
        batch: the texts.
        where: "vowel" stretches the last vowel of a word (Latin, Greek, Cyrillic, Armenian,
            Georgian or Arabic); "last" its last letter, in any script.
        longest: the most copies of the letter to add; each number from 1 on is equally likely.
    """
    words = batch.words
    at = words.ends - 1
    if where == "vowel":
        # For a word without a vowel, a place before it.
        vowels = np.append(0, np.flatnonzero(batch.marked(_vowels())))
        at = vowels[vowels.searchsorted(words.ends) - 1]
    number = of_kind(Kind.DIGIT, Kind.NUMBER).mask(batch.codes)
    fits = batch.marked(of_kind(Kind.LETTER))[at] & (at >= words.starts) & (words.lengths > 1)
    starts = at[fits & ~touching(number, words.starts, words.ends)]

    def stretched(chosen: Chosen) -> Strings:
        more = 1 + chosen.below(longest)
        return packed(chosen.first.repeat(more), more)

    return Sites(starts, starts, "word", stretched)


@cache
def _vowels() -> CharacterSet:
    capitals = (vowel.upper() for vowel in _VOWELS)
    return CharacterSet.of({*_VOWELS, *(capital for capital in capitals if len(capital) == 1)})


@own_perturbator(
    "leetspeak",
    unit="place",
    version=2,
    scripts=("latin",),
    touches={"letters", "digits", "punctuation"},
    source="own table (wordlists/leet/leet.tsv)",
)
def leetspeak(batch: Batch, *, level: Literal[1, 2, 3] = 1) -> Sites:
    """Replace letters by similar digits and symbols: l33t.

    Replace letters of the basic Latin alphabet; `p` is a share of those in the table.

    Args:
        batch: the texts.
        level: 1 for digits that everyone can read, 2 for symbols and rarer digits as well, 3 for
            letters drawn with several symbols as well.
    """
    sites = batch.substitutions(_leet(level), unit="place")
    return sites.limited(scripts=frozenset({Script.LATIN}))


@cache
def _leet(level: int) -> Alternatives:
    table: dict[str, list[str]] = {}
    for letter, signs, least in read_rows("leet", "leet.tsv"):
        if int(least) <= level:
            table.setdefault(letter, []).append(signs)
            table.setdefault(letter.upper(), []).append(signs)
    return Alternatives(table)
