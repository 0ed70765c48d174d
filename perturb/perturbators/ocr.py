"""Errors of character recognition."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.arrays import Bool, Codes, Int64, UInt32
from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column, stack
from perturb.engine.text.unicode import Kind
from perturb.perturbators._by_script import in_scripts, scripts_of
from perturb.perturbators._numbers_kept import has_digit, keep_numbers
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.rng import below, uniform

# Characters that are read under the same conditions, and the share of such stretches that are bad:
# there errors are `_BURST` times as frequent as elsewhere.
_STRETCH, _BAD, _BURST = 60, 0.3, 5.0
# The share of letters within words before which a space may be seen.
_SPLIT = 0.03
# How likely errors are at spaces, beside glyphs that are always mistaken for others.
_MERGED, _PARTED = 0.12, 0.3
# A glyph may be this much clearer in one document than in another.
_CLEAREST = 0.3
# The sum of the weights of a glyph's confusions from which on it is misread as often as any.
_OFTEN = 20
# About the mean rate at which spans are misread, so that ranks are spread as those that are drawn.
_USUAL = 0.2
# So many spans get their ranks at once.
_BLOCK = 1 << 18
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
    table = _confusions(digits)
    pairs = table.pairs_in(batch)
    split, spaces = _at_spaces(batch)
    lengths = np.where(batch.marked(table.singles), 1, -1).astype(np.int8)  # -1 where no site is
    lengths[pairs] = 2
    split = split[lengths[split - 1] < 2]
    lengths[split] = 0
    lengths[spaces] = 1
    starts = np.flatnonzero(lengths >= 0)
    ends = starts + lengths[starts]

    def written(chosen: Chosen) -> Strings:
        starts, lengths = chosen.texts.starts, chosen.texts.lengths
        glyphs = np.flatnonzero((lengths > 0) & (batch.codes[starts] != ord(" ")))
        made = table.write(chosen.take(glyphs))
        options = stack(made, column(["", " "]))
        rows = len(made) + (lengths == 0).astype(np.int64)
        rows[glyphs] = np.arange(len(made))
        return options.take(rows)

    sites = Sites(starts, ends, "character")
    if not digits:
        sites = keep_numbers(batch, sites)
    starts, ends = sites.starts, sites.ends
    sites = OrderedSites(starts, ends, "character", _ranks(batch, table, starts, ends))
    sites.write = written
    return in_scripts(batch, sites, table.scripts)


def _at_spaces(batch: Batch) -> tuple[Int64, Int64]:
    """Return the letters before which a space may be seen, and the spaces that may be lost."""
    codes = batch.codes
    letter = batch.marked(of_kind(Kind.LETTER))
    space = (codes[1:-1] == ord(" ")) & letter[:-2] & letter[2:]
    inside = letter[1:-1] & letter[:-2] & letter[2:]
    split = 1 + np.flatnonzero(inside)
    split = split[uniform(batch.draw(split, _SEEN)) < _SPLIT]
    return split, 1 + np.flatnonzero(space)


def _ranks(batch: Batch, table: _Confusions, starts: Int64, ends: Int64) -> UInt32:
    """Return ranks by which the spans that are easily misread come first.

    A span of weight w gets the arrival time of a clock that rings with rate w, so that the chance
    to be the next one chosen is as w.
    """
    ranks = np.empty(len(starts), np.uint32)
    for first in range(0, len(starts), _BLOCK):
        rows = slice(first, first + _BLOCK)
        spans = Strings(batch.codes, starts[rows], ends[rows])
        ranks[rows] = _ranks_of_block(batch, table, spans)
    return ranks


def _ranks_of_block(batch: Batch, table: _Confusions, spans: Strings) -> UInt32:
    """Return the ranks of some spans; what it takes to draw them is many times their size."""
    chosen = batch.chosen(spans)
    glyphs = table.glyphs(chosen)
    rates = table.rates[glyphs]
    rates[spans.lengths == 0] = _PARTED
    rates[batch.codes[spans.starts] == ord(" ")] = _MERGED
    of_glyph = chosen.with_origins(glyphs)
    rates *= _CLEAREST + (1 - _CLEAREST) * uniform(of_glyph.draw(_CLEAR))
    stretch = chosen.with_origins(chosen.origins // _STRETCH)
    rates *= np.where(uniform(stretch.draw(_STRETCHES)) < _BAD, 1.0, 1 / _BURST)
    times = -np.log1p(-uniform(chosen.draw(_RANKED))) / rates * _USUAL
    ranks: UInt32 = (times / (1 + times) * 0xFFFFFFFF).astype(np.uint32)
    return ranks


class _Confusions:
    """The misreadings of each glyph of one or two characters, with their weights."""

    def __init__(self, rows: list[list[str]]) -> None:
        table: dict[str, list[tuple[str, int]]] = {}
        for read, written, weight in rows:
            table.setdefault(read, []).append((written, int(weight)))
        reads = sorted(table, key=_number)
        self.scripts = scripts_of("".join(reads))
        self.singles = CharacterSet.of(read for read in reads if len(read) == 1)
        self._heads = CharacterSet.of(read[0] for read in reads if len(read) == 2)
        self._tails = CharacterSet.of(read[1] for read in reads if len(read) == 2)
        self._numbers = np.array([_number(read) for read in reads])
        self._single = np.zeros(max(ord(read[0]) for read in reads) + 2, np.int64)
        for number, read in enumerate(reads):
            if len(read) == 1:
                self._single[ord(read)] = number
        self._written = column(written for read in reads for written, _ in table[read])
        # Each glyph's confusions share out the numbers from its first to the next one's.
        weights = [weight for read in reads for _, weight in table[read]]
        self._shares = np.cumsum(weights)
        counts = [len(table[read]) for read in reads]
        sums = np.add.reduceat(np.array(weights), np.cumsum(counts) - np.array(counts))
        self.rates = np.minimum(sums / _OFTEN, 1)
        self._firsts = np.concatenate([[0], self._shares[np.cumsum(counts) - 1]])

    def pairs_in(self, batch: Batch) -> Int64:
        """Return the starts of the table's pairs, each character a cluster of its own."""
        heads, tails = batch.marked(self._heads), batch.marked(self._tails)
        starts = np.flatnonzero(heads[:-1] & tails[1:])
        numbers = _pair(batch.codes[starts], batch.codes[starts + 1])
        return starts[self._known(numbers)]

    def glyphs(self, chosen: Chosen) -> Int64:
        """Return the number of the glyph at each place; any number where none is."""
        texts = chosen.texts
        place = self._single.take(chosen.first, mode="clip")
        (two,) = (texts.lengths == 2).nonzero()
        second = texts.codes[texts.ends[two] - 1]
        place[two] = np.searchsorted(self._numbers, _pair(chosen.first[two], second))
        return place

    def write(self, chosen: Chosen) -> Strings:
        """Draw the misreading of each chosen glyph, the same for all of a text."""
        glyph = self.glyphs(chosen)
        first = self._firsts[glyph]
        draw = chosen.with_origins(glyph).draw()
        share = first + below(draw, self._firsts[glyph + 1] - first)
        return self._written.take(np.searchsorted(self._shares, share, "right"))

    def _known(self, numbers: Int64) -> Bool:
        place = np.searchsorted(self._numbers, numbers).clip(max=len(self._numbers) - 1)
        known: Bool = self._numbers[place] == numbers
        return known


def _number(glyph: str) -> int:
    first, second = (*map(ord, glyph), 0)[:2]
    return int(_pair(np.array([first], np.uint32), np.array([second], np.uint32))[0])


def _pair(first: Codes, second: Codes) -> Int64:
    """Return one number for a pair of code points."""
    return (first.astype(np.int64) << 21) | second


@cache
def _confusions(digits: bool) -> _Confusions:
    rows = read_rows("ocr", "confusions.tsv")
    return _Confusions([row for row in rows if digits or not has_digit(row[0] + row[1])])
