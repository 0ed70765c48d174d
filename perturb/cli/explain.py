"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from perturb.cli import grading
from perturb.errors import DataError, UsageError

if TYPE_CHECKING:
    import argparse

    from perturb.record import Record
    from perturb.robustness.explain import Explanation
    from perturb.robustness.grade import Grade

Row = Mapping[str, Any]
Ask = Callable[[Row], Row]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb explain`."""
    parser.description = (
        "For each row whose answer turned from right to wrong, or from wrong to right, find a "
        "smallest set of its edits that turns the answer of the system, by asking the system "
        "again. All rows are written; those rows with an explanation."
    )
    add = parser.add_argument
    grading.add_files(parser)
    add("--prediction", required=True, metavar="FIELD", help="the field that holds the answer")
    add("--target", required=True, metavar="FIELD", help="the field that holds the right answer")
    add("--match", choices=grading.MATCHES[:-1], default="exact",
        help="how a prediction is compared with its target (default: exact)")  # fmt: skip
    add("--command", required=True, metavar="COMMAND", help="the system: a program that reads a "
        "row a line and writes its answer, flushed, before it reads the next")  # fmt: skip
    add("--timeout", type=float, default=300, metavar="SECONDS",
        help="how long to wait for an answer (default: 300)")  # fmt: skip
    add("--budget", type=int, default=200, metavar="N", help="texts asked a row (default: 200)")
    add("-n", type=int, metavar="N", help="explain only the first N rows")
    add("-o", "--output", default="-", metavar="FILE", help="default: standard output")


def run(args: argparse.Namespace) -> int:
    """Write the rows with their explanations."""
    from tqdm import tqdm

    from perturb.io.files import same_file, writing
    from perturb.io.jsonl import dumps
    from perturb.io.program import running
    from perturb.robustness.grade import by_match

    if same_file(str(args.scored), args.output):
        raise UsageError(f"the input and the output are the same file: {args.output}")
    grade = by_match(args.match, args.prediction, args.target)
    flipped = set(_flipped(args, grade)[: args.n])
    with running(args.command, args.timeout) as ask, writing(args.output) as (out, _):
        bar = tqdm(total=len(flipped), unit="row", leave=False, disable=None)
        source = grading.sources(args)[-1]
        for number, row in source.rows:
            if number in flipped:
                row = {**row, "explanation": _explained(args, source.at(number), row, ask, grade)}
                bar.update()
            out.write(dumps(row))
        bar.close()
    return 0


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


def _explained(
    args: argparse.Namespace, place: str, row: Row, ask: Ask, grade: Grade
) -> dict[str, Any]:
    from perturb.robustness.explain import minimal_edits

    def right(answer: Any) -> Any:
        (((score,), _),) = grade([{**row, args.prediction: answer}])
        return score

    try:
        record = _record(row)
        system = _system(row, record, ask, args.prediction)
        return _said(
            minimal_edits(
                system,
                record,
                flips=lambda before, after: right(before) != right(after),
                budget=args.budget,
            )
        )
    except DataError as error:
        raise DataError(f"{place}: {error}") from None


def _record(row: Row) -> Record:
    from perturb.verification import records_of

    (record,) = records_of(row, "id")
    return record


def _system(row: Row, record: Record, ask: Ask, prediction: str) -> Callable[[str], Any]:
    """From a text to the answer to the row with it; the program sees neither record nor answer."""
    from perturb import paths
    from perturb.record import LINKAGE

    shown = {name: value for name, value in row.items() if name not in (LINKAGE, prediction)}
    ((location, _),) = paths.locate(shown, record.field or "")

    def system(text: str) -> Any:
        answer = ask(paths.put(shown, location, text))
        if prediction not in answer:
            raise DataError(f"the program's answer has no field {prediction!r}: it has {[*answer]}")
        return answer[prediction]

    return system


def _said(found: Explanation) -> dict[str, Any]:
    return {**found._asdict(), "edits": [list(edit) for edit in found.edits]}
