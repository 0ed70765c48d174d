"""Ask many questions at a time, and again where that may help; a signal ends the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from types import FrameType
from typing import Any, NamedTuple, Protocol, TypeVar

from perturb.errors import DataError
from perturb.evaluation.questions import Question
from perturb.io.jsonl import loads
from perturb.rng import key64


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


# Seconds: the wait before the second try, doubled with each further one up to the longest.
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0
# The number of failures in succession after which asking stops.
_GIVE_UP = 32

# A text, or what a predictive model says, as JSON has it: a label or a number, a label with its
# score, a list; None where the system said nothing.
Answer = str | int | float | bool | list[Any] | dict[str, Any] | None


class Reply(NamedTuple):
    """The reply of a system to one question.

    Attributes:
        answer: what it said; None where it said nothing.
        tokens: those of the prompt and of the completion, where they are known.
        finish: why it stopped, as "stop" or "length", where that is known.
        refusal: its words, where it refused to answer.
        seconds: how long the last try took.
        attempts: how often it was asked; 0 where the reply comes from a cache or a batch.
    """

    answer: Answer
    tokens: dict[str, int] | None = None
    finish: str | None = None
    refusal: str | None = None
    seconds: float = 0.0
    attempts: int = 1


def is_answer(value: Any) -> bool:
    """Return whether a value can be an answer: NaN and infinities can't, JSON has none."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and is_answer(list(value.values()))
    if isinstance(value, list):
        return all(map(is_answer, value))
    return isinstance(value, str | int | None)


def reply_in(line: bytes, place: object) -> Reply:
    """Return the reply that a line of a journal, or a file of a cache, holds.

    Raises:
        DataError: it holds none; the message names the place.
    """
    with contextlib.suppress(DataError):
        match loads(line)[0]:
            case {"tokens": None | dict() as tokens, "finish": None | str(), "answer": answer,
                  "seconds": int() | float(), "attempts": int(),
                  "refusal": None | str()} as fields:  # fmt: skip
                if is_answer(answer) and all(isinstance(n, int) for n in (tokens or {}).values()):
                    return Reply(**{name: fields[name] for name in Reply._fields})
    raise DataError(f"{place} holds no answer: delete it, and it is asked for again")


Ask = Callable[[Question], Awaitable[Reply]]
System = contextlib.AbstractAsyncContextManager[Ask]


class Keyed(Protocol):
    """Anything with a key that is unique within a run."""

    @property
    def key(self) -> str: ...  # noqa: D102


Item = TypeVar("Item", bound=Keyed)
Result = TypeVar("Result")


class TransientError(Exception):
    """A failure that another try may overcome.

    Attributes:
        after: seconds that the system asks to be left alone, where it says.
        throttled: whether the system was asked too often.
    """

    def __init__(self, message: str, after: float = 0.0, throttled: bool = False) -> None:
        super().__init__(message)
        self.after = after
        self.throttled = throttled


class UnansweredError(DataError):
    """One question has no answer; others may."""


class UnreliableError(DataError):
    """Answers and questions no longer belong together: none of this run is to be kept."""


Again = Callable[[str, float], None]


def with_retries(ask: Ask, retries: int, again: Again = lambda *_: None) -> Ask:
    """Retry failed questions with exponential backoff.

    Args:
        ask: raises `TransientError` where another try may help.
        retries: tries after the first.
        again: called before each wait, with the error and the seconds that it asks for.

    Returns:
        A function that raises `UnansweredError` where the last try failed as well.
    """

    async def asked(question: Question) -> Reply:
        for attempt in range(retries + 1):
            try:
                reply = await ask(question)
            except TransientError as error:
                if attempt == retries:
                    tries = "1 try" if retries == 0 else f"{retries + 1} tries"
                    raise UnansweredError(f"{error} ({tries})") from error.__cause__
                again(str(error), error.after)
                await asyncio.sleep(backoff(question.key, attempt, error.after))
            else:
                return reply._replace(attempts=reply.attempts and attempt + 1)
        raise AssertionError("range(retries + 1) is not empty")

    return asked


def backoff(key: str, attempt: int, after: float) -> float:
    """Return the seconds to wait after a try, counted from 0: `after`, and more with each try.

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
        ask: the system, or a function that asks it several times for a result of its own.
        questions: taken one by one, when there is room.
        concurrency: at least 1.
        answered: called with each result when it is there.
        failed: called with each question that has no answer.

    Raises:
        DataError: nothing can be asked any more; what is under way is cancelled.
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
