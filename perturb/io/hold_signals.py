"""Hold signals back while a step must not be interrupted."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold back signals that end the process until the block is done.

    A process that is started meanwhile holds them until it lets them go.
    """
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_signals_go() -> None:
    """Let signals through in a process that was started while they were held back."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
