"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import scoring_options
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb score`."""
    parser.description = (
        "Join perturbed rows with the clean rows of their originals and say, for each perturbator "
        "and strength, what perturbing did to the scores and how sure that is."
    )
    scoring_options.add_files(parser)
    scoring_options.add_grades(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="write all measures as JSON")
    form.add_argument("--csv", action="store_true", help="write all measures as CSV")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="also write plots, PNG and SVG")


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    grade = scoring_options.grade(args)
    from perturb.robustness.scoring.columns import collect
    from perturb.robustness.scoring.join import join
    from perturb.robustness.scoring.tables import to_csv, to_json, to_table
    from perturb.robustness.scoring.verdict import verdict

    if args.plot is not None:
        try:
            from perturb.robustness.scoring.plots import write_plots
        except ImportError as error:
            raise UsageError(str(error)) from None
    sources = scoring_options.sources(args)
    found = verdict(join(collect(sources, grade), sources), args.seed)
    print(to_json(found) if args.json else to_csv(found) if args.csv else to_table(found))
    if args.plot is not None:
        write_plots(found, args.plot)
    return 0
