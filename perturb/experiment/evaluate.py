"""Ask a Python function the questions of many rows."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from perturb.errors import DataError, UsageError
from perturb.experiment.asking import (
    Ask,
    Reply,
    TransientError,
    UnansweredError,
    ask_all,
    persistent,
)
from perturb.experiment.questions import (
    Question,
    Row,
    checked_seeds,
    named,
    refuse,
    text_at,
    versions,
)

System = Callable[..., Any]


def evaluate(
    system: System,
    rows: Iterable[Row],
    *,
    field: str | None = "text",
    answer_field: str = "answer",
    seeds: Sequence[int] | None = None,
    concurrency: int = 16,
    retries: int = 0,
    on_error: str = "stop",
) -> list[Row]:
    """Ask a system all rows, many at a time.

    Args:
        system: a function from a text to its answer, a string or None; with `field=None` from a
            whole row. A plain function runs in threads; one that is `async` in an event loop.
        rows: such as `perturb.augment` gives.
        field: the path to the text, as `question`; None to hand over the row.
        answer_field: the field for the answer; no row may have it.
        seeds: ask each row once with each, as `system(text, seed=...)`.
        concurrency: how many calls are under way at a time, at least 1.
        retries: how often a call that raises is made again, later each time.
        on_error: "stop" to raise when a call has failed for good, "keep" to go on; the answer is
            None then and `response` says what was wrong.

    Returns:
        The rows in order, each with its answer and with `response`, which holds the seed; with
        several seeds one row for each, its `id` made unique. A row without `id` is named by its
        text.

    Raises:
        UsageError: an argument that can't be.
        DataError: a row can't be asked, or the system raised; the row is named. The exception of
            the system is the cause of the error.

    Examples:
        >>> rows = [{"id": "a", "text": "one two"}, {"id": "b", "text": "three"}]
        >>> for row in evaluate(lambda text: str(len(text.split())), rows):
        ...     print(row)
        {'id': 'a', 'text': 'one two', 'answer': '2', 'response': {'seed': None}}
        {'id': 'b', 'text': 'three', 'answer': '1', 'response': {'seed': None}}
    """
    for name, value, least in (("concurrency", concurrency, 1), ("retries", retries, 0)):
        if type(value) is not int or value < least:
            raise UsageError(f"{name} must be a whole number of at least {least}; got {value!r}")
    if on_error not in ("stop", "keep"):
        raise UsageError(f"on_error is stop or keep; got {on_error!r}")
    questions = list(_questions(rows, field, answer_field, checked_seeds(seeds)))
    answers = _Answers(keep=on_error == "keep")
    _run(_ask_all(system, (question for _, question in questions), concurrency, retries, answers))
    return [
        {**named(row, question.key), answer_field: reply.answer, "response": response}
        for row, question in questions
        for reply, response in [answers.of(question)]
    ]


def _questions(
    rows: Iterable[Row], field: str | None, answer_field: str, seeds: Sequence[int | None]
) -> Iterator[tuple[Row, Question]]:
    content = text_at(field) if field is not None else lambda row: row
    seen: set[str] = set()
    for place, row in enumerate(rows):
        try:
            refuse(row, answer_field)
            found = list(versions(row, content(row), seeds, seen))
        except DataError as error:
            raise DataError(f"row {place}: {error}") from None
        yield from ((row, question) for question in found)


class _Answers:
    """What became of the questions, by their keys."""

    def __init__(self, keep: bool) -> None:
        self._keep = keep
        self._replies: dict[str, Reply] = {}
        self._errors: dict[str, str] = {}

    def answered(self, question: Question, reply: Reply) -> None:
        self._replies[question.key] = reply

    def failed(self, question: Question, error: UnansweredError) -> None:
        if not self._keep:
            raise DataError(f"row {question.key!r}: {error}") from error.__cause__
        self._errors[question.key] = str(error)

    def of(self, question: Question) -> tuple[Reply, Row]:
        response: Row = {"seed": question.seed}
        if question.key in self._errors:
            return Reply(None), {**response, "error": self._errors[question.key]}
        return self._replies[question.key], response


async def _ask_all(
    system: System,
    questions: Iterator[Question],
    concurrency: int,
    retries: int,
    answers: _Answers,
) -> None:
    with ThreadPoolExecutor(concurrency) as threads:
        one = persistent(_asking(system, threads), retries)
        await ask_all(one, questions, concurrency, answers.answered, answers.failed)


def _asking(system: System, threads: ThreadPoolExecutor) -> Ask:
    loop = asyncio.get_running_loop()
    waits = inspect.iscoroutinefunction(system) or inspect.iscoroutinefunction(
        getattr(system, "__call__", None)  # noqa: B004 - an object whose call is async
    )

    async def ask(question: Question) -> Reply:
        seed = {} if question.seed is None else {"seed": question.seed}
        call = partial(_called, system, question.content, **seed)
        try:
            answer = await (call() if waits else loop.run_in_executor(threads, call))
        except Exception as error:
            raise TransientError(f"the system raised {error!r}") from error
        if not isinstance(answer, str | None):
            raise UnansweredError(
                f"the system must answer with a string or None; got {answer!r:.60}"
            )
        return Reply(answer)

    return ask


def _called(system: System, content: Any, **seed: int) -> Any:
    try:
        return system(content, **seed)
    except StopIteration as error:  # no future can hold one
        raise RuntimeError("the system has no more answers") from error


def _run(work: Any) -> None:
    """Run to the end, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        asyncio.run(work)
        return
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
