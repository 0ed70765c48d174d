"""The collector of reference cycles, paused while many objects without cycles are made."""

from __future__ import annotations

import gc
import os
from _thread import RLock  # that of `threading`, whose import takes longer
from collections.abc import Iterator
from contextlib import contextmanager

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
