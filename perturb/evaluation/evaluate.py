"""Ask a Python function the questions of many rows."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from perturb.errors import DataError, UsageError, shown
from perturb.evaluation.ask import Reply, UnansweredError, ask_all, run_to_end, with_retries
from perturb.evaluation.questions import Question, Row, checked_seeds, named, text_at, versions
from perturb.evaluation.stopping import rounds
from perturb.evaluation.systems.function import Function, function
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import NO_ROW

_RowQuestion = tuple[Row, Question]


class IncompleteError(DataError):
    """Not all rows could be answered.

    Attributes:
        rows: the answered rows, in order, as `evaluate` returns them.
    """

    def __init__(self, message: str, rows: list[Row]) -> None:
        super().__init__(message)
        self.rows = rows


class InterruptedEvaluation(KeyboardInterrupt):
    """The user stopped an evaluation.

    Attributes:
        rows: the answered rows, in order, as `evaluate` returns them.
    """

    def __init__(self, rows: list[Row]) -> None:
        super().__init__(f"interrupted; the {len(rows)} answers so far are in the error's rows")
        self.rows = rows


def evaluate(
    system: Function,
    rows: Iterable[Row],
    *,
    field: str | None = "text",
    prediction: str = "prediction",
    seeds: Sequence[int] | None = None,
    concurrency: int = 16,
    batched: int | None = None,
    retries: int = 0,
    on_error: str = "stop",
    until: Callable[[list[Row]], bool] | None = None,
) -> list[Row]:
    """Ask a system about all rows, many at a time.

    Args:
        system: a function from a text to its answer, a string, a number or None, or a list or dict
            of these, such as `{"label": "pos", "score": 0.9}`; with `field=None` from a whole row.
            A plain function runs in threads; one that is `async` in an event loop.
        rows: rows, such as those of `perturb.augment`.
        field: the path to the text, such as `question`; None to pass the row.
        prediction: the field for the answer; no row may have it already.
        seeds: ask each row once with each, as `system(text, seed=...)`.
        concurrency: the number of calls under way at a time, at least 1.
        batched: how many texts a call has at most: the system gets a list of them, one call after
            the other, and returns a list of as many answers, as models and pipelines do.
        retries: how often a call is tried again, with backoff, after errors that may pass: a failed
            connection, a time-out, too many requests.
        on_error: "stop" to raise when a call has failed for good, "keep" to go on; then the answer
            is None and `response` has the error.
        until: asks about whole originals in up to five rounds, until this function finds the
            answers so far enough; `decided` makes one. `response` has the look, for `score`.

    Returns:
        The rows in order, each with its answer and with `response`, which has the seed; with
        several seeds one row for each, with a unique `id`. The text of a row without `id` names it.

    Raises:
        UsageError: an invalid argument.
        IncompleteError: the system raised, with "stop", or 32 times in succession; the message
            names the row. The error has the answers so far in `rows`, and the system's exception
            as its cause.
        DataError: a row can't be asked; the message names it.
        InterruptedEvaluation: Ctrl-C; a `KeyboardInterrupt` with the answers so far in its `rows`.

    Examples:
        >>> rows = [{"id": "a", "text": "one two"}, {"id": "b", "text": "three"}]
        >>> for row in evaluate(lambda text: str(len(text.split())), rows):
        ...     print(row)
        {'id': 'a', 'text': 'one two', 'prediction': '2', 'response': {'seed': None}}
        {'id': 'b', 'text': 'three', 'prediction': '1', 'response': {'seed': None}}
    """
    if not callable(system):
        raise TypeError(f"the system must be a function, before the rows; got {shown(system)}")
    size = concurrency if batched is None else batched
    for name, value, least in (
        ("concurrency", concurrency, 1),
        ("batched", size, 1),
        ("retries", retries, 0),
    ):
        if type(value) is not int or value < least:
            raise UsageError(f"{name} must be a whole number of at least {least}; got {value!r}")
    if on_error not in ("stop", "keep"):
        raise UsageError(f"on_error must be stop or keep; got {on_error!r}")
    questions = list(_questions(rows, field, prediction, checked_seeds(seeds)))
    answers = _Answers(questions, prediction, on_error == "stop")

    async def ask_rows(wave: Sequence[Question]) -> None:
        is_batched = batched is not None
        async with function(system, concurrency=concurrency, batched=is_batched) as ask:
            await ask_all(with_retries(ask, retries), iter(wave), size, answers.add, answers.fail)

    try:
        for look, wave in [(None, questions)] if until is None else _waves(questions):
            answers.look = look
            pending = {each.key: each for _, each in wave if each.key not in answers.by_key}
            _run(ask_rows([*pending.values()]))
            if until is not None and until(answers.rows()):
                break
    except DataError as error:
        raise IncompleteError(str(error), answers.rows()) from error.__cause__
    except KeyboardInterrupt:
        raise InterruptedEvaluation(answers.rows()) from None
    return answers.rows()


@dataclass
class _Answers:
    """The answers to the questions of rows, as they come.

    Attributes:
        questions: the rows with their questions, in order.
        prediction: the field for the answer.
        stops: whether a question that fails for good ends the asking.
        by_key: the fields of an answered row, by the key of its question.
        look: the look that the answers are asked for; None if all are asked at once.
    """

    questions: Sequence[_RowQuestion]
    prediction: str
    stops: bool
    by_key: dict[str, Row] = dataclasses.field(default_factory=dict)
    look: str | None = None

    def add(self, question: Question, reply: Reply) -> None:
        """Keep an answer."""
        response = {"seed": question.seed}
        self.by_key[question.key] = {self.prediction: reply.answer, "response": response}

    def fail(self, question: Question, error: UnansweredError) -> None:
        """Keep an error in place of an answer, or end the asking with it."""
        if self.stops:
            raise DataError(f"row {question.key!r}: {error}") from error.__cause__
        response = {"seed": question.seed, "error": str(error)}
        self.by_key[question.key] = {self.prediction: None, "response": response}

    def rows(self) -> list[Row]:
        """Return the answered rows, in order."""
        look = {} if self.look is None else {"look": self.look}
        return [
            {**named(row, question.key), **answer, "response": {**answer["response"], **look}}
            for row, question in self.questions
            if (answer := self.by_key.get(question.key)) is not None
        ]


def _waves(questions: Sequence[_RowQuestion]) -> Iterator[tuple[str, list[_RowQuestion]]]:
    """Yield each look with the questions to ask up to it."""
    for number, originals in rounds(row for row, _ in questions):
        yield str(number), [each for each in questions if link(each[0]).original_id in originals]


def _questions(
    rows: Iterable[Row], field: str | None, prediction: str, seeds: Sequence[int | None]
) -> Iterator[_RowQuestion]:
    content = text_at(field) if field is not None else lambda row: row
    seen: dict[str, str | None] = {}
    for place, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise DataError(f"row {place}: {NO_ROW.format(row)}")
        try:
            questions = list(versions(row, content, prediction, seeds, seen))
        except DataError as error:
            raise DataError(f"row {place}: {error}") from None
        yield from ((row, question) for question in questions)


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end, even within a running event loop, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        run_to_end(work)
        return
    with ThreadPoolExecutor(1) as thread, contextlib.closing(asyncio.new_event_loop()) as loop:
        task = loop.create_task(work)
        done = thread.submit(loop.run_until_complete, task)
        try:
            done.result()
        except KeyboardInterrupt:
            loop.call_soon_threadsafe(task.cancel)
            wait([done])
            raise
