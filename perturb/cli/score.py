"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from perturb.robustness.grade import Grade


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb score`."""
    parser.description = (
        "Join perturbed rows with the clean rows of their originals and say, for each perturbator "
        "and strength, what perturbing did to the scores and how sure that is."
    )
    parser.add_argument("scored", type=Path, metavar="SCORED", help="scored rows, JSON Lines")
    parser.add_argument(
        "--clean", type=Path, metavar="FILE", help="scored originals, if SCORED does not hold them"
    )
    parser.add_argument(
        "--score", metavar="FIELD", help="the field that holds the score; higher is better"
    )
    parser.add_argument("--prediction", metavar="FIELD", help="the field that holds the answer")
    parser.add_argument("--target", metavar="FIELD", help="the field that holds the right answer")
    parser.add_argument(
        "--match",
        choices=("exact", "number", "choice", "embedding"),
        help="how a prediction is compared with its target (default: exact)",
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (default: 0)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="write all measures as JSON")
    form.add_argument("--csv", action="store_true", help="write all measures as CSV")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="also write plots, PNG and SVG")


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    _check(args)
    from perturb.robustness.columns import collect
    from perturb.robustness.join import join
    from perturb.robustness.rows import file_source
    from perturb.robustness.tables import to_csv, to_json, to_table
    from perturb.robustness.verdict import verdict

    try:
        grade = _grade(args)
        if args.plot is not None:
            from perturb.robustness.plots import write_plots
    except ImportError as error:
        raise UsageError(str(error)) from None
    sources = [file_source(path) for path in (args.clean, args.scored) if path is not None]
    found = verdict(join(collect(sources, grade), sources), args.seed)
    print(to_json(found) if args.json else to_csv(found) if args.csv else to_table(found))
    if args.plot is not None:
        write_plots(found, args.plot)
    return 0


def _grade(args: argparse.Namespace) -> Grade:
    from perturb.robustness.grade import by_fields, by_match

    if args.score is not None:
        return by_fields([args.score], args.prediction)
    return by_match(args.match or "exact", args.prediction, args.target)


def _check(args: argparse.Namespace) -> None:
    if args.score is not None:
        if args.target is not None or args.match is not None:
            raise UsageError(
                "--score says that rows are scored: leave out --target and --match, or --score"
            )
    elif args.prediction is None or args.target is None:
        raise UsageError("give --score FIELD, or --prediction FIELD and --target FIELD")
