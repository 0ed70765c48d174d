"""The kernel of the rates at which sites are hit."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import address, like
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Float64, Int32, Int64, NDArray, UInt64


class Rates(NamedTuple):
    """What the rate of a site depends on: the characters there, the text, and the stretch of it.

    Attributes:
        kinds: shape (256,); the kind of each character, negative for none.
        pairs: shape (65536,); the kind of each two, the first times 256 and the second.
        rates: shape (kinds,); the rate of each kind.
        numbers: shape (kinds,); the number for which the factor of a kind in a text is drawn.
        empty: the rate of sites that are empty.
        width: the factor of a kind in a text is from `least` up to `least + width`.
        least: see `width`.
        rare: the factor of most stretches of a text; that of the others is 1.
        stretch: the number of characters of a stretch.
        often: a stretch whose draw is below this is one of the others.
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
    """Rates in rates.h, field by field."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("kinds", "pairs", "rates", "numbers")),
        ("number_of_kinds", ctypes.c_int64),
        *((name, ctypes.c_double) for name in ("empty", "width", "least", "rare")),
        *((name, ctypes.c_int64) for name in ("stretch", "often")),
        *((name, ctypes.c_int64) for name in ("text_lane", "stretch_lane", "lane")),
    )


def rates_of(
    spans: Strings, keys: UInt64, origins: Int64, counts: Int64, rates: Rates
) -> tuple[Float64, Float64] | None:
    """Return the rate of each site, and a uniform draw for each, both negated.

    Args:
        spans: the sites, of up to two characters.
        keys: shape (texts,); the key of each text.
        origins: shape (texts,); where each text starts.
        counts: shape (texts,); how many sites each has.
        rates: what their rates depend on.
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
