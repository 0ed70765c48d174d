"""The memory of a process: blocks kept for the next batch, and the collector of cycles."""

from __future__ import annotations

import gc
import os
from _thread import RLock  # that of `threading`, whose import takes longer
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np

# The lines of a block in all versions of a grid take this much; of less, the system would clear
# each page again with every block. glibc learns nothing from blocks of 32 MB and more.
_KEPT = 31 << 20


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
    """Let this process keep the memory that it frees, and look for cycles of references rarely."""
    keep()
    collect_rarely()


def collect_rarely() -> None:
    """Look for cycles of references rarely.

    Rows hold none, so Python's default looks often and finds nothing. The thresholds are chosen by
    hand: cycles that libraries make are still freed, only later.
    """
    gc.set_threshold(100_000, 50, 100)


# The collector is one for all threads. So those that pause it are counted under a lock: the first
# keeps its state, and the last restores it. A signal may come while this thread holds the lock.
_lock = RLock()
_pausing: set[object] = set()
_was_on = True


# The number of objects from which on it pays.
_MANY = 100


@contextmanager
def collector_paused(objects: int) -> Iterator[None]:
    """Pause the garbage collector, if it is on, while so many objects are made.

    It runs whenever a number of objects was made, and looks through all that are alive: for the
    edits of ten thousand texts, again and again, which takes longer than to make them.
    """
    global _was_on
    if objects < _MANY:
        yield
        return
    own = object()
    try:
        with _lock:
            if not _pausing:
                _was_on = gc.isenabled()
            _pausing.add(own)
            gc.disable()
        yield
    finally:
        with _lock:
            if own in _pausing:  # else a signal came before
                _pausing.discard(own)
                _go_on()


def _go_on() -> None:
    if not _pausing and _was_on:
        gc.enable()


def _alone() -> None:
    """Forget the threads that paused the collector, which a fork leaves behind."""
    global _lock
    _lock = RLock()
    if _pausing:
        _pausing.clear()
        _go_on()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_alone)
