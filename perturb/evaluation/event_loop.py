"""The event loop of a command that asks: an interrupt ends it, and nothing else is said of it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


def run_to_end(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in an event loop of its own."""

    async def watched() -> None:
        asyncio.get_running_loop().set_exception_handler(_say_unless_interrupted)
        await work

    asyncio.run(watched())


def _say_unless_interrupted(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Leave out that an interrupt ended a task for which nobody waits; it is raised as well."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)
