"""A Python function as the system under test."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError, is_answer
from perturb.evaluation.questions import Question

Function = Callable[..., Any]


@contextlib.asynccontextmanager
async def function(called: Function, *, concurrency: int) -> AsyncIterator[Ask]:
    """Open a function that answers questions.

    Args:
        called: from what is asked to the answer, a string, a number, None, or a list or dict of
            these; it gets the seed as `seed`, if there is one. A plain function runs in threads;
            one that is `async` in the event loop.
        concurrency: how many threads there are.

    Yields:
        A function from a question to the reply. It raises `TransientError` where `called` raises.
    """
    loop = asyncio.get_running_loop()
    waits = inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(
        getattr(called, "__call__", None)  # noqa: B004 - an object whose call is async
    )

    async def ask(question: Question) -> Reply:
        call = partial(_called, called, question.content, **question.seed_alone())
        try:
            answer = await (call() if waits else loop.run_in_executor(threads, call))
        except Exception as error:
            raise TransientError(f"the system raised {error!r}") from error
        answer = _plain(answer)
        if not is_answer(answer):
            raise UnansweredError(
                "the system must answer with a string, a number, None, or a list or dict of "
                f"these; got {answer!r:.60}"
            )
        return Reply(answer)

    with ThreadPoolExecutor(concurrency) as threads:
        yield ask


def _plain(answer: Any) -> Any:
    """Return an answer without NumPy and tuples, as JSON has it."""
    if isinstance(answer, (np.generic, np.ndarray)):
        return answer.tolist()
    if isinstance(answer, dict):
        return {key: _plain(value) for key, value in answer.items()}
    return [*map(_plain, answer)] if isinstance(answer, (list, tuple)) else answer


def _called(called: Function, content: Any, **seed: int) -> Any:
    try:
        return called(content, **seed)
    except StopIteration as error:  # no future can hold one
        raise RuntimeError("the system has no more answers") from error
