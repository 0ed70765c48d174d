"""A Python function as the system under test."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from perturb.errors import UsageError
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError, is_answer
from perturb.evaluation.questions import Question
from perturb.evaluation.systems.completion import may_pass

Function = Callable[..., Any]
# What the classes of errors are called, in Python and in the clients of services, that may pass.
# All others, a TypeError among them, come again with each try.
_PASSING = re.compile(
    "(?i)connect|time_?out|ratelimit|toomany|unavailable|overload|network|urlerror"
)


@contextlib.asynccontextmanager
async def function(called: Function, *, concurrency: int) -> AsyncIterator[Ask]:
    """Open a function that answers questions.

    Args:
        called: from what is asked to the answer, a string, a number, None, or a list or dict of
            these; it gets the seed as `seed`, if there is one. A plain function runs in threads;
            one that is `async` in the event loop.
        concurrency: how many threads there are.

    Yields:
        A function from a question to the reply. Where `called` raises, it raises `TransientError`
        if that may pass, and else `UnansweredError`; and `UsageError` where it can't be called so.
    """
    loop = asyncio.get_running_loop()
    waits = inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(
        getattr(called, "__call__", None)  # noqa: B004 - an object whose call is async
    )

    async def ask(question: Question) -> Reply:
        _check_call(called, question)
        call = partial(_called, called, question.content, **question.seed_alone())
        try:
            answer = await (call() if waits else loop.run_in_executor(threads, call))
        except Exception as error:
            kind = TransientError if _passes(error) else UnansweredError
            raise kind(f"the system raised {error!r}") from error
        answer = _plain(answer)
        if not is_answer(answer):
            raise UnansweredError(
                "the system must answer with a string, a number, None, or a list or dict of "
                f"these; got {answer!r:.60}"
            )
        return Reply(answer)

    with ThreadPoolExecutor(concurrency) as threads:
        yield ask


def _check_call(called: Function, question: Question) -> None:
    """Refuse a function that does not take what it is called with."""
    seed = question.seed_alone()
    try:
        inspect.signature(called, follow_wrapped=False).bind(question.content, **seed)
    except TypeError as error:
        way = "system(ASKED, seed=N)" if seed else "system(ASKED)"
        raise UsageError(f"the system is called as {way}, and does not take it: {error}") from None
    except ValueError:  # one of C does not say what it takes
        pass


def _passes(error: Exception) -> bool:
    """Return whether another try may help: by its status of HTTP, or else by its class."""
    held = error, getattr(error, "response", None)
    told = [
        getattr(each, name, None) for each in held for name in ("status_code", "status", "code")
    ]
    for status in told:
        if type(status) is int:
            return may_pass(status)
    return any(_PASSING.search(kind.__name__) for kind in type(error).__mro__)


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
