"""Memory that one batch frees, kept for the next."""

from __future__ import annotations

import gc
from functools import cache

import numpy as np

# More than the arrays of a batch take together; below that, some of them still go back to the
# system with every batch. Above it nothing is gained, and a process keeps memory it doesn't use.
_KEPT = 16 << 20


@cache
def keep() -> None:
    """Have the C library keep what the arrays of a batch free, up to twice `_KEPT` bytes.

    glibc returns large blocks to the system, which has to clear every page that the next batch then
    asks for. When it sees one large block come and go, it returns only larger ones from then on
    (`man 3 mallopt`, M_MMAP_THRESHOLD). The block is never written to, so it costs no memory. Other
    C libraries ignore it.
    """
    np.empty(_KEPT, np.uint8)


def settle() -> None:
    """Let this process keep the memory that it frees, and look for cycles of references rarely.

    Rows hold none, so Python's default looks often and finds nothing. The thresholds are chosen by
    hand: cycles that libraries make are still freed, only later.
    """
    keep()
    gc.set_threshold(100_000, 50, 100)
