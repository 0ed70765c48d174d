"""From files of rows to files of answers, through a journal."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from perturb.errors import DataError
from perturb.evaluation.ask import Ask, Reply, UnansweredError, ask_all, with_retries
from perturb.evaluation.journal import Journal, Replies
from perturb.evaluation.questions import Content, Question, Row, check_row, named, versions
from perturb.io.files import Source, writing
from perturb.io.jsonl import at_line, dumps, lines_of, loads


@dataclass(frozen=True)
class Output:
    """One file of answers to make.

    Attributes:
        path: of the file.
        source: the file of the rows to ask.
        content: what is asked of a row.
        seeds: each row is asked once with each.
        prefix: keeps its questions apart from those of other outputs.
        prediction: the field for the answer.
        complete: adds to a row with its answer what follows from both.
    """

    path: str
    source: str
    content: Content
    seeds: Sequence[int | None] = (None,)
    prefix: str = ""
    prediction: str = "prediction"
    complete: Callable[[Row], Row] = field(default=lambda row: row)


class _RowQuestion(NamedTuple):
    """A question, and the row that it comes from."""

    question: Question
    id: str
    row: Row
    odd: bool


@dataclass
class AskCounts:
    """How many questions there are, and what became of them.

    Attributes:
        questions: all of them.
        before: those that the journal answered.
        answered: those that were answered now.
        failed: what was wrong with those that were not, by their keys.
        tokens: the tokens of all answers, by their kind; of those that said.
    """

    questions: int = 0
    before: int = 0
    answered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)

    def add_tokens(self, reply: Reply) -> None:
        """Add the tokens of a reply."""
        for kind, count in (reply.tokens or {}).items():
            self.tokens[kind] = self.tokens.get(kind, 0) + count


def count_questions(outputs: Sequence[Output], journal: Journal) -> AskCounts:
    """Look at all rows before the first is asked.

    Returns:
        How many questions there are, and how many are answered already.

    Raises:
        DataError: a row can't be asked, or two have one id.
        UsageError: the journal answers other questions.
    """
    counts = AskCounts()
    for output in outputs:
        seen: set[str] = set()
        for asked in _questions(output, seen):
            counts.questions += 1
            counts.before += asked.question in journal
        if not seen:
            raise DataError(f"{output.source} holds no row")
    return counts


def first_question(outputs: Sequence[Output]) -> Question:
    """The first question, as an example."""
    return next(_questions(outputs[0], set())).question


def make_folders(outputs: Sequence[Output]) -> None:
    """Make the folders of the outputs where they are not there.

    Raises:
        DataError: one can't be made.
    """
    for output in outputs:
        folder = Path(output.path).parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"can't make {folder}: {error.strerror}") from None


class AskPolicy(NamedTuple):
    """How to ask.

    Attributes:
        concurrency: how many questions are under way at a time.
        retries: how often one is asked again where an answer may still be had.
    """

    concurrency: int
    retries: int


class Progress(NamedTuple):
    """What to call on the way: `done` with each question done with, `again` with each new try."""

    done: Callable[[], None]
    again: Callable[[str], None]


def ask_outputs(
    outputs: Sequence[Output],
    journal: Journal,
    system: contextlib.AbstractAsyncContextManager[Ask],
    policy: AskPolicy,
    counts: AskCounts,
    progress: Progress,
) -> None:
    """Ask what is not answered yet.

    Args:
        outputs: as they were checked.
        journal: where the answers go.
        system: what to ask.
        policy: how to ask.
        counts: as `check` made them; what happens is added.
        progress: called on the way.

    Raises:
        DataError: nothing can be asked any more.
    """

    def answered(question: Question, reply: Reply) -> None:
        journal.add(question, reply)
        counts.answered += 1
        progress.done()

    def failed(question: Question, error: UnansweredError) -> None:
        counts.failed[question.key] = str(error)
        progress.done()

    async def all_of_them() -> None:
        questions = (asked.question for output in outputs for asked in _questions(output, set()))
        unanswered = (question for question in questions if question not in journal)
        async with system as one:
            again = with_retries(one, policy.retries, progress.again)
            await ask_all(again, unanswered, policy.concurrency, answered, failed)

    if counts.before < counts.questions:
        with journal.writing():
            asyncio.run(all_of_them())


def write_outputs(outputs: Sequence[Output], journal: Journal, counts: AskCounts) -> None:
    """Write the outputs, their rows in the order of the input; those that failed without answer."""
    with journal.reading() as replies:
        for output in outputs:
            with writing(output.path) as (file, _):
                for asked in _questions(output, set()):
                    file.write(_line(output, asked, replies, counts))


def _line(output: Output, asked: _RowQuestion, replies: Replies, counts: AskCounts) -> bytes:
    key, seed = asked.question.key, asked.question.seed
    reply = replies.get(key)
    said: Row
    if reply is None:
        reply, said = Reply(None), {"error": counts.failed[key]}
    else:
        counts.add_tokens(reply)
        said = {"finish": reply.finish, "tokens": reply.tokens}
    row = {
        **named(asked.row, asked.id),
        output.prediction: reply.answer,
        "response": {"seed": seed, **said},
    }
    return dumps(output.complete(row), asked.odd)


def _questions(output: Output, seen: set[str]) -> Iterator[_RowQuestion]:
    """The questions of an output in order; their ids are added to `seen`."""
    with contextlib.closing(Source(output.source)) as source:
        for first, lines in source.blocks():
            for number, line in lines_of(first, lines):
                with at_line(source.name, number):
                    row, odd = loads(line)
                    check_row(row, output.prediction)
                    found = list(versions(row, output.content(row), output.seeds, seen))
                for question in found:
                    keyed = question._replace(key=output.prefix + question.key)
                    yield _RowQuestion(keyed, question.key, row, odd)
