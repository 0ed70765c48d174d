"""`perturb report`: the verdict, the flips and how to get them again as one web page."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb report`."""
    parser.description = (
        "Write what perturbing did to the scores as one web page that needs no network: the "
        "verdict, the score over strength, every condition, the flips with their edits, and how "
        "to make it again."
    )
    scoring_options.add_files(parser)
    scoring_options.add_grades(parser)
    scoring_options.add_metrics(parser)
    scoring_options.add_margin(parser)
    parser.add_argument(
        "--slice",
        action="append",
        default=[],
        metavar="FIELD",
        help="break the difference down by the values of a field; may be given again",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page, HTML")


def run(args: argparse.Namespace) -> int:
    """Write the page."""
    rows, judged = scoring_options.sources(args), scoring_options.judged(args)
    from perturb.io.outputs import writing
    from perturb.report.contents import gather

    try:
        from perturb.report.page import page
    except ImportError as error:
        raise UsageError(str(error)) from None
    from perturb.stream.manifest import read

    data = gather(
        rows,
        judged,
        slices=args.slice,
        prediction=args.prediction,
        target=args.target,
        seed=args.seed,
    )
    manifest = read(str(args.scored))
    made = page(
        data,
        title=args.scored.name,
        commands=_commands(args, manifest),
        flips_command=_command(args, "flips") if data.binary else None,
        manifest=None if manifest is None else json.dumps(manifest, indent=2),
    )
    with writing(args.output) as (file, _):
        file.write(made.encode())
    return 0


def _commands(args: argparse.Namespace, manifest: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Return the steps that make the page again, each with its command line."""
    from perturb.robustness.scoring.verdict import MARGIN
    from perturb.stream.reproduce import commands

    seed = ["--seed", str(args.seed)] if args.seed else []
    margin = ["--margin", f"{args.margin:g}"] if args.margin != MARGIN else []
    slices = [word for field in args.slice for word in ("--slice", field)]
    return [
        *commands(manifest, args.scored.name),
        ("This page:", _command(args, "report", *slices, *margin, *seed, "-o", args.output)),
        ("The same figures in a terminal, or with --json for programs:",
         _command(args, "score", *margin, *seed)),
    ]  # fmt: skip


def _command(args: argparse.Namespace, name: str, *more: str) -> str:
    given = [
        word
        for option in ("clean", "score", "metrics", "prediction", "target", "match")
        if (value := getattr(args, option)) is not None
        for word in (f"--{option}", str(value))
    ]
    return shlex.join(["perturb", name, str(args.scored), *given, *more])
