"""A Python function as the system under test, asked one by one or in groups."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Ask, Reply, TransientError, UnansweredError, is_answer
from perturb.evaluation.questions import Question
from perturb.evaluation.systems.endpoint import may_pass

Function = Callable[..., Any]
# What the classes of errors are called, in Python and in the clients of services, that may pass.
# All others, a TypeError among them, come again with each try.
_PASSING = re.compile(
    "(?i)connect|time_?out|ratelimit|toomany|unavailable|overload|network|urlerror"
)


def _advice(content: Any, error: Exception) -> str:
    """Return what to do where a function of texts was given a row; "" elsewhere."""
    if isinstance(content, dict) and isinstance(error, TypeError | AttributeError):
        return "; it was given a whole row: --field (field= in Python) gives it the text alone"
    return ""


@contextlib.asynccontextmanager
async def function(
    called: Function,
    *,
    concurrency: int,
    batched: bool = False,
    read: Callable[[Any], Any] = lambda answer: answer,
) -> AsyncIterator[Ask]:
    """Open a function that answers questions.

    Args:
        called: from the question to the answer, a string, a number, None, or a list or dict of
            these; it gets the seed as `seed`, if there is one. A plain function runs in threads,
            an `async` one in the event loop.
        concurrency: the number of threads.
        batched: whether it takes a list of questions, and returns as many answers. It gets those
            that are asked at one time.
        read: turns each value that it returns into an answer.

    Yields:
        A function from a question to the reply. If `called` raises, it raises `TransientError` for
        errors that may pass, else `UnansweredError`; and `UsageError` if it can't be called so.
    """
    loop = asyncio.get_running_loop()
    waits = inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(
        getattr(called, "__call__", None)  # noqa: B004 - an object whose call is async
    )

    async def answered(content: Any, seed: Mapping[str, int]) -> Any:
        _check_call(called, content, seed)
        call = partial(_called, called, content, **seed)
        try:
            return _plain(await (call() if waits else loop.run_in_executor(threads, call)))
        except Exception as error:
            kind = TransientError if _passes(error) else UnansweredError
            raise kind(f"the system raised {error!r}{_advice(content, error)}") from error

    async def ask(question: Question) -> Reply:
        return _reply(read(await answered(question.content, question.seed_alone())))

    async def ask_group(questions: Sequence[Question]) -> list[Any]:
        contents = [question.content for question in questions]
        answers = await answered(contents, questions[0].seed_alone())
        if not isinstance(answers, list) or len(answers) != len(contents):
            got = f"{len(answers)} answers" if isinstance(answers, list) else f"{answers!r:.60}"
            raise DataError(
                f"a batched system answers a list of {len(contents)} with a list of as many; got "
                f"{got}"
            )
        return answers

    with ThreadPoolExecutor(concurrency) as threads:
        yield grouped(ask_group, lambda _, answer: read(answer)) if batched else ask


_Waiting = list[tuple[Question, "asyncio.Future[Any]"]]


def grouped(
    ask_group: Callable[[Sequence[Question]], Awaitable[list[Any]]],
    read: Callable[[Question, Any], Any] = lambda _, answer: answer,
) -> Ask:
    """Return what asks in groups: those with one seed that are asked at one time.

    `read` makes an answer of what a group has for a question. Where a group fails, its questions
    are asked alone, so that none costs the others theirs.
    """
    loop = asyncio.get_running_loop()
    waiting: dict[int | None, _Waiting] = {}
    under_way = set()

    async def settle(group: _Waiting) -> None:
        try:
            answers = await ask_group([question for question, _ in group])
        except (TransientError, UnansweredError) as error:
            if len(group) == 1:
                _set(group[0][1].set_exception, group[0][1], error)
            else:
                for each in group:
                    await settle([each])
        except (DataError, UsageError) as error:
            for _, future in group:
                _set(future.set_exception, future, error)
        else:
            for (_, future), answer in zip(group, answers, strict=True):
                _set(future.set_result, future, answer)

    def send(seed: int | None) -> None:
        task = loop.create_task(settle(waiting.pop(seed)))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    async def ask(question: Question) -> Reply:
        answer: asyncio.Future[Any] = loop.create_future()
        if question.seed not in waiting:
            waiting[question.seed] = []
            loop.call_soon(send, question.seed)  # once all workers that are free have asked
        waiting[question.seed].append((question, answer))
        return _reply(read(question, await answer))

    return ask


def _set(put: Callable[[Any], None], future: asyncio.Future[Any], value: Any) -> None:
    if not future.done():  # nobody waits any more
        put(value)


def _reply(answer: Any) -> Reply:
    if not is_answer(answer):
        raise UnansweredError(
            "the system must answer with a string, a number, None, or a list or dict of these; got "
            f"{answer!r:.60}"
        )
    return Reply(answer)


def _check_call(called: Function, content: Any, seed: Mapping[str, int]) -> None:
    """Refuse a function that doesn't take the arguments of its calls."""
    try:
        inspect.signature(called, follow_wrapped=False).bind(content, **seed)
    except TypeError as error:
        way = "system(ASKED, seed=N)" if seed else "system(ASKED)"
        raise UsageError(f"the system is called as {way}, but doesn't take that: {error}") from None
    except ValueError:  # functions of C may have no signature
        pass


def _passes(error: Exception) -> bool:
    """Return whether another try may help, by the HTTP status or else the class of the error."""
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
