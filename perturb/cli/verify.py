"""`perturb verify`: make the rows of a file again, and compare."""

from __future__ import annotations

import argparse

from perturb.boundary import display
from perturb.cli.apply import add_output_of_apply
from perturb.errors import DataError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument(
        "-i",
        "--input",
        action="append",
        metavar="FILE",
        help="the input, to make the whole file again; may be given again",
    )
    add_output_of_apply(parser)
    parser.add_argument(
        "--trust",
        action="append",
        default=[],
        metavar="NAME",
        help="a file (its path), function (module:function) or lexicon that records may use; "
        "without this nothing that they name is opened or run; may be given again",
    )


def run(args: argparse.Namespace) -> int:
    """Check the file, and say what was checked."""
    from perturb.stream.verify_file import verify_file

    done = verify_file(args.file, source=args.input, format=args.format, trust=args.trust)
    if not done.rows and not done.manifest:
        raise DataError(f"{args.file} holds no row and has no manifest, so nothing was verified")
    again = done.rows - done.consistent
    rows = f"{again} {'row' if again == 1 else 'rows'} reproduced" if done.rows else "holds no row"
    if done.consistent:
        rows += f"; {done.consistent} by restoring alone, since a step can't be made again"
        rows += " (--plugin FILE loads a file that has it)"
    display(f"{args.file}: {rows}" + (", and the file is as its manifest says" * done.manifest))
    if done.not_compared:
        display(f"{args.file}: {done.not_compared}")
    return 0
