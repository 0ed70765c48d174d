"""Calls of a user's functions: the results of async ones, and whose an exception is."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

# The number of calls of an async function that are under way at a time.
_AT_ONCE = 16


def whose(name: str, text: str) -> str:
    """Return the note for an exception of a perturbator's function."""
    return f"raised by the function of the perturbator {name}, for {text[:80]!r}"


def finished(name: str, calls: Sequence[tuple[str, Awaitable[Any]]]) -> list[Any]:
    """Return the results of async calls, each for a text, a few of them under way at a time."""

    async def run() -> list[Any]:
        free = asyncio.Semaphore(_AT_ONCE)

        async def limited(text: str, call: Awaitable[Any]) -> Any:
            try:
                async with free:
                    return await call
            except Exception as error:
                error.add_note(whose(name, text))
                raise
            finally:
                if inspect.iscoroutine(call):  # else one that never began is complained about
                    call.close()

        return await asyncio.gather(*(limited(*call) for call in calls))

    # A thread of its own: in a notebook a loop runs in this one already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, run()).result()
