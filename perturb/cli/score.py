"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

import argparse
from pathlib import Path

from perturb.cli import judge_options, pages, scoring_options, verdict_options
from perturb.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb score`."""
    parser.description = (
        "Judge the scores of perturbed rows against those of their originals: robust, worse, "
        "better, no worse, undecided, or why it cannot be judged; where the answers should change, "
        "sensitive or insensitive."
    )
    scoring_options.add_files(parser)
    scoring_options.add_grading(parser)
    scoring_options.add_margin(parser)
    verdict_options.add_at_least(parser)
    add = parser.add_argument
    add(
        "--seed",
        type=int,
        help="also give the interval of a bootstrap, drawn with this seed, with --json, --csv and "
        "--format tsv; no verdict depends on it",
    )
    verdict_options.add_forms(parser, pages.CARDS)
    add("--wide", action="store_true", help="show all measures in the table")
    add("--plot", type=Path, metavar="DIR", help="also write plots, PNG and SVG")
    verdict_options.add_gate(
        parser,
        "'drop>0.05' if the interval proves such a drop, 'keyboard_typos@0.1: low<-0.1' for one "
        "condition and limit, 'reaction<0.1' if the answers that should change provably do less",
    )
    judge_options.add_judge(parser)
    judge_options.add_draw(parser)


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    from perturb.report.runs import runs_of
    from perturb.robustness.scoring.gate import gated

    rules = verdict_options.rules_of(args)
    if args.draw is not None:
        judge_options.draw(args)
        return 0
    if not judge_options.ask_judge(args):
        return 0
    judged = scoring_options.judge(args, scoring_options.sources(args), args.scored)
    verdict, named = judged.verdict, [str(args.scored)]
    runs = runs_of(named, apart=False)[:1] if args.format in pages.CARDS else []
    text = pages.text_of(args, verdict, named, runs, [judged])
    status = verdict_options.print_gated(args, rules, gated(verdict), text, verdict.sentence)
    if args.plot is not None:
        try:
            from perturb.robustness.tables.plots import write_plots
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_plots(verdict, args.plot)
    return status
