"""The kernels of draws for places."""

from __future__ import annotations

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import address, like
from perturb.values.arrays import Float64, Int64, UInt32, UInt64

# For fewer draws NumPy takes as little time as a call of a kernel.
_FEW = 64


def draws(keys: UInt64, origins: Int64, counts: Int64, counters: Int64, lane: int) -> UInt32 | None:
    """Return a draw for each counter.

    Args:
        keys: shape (texts,); the key of each text.
        origins: shape (texts,); what is 0 for the counters of each.
        counts: shape (texts,); how many counters each has.
        counters: shape (n,); the counters of all texts, one text after the other.
        lane: what the draws are for.
    """
    if library.LIBRARY is None or len(counters) < _FEW:
        return None
    drawn = np.empty(len(counters), np.uint32)
    columns = _as_taken(keys, origins, counts, counters)
    made = library.called("perturb_draws", *_given(*columns), lane, address(drawn))
    return None if made is None else drawn


def uniforms(
    keys: UInt64,
    origins: Int64,
    counts: Int64,
    counters: Int64,
    lane: int,
    width: float,
    least: float,
) -> Float64 | None:
    """Return `draws` as numbers in [0, 1), times `width`, plus `least`."""
    if library.LIBRARY is None or len(counters) < _FEW:
        return None
    drawn = np.empty(len(counters), np.float64)
    columns = _as_taken(keys, origins, counts, counters)
    made = library.called("perturb_uniforms", *_given(*columns), lane, width, least, address(drawn))
    return None if made is None else drawn


def _as_taken(
    keys: UInt64, origins: Int64, counts: Int64, counters: Int64
) -> tuple[UInt64, Int64, Int64, Int64]:
    return (
        like(keys, np.uint64),
        like(origins, np.int64),
        like(counts, np.int64),
        like(counters, np.int64),
    )


def _given(
    keys: UInt64, origins: Int64, counts: Int64, counters: Int64
) -> tuple[int, int, int, int, int, int]:
    texts = address(keys), address(origins), address(counts), len(keys)
    return *texts, address(counters), len(counters)
