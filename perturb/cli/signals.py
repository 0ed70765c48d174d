"""Signals that end a process: Ctrl-C, SIGTERM and SIGHUP clean up before it ends."""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

from perturb.cli.talk import say
from perturb.io.outputs import drop_parts

_ENDING = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "hung up"}


class StoppedError(KeyboardInterrupt):
    """A signal asked the process to end.

    Args:
        number: the number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(_ENDING[signal.Signals(number).name])
        self.signal = number


def _turns(frame: FrameType | None) -> bool:
    """Return true if an exception would turn into another one: in an import, or in argparse.

    Argparse cleans up after each parse, and may fail on attributes that it hasn't set yet.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith(("<frozen importlib", argparse.__file__)):
            return True
        frame = frame.f_back
    return False


@contextlib.contextmanager
def ending_cleanly() -> Iterator[None]:
    """Turn the first such signal into an exception; a second one ends the process at once.

    If the exception would turn into another one, which happens only before any output, the process
    ends at once. An ignored signal, as under nohup, stays ignored. On leaving, signals get their
    default actions, since this process is about to end.
    """
    stopped = False

    def end_at_once(number: int) -> None:
        drop_parts()
        os._exit(128 + number)

    def swallowed(ignored: sys.UnraisableHookArgs) -> None:
        # Python drops an exception that interrupts the collection of an object.
        if isinstance(ignored.exc_value, StoppedError):
            say(str(ignored.exc_value))
            end_at_once(ignored.exc_value.signal)
        else:
            sys.__unraisablehook__(ignored)

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal stopped
        if stopped:
            end_at_once(number)
        stopped, error = True, StoppedError(number)
        if _turns(frame):
            say(str(error))
            end_at_once(number)
        raise error

    handled, usual = [], (signal.SIG_DFL, signal.default_int_handler)
    sys.unraisablehook = swallowed
    for name in _ENDING:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) in usual:
            handled.append(number)
            signal.signal(number, stop)
    try:
        yield
    finally:
        drop_parts()  # a signal may have come while a file was being opened or closed
        for number in handled:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = sys.__unraisablehook__
