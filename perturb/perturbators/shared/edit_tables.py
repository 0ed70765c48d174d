"""Tables of edits by context, and the sites of these edits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.native import noise as native
from perturb.engine.native.noise import Places
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.spread import with_spread
from perturb.engine.text.characters import Script
from perturb.engine.text.strings import Strings, column, every, ranges
from perturb.lexicon.hashing import HashTable
from perturb.perturbators.shared.character_tables import in_scripts
from perturb.rng import uniform
from perturb.values.arrays import (
    Bool,
    Codes,
    Float32,
    Float64,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
)

# The kinds of places of edits: between characters, at one, two or three of them, or at a word.
KINDS = PLACE, ONE, TWO, THREE, WORD = range(5)
# The number of any character, and of the border of a text; the first of characters.
ANY, EDGE, FIRST = range(3)
# The characters of a cell to look at: all of them, once.
WHOLE = np.zeros((len(KINDS), 4, 3), np.intp)
WHOLE[:, 0] = 1
# The characters of a cell that may be any, by kind.
_ANY = ((0, 1, 2), (0, 2), (0,), ())
# The length in characters of the stretches in which errors cluster, about three words. Counts
# depend on it, so a file of noise would need a new format with another one. Chosen by hand on 23
# November 2026.
STRETCH = 16
# Lanes of the random numbers: the kind of an edit, how bad a stretch is, and the wait of an edit.
_KIND, _STRETCHES, _WAITS = 1, 2, 3
_WORD_STEP = np.uint64(0x9E3779B97F4A7C15)


class EditTable(ABC):
    """Edits and their rates, ready to be looked up for whole batches.

    Edits are in groups: those of a kind at the same characters, or at the same word. A cell of the
    table is three characters in a row, and a kind: the removed characters, the one before and the
    one after them, as far as there is room; the number 0 means any.

    Args:
        ids: shape (CODE_POINTS,); the number of each character, that of a border for NUL.
        groups: shape (numbers, numbers, numbers, kinds but words); the group of each cell, 0 for
            none.
        rates: the rates of all edits, one group after the other.
        counts: shape (groups,); how many edits each has.
        words: the words of the last groups.

    Attributes:
        bursts: how much worse some stretches of a text are than others.
        scripts: the scripts of the edited characters.
        shapes: shape (kinds, 4, 3); up to four sets of characters of a cell on which the groups of
            a kind depend.
        blank: numbers below it are white space, which alone doesn't make a text known.
        struct: the table in the form that kernels read.
    """

    bursts = 0.0
    scripts: frozenset[Script] = frozenset()
    shapes = WHOLE
    blank = 0

    def __init__(
        self, ids: UInt8, groups: Int32, rates: Float64, counts: Sequence[int], words: Sequence[str]
    ) -> None:
        self._ids, self._latin = ids, ids[:256].tobytes()
        self._size = size = len(groups)
        self._sums = np.cumsum(rates)
        self._firsts = np.cumsum([0, *counts], dtype=np.intp)
        self._bounds = np.append(0, self._sums)[self._firsts]
        self._totals = np.diff(self._bounds)
        self._steps = self.shapes * np.array([size * size, size, 1]) * WORD
        self._rates = self._rates_at(groups)
        self._groups = groups.reshape(-1)
        self._first_word = len(counts) - len(words)
        self._lengths = np.zeros(len(counts), np.uint8)
        self._lengths[self._first_word :] = [*map(len, words)]
        spans = column(words)
        hashes = _hashes(spans)
        self._by_hash = np.argsort(hashes)
        self._known_words = HashTable.of(hashes[self._by_hash])
        # Most words have no edits, and need no hash.
        self._likely = np.zeros(1 << 16, np.bool_)
        self._likely[_sketches(spans)] = True
        columns = self._rates, self._groups, self._steps, self._sums, self._bounds, self._firsts
        self.struct = native.Struct(*columns, self._lengths, size, len(counts)).numbers

    def _rates_at(self, groups: Int32) -> Float32:
        """Return cumulative rates by three characters in a row, over the kinds.

        The first three kinds are edits at the middle character; edits that remove three characters
        are at these three, and by themselves.
        """
        table = self._totals.astype(np.float32).take(groups)
        for kind, axes in enumerate(_ANY):
            for axis in axes:
                each = np.moveaxis(table[..., kind], axis, 0)
                each[1:] += each[0]
        for kind in (ONE, TWO):
            table[..., kind] += table[..., kind - 1]
        return table.reshape(-1, WORD)

    def numbers(self, codes: Codes) -> UInt8:
        """Return the number of each character, and of two borders behind the last."""
        if codes.dtype == np.uint8:
            known = codes.tobytes().translate(self._latin)
        else:
            known = self._ids.take(codes.astype(np.intp)).tobytes()
        return np.frombuffer(known + bytes([EDGE, EDGE]), np.uint8)

    def words(self, batch: Batch) -> Int32:
        """Return the group of the word that starts at each place except the first, or 0."""
        groups = np.zeros(len(batch.codes) - 1, np.int32)
        if len(self._by_hash):
            (likely,) = self._likely.take(_sketches(batch.words)).nonzero()
            words = batch.words.take(likely)
            known, place = self._known_words.find(_hashes(words))
            groups[words.starts[known] - 1] = self._first_word + self._by_hash[place]
        return groups

    def knows(self, batch: Batch, places: Places) -> Bool:
        """Mark the texts with a character, other than white space, that has counted edits."""
        firsts = batch.edges[:-1]
        known: Bool = np.maximum.reduceat(places.numbers[:-2], firsts) >= self.blank
        return (
            known if every(known) else known | (np.maximum.reduceat(places.words, firsts - 1) > 0)
        )

    @abstractmethod
    def write(self, chosen: Chosen, places: Places, kinds: UInt8) -> Strings:
        """Return the replacement at each chosen site, see `drawn`."""

    def edits_at(self, places: Places) -> tuple[UInt8, Int64, Float64]:
        """Return the kind, the number of removed characters and the rate of the edit at each place.

        A place has edits of several kinds; their rates decide which kind is drawn for it.
        """
        cells = places.numbers[:-2].astype(np.intp)
        for after in (places.numbers[1:-1], places.numbers[2:]):
            cells *= self._size
            cells += after
        table = self._rates.take(cells, axis=0)
        of_three = table[1:, THREE].astype(np.float64)
        of_three += table[:-1, TWO]
        rates = of_three + self._totals.take(places.words)
        levels = uniform(places.draws)
        levels *= rates
        kinds = (levels >= of_three).view(np.uint8)
        for kind in (PLACE, ONE, TWO):
            kinds += levels >= table[:-1, kind]
        (rows,) = (kinds == WORD).nonzero()
        lengths = kinds.astype(np.intp)
        lengths[rows] = self._lengths[places.words[rows]]
        return kinds, lengths, rates

    def drawn(self, chosen: Chosen, places: Places, kinds: UInt8) -> Int64:
        """Draw the edit at each chosen site, by rate.

        Args:
            chosen: the chosen sites.
            places: all places of the batch.
            kinds: the kind of the edit at each of these.
        """
        rows, draws = chosen.texts.starts - 1, chosen.draw()
        edits = native.noisy_edits(self.struct, places, kinds, rows, draws)
        return self._drawn(places, kinds[rows], rows, uniform(draws)) if edits is None else edits

    def _drawn(self, places: Places, kinds: UInt8, at: Int64, draws: Float64) -> Int64:
        """Draw one of the edits of a kind that fit each place, as the kernel does."""
        edits = np.empty(len(draws), np.intp)
        for kind in KINDS:
            (rows,) = (kinds == kind).nonzero()
            groups = places.words[at[rows]][None]
            if kind < WORD:
                three = places.numbers[at[rows] + (kind == THREE) + np.arange(3)[:, None]]
                groups = self._groups.take(self._steps[kind] @ three + kind)
            sums = np.cumsum(self._totals.take(groups), axis=0)
            levels = draws[rows] * sums[-1]
            shapes = (sums <= levels).sum(axis=0)[None]
            group = np.take_along_axis(groups, shapes, axis=0)[0]
            levels += self._bounds[group + 1] - np.take_along_axis(sums, shapes, axis=0)[0]
            option = self._sums.searchsorted(levels, "right")
            edits[rows] = np.clip(option, self._firsts[group], self._firsts[group + 1] - 1)
        return edits


def beside_numbers(batch: Batch) -> Bool | None:
    """Mark numbers and their neighbours; None if there are none."""
    closed = batch.in_numbers()
    if closed is not None:
        numbers = closed.copy()
        closed[1:] |= numbers[:-1]
        closed[:-1] |= numbers[1:] & (batch.codes[:-1] != 0)  # not the end of the text before
    return closed


def noisy_sites(batch: Batch, noise: EditTable, closed: Bool | None = None) -> Sites:
    """Return the sites at which a noise has edits.

    Args:
        batch: the texts.
        noise: the edits.
        closed: shape (code points,); the places where no edit may begin or end. None for nowhere.
    """
    starts = np.arange(1, len(batch.texts.codes))
    numbers, words = noise.numbers(batch.codes), noise.words(batch)
    shut = None if closed is None else np.append(closed[1:], (False, False))
    factors = by_stretch(batch, noise.bursts) if noise.bursts else None
    draws, waits = batch.draw(starts, _KIND), batch.draw(starts, _WAITS)
    places = Places(numbers, words, shut, factors, draws, waits)
    by_kernel = native.noisy_sites(noise.struct, places)
    starts, ends, ranks, kinds = by_kernel or _by_numpy(noise, places)
    sites = OrderedSites(starts, ends, "character", ranks)
    sites.write = lambda chosen: noise.write(chosen, places, kinds)
    known = noise.knows(batch, places)
    some = sites if every(known) else sites.of_texts(known, batch.edges)
    return in_scripts(batch, some, noise.scripts) if noise.scripts else some


def _by_numpy(noise: EditTable, places: Places) -> tuple[Int64, Int64, UInt32, UInt8]:
    """Do what the kernel does."""
    kinds, lengths, rates = noise.edits_at(places)
    starts = np.arange(len(kinds))
    ends = starts + lengths
    if places.factors is not None:
        rates *= places.factors
    if places.closed is not None:
        rates[places.closed[starts] | places.closed[ends - (ends > starts)]] = 0
    stays = rates > 0
    ranks = ranks_by(places.waits, rates)
    stays &= _unnested(starts, np.where(stays, ends, starts), ranks)
    (rows,) = stays.nonzero()
    return rows + 1, ends[rows] + 1, ranks[rows], kinds


def ranks_by(waits: UInt32, rates: Float64) -> UInt32:
    """Return ranks that choose each site in proportion to its rate, as long as few are chosen.

    They order draws divided by rates: E. Ohlsson, Sequential Poisson Sampling, Journal of Official
    Statistics 14 (1998).
    """
    drawn = waits + 0.5
    ranks = drawn / (rates * 2.0**32 + drawn)
    ranks *= 0xFFFFFFFF
    return ranks.astype(np.uint32)


def _unnested(starts: Int64, ends: Int64, ranks: UInt32) -> Bool:
    """Mark the sites that stay: among a site and those that end within it, the lowest rank."""
    (long,) = (ends > starts + 1).nonzero()
    reach = ends[long] - starts[long] - 1
    counts = np.minimum(reach, len(starts) - 1 - long)
    outer, inner = long.repeat(counts), ranges(long + 1, counts)
    nested = ends[inner] < ends[outer]
    outer, inner = outer[nested], inner[nested]
    stays = np.ones(len(starts), np.bool_)
    stays[outer[ranks[inner] < ranks[outer]]] = False
    stays[inner[stays[outer]]] = False
    return stays


def by_stretch(batch: Batch, bursts: float, lane: int = _STRETCHES) -> Float64:
    """Return how bad the stretch of each place is, from the first one of a text."""
    counts = batch.texts.lengths // STRETCH + 1
    starts, numbers = batch.texts.starts.repeat(counts), ranges(np.zeros_like(counts), counts)
    factors = with_spread(batch.uniform(starts + numbers, lane), bursts)
    firsts = starts + numbers * STRETCH
    return factors.repeat(np.diff(firsts, append=len(batch.codes)))


def _sketches(words: Strings) -> UInt16:
    """Return a number for each word from its length and its first, middle and last character."""
    middles = (words.starts + words.ends) >> 1
    sketches: UInt16 = words.lengths.astype(np.uint16)
    for shift, places in ((11, words.starts), (7, middles), (3, words.ends - 1)):
        sketches ^= words.codes[places].astype(np.uint16) << np.uint16(shift)
    return sketches


def _hashes(spans: Strings) -> UInt64:
    """Return a hash of each span of code points, none of them empty."""
    lengths = spans.lengths
    codes = spans.flat().astype(np.uint64)
    firsts = np.cumsum(lengths) - lengths
    place = (np.arange(len(codes)) - firsts.repeat(lengths)).astype(np.uint64)
    mixed = (codes + np.uint64(1)) * (place * np.uint64(2) + np.uint64(1)) * _WORD_STEP
    mixed ^= mixed >> np.uint64(29)
    mixed *= _WORD_STEP
    return np.add.reduceat(mixed, firsts) if len(lengths) else np.zeros(0, np.uint64)
