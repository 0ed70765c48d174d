"""`perturb report`: the verdict, the flips and how to get them again as one web page."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from pathlib import Path

    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings
    from perturb.report.series import Series
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb report`."""
    parser.description = (
        "Write what perturbing did to the scores as one web page that needs no network: what "
        "breaks the system and what to do next, every condition, the score over strength, all "
        "flips with their edits, and how to make it again."
    )
    scoring_options.add_files(parser)
    scoring_options.add_inner(parser)
    scoring_options.add_grades(parser)
    scoring_options.add_metrics(parser)
    scoring_options.add_margin(parser)
    add_slices(parser)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page, HTML")


def add_slices(parser: argparse.ArgumentParser) -> None:
    """Declare the fields to break results down by."""
    parser.add_argument(
        "--slice",
        action="append",
        default=[],
        metavar="FIELD",
        help="break the difference down by the values of a field; may be given again",
    )


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    rows, judged = scoring_options.sources(args), scoring_options.judged(args)
    from perturb.report.contents import gather
    from perturb.report.listing import Fields
    from perturb.stream.manifest import read

    manifest = read(str(args.scored))
    series = series_of("", args.scored, manifest, rows, judged)
    data = gather([series], fields=Fields(args.slice, args.prediction, args.target))
    write_page(args.output, data, _surroundings(args, data, manifest))
    return 0


def series_of(
    name: str, path: Path, manifest: Any, rows: Sequence[RowSource], judged: Judged
) -> Series:
    """Return one series of the page: the rows of a file, with what its neighbours say of them."""
    from perturb.report.follow_up import days, system_name
    from perturb.report.series import Series

    return Series(name, path.name, system_name(manifest), days(path), rows, judged)


def write_page(output: str, data: Data, around: Surroundings) -> None:
    """Write the page to a file, whole or not at all."""
    from perturb.io.outputs import writing

    try:
        from perturb.report.page import page
    except ImportError as error:
        raise UsageError(str(error)) from None
    with writing(output) as (file, _):
        file.write(page(data, around).encode())


def _surroundings(
    args: argparse.Namespace, data: Data, manifest: dict[str, Any] | None
) -> Surroundings:
    from perturb.report.follow_up import Surroundings, next_commands, next_step

    graded, match = grading(args), ["--match", args.match] if args.match else []
    ending = [*_slices(args), *margin(args), "-o", str(args.output)]
    name = str(args.scored)
    following = next_commands(manifest, name, graded, match, ending)
    verdict = data.series[0].judged.verdict
    return Surroundings(
        title=args.scored.name,
        next=next_step(verdict, data.headlines[0], bool(data.explained), following),
        hints=verdict.hints,
        commands=_commands(args, manifest),
        flips_command=_command(args, "flips") if data.views[0].flips else "",
        manifests=manifests([(args.scored.name, manifest)]),
    )


def manifests(found: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the manifests that there are, as text."""
    return [(name, json.dumps(one, indent=2)) for name, one in found if one is not None]


def grading(args: argparse.Namespace) -> list[str]:
    """Return the options by which rows are graded, but for the match and the defaults."""
    answers = args.score is None and getattr(args, "metrics", None) is None
    defaults = {"prediction": "prediction", "target": "answer"} if answers else {}
    options = ("clean", "row", "score", "metrics", "prediction", "target")
    given = [(option, getattr(args, option, None)) for option in options]
    given += [("where", f"{field}={value}") for field, value in args.where]
    return [
        word
        for option, value in given
        if value not in (None, defaults.get(option))
        for word in (f"--{option}", str(value))
    ]


def _commands(args: argparse.Namespace, manifest: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the steps that make the page again, each with its command line."""
    from perturb.stream.reproduce import commands

    return [
        *commands(manifest, args.scored.name),
        ("This page:",
         _command(args, "report", *_slices(args), *margin(args), "-o", args.output)),
        ("The same figures in a terminal, or with --json for programs:",
         _command(args, "score", *margin(args))),
    ]  # fmt: skip


def _slices(args: argparse.Namespace) -> list[str]:
    return [word for field in args.slice for word in ("--slice", field)]


def margin(args: argparse.Namespace) -> list[str]:
    """Return the margin, where it is not the default."""
    from perturb.robustness.scoring.findings import MARGIN

    return ["--margin", f"{args.margin:g}"] if args.margin != MARGIN else []


def _command(args: argparse.Namespace, name: str, *more: str) -> str:
    match = ["--match", args.match] if args.match else []
    return shlex.join(["perturb", name, str(args.scored), *grading(args), *match, *more])
