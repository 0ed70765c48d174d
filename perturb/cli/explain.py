"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import asking, grading, telling
from perturb.errors import DataError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from perturb.experiment.explain import Case
    from perturb.experiment.questions import Content
    from perturb.record import Record
    from perturb.robustness.explain import Explanation
    from perturb.robustness.grade import Grade
    from perturb.robustness.rows import Row


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb explain`."""
    parser.description = (
        "For each row whose answer turned from right to wrong, or from wrong to right, find a "
        "smallest set of its edits that turns the answer of the system, by asking the system "
        "again as perturb run did. All rows are written; those rows with an explanation. Every "
        "answer is kept in OUTPUT.journal: what was stopped goes on where it was."
    )
    asking.add_system(parser)
    rows = parser.add_argument_group("rows")
    grading.add_files(rows)
    rows.add_argument("-o", "--output", metavar="FILE", help="the rows with their explanations")
    asking.add_question(rows.add_argument)
    grading.add_answers(rows)
    add = parser.add_argument_group("how to ask").add_argument
    asking.add_way(add)
    add("--budget", type=int, default=200, metavar="N", help="texts asked a row (default: 200)")
    add("-n", type=asking.at_least(0), metavar="N", help="explain only the first N rows")


def run(args: argparse.Namespace) -> int:
    """Write the rows with their explanations."""
    from perturb.experiment.explain import explain
    from perturb.experiment.files import Counts, Way
    from perturb.experiment.journal import Journal

    asking.check_files(str(args.scored), args.output)
    grade = grading.by_answers(args)
    system, settings = asking.system(args)
    case = partial(_case, args, asking.content(args), grade)
    journal = Journal(Path(f"{args.output}.journal"), settings)
    flipped = set(_flipped(args, grade)[: args.n])
    counts = Counts(questions=len(flipped))
    source = grading.sources(args)[-1]
    cases = (case(source.at(at), _key(at), row) for at, row in source.rows if at in flipped)
    way = Way(args.concurrency, args.retries)
    with telling.kept(journal, counts), telling.progress(counts) as progress:
        found = explain(cases, journal, system, way, counts, progress)
    telling.failed(counts, "row", journal, args.on_error)
    _write(args, found)
    options = asking.options(args, "clean", "prediction", "target", "match", "budget", "n")
    telling.manifest(args.output, str(args.scored), "explain", options, counts)
    telling.answers(counts)
    return 0


def _key(line: int) -> str:
    return f"line {line}"


def _write(args: argparse.Namespace, found: dict[str, Explanation]) -> None:
    from perturb.io.files import writing
    from perturb.io.jsonl import dumps

    with writing(args.output) as (out, _):
        for line, row in grading.sources(args)[-1].rows:
            explanation = found.get(_key(line))
            if explanation is not None:
                edits = [list(edit) for edit in explanation.edits]
                row["explanation"] = {**explanation._asdict(), "edits": edits}
            out.write(dumps(row))


def _flipped(args: argparse.Namespace, grade: Grade) -> list[int]:
    """The lines of the scored rows that are right where their original is wrong, or the reverse."""
    from perturb.robustness.columns import collect
    from perturb.robustness.join import join

    sources = grading.sources(args)
    columns = collect(sources, grade)
    pairs = join(columns, sources)
    places = pairs.place[pairs.clean[:, 0] != pairs.perturbed[:, 0]]
    lines: list[int] = columns.number[places[columns.source[places] == len(sources) - 1]].tolist()
    return lines


def _case(
    args: argparse.Namespace, content: Content, grade: Grade, where: str, key: str, row: Row
) -> Case:
    from perturb.experiment.explain import Case
    from perturb.robustness.explain import minimal_edits

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
    from perturb.verification import records_of

    (record,) = records_of(row, "id")
    return record


def _with_text(row: Row, record: Record, prediction: str, content: Content) -> Callable[[str], Any]:
    """From a text to what is asked of the row with it."""
    from perturb import paths
    from perturb.experiment.questions import bare

    asked = {name: value for name, value in bare(row).items() if name != prediction}
    ((location, _),) = paths.locate(asked, record.field or "")
    content(asked)  # a row that can't be asked is found here, where it has a name
    return lambda text: content(paths.put(asked, location, text))
