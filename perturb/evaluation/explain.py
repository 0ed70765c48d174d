"""Explain the flipped rows of a file: the fewest edits that flip each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from perturb.errors import shown
from perturb.evaluation.ask import Ask, Reply, ask_all, run_to_end, with_retries
from perturb.evaluation.ask_rows import Run
from perturb.evaluation.journal import ReplyTo
from perturb.evaluation.questions import Content, Question, Row, without_records
from perturb.evaluation.search.minimal_edits import Explanation, smallest_flip
from perturb.io import json_path
from perturb.io.jsonl import dumps
from perturb.io.outputs import Writable
from perturb.records.ids import given_id
from perturb.robustness.grading.grade import Grade
from perturb.robustness.linking.record_text import id_field_of
from perturb.robustness.linking.sources import RowSource, rows_at
from perturb.robustness.measures.metric import Metric, metric_flip
from perturb.robustness.pairs.columns import collect
from perturb.robustness.pairs.join import join
from perturb.robustness.scoring.flips import crossed
from perturb.rows.stored import record_of

# Right answers score more and wrong ones less, as in `perturb flips`.
_RIGHT = 0.5
# The edits of an explanation that are shown. Chosen by hand: most explanations have fewer, and more
# don't fit on a line; the output file has all of them.
_EDITS = 4


@dataclass(frozen=True)
class ScoredRows:
    """Answered rows, and how they were asked and graded.

    Attributes:
        sources: the originals, if in another file, then the perturbed rows.
        grade: gives a row its score.
        content: from a row to its question.
        prediction: the field of the answer.
    """

    sources: Sequence[RowSource]
    grade: Grade
    content: Content
    prediction: str

    def flipped(self) -> list[int]:
        """Return the lines of the flips that `perturb flips` lists."""
        pairs = join(collect(self.sources, self.grade, self.prediction), self.sources)
        flips = crossed(pairs, {"score": Metric(_RIGHT)})
        found = rows_at(self.sources, [int(pairs.place[at]) for at, *_ in flips])
        return [line for source, line, _ in found if source is self.sources[-1]]


class _Case(NamedTuple):
    """A row to explain, and its line."""

    line: int
    row: Row

    @property
    def key(self) -> str:
        """The name of the case."""
        return f"line {self.line}"


def explain(
    run: Run, rows: ScoredRows, lines: Sequence[int], *, budget: int = 200, repeats: int = 3
) -> dict[int, Explanation]:
    """Find, for each row, a smallest set of its edits that flips the answer of the system.

    Args:
        run: the system, which must answer as before; its concurrency is also the number of rows
            explained at a time. Its counts include rows without an answer.
        rows: the answered rows.
        lines: the lines to explain, such as `rows.flipped()`.
        budget: the most different texts asked per row, at least 2.
        repeats: as for `minimal_edits`; if a row was asked with a seed, each repeat uses the next.

    Returns:
        The explanations by line, except for rows without an answer.

    Raises:
        DataError: a row can't be asked (the message names it), or no more questions can be asked.
    """
    places = set(lines)
    cases = (_Case(line, row) for line, row in rows.sources[-1].rows if line in places)
    explanations: dict[int, Explanation] = {}

    def explained(case: _Case, explanation: Explanation) -> None:
        explanations[case.line] = explanation
        run.progress.done()

    async def all_of_them(reply_to: ReplyTo) -> None:
        async with run.system as system:
            ask = _remembering(with_retries(system, run.retries, run.progress.again), run, reply_to)
            explanation = partial(_explanation, rows, ask, budget, repeats)
            await ask_all(explanation, cases, run.concurrency, explained, run.failed)

    with run.journal.writing(), run.journal.reading() as reply_to:
        run_to_end(all_of_them(reply_to))
    return explanations


def write_explained(
    source: RowSource, explanations: Mapping[int, Explanation], out: Writable
) -> list[tuple[str, ...]]:
    """Write all rows of a source, with an `explanation` if they have one.

    Returns:
        For each explanation its row, status, first edits and answers, as text.
    """
    told: list[tuple[str, ...]] = []
    for line, row in source.rows:
        if one := explanations.get(line):
            row["explanation"] = {**one._asdict(), "edits": [edit._asdict() for edit in one.edits]}
            edits = [f"{edit.removed!r} > {edit.text!r}" for edit in one.edits[:_EDITS]]
            more = ["..."] if len(one.edits) > _EDITS else []
            answers = f"{shown(one.original_answer)} > {shown(one.answer)}"
            name = str(given_id(row, id_field_of(row)))
            told.append((name, one.status, ", ".join([*edits, *more]), answers))
        out.write(dumps(row))
    return told


async def _explanation(
    rows: ScoredRows, ask: Ask, budget: int, repeats: int, case: _Case
) -> Explanation:
    row, kept = case.row, without_records(case.row)
    kept.pop(rows.prediction, None)
    first_seed = (row.get("response") or {}).get("seed")
    times = Counter[str]()
    with rows.sources[-1].naming(case.line):
        record = record_of(row)
        ((location, _),) = json_path.locate(kept, record.field or "")
        rows.content(kept)  # raises for a row that can't be asked, while its name is known

    async def answer(text: str) -> Any:
        key, repeat = f"{case.key}/{times.total()}", times[text]
        times[text] += 1
        changed = {**kept}
        json_path.put_into(changed, [(location, text)])
        content = rows.content(changed)
        seed = None if first_seed is None else first_seed + repeat
        return (await ask(Question(key, content, seed, repeat))).answer

    def score(answer: Any) -> float:
        (((one,), _),) = rows.grade([{**row, rows.prediction: answer}])
        return one

    def flips(before: Any, after: Any) -> bool:
        return metric_flip(score(before), score(after), _RIGHT) is not None

    return await smallest_flip(answer, record, flips, budget, repeats)


def _remembering(ask: Ask, run: Run, reply_to: ReplyTo) -> Ask:
    """Ask only the questions that the journal doesn't answer.

    The order of the questions of a case depends only on the answers, so a question's key can be its
    number within its case.
    """

    async def recall(question: Question) -> Reply:
        reply = reply_to(question.key) if question in run.journal else None
        if reply is None:
            reply = await ask(question)
            run.journal.add(question, reply)
            run.counts.add_new(reply)
        else:
            run.counts.before += 1
        run.counts.add(reply)
        return reply

    return recall
