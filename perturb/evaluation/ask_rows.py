"""From files of rows to files of answers, through a journal."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from perturb.errors import DataError
from perturb.evaluation.ask import (
    Again,
    Keyed,
    Reply,
    System,
    UnansweredError,
    ask_all,
    run_to_end,
    with_retries,
)
from perturb.evaluation.journal import Journal, ReplyTo, file_errors
from perturb.evaluation.questions import Content, Question, Row, named, versions
from perturb.io.inner_rows import InnerRows
from perturb.io.inputs import Inputs, expanded
from perturb.io.jsonl import at_line, dumps, lines_of, loads
from perturb.io.outputs import Writable, replaceable, writing_together
from perturb.records.ids import row_in
from perturb.robustness.grading.reply_state import BLOCKED
from perturb.robustness.linking.conditions import Condition, link
from perturb.stream.manifest import asked_manifest, path_of

# The keys of questions without an answer that are named: enough to find a pattern in one line.
_NAMED = 5


@dataclass(frozen=True)
class Output:
    """One file of answers to make.

    Attributes:
        path: the path of the file.
        source: the file of the rows to ask.
        content: from a row to its question.
        seeds: each row is asked once with each seed.
        prefix: distinguishes its questions from those of other outputs.
        prediction: the field for the answer.
        complete: adds further fields to a row with its answer.
        originals: the originals whose rows are asked and written; None for all.
        without: conditions whose rows are neither asked nor written.
        response: further entries of the field `response` of each row.
        inner: the path to the rows in the values of the source, if these hold several.
    """

    path: str
    source: str
    content: Content
    seeds: Sequence[int | None] = (None,)
    prefix: str = ""
    prediction: str = "prediction"
    complete: Callable[[Row], Row] = field(default=lambda row: row)
    originals: Collection[str] | None = None
    without: Collection[Condition] = ()
    response: Mapping[str, Any] = field(default_factory=dict)
    inner: str | None = None


@dataclass
class AskCounts:
    """The numbers of questions and of their outcomes.

    Attributes:
        questions: all questions.
        before: questions that the journal had answered before.
        answered: questions answered in this run.
        failed: the errors of the other questions, by key.
        tokens: the tokens of all answers, as far as known, by kind.
        finish: the number of answers that ended in each way, as far as known.
        refused: answers that are refusals.
        recalled: answers among `answered` that came from a cache.
    """

    questions: int = 0
    before: int = 0
    answered: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    tokens: Counter[str] = field(default_factory=Counter)
    finish: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    recalled: int = 0

    def add_new(self, reply: Reply) -> None:
        """Count a new reply."""
        self.answered += 1
        self.recalled += reply.attempts == 0

    def add(self, reply: Reply) -> None:
        """Count a reply, new or from the journal."""
        self.refused += reply.refusal is not None or reply.finish in BLOCKED
        self.tokens.update(reply.tokens or {})
        if reply.finish is not None:
            self.finish[reply.finish] += 1

    def failure(
        self,
        journal: Journal,
        noun: str = "question",
        nouns: str | None = None,
        on_error: str = "",
        remedy: str = "the same call asks only these",
    ) -> str:
        """Return a sentence about questions without an answer; "" if all have one.

        Raises:
            DataError: some have none, and `on_error` isn't "keep"; with "stop" it tells of that.
        """
        if not self.failed:
            return ""
        number, keys = len(self.failed), ", ".join(map(repr, [*self.failed][:_NAMED]))
        keys += f" and {number - _NAMED} more" if number > _NAMED else ""
        noun = noun if number == 1 else nouns or f"{noun}s"
        first = next(iter(self.failed.values()))
        told = f"{number:,} {noun} of {self.questions} had no answer: {keys}; the first: {first}"
        kinds = Counter(error.partition(":")[0] for error in self.failed.values()).most_common(4)
        listed = ", ".join(f"{count:,}: {kind}" for kind, count in kinds)
        told = f"{told}; in all {listed}; {remedy}" if len(kinds) > 1 else f"{told}; {remedy}"
        if on_error == "keep":
            return told
        keep = ", and with --on-error keep it writes the rows without an answer" * bool(on_error)
        raise DataError(f"{told}, since {journal.path} keeps all other answers{keep}")


class Progress(NamedTuple):
    """Callbacks: `done` after each question, `again` before each new try."""

    done: Callable[[], None] = lambda: None
    again: Again = lambda *_: None


class Run(NamedTuple):
    """A system, how it is asked, and where its answers go.

    Attributes:
        system: the system, not yet opened.
        journal: keeps the answers; answered questions aren't asked again.
        counts: updated during the run.
        concurrency: questions under way at a time.
        retries: tries after the first, if another may help.
        progress: called during the run.
    """

    system: System
    journal: Journal
    counts: AskCounts
    concurrency: int
    retries: int
    progress: Progress = Progress()

    def failed(self, asked: Keyed, error: UnansweredError) -> None:
        """Count a question, or a case of several, without an answer."""
        self.counts.failed[asked.key] = str(error)
        self.progress.done()


def count_questions(outputs: Sequence[Output], journal: Journal) -> AskCounts:
    """Check all rows before the first is asked.

    Returns:
        The number of questions, and of those that are answered already.

    Raises:
        DataError: a row can't be asked, or two have one id.
        UsageError: the journal answers other questions.
    """
    counts = AskCounts()
    for output in outputs:
        before = counts.questions
        for question in questions_of([output]):
            counts.questions += 1
            counts.before += question in journal
        if counts.questions == before:
            raise DataError(f"{output.source} has no rows")
    return counts


def questions_of(outputs: Iterable[Output]) -> Iterator[Question]:
    """Yield the questions of outputs in order, each once; rows that repeat others share theirs."""
    repeatable: set[str] = set()
    for output in outputs:
        for question, _ in rows_of(output):
            if question.key in repeatable:
                continue
            if row_in(question.key.removeprefix(output.prefix)):
                repeatable.add(question.key)
            yield question


def unanswered(outputs: Iterable[Output], journal: Journal) -> Iterator[Question]:
    """Yield the questions that the journal doesn't answer."""
    return (question for question in questions_of(outputs) if question not in journal)


def make_folders(outputs: Sequence[Output]) -> None:
    """Make missing folders of the outputs.

    Raises:
        DataError: a folder can't be made.
    """
    for output in outputs:
        folder = Path(output.path).parent
        with file_errors("make", folder):
            folder.mkdir(parents=True, exist_ok=True)


def ask_questions(run: Run, questions: Iterator[Question]) -> None:
    """Ask the questions that the journal doesn't answer.

    Raises:
        DataError: no more questions can be asked.
    """

    def answered(question: Question, reply: Reply) -> None:
        run.journal.add(question, reply)
        run.counts.add_new(reply)
        run.progress.done()

    async def all_of_them() -> None:
        async with run.system as ask:
            retrying = with_retries(ask, run.retries, run.progress.again)
            await ask_all(retrying, questions, run.concurrency, answered, run.failed)

    if run.counts.before < run.counts.questions:
        with run.journal.writing():
            run_to_end(all_of_them())


def answer(
    run: Run,
    outputs: Sequence[Output],
    call: Mapping[str, Any],
    ask: Callable[[Run, Iterator[Question]], None] = ask_questions,
    check: Callable[[Run], Any] = lambda run: run.counts.failure(run.journal),
) -> None:
    """Get the answers that the journal lacks, and write the outputs.

    Args:
        run: the system, and the journal of its answers.
        outputs: the files to write.
        call: the settings of the call, without keys.
        ask: gets the answers.
        check: decides what becomes of questions without an answer.
    """
    ask(run, unanswered(outputs, run.journal))
    check(run)
    write_outputs(outputs, run.journal, run.counts, call)


def write_outputs(
    outputs: Sequence[Output], journal: Journal, counts: AskCounts, call: Mapping[str, Any]
) -> None:
    """Write the outputs with rows in the order of the input; failed ones have no answer.

    Args:
        outputs: the files to write, each with its manifest.
        journal: has the answers.
        counts: updated with the counts of each output.
        call: the settings of the call, without keys.
    """
    with journal.reading() as reply_to:
        for output in outputs:
            part = AskCounts()
            with writing_answers(output.path, output.source, call, part) as file:
                for row in _answered(output, reply_to, part, counts):
                    file.write(dumps(output.complete(row)))


def _answered(
    output: Output, reply_to: ReplyTo, part: AskCounts, counts: AskCounts
) -> Iterator[Row]:
    """Yield the rows of an output with their answers or errors; count them."""
    for question, row in rows_of(output):
        reply, answer = reply_to(question.key), None
        response: Row = {"seed": question.seed, **output.response}
        if reply is None:
            response["error"] = part.failed[question.key] = counts.failed[question.key]
        else:
            part.answered += 1
            part.add(reply)
            counts.add(reply)
            answer = reply.answer
            response |= {"finish": reply.finish, "refusal": reply.refusal, "tokens": reply.tokens}
        row = named(row, question.key.removeprefix(output.prefix))
        yield {**row, output.prediction: answer, "response": response}


@contextlib.contextmanager
def writing_answers(
    path: str, source: str, call: Mapping[str, Any], counts: AskCounts
) -> Iterator[Writable]:
    """Write rows with answers together with their manifest; a device has none.

    Args:
        path: the path of the rows with answers.
        source: the file of the rows that were asked.
        call: the settings of the call, without keys.
        counts: the outcomes of the questions, complete once the rows are written.
    """
    with writing_together() as opened:
        file = opened(path)
        yield file
        if replaceable(path):
            file.finish()
            manifest = asked_manifest(
                asked=call,
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
            opened(path_of(path)).write(manifest)


def rows_of(output: Output) -> Iterator[tuple[Question, Row]]:
    """Yield the questions of an output in order, each with its row."""
    seen: dict[str, str | None] = {}
    inner = None if output.inner is None else InnerRows(output.inner)
    with contextlib.closing(Inputs(expanded([output.source]), inner=inner)) as source:
        for first, lines in source.blocks():
            for number, line in lines_of(first, lines):
                with at_line(source.at(number)):
                    row = loads(line)
                    some = output.originals
                    if some is not None and link(row).original_id not in some:
                        continue
                    if output.without and link(row).condition in output.without:
                        continue
                    asked = output.content, output.prediction, output.seeds
                    questions = list(versions(row, *asked, seen))
                    as_written = loads(line, as_written=True)
                for question in questions:
                    yield question._replace(key=output.prefix + question.key), as_written
