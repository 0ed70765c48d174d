"""`perturb verify`: make the rows of a file again, and compare."""

from __future__ import annotations

import argparse

from perturb.cli.file_format import add_format


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="a file that perturb apply wrote; - for standard input"
    )
    parser.add_argument("--id-field", metavar="FIELD", help="default: the manifest's, or id")
    parser.add_argument(
        "-i",
        "--input",
        action="append",
        metavar="FILE",
        help="the input, to make the whole file again; needed where it has no records "
        "(--record none); may be given again",
    )
    add_format(parser)
    parser.add_argument(
        "--trust",
        action="append",
        default=[],
        metavar="NAME",
        help="a file (its path) or function (module:function) that the records may use; without "
        "this nothing that they name is opened or run; may be given again",
    )


def run(args: argparse.Namespace) -> int:
    """Check the file, and say what was checked."""
    from perturb.stream.verify_file import verify_file

    done = verify_file(
        args.file,
        id_field=args.id_field,
        source=args.input,
        format=args.format,
        trust=args.trust,
    )
    rows = f"{done.rows} {'row' if done.rows == 1 else 'rows'} reproduced"
    if done.consistent:
        rows += f"; {done.consistent} by edits alone, since a step is not reproducible"
    print(f"{args.file}: {rows}" + (", and the file is as its manifest says" * done.manifest))
    if done.not_compared:
        print(f"{args.file}: {done.not_compared}")
    return 0
