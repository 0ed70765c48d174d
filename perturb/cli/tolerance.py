"""`perturb tolerance`: the strength from which so much is lost, of one system or of two."""

from __future__ import annotations

import argparse
from pathlib import Path

from perturb.cli import scoring_options, verdict_options
from perturb.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb tolerance`."""
    parser.description = (
        "Find how much noise a system bears: for each step that was asked at several strengths, "
        "the strength from which the loss stays at least --lose, with its 95 % interval; of two "
        "systems that were asked the same rows, how many times as much B bears as A."
    )
    scoring_options.add_files(parser)
    parser.add_argument(
        "other", type=Path, nargs="?", metavar="B", help="scored rows of another system: B"
    )
    scoring_options.add_lose(parser, 0.05)
    scoring_options.add_grading(parser)
    verdict_options.add_forms(parser)
    verdict_options.add_gate(
        parser,
        "'tolerance<0.05' unless the interval proves that so much noise is borne, 'ratio<0.8' "
        "unless it proves that B bears so much of what A bears",
    )


def run(args: argparse.Namespace) -> int:
    """Print the tolerances of one system, or of two with their ratios."""
    from perturb.robustness.scoring.columns import collect
    from perturb.robustness.scoring.join import join
    from perturb.robustness.scoring.sources import file_source
    from perturb.robustness.scoring.tolerance import tolerances

    rules = verdict_options.rules_of(args)
    files = [scoring_options.sources(args)]
    if args.other is not None:
        if args.clean is not None:
            raise UsageError("--clean is for one file; of two, each holds its own originals")
        files.append([file_source(args.other, args.row, args.where)])
    sides = []
    for rows in files:
        grade, metrics, prediction = scoring_options.grading(args, rows)
        sides.append(join(collect(rows, grade, prediction), rows, inferred=True))
    results = tolerances(sides, metrics, args.lose)
    text = verdict_options.text_of(args, results)
    return verdict_options.print_gated(args, rules, results.gated(), text, results.sentence)
