"""Ask many questions at a time, and again where that may help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple, Protocol, TypeVar

from perturb.errors import DataError
from perturb.evaluation.questions import Question
from perturb.rng import key64

# Seconds: the wait before the second try, doubled with each further one up to the longest.
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0
# So many failures in succession, and no more is asked.
_GIVE_UP = 32


class Reply(NamedTuple):
    """What a system said.

    Attributes:
        answer: None where it said nothing.
        tokens: those of the prompt and of the completion, where they are known.
        finish: why it stopped, as "stop" or "length", where that is known.
        seconds: how long it took, without earlier tries.
        attempts: how often it was asked.
    """

    answer: str | None
    tokens: dict[str, int] | None = None
    finish: str | None = None
    seconds: float = 0.0
    attempts: int = 1


Ask = Callable[[Question], Awaitable[Reply]]


class Keyed(Protocol):
    """Anything with a key that is unique within a run."""

    @property
    def key(self) -> str: ...  # noqa: D102


Item = TypeVar("Item", bound=Keyed)
Result = TypeVar("Result")


class TransientError(Exception):
    """No answer this time; `after` seconds it may be had, where that was said."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class UnansweredError(DataError):
    """One question has no answer; others may."""


class UnreliableError(DataError):
    """Answers and questions no longer belong together: none of this run is to be kept."""


def with_retries(ask: Ask, retries: int, again: Callable[[str], None] = lambda _: None) -> Ask:
    """Ask again where an answer may still be had.

    Args:
        ask: raises `TransientError` where that is so.
        retries: how often, each time later.
        again: called with what was wrong before each wait.

    Returns:
        A system that raises `UnansweredError` where the last try, too, was in vain.
    """

    async def asked(question: Question) -> Reply:
        for attempt in range(retries + 1):
            start = time.perf_counter()
            try:
                reply = await ask(question)
            except TransientError as error:
                if attempt == retries:
                    tries = "1 try" if retries == 0 else f"{retries + 1} tries"
                    raise UnansweredError(f"{error} ({tries})") from error.__cause__
                again(str(error))
                await asyncio.sleep(wait(question.key, attempt, error.after))
            else:
                seconds = round(time.perf_counter() - start, 6)
                return reply._replace(seconds=seconds, attempts=attempt + 1)
        raise AssertionError("range(retries + 1) is not empty")

    return asked


def wait(key: str, attempt: int, after: float) -> float:
    """Seconds to wait after a try, counted from 0: each time longer, and never less than `after`.

    The last half of the wait is drawn, so that questions that failed together return apart.
    """
    longest = min(_FIRST_WAIT * 2.0**attempt, _LONGEST_WAIT)
    share: float = key64("retry", key, attempt) / 2**64
    return after + longest * (1 + share) / 2


async def ask_all(
    ask: Callable[[Item], Awaitable[Result]],
    questions: Iterator[Item],
    concurrency: int,
    answered: Callable[[Item, Result], None],
    failed: Callable[[Item, UnansweredError], None],
) -> None:
    """Ask all questions, up to `concurrency` at a time.

    Args:
        ask: the system, or what asks it more than once for an answer of its own.
        questions: taken one by one, when there is room.
        concurrency: at least 1.
        answered: called with each answer when it is there.
        failed: called with each question that stays without.

    Raises:
        DataError: nothing can be asked any more; what is under way is given up.
    """
    failures = 0

    async def work() -> None:
        nonlocal failures
        for question in questions:
            try:
                reply = await ask(question)
            except UnansweredError as error:
                failed(question, error)
                failures += 1
                if failures >= _GIVE_UP:
                    raise DataError(
                        f"{failures} questions in succession had no answer; {question.key!r}: "
                        f"{error}"
                    ) from None
            else:
                failures = 0
                answered(question, reply)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(work())
    except BaseExceptionGroup as errors:
        first = errors.exceptions[0]
        raise first from first.__cause__
