"""Errors of character recognition."""

from __future__ import annotations

import math
from functools import cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native.spans import Rates, rates_of, spans_of_lengths
from perturb.engine.sites import FIRST_WRITE, Sites
from perturb.engine.text.strings import Strings, ranges
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.shared.character_tables import in_scripts
from perturb.perturbators.shared.confusions import (
    LETTER,
    MERGED,
    PARTED,
    SINGLE,
    Confusions,
    confusions,
)
from perturb.rng import uniform
from perturb.values.arrays import Bool, Float64, Int8, Int64, UInt32, UInt64

# Characters that are read under the same conditions, and the share of such stretches that are bad:
# there errors are `_BURST` times as frequent as elsewhere.
_STRETCH, _BAD, _BURST = 60, 0.3, 5.0
# The share of letters within words before which a space may be seen, as a limit of draws.
_SPLIT = np.uint32(math.ceil(0.03 * 2**32))
# A glyph may be this much clearer in one document than in another.
_CLEAREST = 0.3
# About the mean rate at which spans are misread, so that ranks are spread as those that are drawn.
_USUAL = 0.2
# So many spans get their ranks at once: what it takes to draw them stays in the cache.
_BLOCK = 1 << 15
# Lanes of the draws: whether a space is seen, the rank, the stretch, and the glyph in the document.
_SEEN, _RANKED, _STRETCHES, _CLEAR = range(1, 5)


@perturbator(
    "ocr",
    unit="character",
    summary="Misread a text as a scanner does: rn for m, c for e, lost and seen spaces, in bursts.",
    label_risk="high",
    touches={"letters", "punctuation", "case", "space"},
    source="own table of confusions (wordlists/ocr/confusions.tsv), and estimates of our own",
    version=3,
    aliases={"random_OCR": {"digits": True}},
)
def ocr(batch: Batch, *, digits: bool = False) -> Sites:
    """Replace glyphs by what they are taken for, by the weights of the table; lose and see spaces.

    Where a pair of characters is in the table, the pair is the site, not its first character. What
    is often mistaken is chosen more often (l, o and m rather than k and x), and a tenth of this or
    less are spaces. Errors come in bursts: in three of ten stretches of 60 characters they are five
    times as frequent. Within a text a glyph is always mistaken for the same one.

    Args:
        batch: the texts.
        digits: whether digits are misread as well, and letters as digits: 0 for O.
    """
    table = confusions(digits)
    lengths = _lengths(batch, table, None if digits else batch.in_numbers())
    sites = _Misread(*spans_of_lengths(lengths), batch, table)
    return in_scripts(batch, sites, table.scripts)


def _lengths(batch: Batch, table: Confusions, numbers: Bool | None) -> Int8:
    """Return how long the site is that starts at each code point: 0 to 2, -1 where none does.

    Args:
        batch: the texts.
        table: the confusions.
        numbers: the code points that no site may hold or insert beside; None for none.
    """
    classes = batch.classes(table.classes)
    letter = classes & LETTER
    beside = letter[:-2] & letter[2:]
    # Arithmetic of bytes is many times as fast as writing through a mask.
    sites = (classes & SINGLE) >> 1
    sites[1:-1] |= beside & (batch.codes[1:-1] == ord(" ")).view(np.uint8)
    lengths = (sites << 1).view(np.int8) - np.int8(1)
    lengths[table.pairs_in(batch.codes, classes)] = 2
    split = 1 + np.flatnonzero((letter[1:-1] & beside).view(np.bool_))
    split = split[batch.draw(split, _SEEN) < _SPLIT]
    lengths[split[lengths[split - 1] < 2]] = 0
    if numbers is not None:
        blocked = numbers.copy()
        blocked[:-1] |= numbers[1:] & (lengths[:-1] == 2)
        blocked[1:] |= numbers[:-1] & (lengths[1:] == 0)
        lengths |= -blocked.view(np.int8)
    return lengths


class _Misread(Sites):
    """Sites in an order by which those that are easily misread come first.

    A site gets the time at which a clock first rings, at the rate of the site, so that the chance
    to be the next one chosen is as the rate.

    Args:
        starts: see `Sites`.
        ends: see `Sites`.
        batch: the texts.
        table: the confusions.
    """

    ranks_are_drawn = False

    def __init__(self, starts: Int64, ends: Int64, batch: Batch, table: Confusions) -> None:
        super().__init__(starts, ends, "character", table.write)
        self._batch, self._table = batch, table

    def keep(self, mask: Bool) -> Sites:
        """Return the sites where `mask` is true."""
        return _Misread(self.starts[mask], self.ends[mask], self._batch, self._table)._like(self)

    def ranks(self, keys: UInt64, edges: Int64) -> UInt32:  # noqa: ARG002
        """Return the rank of every site."""
        batch, spans = self._batch, Strings(self._batch.codes, self.starts, self.ends)
        counts = batch.count(self.starts)
        native = rates_of(spans, batch.keys, batch.texts.starts, counts, _differences(self._table))
        if native is not None:
            return _arrivals(*native)
        rates = _rates(batch, self._table, spans)
        return _arrivals(rates, -uniform(batch.draw(self.starts, _RANKED)))


def _rates(batch: Batch, table: Confusions, spans: Strings) -> Float64:
    """Return the rate of each span, negated: by its glyph, its text, and its part of the text."""
    # Stretches that were read under the same conditions, one after the other; the worst count 1.
    counts = -(-batch.texts.lengths // _STRETCH)
    numbers = ranges(np.zeros_like(counts), counts)
    bad = batch.uniform_for(numbers, counts, _STRETCHES) < _BAD
    firsts = spans.starts.searchsorted(batch.texts.starts.repeat(counts) + numbers * _STRETCH)
    glyphs, rates = table.glyphs(spans)
    in_text = batch.count(spans.starts)
    rates *= batch.uniform_for(glyphs, in_text, _CLEAR, 1 - _CLEAREST, _CLEAREST)
    rates *= np.where(bad, 1.0, 1 / _BURST).repeat(np.diff(firsts, append=len(spans)))
    return np.negative(rates, out=rates)


def _arrivals(rates: Float64, drawn: Float64) -> UInt32:
    """Return the time at which each clock first rings, as a rank; what is given is overwritten.

    Args:
        rates: shape (n,); the rate of each clock, negated.
        drawn: shape (n,); uniform draws, negated.
    """
    ranks = np.empty(len(drawn), np.uint32)
    for first in range(0, len(drawn), _BLOCK):
        rows = slice(first, first + _BLOCK)
        times = np.log1p(drawn[rows], out=drawn[rows])
        times /= rates[rows]
        times *= _USUAL
        times /= np.add(times, 1, out=rates[rows])
        times *= 0xFFFFFFFF
        ranks[rows] = times
    return ranks


@cache
def _differences(table: Confusions) -> Rates:
    """Return by what sites of Latin-1 differ in their rates; a lost space is a kind as well."""
    kinds = table.single[:256].astype(np.int16)
    kinds[ord(" ")] = len(table.rates)
    return Rates(
        kinds,
        table.latin_pairs.astype(np.int16),
        np.append(table.rates, MERGED),
        np.append(np.arange(len(table.rates)), table.single[ord(" ")]).astype(np.int32),
        *(PARTED, 1 - _CLEAREST, _CLEAREST, 1 / _BURST),
        *(_STRETCH, math.ceil(_BAD * 2**32)),
        (FIRST_WRITE + _CLEAR, FIRST_WRITE + _STRETCHES, FIRST_WRITE + _RANKED),
    )
