"""What recognition takes characters for, and how often."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.batch import of_kind
from perturb.engine.native.spans import find_pairs
from perturb.engine.sites import Chosen
from perturb.engine.text.characters import CharacterClasses, CharacterSet
from perturb.engine.text.strings import Strings, column
from perturb.engine.text.unicode import Kind
from perturb.perturbators.shared.character_tables import has_digit, scripts_of
from perturb.resources import read_rows
from perturb.rng import below
from perturb.values.arrays import Codes, Float64, Int64, UInt8

# Bits of `Confusions.classes`.
LETTER, SINGLE, _HEAD = 1, 2, 4
# How likely errors are at spaces, beside glyphs that are always mistaken for others: one that is
# lost, and one that is seen.
MERGED, PARTED = 0.12, 0.3
# The sum of the weights of a glyph's confusions from which on it is misread as often as any.
_OFTEN = 20


class Confusions:
    """The misreadings of each glyph of one or two characters, with their weights.

    Args:
        rows: a glyph, what it is taken for, and the weight of that.

    Attributes:
        scripts: the scripts of the glyphs.
        classes: of characters: letters, those that are misread, those that begin and end pairs.
        single: the number of the glyph of each code point, up to behind the last that is one.
        latin_pairs: shape (65536,); the number of each two of Latin-1, the first times 256 and the
            second; -1 for those that are no glyph.
        rates: of all glyphs, how often each is misread, at most 1.
    """

    def __init__(self, rows: list[list[str]]) -> None:
        table: dict[str, list[tuple[str, int]]] = {}
        for read, written, weight in rows:
            table.setdefault(read, []).append((written, int(weight)))
        reads = sorted(table, key=_number)
        self.scripts = scripts_of("".join(reads))
        pairs = [read for read in reads if len(read) == 2]
        self.classes = CharacterClasses(
            of_kind(Kind.LETTER),
            CharacterSet.of(read for read in reads if len(read) == 1),
            *(CharacterSet.of(read[place] for read in pairs) for place in (0, 1)),
        )
        self._numbers = np.array([_number(read) for read in reads])
        self.latin_pairs = np.full(1 << 16, -1)
        # All that lies beyond is as what lies next.
        self._last = max(ord(read[0]) for read in reads) + 1
        self.single = np.zeros(self._last + 1, np.int64)
        for number, read in enumerate(reads):
            if len(read) == 1:
                self.single[ord(read)] = number
            elif max(read) <= "\xff":
                self.latin_pairs[ord(read[0]) << 8 | ord(read[1])] = number
        options = [option for read in reads for option, _ in table[read]]
        # What is written where a space is seen and where one is lost comes behind all else.
        self._written = column([*options, " ", ""])
        # Each glyph's confusions share out the numbers from its first to the next one's.
        weights = [weight for read in reads for _, weight in table[read]]
        shares = np.cumsum(weights)
        self._options = np.append(
            np.arange(len(weights)).repeat(weights), len(weights) + np.arange(2)
        )
        counts = [len(table[read]) for read in reads]
        sums = np.add.reduceat(np.array(weights), np.cumsum(counts) - np.array(counts))
        self.rates = np.minimum(sums / _OFTEN, 1)
        self._rates = self.rates[self.single]
        self._rates[ord(" ")] = MERGED
        self._pair_bits = np.packbits(self.latin_pairs >= 0, bitorder="little")
        firsts = shares[np.cumsum(counts) - 1]
        self._firsts = np.concatenate([[0], firsts, firsts[-1] + [1, 2]])

    def pairs_in(self, codes: Codes, classes: UInt8) -> Int64:
        """Return the starts of the table's pairs."""
        # Of characters of several code points none has a class.
        pairs = (classes[:-1] & _HEAD) << 1 & classes[1:] > 0
        if codes.dtype == np.uint8:
            return np.flatnonzero(pairs & find_pairs(codes, self._pair_bits)[:-1])
        (beyond,) = (pairs & (codes[:-1] | codes[1:] > 0xFF)).nonzero()
        pairs &= find_pairs(np.minimum(codes, 0xFF), self._pair_bits)[:-1]
        pairs[beyond] = self._pairs(codes[beyond], codes[beyond + 1]) >= 0
        return np.flatnonzero(pairs)

    def glyphs(self, spans: Strings) -> tuple[Int64, Float64]:
        """Return the number of the glyph at each place, and how often it is misread.

        Where a space is seen, the number is that of the letter behind it; where one is lost, it is
        any.
        """
        lengths = spans.lengths
        first = spans.codes[spans.starts].astype(np.intp)
        if spans.codes.dtype != np.uint8:
            first = np.minimum(first, self._last)
        numbers, rates = self.single[first], self._rates[first]
        (others,) = (lengths != 1).nonzero()
        two, none = others[lengths[others] == 2], others[lengths[others] == 0]
        starts = spans.starts[two]
        numbers[two] = self._pairs(spans.codes[starts], spans.codes[starts + 1])
        rates[two], rates[none] = self.rates[numbers[two]], PARTED
        return numbers, rates

    def write(self, chosen: Chosen) -> Strings:
        """Draw the misreading of each chosen glyph, the same for all of a text."""
        lengths = chosen.texts.lengths
        glyph, _ = self.glyphs(chosen.texts)
        draw = chosen.with_origins(glyph).draw()
        glyph[lengths == 0] = len(self.rates)
        glyph[chosen.first == ord(" ")] = len(self.rates) + 1
        first = self._firsts[glyph]
        share = first + below(draw, self._firsts[glyph + 1] - first)
        return self._written.take(self._options[share])

    def _pairs(self, first: Codes, second: Codes) -> Int64:
        """Return the number of each pair; -1 for those that are not in the table."""
        latin = np.minimum(first, 0xFF).astype(np.uint16) << 8 | np.minimum(second, 0xFF)
        glyphs = self.latin_pairs.take(latin)
        if first.dtype != np.uint8:
            (beyond,) = ((first | second) > 0xFF).nonzero()
            numbers = (first[beyond].astype(np.int64) << 21) | second[beyond]
            place = np.searchsorted(self._numbers, numbers).clip(max=len(self._numbers) - 1)
            glyphs[beyond] = np.where(self._numbers[place] == numbers, place, -1)
        return glyphs


def _number(glyph: str) -> int:
    """Return a number for a glyph of one or two code points."""
    first, second = (*map(ord, glyph), 0)[:2]
    return first << 21 | second


@cache
def confusions(digits: bool) -> Confusions:
    """Return the table of confusions, with those of digits or without."""
    rows = read_rows("ocr", "confusions.tsv")
    return Confusions([row for row in rows if digits or not has_digit(row[0] + row[1])])
