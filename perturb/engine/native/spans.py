"""The kernels of spans of characters that tables find."""

from __future__ import annotations

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import address, like
from perturb.values.arrays import Bool, Codes, Int8, Int64, UInt8


def find_pairs(codes: Codes, pairs: UInt8) -> Bool:
    """Mark the code points that make a pair with the next one.

    Args:
        codes: the code points, each a byte.
        pairs: shape (8192,); a bit for each pair of Latin-1, the first times 256 and the second.
    """
    codes = like(codes, np.uint8)
    marks = np.zeros(len(codes), np.bool_)
    if len(codes) < 2:
        return marks
    made = library.called(
        "perturb_find_pairs", address(codes), len(codes), address(pairs), address(marks)
    )
    if made is None:
        # The same memory in steps of one byte.
        both = np.ndarray(len(codes) - 1, ">u2", codes, strides=(1,)).astype(np.uint16)
        marks[:-1] = pairs.take(both >> 3) >> (both & 7).astype(np.uint8) & 1
    return marks


def spans_of_lengths(lengths: Int8) -> tuple[Int64, Int64]:
    """Return the starts and the ends of the spans that begin at some places.

    Args:
        lengths: shape (places,); the length of the span that begins there, -1 where none does.
    """
    if library.LIBRARY is not None:
        lengths = like(lengths, np.int8)
        starts, ends = np.empty((2, len(lengths)), np.int64)
        made = library.called(
            "perturb_spans", address(lengths), len(lengths), address(starts), address(ends)
        )
        if made is not None:
            # Where they are few, the rest of the room is not to be kept.
            kept = starts[:made], ends[:made]
            return kept if 2 * made > len(lengths) else (kept[0].copy(), kept[1].copy())
    starts = np.flatnonzero(lengths >= 0)
    return starts, starts + lengths[starts]
