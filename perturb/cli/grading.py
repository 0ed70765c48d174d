"""What the commands that read scored rows share: which files, and how a row is graded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from perturb.robustness.grade import Grade
    from perturb.robustness.rows import Source

MATCHES = ("exact", "number", "choice", "embedding")


def add_files(parser: argparse.ArgumentParser) -> None:
    """Declare the scored rows."""
    parser.add_argument("scored", type=Path, metavar="SCORED", help="scored rows, JSON Lines")
    parser.add_argument(
        "--clean", type=Path, metavar="FILE", help="scored originals, if SCORED does not hold them"
    )


def add_grades(parser: argparse.ArgumentParser) -> None:
    """Declare how a row is graded."""
    parser.add_argument(
        "--score", metavar="FIELD", help="the field that holds the score; higher is better"
    )
    parser.add_argument("--prediction", metavar="FIELD", help="the field that holds the answer")
    parser.add_argument("--target", metavar="FIELD", help="the field that holds the right answer")
    parser.add_argument(
        "--match",
        choices=MATCHES,
        help="how a prediction is compared with its target (default: exact)",
    )


def sources(args: argparse.Namespace) -> list[Source]:
    """The rows of the files, the originals first."""
    from perturb.robustness.rows import file_source

    return [file_source(path) for path in (args.clean, args.scored) if path is not None]


def grade(args: argparse.Namespace) -> Grade:
    """How the arguments grade a row.

    Raises:
        UsageError: they do not say how, or say it twice; or a library is missing.
    """
    _check(args)
    from perturb.robustness.grade import by_fields, by_match

    if args.score is not None:
        return by_fields([args.score], args.prediction)
    try:
        return by_match(args.match or "exact", args.prediction, args.target)
    except ImportError as error:
        raise UsageError(str(error)) from None


def _check(args: argparse.Namespace) -> None:
    if args.score is not None:
        if args.target is not None or args.match is not None:
            raise UsageError(
                "--score says that rows are scored: leave out --target and --match, or --score"
            )
    elif args.prediction is None or args.target is None:
        raise UsageError("give --score FIELD, or --prediction FIELD and --target FIELD")
