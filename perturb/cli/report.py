"""`perturb report`: the verdict, the flips and the commands that reproduce them as a web page."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from perturb.cli import compare, pages, scoring_options
from perturb.cli.scoring_options import AT_LEAST, CLEAN, GRADING, HUMAN, JUDGING, MARGIN, SLICE
from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings


MANUAL = f"""
Write the effect of noise on the scores as one web page that needs no network: which edits break the
system and what to do next, every condition, the score over strength, all flips with their edits,
and the commands that reproduce it. For several systems it shows the comparison of perturb compare.

scored SCORED+  scored rows, JSON Lines; several files, or a folder with several, are compared
{CLEAN}
{GRADING}
{HUMAN}
{MARGIN}
{JUDGING}
{AT_LEAST}
{SLICE}
--lose X  also draw the strength at which this much is lost
-o, --output! FILE  the page to write, HTML
"""


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    from perturb.report.contents import gather
    from perturb.report.runs import runs_of
    from perturb.report.series import Series

    runs = runs_of(list(map(str, args.scored)), apart=False)
    if len(runs) > 1:
        if args.clean is not None:
            raise UsageError("--clean is for one file; several files need their own originals")
        compare.compared(args, runs)
        return 0
    (args.scored,) = args.scored
    rows = scoring_options.sources(args)
    judged, manifest = scoring_options.judge(args, rows, args.scored), runs[0].manifest
    series = Series("", args.scored.name, runs[0].system, runs[0].asked, rows, judged)
    borne = pages.tolerances_of(args, [judged])
    data = gather([series], fields=pages.fields(args, rows), tolerances=borne)
    pages.write_page(args.output, data, _surroundings(args, data, manifest))
    return 0


def _surroundings(
    args: argparse.Namespace, data: Data, manifest: dict[str, Any] | None
) -> Surroundings:
    from perturb.report.edit_kinds import TOUCHED
    from perturb.report.follow_up import Surroundings, next_commands, next_step
    from perturb.robustness.scoring.damage import ADVICE
    from perturb.stream.reproduce import commands

    scored, verdict = str(args.scored), data.series[0].judged.verdict
    touched = data.views[0].broken[0].get(TOUCHED, ())
    if data.explained and touched and touched[0].label not in ("number", "negation"):
        hints = tuple(hint.partition(ADVICE)[0] for hint in verdict.hints)
        verdict = replace(verdict, hints=hints)  # other edits flip the answers, so drop the advice
    graded, match = pages.words(args, *pages.GRADED), pages.words(args, "match")
    stated = pages.words(args, *pages.VERDICT)
    ending = [*pages.words(args, "slice"), *stated, *pages.words(args, "lose"), "-o", args.output]
    following = next_commands(manifest, scored, graded, match, ending)
    flips = pages.command_line(args, "flips", scored)
    return Surroundings(
        title=args.scored.name,
        next=next_step(verdict, data.headlines[0], bool(data.explained), following),
        hints=verdict.hints,
        commands=[
            *commands(manifest, args.scored.name),
            ("This page:", pages.command_line(args, "report", scored, options=ending)),
            (
                "The same figures in a terminal, or with --json for programs:",
                pages.command_line(args, "score", scored, options=stated),
            ),
        ],
        flips_command=flips if data.views[0].flips else "",
        manifests=pages.manifests([(args.scored.name, manifest)]),
    )
