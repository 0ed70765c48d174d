"""`perturb compare`: two systems, or one on two dates, under the same noise."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import gate_options, scoring_options, verdict_forms
from perturb.cli import report as page_options
from perturb.cli.system_options import at_least

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from perturb.robustness.scoring.contrast import Contrasts
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

_LISTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb compare`."""
    parser.description = (
        "Compare what the same perturbed rows did to two systems: the difference of their "
        "differences, with its interval, and the rows where A holds and B breaks."
    )
    parser.add_argument("a", type=Path, metavar="A", help="scored rows of one, with originals")
    parser.add_argument("b", type=Path, metavar="B", help="scored rows of the other")
    scoring_options.add_inner(parser)
    scoring_options.add_grades(parser)
    scoring_options.add_metrics(parser)
    scoring_options.add_margin(parser)
    parser.add_argument(
        "-n",
        type=at_least(0),
        default=_LISTED,
        metavar="N",
        help=f"list so many rows, 0 for all (default: {_LISTED})",
    )
    verdict_forms.add_formats(parser)
    gate_options.add_gate(
        parser,
        "'drop>0.05' if the interval proves that B loses so much more than A, "
        "'keyboard_typos@0.1: low<-0.1' for one condition and limit",
    )
    page_options.add_slices(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="also write the comparison as one web page, HTML"
    )


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    from perturb.robustness.scoring.contrast import contrast_pairs
    from perturb.robustness.scoring.gate import gated
    from perturb.robustness.scoring.sources import file_source

    rules = gate_options.rules(args)
    paths = (args.a, args.b)
    sources = [[file_source(path, args.row, args.where)] for path in paths]
    judged = [
        scoring_options.judged_rows(args, rows, path)
        for rows, path in zip(sources, paths, strict=True)
    ]
    metrics = judged[0].verdict.metrics
    found = contrast_pairs(
        judged[0].pairs, judged[1].pairs, sources[0], metrics, margin=args.margin
    )
    found = replace(found, hints=(*found.hints, *_hints(judged)))
    if args.output is not None:
        _write_page(args, found, sources, judged)
    return gate_options.printed(args, rules, gated(found), _written(args, found), found.sentence)


def _hints(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield what helps where a system can't be judged."""
    from perturb.robustness.scoring.judgement import CANNOT_JUDGE

    for name, (verdict, _) in zip("AB", judged, strict=True):
        if verdict.overall[0].verdict == CANNOT_JUDGE:
            yield from (f"Of {name}: {hint}" for hint in verdict.hints)


def _written(args: argparse.Namespace, found: Contrasts) -> str:
    from perturb.robustness.tables.tables import held_lines

    text = verdict_forms.written(args, found)
    if args.format in (None, "table"):
        return "\n".join([text, *held_lines(found.a_holds, args.n)])
    return text


def _write_page(
    args: argparse.Namespace,
    found: Contrasts,
    sources: Sequence[Sequence[RowSource]],
    judged: Sequence[Judged],
) -> None:
    from perturb.report.contents import gather
    from perturb.report.follow_up import Next, Surroundings
    from perturb.report.listing import Fields
    from perturb.stream.manifest import read

    paths = (args.a, args.b)
    held = [read(str(path)) for path in paths]
    series = [
        page_options.series_of(*each)
        for each in zip("AB", paths, held, sources, judged, strict=True)
    ]
    fields = Fields(args.slice, args.prediction, args.target)
    data = gather(series, fields=fields, contrasts=found)
    graded = [*page_options.grading(args), *(["--match", args.match] if args.match else [])]
    slices = [word for field in args.slice for word in ("--slice", field)]
    options = [*graded, *page_options.margin(args)]
    again = shlex.join(["perturb", "compare", *map(str, paths), *options, *slices])
    around = Surroundings(
        title=" and ".join(path.name for path in paths),
        next=Next(
            "Look at each system alone.",
            shlex.join(["perturb", "report", str(args.b), *options, "-o", "b.html"]),
        ),
        hints=found.hints,
        commands=[("This page:", f"{again} {shlex.join(['-o', str(args.output)])}")],
        flips_command="",
        manifests=page_options.manifests(
            [(path.name, one) for path, one in zip(paths, held, strict=True)]
        ),
    )
    page_options.write_page(args.output, data, around)
