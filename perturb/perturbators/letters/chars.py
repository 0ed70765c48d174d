"""Random changes to single characters: replace, insert, delete, swap."""

from __future__ import annotations

import string
from functools import lru_cache

import numpy as np

from perturb.engine.batch import Batch, of_kind, visible
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import (
    alphabet_scripts,
    draw_from_alphabet,
    in_alphabet,
    letters_in_alphabet,
    other_than,
)
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, concatenate, packed, repeated, same, single
from perturb.engine.text.unicode import Kind
from perturb.errors import UsageError
from perturb.perturbators.shared.numbers_kept import keep_numbers
from perturb.registry.registry import perturbator
from perturb.values.arrays import UInt32

_H2O = "H2O Eval Studio, Random Character Perturbation"
# What H2O's character perturbator draws from.
_H2O_ALPHABET = string.ascii_letters + string.digits + "\n" + string.punctuation


@perturbator(
    "char_replace",
    unit="character",
    summary="Replace a letter by another of its alphabet, in its case.",
    label_risk="medium",
    touches={"letters"},
    source=_H2O,
    version=2,
    aliases={"random_replacement": {"alphabet": _H2O_ALPHABET, "digits": True}},
)
def char_replace(batch: Batch, *, alphabet: str | None = None, digits: bool = False) -> Sites:
    """Replace characters by random ones.

    Args:
        batch: the texts.
        alphabet: what to draw from, for any visible character; without it a letter is replaced by
            one of its own script, and other characters are no site.
        digits: whether numbers are changed as well; without an alphabet, a digit to a digit.
    """
    if alphabet is None:
        return batch.sites_at_clusters(
            in_alphabet() if digits else letters_in_alphabet(),
            lambda chosen: single(draw_from_alphabet(chosen.first, chosen.draw())),
        ).limited(scripts=alphabet_scripts())
    given = _codes_of(alphabet)
    sites = batch.sites_at_clusters(
        visible(), lambda chosen: single(other_than(chosen.first, given, chosen.draw()))
    )
    return sites if digits else keep_numbers(batch, sites)


@perturbator(
    "char_insert",
    unit="character",
    summary="Insert a random letter before a letter.",
    label_risk="medium",
    touches={"letters"},
    source=_H2O,
    version=2,
    aliases={"random_insert": {"alphabet": _H2O_ALPHABET, "digits": True}},
)
def char_insert(batch: Batch, *, alphabet: str | None = None, digits: bool = False) -> Sites:
    """Insert random characters.

    Args:
        batch: the texts.
        alphabet: what to draw from, before any visible character; without it the letter is of the
            script and case of the one that follows.
        digits: whether characters are put into and beside numbers as well; without an alphabet, a
            digit before a digit.
    """
    if alphabet is None:
        return batch.sites_at_clusters(
            in_alphabet() if digits else letters_in_alphabet(),
            lambda chosen: single(draw_from_alphabet(chosen.first, chosen.draw())),
            inserts=True,
        ).limited(scripts=alphabet_scripts())
    given = _codes_of(alphabet)
    sites = batch.sites_at_clusters(
        visible(), lambda chosen: single(given[chosen.below(len(given))]), inserts=True
    )
    return sites if digits else keep_numbers(batch, sites)


@perturbator(
    "char_delete",
    unit="character",
    version=2,
    summary="Delete a visible character, or write `fill` in its place.",
    label_risk="medium",
    touches={"letters", "punctuation"},
    source=_H2O,
    aliases={"random_delete": {"fill": "X", "digits": True}},
)
def char_delete(batch: Batch, *, fill: str = "", digits: bool = False) -> Sites:
    """Delete characters.

    Args:
        batch: the texts.
        fill: what is written in place of each; characters that are `fill` already are no site.
        digits: whether digits and the signs inside numbers are deleted as well.
    """
    sites = batch.sites_at_clusters(visible(), lambda chosen: repeated(fill, len(chosen.keys)))
    if len(fill) == 1:
        sites = sites.keep(batch.codes[sites.starts] != ord(fill))
    return sites if digits else keep_numbers(batch, sites)


def _two_moved(p: float, **_: object) -> float:
    """Return the share of the characters that start a swap, where `p` is one of those moved."""
    return p / 2


@perturbator(
    "char_swap",
    unit="character",
    version=2,
    summary="Swap two different letters that stand side by side.",
    share=_two_moved,
    intensities=(0.04, 0.1, 0.2, 0.3, 0.4, 0.5),
    label_risk="low",
    touches={"letters"},
    source="F. J. Damerau, A technique for computer detection and correction of errors, 1964",
)
def char_swap(batch: Batch, *, digits: bool = False) -> Sites:
    """Swap neighbouring characters within a word; `p` is the share of characters that are moved.

    Two swaps side by side are three changes by Levenshtein's distance, not four: where many
    characters are moved, the error rate is lower than `p`.

    Args:
        batch: the texts.
        digits: whether digits are swapped as well, with each other and with letters.
    """
    swapped = of_kind(Kind.LETTER, Kind.MARK, *([Kind.DIGIT] if digits else []))
    if batch.boundaries is None:
        return _swapped_code_points(batch, swapped)
    return _swapped_clusters(batch, swapped)


def _swapped_code_points(batch: Batch, characters: CharacterSet) -> Sites:
    """Return a site at each pair of unlike characters, where each is one code point."""
    codes, mask = batch.codes, characters.mask(batch.codes)
    (left,) = (mask[:-1] & mask[1:] & (codes[:-1] != codes[1:])).nonzero()

    def write(chosen: Chosen) -> Strings:
        places = chosen.texts.starts
        both = np.empty((len(places), 2), codes.dtype)
        both[:, 0], both[:, 1] = codes[places + 1], codes[places]
        return packed(both.ravel(), np.full(len(places), 2))

    return Sites(left, left + 2, "character", write)


def _swapped_clusters(batch: Batch, characters: CharacterSet) -> Sites:
    """Return a site at each pair of unlike characters."""
    units = batch.sites_at_clusters(characters)
    spans = Strings(batch.codes, units.starts, units.ends)
    left = np.flatnonzero(units.ends[:-1] == units.starts[1:])
    left = left[~same(spans.take(left), spans.take(left + 1))]

    def write(chosen: Chosen) -> Strings:
        first = left[chosen.rows]
        return concatenate(spans.take(first + 1), spans.take(first))

    return Sites(units.starts[left], units.ends[left + 1], "character", write)


@lru_cache(maxsize=64)
def _codes_of(alphabet: str) -> UInt32:
    codes = np.array(sorted({ord(character) for character in alphabet}), np.uint32)
    if len(codes) < 2:
        raise UsageError(f"alphabet needs at least two different characters; got {alphabet!r}")
    return codes
