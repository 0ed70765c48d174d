"""`perturb compare`: two systems, or one on two dates, under the same noise."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import report, scoring_options, verdict_options
from perturb.cli.system_options import at_least

if TYPE_CHECKING:
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
    scoring_options.add_grading(parser)
    scoring_options.add_human(parser)
    scoring_options.add_margin(parser)
    parser.add_argument(
        "-n",
        type=at_least(0),
        default=_LISTED,
        metavar="N",
        help=f"list so many rows, 0 for all (default: {_LISTED})",
    )
    verdict_options.add_forms(parser)
    verdict_options.add_gate(
        parser,
        "'drop>0.05' if the interval proves that B loses so much more than A, "
        "'keyboard_typos@0.1: low<-0.1' for one condition and limit",
    )
    report.add_slices(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="also write the comparison as one web page, HTML"
    )


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    from perturb.robustness.scoring.contrast import contrast_pairs
    from perturb.robustness.scoring.gate import gated
    from perturb.robustness.scoring.sources import file_source

    rules = verdict_options.rules_of(args)
    paths = (args.a, args.b)
    sources = [[file_source(path, args.row, args.where)] for path in paths]
    judged = [
        scoring_options.judge(args, rows, path) for rows, path in zip(sources, paths, strict=True)
    ]
    a, b = judged
    metrics = a.verdict.metrics
    contrasts = contrast_pairs(a.pairs, b.pairs, sources[0], metrics, margin=args.margin)
    contrasts = replace(contrasts, hints=(*contrasts.hints, *_hints(judged)))
    if args.output is not None:
        _write_page(args, contrasts, sources, judged)
    return verdict_options.print_gated(
        args, rules, gated(contrasts), _text(args, contrasts), contrasts.sentence
    )


def _hints(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield what helps where a system can't be judged."""
    from perturb.robustness.scoring.judgement import CANNOT_JUDGE

    for name, (verdict, _) in zip("AB", judged, strict=True):
        if verdict.overall[0].verdict == CANNOT_JUDGE:
            hints = (hint for hint in verdict.hints if not hint.startswith("A person graded"))
            yield from (f"Of {name}: {hint}" for hint in hints)  # which both say together


def _text(args: argparse.Namespace, contrasts: Contrasts) -> str:
    from perturb.robustness.tables.tables import held_lines

    text = verdict_options.text_of(args, contrasts)
    if args.format == "table":
        return "\n".join([text, *held_lines(contrasts.a_holds, args.n)])
    return text


def _write_page(
    args: argparse.Namespace,
    contrasts: Contrasts,
    sources: Sequence[Sequence[RowSource]],
    judged: Sequence[Judged],
) -> None:
    from perturb.report.contents import gather
    from perturb.report.follow_up import Next, Surroundings
    from perturb.stream.manifest import read

    paths = (args.a, args.b)
    manifests = [read(str(path)) for path in paths]
    series = [
        report.series_of(*parts)
        for parts in zip("AB", paths, manifests, sources, judged, strict=True)
    ]
    data = gather(series, fields=report.fields(args, [*sources[0]]), contrasts=contrasts)
    margin = report.margin(args)
    alone = report.command_line(args, "report", str(args.b), options=[*margin, "-o", "b.html"])
    options = [*margin, *report.slices(args), "-o", args.output]
    again = report.command_line(args, "compare", *map(str, paths), options=options)
    around = Surroundings(
        title=" and ".join(path.name for path in paths),
        next=Next("Look at each system alone.", alone),
        hints=contrasts.hints,
        commands=[("This page:", again)],
        flips_command="",
        manifests=report.manifests(
            [(path.name, manifest) for path, manifest in zip(paths, manifests, strict=True)]
        ),
    )
    report.write_page(args.output, data, around)
