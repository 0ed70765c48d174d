"""`perturb list`: the perturbators, one a line."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the perturbators."""
    from perturb import describe, names
    from perturb.io.jsonl import dumps

    known = [describe(name) for name in names()]
    if args.json:
        print(dumps(known).decode(), end="")
        return 0
    columns = ("name", "unit", "label_risk", "summary")
    rows = [("NAME", "UNIT", "LABEL RISK", "WHAT IT DOES")]
    rows += [tuple(one[column] for column in columns) for one in known]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print("  ".join(padded).rstrip())
    return 0
