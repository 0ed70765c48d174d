"""`perturb compare`: two systems or more, or one on several dates, under the same noise."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import report, scoring_options, verdict_options
from perturb.cli.system_options import at_least
from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.report.runs import Run
    from perturb.robustness.scoring.contrast import Contrasts
    from perturb.robustness.scoring.gate import Rule
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

_LISTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb compare`."""
    parser.description = (
        "Compare what the same perturbed rows did to two systems: the difference of their "
        "differences, with its interval, and the rows where A holds and B breaks. Of more, it is "
        "what each loses under each condition, and its rank, with its interval."
    )
    parser.add_argument(
        "scored",
        nargs="+",
        metavar="SCORED",
        help="scored rows of a system, with originals, two or more; or one folder or pattern with "
        "those of all: there, files of one system and one job are one run",
    )
    scoring_options.add_grading(parser)
    scoring_options.add_human(parser)
    scoring_options.add_margin(parser)
    scoring_options.add_lose(parser, what="of more than two systems, find where so much is lost")
    parser.add_argument(
        "-n",
        type=at_least(0),
        default=_LISTED,
        metavar="N",
        help=f"of two systems, list so many rows, 0 for all (default: {_LISTED})",
    )
    verdict_options.add_forms(parser, report.CARDS)
    verdict_options.add_gate(
        parser,
        "'drop>0.05' if the interval proves that B loses so much more than A, "
        "'keyboard_typos@0.1: low<-0.1' for one condition and limit; of more than two systems, "
        "that one loses so much, 'small: drop>0.05' for the one called so",
    )
    report.add_slices(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="also write the comparison as one web page, HTML"
    )


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    from perturb.report.runs import runs_of
    from perturb.robustness.scoring.contrast import contrast_pairs
    from perturb.robustness.scoring.gate import gated
    from perturb.robustness.scoring.sources import files_source

    rules = verdict_options.rules_of(args)
    runs = runs_of(args.scored, apart=True)
    if len(runs) < 2:
        raise UsageError(f"{args.scored[0]} holds one system: compare takes two or more")
    args.named, args.scored = args.scored, [Path(file) for run in runs for file in run.files]
    sources = [[files_source(run.files, args.row, args.where)] for run in runs]
    judged = [
        scoring_options.judge(args, rows, Path(run.files[0]))
        for run, rows in zip(runs, sources, strict=True)
    ]
    metrics = judged[0].verdict.metrics
    if len(runs) > 2:
        return _rank(args, rules, runs, judged)
    if args.lose is not None:
        raise UsageError("--lose is of more than two systems: for two there is perturb tolerance")
    a, b = (one.pairs for one in judged)
    contrasts = contrast_pairs(a, b, sources[0], metrics, margin=args.margin)
    contrasts = replace(contrasts, hints=(*contrasts.hints, *_hints(args, runs, judged)))
    if args.output is not None:
        _write_page(args, contrasts, runs, sources, judged)
    return verdict_options.print_gated(
        args, rules, gated(contrasts), _text(args, contrasts, runs, judged), contrasts.sentence
    )


def _rank(
    args: argparse.Namespace, rules: Sequence[Rule], runs: Sequence[Run], judged: Sequence[Judged]
) -> int:
    """Print the standings of more than two systems."""
    from perturb.report.runs import successions
    from perturb.robustness.scoring.standings import standings

    sides = {run.name: one.pairs for run, one in zip(runs, judged, strict=True)}
    results = standings(
        sides,
        judged[0].verdict.metrics,
        margin=args.margin,
        lose=args.lose,
        successions=successions(runs),
    )
    results = replace(results, hints=(*results.hints, *_hints(args, runs, judged)))
    text = report.text_of(args, results, args.named, runs, judged)
    return verdict_options.print_gated(args, rules, results.gated(), text, results.sentence)


def _hints(
    args: argparse.Namespace, runs: Sequence[Run], judged: Sequence[Judged]
) -> Iterator[str]:
    """Yield what helps where a system can't be judged, and which is which in a folder."""
    from perturb.robustness.scoring.judgement import CANNOT_JUDGE

    if len(runs) == 2 and len(args.named) == 1:
        yield f"A is {runs[0].name}, B is {runs[1].name}."
    names = "AB" if len(runs) == 2 else [run.name for run in runs]
    for name, (verdict, _) in zip(names, judged, strict=True):
        if verdict.overall[0].verdict == CANNOT_JUDGE:
            hints = (hint for hint in verdict.hints if not hint.startswith("A person graded"))
            yield from (f"Of {name}: {hint}" for hint in hints)  # which both say together


def _text(
    args: argparse.Namespace, contrasts: Contrasts, runs: Sequence[Run], judged: Sequence[Judged]
) -> str:
    from perturb.robustness.tables.tables import held_lines

    text = report.text_of(args, contrasts, args.named, runs, judged)
    if args.format == "table":
        return "\n".join([text, *held_lines(contrasts.a_holds, args.n)])
    return text


def _write_page(
    args: argparse.Namespace,
    contrasts: Contrasts,
    runs: Sequence[Run],
    sources: Sequence[Sequence[RowSource]],
    judged: Sequence[Judged],
) -> None:
    from perturb.report.contents import gather
    from perturb.report.follow_up import Next, Surroundings

    paths, manifests = [Path(run.files[0]) for run in runs], [run.manifest for run in runs]
    series = [
        report.series_of(*parts)
        for parts in zip("AB", paths, manifests, sources, judged, strict=True)
    ]
    data = gather(series, fields=report.fields(args, [*sources[0]]), contrasts=contrasts)
    margin = report.margin(args)
    alone = report.command_line(args, "report", str(paths[1]), options=[*margin, "-o", "b.html"])
    options = [*margin, *report.slices(args), "-o", args.output]
    again = report.command_line(args, "compare", *args.named, options=options)
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
