"""Errors of character recognition."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.arrays import Bool, Codes, Int64
from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column
from perturb.perturbators._by_script import in_scripts, scripts_of
from perturb.perturbators._numbers_kept import has_digit, keep_numbers
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.rng import below


@perturbator(
    "ocr",
    unit="character",
    summary="Misread a character, or two, as a scanner does: rn for m, c for e.",
    label_risk="high",
    touches={"letters", "punctuation", "case"},
    source="own table of confusions (wordlists/ocr/confusions.tsv)",
    version=2,
    aliases={"random_OCR": {"digits": True}},
)
def ocr(batch: Batch, *, digits: bool = False) -> Sites:
    """Replace glyphs by what they are taken for, by the weights of the table.

    Where a pair of characters is in the table, the pair is the site, not its first character.

    Args:
        batch: the texts.
        digits: whether digits are misread as well, and letters as digits: 0 for O.
    """
    table = _confusions(digits)
    pairs = table.pairs_in(batch)
    mask = batch.marked(table.singles)
    mask[pairs] = True
    starts = np.flatnonzero(mask)
    ends = starts + 1
    ends[np.searchsorted(starts, pairs)] += 1
    sites = Sites(starts, ends, "character", table.write)
    sites = sites if digits else keep_numbers(batch, sites)
    return in_scripts(batch, sites, table.scripts)


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
        self._written = column(written for read in reads for written, _ in table[read])
        # Each glyph's confusions share out the numbers from its first to the next one's.
        weights = [weight for read in reads for _, weight in table[read]]
        self._shares = np.cumsum(weights)
        counts = [len(table[read]) for read in reads]
        self._firsts = np.concatenate([[0], self._shares[np.cumsum(counts) - 1]])

    def pairs_in(self, batch: Batch) -> Int64:
        """Return the starts of the table's pairs, each character a cluster of its own."""
        heads, tails = batch.marked(self._heads), batch.marked(self._tails)
        starts = np.flatnonzero(heads[:-1] & tails[1:])
        numbers = _pair(batch.codes[starts], batch.codes[starts + 1])
        return starts[self._known(numbers)]

    def write(self, chosen: Chosen) -> Strings:
        """Draw the misreading of each chosen glyph."""
        texts = chosen.texts
        second = np.where(texts.lengths == 2, texts.codes[texts.ends - 1], 0)
        glyph = np.searchsorted(self._numbers, _pair(chosen.first, second))
        first = self._firsts[glyph]
        share = first + below(chosen.draw(), self._firsts[glyph + 1] - first)
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
