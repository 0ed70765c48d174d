"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import progress, scoring_options, system_options
from perturb.errors import DataError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from perturb.evaluation.explain import Case
    from perturb.evaluation.questions import Content
    from perturb.evaluation.search.minimal_edits import Explanation
    from perturb.records.record import Record
    from perturb.robustness.scoring.grade import Grade
    from perturb.robustness.scoring.sources import Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb explain`."""
    parser.description = (
        "For each row whose answer turned from right to wrong, or from wrong to right, find a "
        "smallest set of its edits that turns the answer of the system, by asking the system "
        "again as perturb run did. All rows are written; those rows with an explanation. Every "
        "answer is kept in OUTPUT.journal: what was stopped goes on where it was."
    )
    system_options.add_system(parser)
    rows = parser.add_argument_group("rows")
    scoring_options.add_files(rows)
    rows.add_argument("-o", "--output", metavar="FILE", help="the rows with their explanations")
    system_options.add_question(rows.add_argument)
    scoring_options.add_answers(rows)
    add = parser.add_argument_group("how to ask").add_argument
    system_options.add_way(add)
    add("--budget", type=int, default=200, metavar="N", help="texts asked a row (default: 200)")
    add("-n", type=system_options.at_least(0), metavar="N", help="explain only the first N rows")


def run(args: argparse.Namespace) -> int:
    """Write the rows with their explanations."""
    from perturb.evaluation.explain import explain
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.run import Counts, Way

    system_options.check_files(str(args.scored), args.output)
    grade = scoring_options.by_answers(args)
    system, settings = system_options.system(args)
    case = partial(_case, args, system_options.content(args), grade)
    journal = Journal(Path(f"{args.output}.journal"), settings)
    flipped = set(_flipped(args, grade)[: args.n])
    counts = Counts(questions=len(flipped))
    source = scoring_options.sources(args)[-1]
    cases = (case(source.at(at), _key(at), row) for at, row in source.rows if at in flipped)
    way = Way(args.concurrency, args.retries)
    with progress.kept(journal, counts), progress.progress(counts) as bar:
        found = explain(cases, journal, system, way, counts, bar)
    progress.failed(counts, "row", journal, args.on_error)
    _write(args, found)
    options = system_options.options(args, "clean", "prediction", "target", "match", "budget", "n")
    progress.manifest(args.output, str(args.scored), "explain", options, counts)
    progress.answers(counts)
    return 0


def _key(line: int) -> str:
    return f"line {line}"


def _write(args: argparse.Namespace, found: dict[str, Explanation]) -> None:
    from perturb.io.files import writing
    from perturb.io.jsonl import dumps

    with writing(args.output) as (out, _):
        for line, row in scoring_options.sources(args)[-1].rows:
            explanation = found.get(_key(line))
            if explanation is not None:
                edits = [edit._asdict() for edit in explanation.edits]
                row["explanation"] = {**explanation._asdict(), "edits": edits}
            out.write(dumps(row))


def _flipped(args: argparse.Namespace, grade: Grade) -> list[int]:
    """The lines of the scored rows that are right where their original is wrong, or the reverse."""
    from perturb.robustness.scoring.columns import collect
    from perturb.robustness.scoring.join import join

    sources = scoring_options.sources(args)
    columns = collect(sources, grade)
    pairs = join(columns, sources)
    places = pairs.place[pairs.clean[:, 0] != pairs.perturbed[:, 0]]
    lines: list[int] = columns.number[places[columns.source[places] == len(sources) - 1]].tolist()
    return lines


def _case(
    args: argparse.Namespace, content: Content, grade: Grade, where: str, key: str, row: Row
) -> Case:
    from perturb.evaluation.explain import Case
    from perturb.evaluation.search.minimal_edits import minimal_edits

    def right(answer: Any) -> Any:
        (((score,), _),) = grade([{**row, args.prediction: answer}])
        return score

    try:
        record = _record(row)
        return Case(
            key,
            _with_text(row, record, args.prediction, content),
            (row.get("response") or {}).get("seed"),
            lambda system: minimal_edits(
                system,
                record,
                flips=lambda before, after: right(before) != right(after),
                budget=args.budget,
            ),
        )
    except DataError as error:
        raise DataError(f"{where}: {error}") from None


def _record(row: Row) -> Record:
    from perturb.rows.read_records import records_of

    (record,) = records_of(row, "id")
    return record


def _with_text(row: Row, record: Record, prediction: str, content: Content) -> Callable[[str], Any]:
    """From a text to what is asked of the row with it."""
    from perturb.evaluation.questions import bare
    from perturb.io import json_path

    asked = {name: value for name, value in bare(row).items() if name != prediction}
    ((location, _),) = json_path.locate(asked, record.field)
    content(asked)  # a row that can't be asked is found here, where it has a name
    return lambda text: content(json_path.put(asked, location, text))
