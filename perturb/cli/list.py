"""`perturb list`: the perturbators in a table."""

from __future__ import annotations

import argparse

_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the perturbators; a summary that needs more lines goes on in its column."""
    from textwrap import wrap

    from perturb import describe, names
    from perturb.io.jsonl import dumps

    known = [describe(name) for name in names()]
    if args.json:
        print(dumps(known).decode(), end="")
        return 0
    columns = ("name", "unit", "label_risk", "summary")
    rows = [("NAME", "UNIT", "LABEL RISK", "WHAT IT DOES")]
    rows += [tuple(one[column] for column in columns) for one in known]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    indent = sum(widths) + 2 * len(widths)
    for *cells, summary in rows:
        padded = (f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))
        print("".join(padded) + f"\n{'':<{indent}}".join(wrap(summary, _WIDTH - indent)))
    return 0
