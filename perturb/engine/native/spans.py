"""The kernels of spans of characters that tables find, and of the rates at which sites are hit."""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import address
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Codes, Float64, Int8, Int32, Int64, NDArray, UInt8, UInt64

# Rates in rates.h, field by field.
_RATES = struct.Struct("<QQQQqddddqqqqq")


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
    if spans.codes.dtype != np.uint8:
        return None
    rows, drawn = np.empty((2, len(spans)), np.float64)
    tables: list[NDArray[Any]] = [rates.kinds, rates.pairs, rates.rates, rates.numbers]
    numbers = len(rates.rates), *rates[4:-1], *rates.lanes
    packed = _RATES.pack(*map(address, tables), *numbers)
    count = binding.called(
        "perturb_rates",
        *(spans.codes, len(spans.codes), spans.starts, spans.ends, len(spans)),
        *(keys, origins, counts, len(keys), packed, rows, drawn),
    )
    return None if count is None else (rows, drawn)


def find_pairs(codes: Codes, pairs: UInt8) -> Bool:
    """Mark the code points that make a pair with the next one.

    Args:
        codes: the code points, none above 255.
        pairs: shape (8192,); a bit for each pair of Latin-1, the first times 256 and the second.
    """
    codes = np.ascontiguousarray(codes, np.uint8)
    marks = np.zeros(len(codes), np.bool_)
    if len(codes) < 2:
        return marks
    if binding.called("perturb_find_pairs", codes, len(codes), pairs, marks) is None:
        # The same memory in steps of one byte.
        both = np.ndarray(len(codes) - 1, ">u2", codes, strides=(1,)).astype(np.uint16)
        marks[:-1] = pairs.take(both >> 3) >> (both & 7).astype(np.uint8) & 1
    return marks


def spans_of_lengths(lengths: Int8) -> tuple[Int64, Int64]:
    """Return the starts and the ends of the spans that begin at some places.

    Args:
        lengths: shape (places,); the length of the span that begins there, -1 where none does.
    """
    starts, ends = np.empty((2, len(lengths)), np.int64)
    count = binding.called("perturb_spans", lengths, len(lengths), starts, ends)
    if count is None:
        starts = np.flatnonzero(lengths >= 0)
        return starts, starts + lengths[starts]
    # Where they are few, the rest of the room is not to be kept.
    spans = starts[:count], ends[:count]
    return spans if 2 * count > len(lengths) else (spans[0].copy(), spans[1].copy())
