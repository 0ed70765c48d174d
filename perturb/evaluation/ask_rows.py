"""From files of rows to files of answers, through a journal."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from perturb.errors import DataError
from perturb.evaluation.ask import Again, Reply, System, UnansweredError, ask_all, with_retries
from perturb.evaluation.event_loop import run_to_end
from perturb.evaluation.journal import Journal, Replies
from perturb.evaluation.questions import Content, Question, Row, check_row, named, versions
from perturb.io.formats import open_input
from perturb.io.jsonl import at_line, dumps, lines_of, loads
from perturb.io.outputs import Writable, replaceable, writing_together
from perturb.stream.manifest import asked_manifest, path_of


@dataclass(frozen=True)
class Output:
    """One file of answers to make.

    Attributes:
        path: of the file.
        source: the file of the rows to ask.
        content: from a row to what is asked of it.
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
    """The number of questions, and of what became of them.

    Attributes:
        questions: all of them.
        before: those that the journal answered.
        answered: those that were answered now.
        failed: what was wrong with those that were not, by their keys.
        tokens: the tokens of all answers that have them, by their kind.
        finish: how many answers ended in which way, where it is known.
        refused: answers that are refusals.
        recalled: those of `answered` that came from a cache.
    """

    questions: int = 0
    before: int = 0
    answered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    finish: dict[str, int] = field(default_factory=dict)
    refused: int = 0
    recalled: int = 0

    def add_new(self, reply: Reply) -> None:
        """Count a reply that came now."""
        self.answered += 1
        self.recalled += reply.attempts == 0

    def add(self, reply: Reply) -> None:
        """Count a reply among all."""
        self.refused += reply.refusal is not None
        if reply.finish is not None:
            self.finish[reply.finish] = self.finish.get(reply.finish, 0) + 1
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
    """Return the first question, as an example."""
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
    """The number of questions that are asked at a time, and of tries for each.

    Attributes:
        concurrency: questions under way at a time.
        retries: tries after the first, where another may help.
    """

    concurrency: int
    retries: int


class Progress(NamedTuple):
    """Functions to call on the way: `done` after each question, `again` before each new try."""

    done: Callable[[], None]
    again: Again


def unanswered(outputs: Sequence[Output], journal: Journal) -> Iterator[Question]:
    """Yield the questions that the journal doesn't answer."""
    asked = (found.question for output in outputs for found in _questions(output, set()))
    return (question for question in asked if question not in journal)


def ask_outputs(
    outputs: Sequence[Output],
    journal: Journal,
    system: System,
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
    ask_questions(unanswered(outputs, journal), journal, system, policy, counts, progress)


def ask_questions(
    questions: Iterator[Question],
    journal: Journal,
    system: System,
    policy: AskPolicy,
    counts: AskCounts,
    progress: Progress,
) -> None:
    """Ask questions that the journal does not answer; see `ask_outputs`."""

    def answered(question: Question, reply: Reply) -> None:
        journal.add(question, reply)
        counts.add_new(reply)
        progress.done()

    def failed(question: Question, error: UnansweredError) -> None:
        counts.failed[question.key] = str(error)
        progress.done()

    async def all_of_them() -> None:
        async with system as one:
            again = with_retries(one, policy.retries, progress.again)
            await ask_all(again, questions, policy.concurrency, answered, failed)

    if counts.before < counts.questions:
        with journal.writing():
            run_to_end(all_of_them())


def write_outputs(
    outputs: Sequence[Output], journal: Journal, counts: AskCounts, asked: Mapping[str, Any]
) -> None:
    """Write the outputs, their rows in the order of the input; those that failed without answer.

    Args:
        outputs: the files to write, each with its manifest.
        journal: has the answers.
        counts: to which those of each output are added.
        asked: what made them, without keys.
    """
    with journal.reading() as replies:
        for output in outputs:
            _write_output(output, replies, counts, asked)


def _write_output(
    output: Output, replies: Replies, counts: AskCounts, made: Mapping[str, Any]
) -> None:
    own = AskCounts()
    with writing_answers(output.path, output.source, made, own) as file:
        for asked in _questions(output, set()):
            key, own.questions = asked.question.key, own.questions + 1
            reply = replies.get(key)
            if reply is None:
                own.failed[key] = counts.failed[key]
            else:
                own.answered += 1
                own.add(reply)
                counts.add(reply)
            file.write(_line(output, asked, reply, own))


@contextlib.contextmanager
def writing_answers(
    path: str, source: str, asked: Mapping[str, Any], counts: AskCounts
) -> Iterator[Writable]:
    """Write rows with answers; their manifest appears together with them, a device has none.

    Args:
        path: of the rows with answers.
        source: the file of the rows that were asked.
        asked: what made them, without keys.
        counts: what came of the questions, once the rows are written.
    """
    with writing_together() as opened:
        file = opened(path)
        yield file
        if replaceable(path):
            file.finish()
            made = asked_manifest(
                asked=asked,
                source=source,
                written=file.digest,
                counts={
                    "answers": counts.before + counts.answered,
                    "without_answer": len(counts.failed),
                    "refused": counts.refused,
                    "finish": dict(sorted(counts.finish.items())),
                    "tokens": dict(sorted(counts.tokens.items())),
                },
            )
            opened(str(path_of(path))).write(made)


def _line(output: Output, asked: _RowQuestion, reply: Reply | None, counts: AskCounts) -> bytes:
    said: Row = {"seed": asked.question.seed}
    if reply is None:
        said["error"] = counts.failed[asked.question.key]
    else:
        said |= {"finish": reply.finish, "refusal": reply.refusal, "tokens": reply.tokens}
    answer = None if reply is None else reply.answer
    row = {**named(asked.row, asked.id), output.prediction: answer, "response": said}
    return dumps(output.complete(row), asked.odd)


def _questions(output: Output, seen: set[str]) -> Iterator[_RowQuestion]:
    """Yield the questions of an output in order; their ids are added to `seen`."""
    with contextlib.closing(open_input(output.source)) as source:
        for first, lines in source.blocks():
            for number, line in lines_of(first, lines):
                with at_line(source.name, number):
                    row, odd = loads(line)
                    check_row(row, output.prediction)
                    found = list(versions(row, output.content(row), output.seeds, seen))
                for question in found:
                    keyed = question._replace(key=output.prefix + question.key)
                    yield _RowQuestion(keyed, question.key, row, odd)
