"""Ask many questions at a time, and again if that may help; a signal ends the event loop."""

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
    """Call `stop` with the exceptions that signal handlers raise.

    An exception raised in the middle of an event loop would replace a step of some task, which then
    never ends.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread gets signals
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
    """Ignore that an interrupt ended a task without a waiter, since it is raised as well."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)


# The seconds before the second try, doubled with each further one up to the longest wait: limits of
# requests are mostly per minute, so waiting longer is rarely needed. Chosen by hand.
_FIRST_WAIT = 0.5
_LONGEST_WAIT = 60.0
# Asking stops after so many failures in succession: twice the default concurrency, so that one bad
# moment of all workers doesn't end a run, but a dead system does. Chosen by hand.
_GIVE_UP = 32

# A text, or the JSON form of a prediction: a label, a number, a label with its score, a list; None
# if the system gave no answer.
Answer = str | int | float | bool | list[Any] | dict[str, Any] | None


class Reply(NamedTuple):
    """The reply of a system to one question.

    Attributes:
        answer: the answer; None if there is none.
        tokens: the tokens of the prompt and the completion, if known.
        finish: why the system stopped, such as "stop" or "length", if known.
        refusal: its words, if it refused to answer.
        seconds: how long the last try took.
        attempts: the number of tries; 0 if the reply comes from a cache or a batch.
    """

    answer: Answer
    tokens: dict[str, int] | None = None
    finish: str | None = None
    refusal: str | None = None
    seconds: float = 0.0
    attempts: int = 1


def is_answer(value: Any) -> bool:
    """Return whether a value can be an answer: NaN and infinities can't, since JSON lacks them."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and is_answer(list(value.values()))
    if isinstance(value, list):
        return all(map(is_answer, value))
    return isinstance(value, str | int | None)


def prediction_in(value: Any) -> Any:
    """Return the answer in an object that a system replies with: its prediction, or a label.

    Raises:
        UnansweredError: it has neither.
    """
    is_row = isinstance(value, dict) and not {"prediction", "label"} & {*value}
    answer = value.get("prediction", value) if isinstance(value, dict) else value
    if is_row or not is_answer(answer):
        raise UnansweredError(
            "an answer must be a text, an object with the answer as `prediction`, or an object "
            f"with a label and its score; got {value!r:.60}"
        )
    return answer


def reply_in(line: bytes, place: object) -> Reply:
    """Return the reply in a line of a journal, or in a file of a cache.

    Raises:
        DataError: there is none; the message names the place.
    """
    with contextlib.suppress(DataError):
        match loads(line):
            case {"tokens": None | dict() as tokens, "finish": None | str(), "answer": answer,
                  "seconds": int() | float(), "attempts": int(),
                  "refusal": None | str()} as fields:  # fmt: skip
                if is_answer(answer) and all(isinstance(n, int) for n in (tokens or {}).values()):
                    return Reply(**{name: fields[name] for name in Reply._fields})
    raise DataError(f"{place} has no answer: delete it to ask again")


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
        after: the seconds that the system asks to wait, if it does.
        throttled: whether there were too many requests.
    """

    def __init__(self, message: str, after: float = 0.0, throttled: bool = False) -> None:
        super().__init__(message)
        self.after = after
        self.throttled = throttled


class UnansweredError(DataError):
    """One question has no answer; others may have one."""


class UnreliableError(DataError):
    """Answers no longer match questions, so nothing of this run may be kept."""


Again = Callable[[str, float], None]


def with_retries(ask: Ask, retries: int, again: Again = lambda *_: None) -> Ask:
    """Retry failed questions with exponential backoff.

    Args:
        ask: raises `TransientError` if another try may help.
        retries: tries after the first.
        again: called before each wait with the error and the seconds that it asks for.

    Returns:
        A function that raises `UnansweredError` if the last try fails as well.
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
    """Return the seconds to wait after a try, counted from 0: `after`, plus more with each try.

    The second half of the wait is random, so that questions that failed together don't return
    together.
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
        ask: the system, or a function that asks it several times for one result.
        questions: taken one by one, whenever a worker is free.
        concurrency: at least 1.
        answered: called with each result as it arrives.
        failed: called with each question that has no answer.

    Raises:
        DataError: no more questions can be asked; those under way are cancelled.
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
