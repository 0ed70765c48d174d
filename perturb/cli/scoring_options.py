"""Options shared by the commands that read scored rows: the files, and the way to grade a row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from perturb.robustness.scoring.grade import Grade
    from perturb.robustness.scoring.sources import Source

MATCHES = ("exact", "number", "choice", "embedding")


def add_files(parser: argparse._ActionsContainer) -> None:
    """Declare the scored rows."""
    parser.add_argument("scored", type=Path, metavar="SCORED", help="scored rows, JSON Lines")
    parser.add_argument(
        "--clean", type=Path, metavar="FILE", help="scored originals, if SCORED does not hold them"
    )


def add_answers(parser: argparse._ActionsContainer, matches: Sequence[str] = MATCHES[:-1]) -> None:
    """Declare how an answer is compared with the right one."""
    add = parser.add_argument
    add("--prediction", metavar="FIELD", help="holds what the system said (default: prediction)")
    add("--target", metavar="FIELD", help="holds the right answer (default: answer)")
    add("--match", choices=matches, help="how the two are compared (default: exact)")


def add_grades(parser: argparse.ArgumentParser) -> None:
    """Declare how a row is graded."""
    add_answers(parser, MATCHES)
    parser.add_argument(
        "--score", metavar="FIELD", help="in place of an answer, holds a score; higher is better"
    )


def sources(args: argparse.Namespace) -> list[Source]:
    """Return the rows of the files, the originals first."""
    from perturb.robustness.scoring.sources import file_source

    return [file_source(path) for path in (args.clean, args.scored) if path is not None]


def grade(args: argparse.Namespace) -> Grade:
    """Return the way of grading that the arguments choose.

    Raises:
        UsageError: they say it twice; or a library is missing.
    """
    if args.score is None:
        return by_answers(args)
    if args.target is not None or args.match is not None:
        raise UsageError(
            "--score says that rows are scored: leave out --target and --match, or --score"
        )
    from perturb.robustness.scoring.grade import by_fields

    return by_fields([args.score], args.prediction)


def by_answers(args: argparse.Namespace) -> Grade:
    """Grade a row by its answer; what the arguments leave open is filled in.

    Raises:
        UsageError: a library is missing.
    """
    from perturb.robustness.scoring.grade import by_match

    args.prediction, args.target = args.prediction or "prediction", args.target or "answer"
    try:
        return by_match(args.match or "exact", args.prediction, args.target)
    except ImportError as error:
        raise UsageError(str(error)) from None
