"""The kernel of draws for places."""

from __future__ import annotations

import numpy as np

from perturb.arrays import Int64, UInt32, UInt64
from perturb.engine.native import library
from perturb.engine.native.arguments import address, like

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
    keys, counters = like(keys, np.uint64), like(counters, np.int64)
    origins, counts = like(origins, np.int64), like(counts, np.int64)
    drawn = np.empty(len(counters), np.uint32)
    made = library.called(
        "perturb_draws",
        *(address(keys), address(origins), address(counts), len(keys)),
        *(address(counters), len(counters), lane, address(drawn)),
    )
    return None if made is None else drawn
