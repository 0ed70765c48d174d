"""Words, numbers and other tokens of many texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from perturb.engine.text.characters import kinds, set_of
from perturb.engine.text.strings import encode, lengths_of, ranges
from perturb.values.arrays import Int64

# Tokens are words (1), numbers (2), white space (3) and single other characters, by `Kind`; in
# words and in numbers are signs.
_OF_KIND = np.array([0, 1, 1, 2, 0, 0, 3, 3, 0, 0, 0, 0], np.uint8)
_INNER = (1, set_of("'’")), (2, set_of(".,:/"))


class Tokens(NamedTuple):
    """The tokens of texts, without a gap between those of one.

    Attributes:
        joined: the texts, with a NUL behind each.
        begins: shape (texts,); where each begins.
        lengths: shape (texts,); how long it is.
        starts: shape (tokens,); where each starts. An empty text has one token, the NUL.
    """

    joined: str
    begins: Int64
    lengths: Int64
    starts: Int64

    @classmethod
    def of(cls, texts: Sequence[str]) -> Tokens:
        """Find the tokens of texts."""
        joined, lengths = "\0".join([*texts, ""]), lengths_of(texts)
        begins = np.cumsum(lengths + 1) - lengths - 1
        codes = encode(joined)
        kind = _OF_KIND.take(kinds().take(codes))
        is_start = np.append(True, kind[1:] != kind[:-1]) | (kind == 0)
        for around, signs in _INNER:
            at = np.flatnonzero((kind[:-2] == around) & (kind[2:] == around)) + 1
            at = at[signs.mask(codes[at])]
            is_start[at] = is_start[at + 1] = False
        is_start[(begins + lengths)[lengths > 0]] = False
        return cls(joined, begins, lengths, np.flatnonzero(is_start))

    def runs(self, first: Int64, counts: Int64) -> Int64:
        """Return the numbers of tokens that follow each other, so many from each first one on."""
        return ranges(first, counts)

    def strings(self, numbers: Int64) -> Iterator[str]:
        """Yield some tokens; a blank for that of an empty text."""
        ends = np.append(self.starts[1:], len(self.joined))[numbers].tolist()
        for start, end in zip(self.starts[numbers].tolist(), ends, strict=True):
            yield self.joined[start:end].removesuffix("\0") or " "
