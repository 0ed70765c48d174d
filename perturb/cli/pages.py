"""The page and the card of scored rows, which several commands write, and the calls in them."""

from __future__ import annotations

import argparse
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options, verdict_output
from perturb.errors import UsageError
from perturb.io.files import STANDARD
from perturb.io.outputs import writing_together
from perturb.plan.options import repeated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings
    from perturb.report.listing import Fields
    from perturb.report.runs import Run
    from perturb.robustness.scoring.results import Shown
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource
    from perturb.robustness.scoring.tolerances import Tolerance

# The arguments of grading, except the match, and those of the verdict.
GRADED = ("clean", "rows", "score", "metrics", "prediction", "target", "against", "where")
VERDICT = ("human", "margin", "at_least", "cluster", "range", "unanswered")


def pieces_of(
    args: argparse.Namespace,
    results: Shown,
    named: Sequence[str],
    runs: Sequence[Run],
    judged: Sequence[Judged],
) -> list[str]:
    """Return results in pieces, in the form that the arguments choose, which may be a card.

    Args:
        args: the arguments of the command.
        results: the results to show.
        named: the files, as the caller named them.
        runs: the runs in these files.
        judged: the verdict on each run.
    """
    if args.format not in verdict_output.CARDS:
        return verdict_output.pieces_of(args, results)
    from perturb.report import card
    from perturb.robustness.scoring.tolerances import LOSE

    lose = getattr(args, "lose", None) or LOSE
    command = args.parser.prog.split()[-1]
    options = [*words(args, *VERDICT), "--format", args.format]
    call = command_line(args, command, *named, options=options)
    return [card.CARDS[args.format](card.Judgeds(results, runs, judged, lose, call))]


def tolerances_of(args: argparse.Namespace, judged: Sequence[Judged]) -> Sequence[Tolerance]:
    """Return the tolerances of one or two systems, if the arguments ask for them."""
    if args.lose is None:
        return ()
    from perturb.robustness.scoring.tolerance import tolerances

    return tolerances([one.pairs for one in judged], judged[0].verdict.metrics, args.lose).steps


def write_page(output: str, data: Data, around: Surroundings) -> None:
    """Write the page, and beside it the rows that don't fit on it; all files or none."""
    try:
        from perturb.report.page import packed, page
    except ImportError as error:
        raise UsageError(str(error)) from None
    beside = []
    with writing_together() as opened:
        target = opened(output)
        for at, rows in enumerate(() if output == STANDARD else data.further, 1):
            beside.append(f"{Path(output).stem}.rows-{at}.js")
            opened(str(Path(output).with_name(beside[-1]))).write(
                f'perturbRows("{packed(rows)}");'.encode()
            )
        target.write(page(data, around, beside).encode())


def fields(args: argparse.Namespace, rows: list[RowSource]) -> Fields:
    """Return the fields that the page shows, including all fields that the grading reads."""
    from perturb.report.listing import Fields

    by_answer = args.score is None and args.metrics is None
    dear = (args.match or "").partition(":")[0] in ("embedding", "python")  # and read all of it
    grade = scoring_options.by_answers(args, rows) if by_answer and not dear else None
    return Fields(args.slice, args.prediction, args.target, grade)


def manifests(named: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the existing manifests as text, with the names of their files."""
    return [
        (name, json.dumps(manifest, indent=2)) for name, manifest in named if manifest is not None
    ]


def command_line(
    args: argparse.Namespace, command: str, *files: str, options: Sequence[str] = ()
) -> str:
    """Return a call of a command that grades rows as this call does."""
    return shlex.join(["perturb", command, *files, *words(args, *GRADED, "match"), *options])


def words(args: argparse.Namespace, *names: str) -> list[str]:
    """Return arguments as words of a command line, without those that have their defaults."""
    defaults = scoring_options.usual()
    if args.score is not None or args.metrics is not None:
        defaults |= {"prediction": None, "target": None}
    values = {name: getattr(args, name, None) for name in names}
    if "where" in values:
        values["where"] = [f"{field}={value}" for field, value in args.where]
    return [
        word
        for name, value in values.items()
        if value not in (None, defaults.get(name))
        for word in repeated(f"--{name.replace('_', '-')}", value)
    ]
