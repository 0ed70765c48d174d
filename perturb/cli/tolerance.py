"""`perturb tolerance`: the strength at which one or two systems lose a given score."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from perturb.cli import scoring_options, verdict_output
from perturb.cli.scoring_options import GRADING, JUDGING, SCORED
from perturb.cli.verdict_output import FORM, JUNIT
from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.robustness.scoring.sources import RowSource
    from perturb.robustness.scoring.tolerances import Tolerances

MANUAL = f"""
Find how much noise a system tolerates: for each step with answers at several strengths, the
strength from which the loss stays at least --lose, with its 95 % interval; and for two systems on
the same rows, how many times as much noise B tolerates as A.

{SCORED}
other B?  scored rows of another system, B
--lose X  the loss, in the unit of the score (default: 0.05)
{GRADING}
{JUDGING}
{FORM}
--fail-if* RULE []  exit with 3 if it holds: 'tolerance<0.05' unless the interval proves that the
    system tolerates that much noise, 'ratio<0.8' unless it proves that B tolerates that share of
    the noise that A tolerates; may be repeated
{JUNIT}
"""


def run(args: argparse.Namespace) -> int:
    """Print the tolerances of one system, or of two with their ratios."""
    rules = verdict_output.rules_of(args)
    told = scoring_options.carried(args, args.scored, lose=True)
    files = [scoring_options.sources(args)]
    if args.other is not None:
        if args.clean is not None:
            raise UsageError("--clean is for one file; several files need their own originals")
        files.append([scoring_options.source(args, [str(args.other)])])
    results = found(args, files)
    results = replace(results, hints=(*results.hints, *told))
    pieces = verdict_output.pieces_of(args, results)
    return verdict_output.print_gated(args, rules, results.gated(), pieces, results)


def found(args: argparse.Namespace, files: list[list[RowSource]]) -> Tolerances:
    """Return the tolerances of one system or of two, from the rows of their files."""
    from perturb.robustness.scoring.score import Judging, paired
    from perturb.robustness.scoring.tolerance import tolerances

    sides, judging = [], Judging(args.cluster, args.unanswered)
    for rows in files:
        grade, metrics, prediction = scoring_options.grading(args, rows)
        sides.append(paired(rows, grade, prediction, metrics, args.target, judging))
    return tolerances(sides, metrics, args.lose)
