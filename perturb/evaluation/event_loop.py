"""The event loop of a command that asks: a signal ends it, and nothing else is said of it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Any


def run_to_end(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in an event loop of its own.

    Raises:
        KeyboardInterrupt: what the handler of a signal raised; the coroutine was cancelled.
    """
    stopped: list[KeyboardInterrupt] = []
    running: list[asyncio.Task[Any]] = []

    async def watched() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        loop.set_exception_handler(_say_unless_interrupted)
        assert task is not None  # this runs in one
        running.append(task)
        if stopped:
            work.close()
        else:
            await work

    def stop(error: KeyboardInterrupt) -> None:
        if stopped:  # asked twice, it ends wherever it is
            raise error
        stopped.append(error)
        for task in running:
            task.get_loop().call_soon_threadsafe(task.cancel)

    try:
        with _interrupts_given_to(stop):
            asyncio.run(watched())
    except asyncio.CancelledError:
        if not stopped:
            raise
    if stopped:
        raise stopped[0]


@contextlib.contextmanager
def _interrupts_given_to(stop: Callable[[KeyboardInterrupt], None]) -> Iterator[None]:
    """Call `stop` with what handlers of signals raise.

    Raised in the middle of an event loop, it would take the place of a step of some task, which
    then never ends.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread alone
        return

    def given(number: int, frame: FrameType | None) -> None:
        try:
            before[number](number, frame)
        except KeyboardInterrupt as error:
            stop(error)

    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    before = {int(number): found for number, found in handlers.items() if callable(found)}
    for number in before:
        signal.signal(number, given)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _say_unless_interrupted(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Leave out that an interrupt ended a task for which nobody waits; it is raised as well."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)
