"""Memory that one batch frees, kept for the next."""

from __future__ import annotations

import gc
from functools import cache

import numpy as np

# More than the arrays of a batch take together.
_KEPT = 16 << 20


@cache
def keep() -> None:
    """Have the C library keep what the arrays of a batch free, up to twice `_KEPT` bytes.

    glibc returns large blocks to the system, which has to clear every page that the next batch then
    asks for. When it sees one large block come and go, it returns only larger ones from then on
    (`man 3 mallopt`, M_MMAP_THRESHOLD). The block is not written to, so it costs no memory; where
    there is another C library nothing changes.
    """
    np.empty(_KEPT, np.uint8)


def settle() -> None:
    """Let this process keep the memory that it frees, and look for cycles of references rarely.

    Rows hold none.
    """
    keep()
    gc.set_threshold(100_000, 50, 100)
