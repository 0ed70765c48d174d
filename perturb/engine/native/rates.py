"""The kernel of how often sites are hit."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from perturb.engine.native import library
from perturb.engine.native.arguments import address, like
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Float64, Int32, Int64, UInt64


class Rates(NamedTuple):
    """By what sites differ in how often they are hit, as rates.h has it.

    Attributes:
        kinds: shape (256,); the kind of each character, negative for none.
        pairs: shape (65536,); the kind of each two.
        rates: shape (kinds,); how often each is hit.
        numbers: shape (kinds,); the number for which it is drawn how often it is hit in a text.
        empty: how often sites are hit that are empty.
        width: how much of it depends on the text.
        least: how much does not.
        rare: how often sites are hit in most stretches, against the others.
        stretch: how many characters a stretch has.
        often: the limit of the draws for stretches that are others.
        lanes: those of the draws for texts, for stretches, and for sites.
    """

    kinds: NDArray[np.int16]
    pairs: NDArray[np.int16]
    rates: Float64
    numbers: Int32
    empty: float
    width: float
    least: float
    rare: float
    stretch: int
    often: int
    lanes: tuple[int, int, int]


class _Given(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_int64) for name in ("kinds", "pairs", "rates", "numbers", "count")),
        *((name, ctypes.c_double) for name in ("empty", "width", "least", "rare")),
        *((name, ctypes.c_int64) for name in ("stretch", "often", "text", "of_stretch", "lane")),
    )


def rates_of(
    spans: Strings, keys: UInt64, origins: Int64, counts: Int64, rates: Rates
) -> tuple[Float64, Float64] | None:
    """Return how often each site is hit, and a uniform draw for each, both negated.

    Args:
        spans: the sites, of up to two characters.
        keys: shape (texts,); the key of each text.
        origins: shape (texts,); where each text starts.
        counts: shape (texts,); how many sites each has.
        rates: by what they differ.
    """
    if library.LIBRARY is None or spans.codes.dtype != np.uint8:
        return None
    codes, keys = like(spans.codes, np.uint8), like(keys, np.uint64)
    starts, ends, origins, counts = (
        like(column, np.int64) for column in (spans.starts, spans.ends, origins, counts)
    )
    tables = rates.kinds, rates.pairs, rates.rates, rates.numbers
    numbers = rates.empty, rates.width, rates.least, rates.rare, rates.stretch, rates.often
    given = _Given(*[address(table) for table in tables], len(rates.rates), *numbers, *rates.lanes)
    made, drawn = np.empty((2, len(starts)), np.float64)
    done = library.called(
        "perturb_rates",
        *(address(codes), len(codes), address(starts), address(ends), len(starts)),
        *(address(keys), address(origins), address(counts), len(keys)),
        *(ctypes.addressof(given), address(made), address(drawn)),
    )
    return None if done is None else (made, drawn)
