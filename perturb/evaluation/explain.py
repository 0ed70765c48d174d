"""Explain the flipped rows of a file: the fewest edits that turn the answer to each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perturb.errors import DataError
from perturb.evaluation.ask import System
from perturb.evaluation.ask_rows import AskCounts, AskPolicy, Progress
from perturb.evaluation.explain_cases import Case, explain_cases
from perturb.evaluation.journal import Journal
from perturb.evaluation.questions import Content, Row, without_records
from perturb.evaluation.search.minimal_edits import Explanation, minimal_edits
from perturb.io import json_path
from perturb.io.jsonl import dumps
from perturb.io.outputs import Writable
from perturb.records.record import Record
from perturb.robustness.grading.grade import Grade
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.join import join
from perturb.robustness.scoring.sources import RowSource
from perturb.rows.stored import record_of


@dataclass(frozen=True)
class ScoredRows:
    """Answered rows, and how they were asked and graded.

    Attributes:
        sources: the perturbed rows last, before them the originals where these stand elsewhere.
        grade: gives a row its score.
        content: what is asked of a row.
        prediction: the field of the answer.
    """

    sources: Sequence[RowSource]
    grade: Grade
    content: Content
    prediction: str

    def flipped(self) -> list[int]:
        """Return the lines that are right where their original is wrong, or the reverse."""
        columns = collect(self.sources, self.grade)
        pairs = join(columns, self.sources)
        places = pairs.place[pairs.clean[:, 0] != pairs.perturbed[:, 0]]
        last = columns.source[places] == len(self.sources) - 1
        lines: list[int] = columns.number[places[last]].tolist()
        return lines


def explain(
    rows: ScoredRows,
    lines: Sequence[int],
    journal: Journal,
    system: System,
    policy: AskPolicy,
    counts: AskCounts,
    progress: Progress,
    *,
    budget: int = 200,
) -> dict[int, Explanation]:
    """Find, for each row, a smallest set of its edits that turns the answer of the system.

    Args:
        rows: the answered rows.
        lines: those to explain, such as `rows.flipped()`.
        journal: keeps the answers; what stands there is not asked again.
        system: answers the questions, as it did before.
        policy: how to ask.
        counts: what happens is added, among it the rows that had no answer.
        progress: called on the way.
        budget: texts asked a row, at least 2.

    Returns:
        The explanations by line, without those of rows that had no answer.

    Raises:
        DataError: a row can't be asked (it is named), or nothing can be asked any more.
    """
    source, wanted = rows.sources[-1], set(lines)
    cases = (
        _case(rows, source.at(line), line, row, budget)
        for line, row in source.rows
        if line in wanted
    )
    found = explain_cases(cases, journal, system, policy, counts, progress)
    return {line: found[_key(line)] for line in lines if _key(line) in found}


def write_explained(source: RowSource, found: Mapping[int, Explanation], out: Writable) -> None:
    """Write all rows of a source, those that were explained with their `explanation`."""
    for line, row in source.rows:
        if line in found:
            edits = [edit._asdict() for edit in found[line].edits]
            row["explanation"] = {**found[line]._asdict(), "edits": edits}
        out.write(dumps(row))


def _key(line: int) -> str:
    return f"line {line}"


def _case(rows: ScoredRows, where: str, line: int, row: Row, budget: int) -> Case:
    def right(answer: Any) -> Any:
        (((score,), _),) = rows.grade([{**row, rows.prediction: answer}])
        return score

    try:
        record = record_of(row)
        return Case(
            _key(line),
            _with_text(row, record, rows),
            (row.get("response") or {}).get("seed"),
            lambda system: minimal_edits(
                system,
                record,
                flips=lambda before, after: right(before) != right(after),
                budget=budget,
            ),
        )
    except DataError as error:
        raise DataError(f"{where}: {error}") from None


def _with_text(row: Row, record: Record, rows: ScoredRows) -> Callable[[str], Any]:
    """Return a function from a text to what is asked of the row with that text."""
    asked = {name: value for name, value in without_records(row).items() if name != rows.prediction}
    ((location, _),) = json_path.locate(asked, record.field or "")
    rows.content(asked)  # a row that can't be asked is found here, where it has a name
    return lambda text: rows.content(json_path.put(asked, location, text))
