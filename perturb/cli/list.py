"""`perturb list`: the perturbators in a table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_WIDTH = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument(
        "--aliases", action="store_true", help="other names, and those of other libraries"
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the perturbators."""
    from perturb import describe, names
    from perturb.io.jsonl import dumps

    if args.aliases:
        return _run_aliases(args.json)
    known = [describe(name) for name in names()]
    if args.json:
        print(dumps(known).decode(), end="")
        return 0
    columns = ("name", "unit", "label_risk", "summary")
    rows = [("NAME", "UNIT", "LABEL RISK", "WHAT IT DOES")]
    rows += [tuple(one[column] for column in columns) for one in known]
    _print(rows, _WIDTH)
    return 0


def _run_aliases(as_json: bool) -> int:
    """Print other names with the steps that they stand for."""
    from perturb.io.jsonl import dumps
    from perturb.pipeline.drop_in_names import DROP_INS
    from perturb.pipeline.step import spelled
    from perturb.registry.registry import aliases

    known = {alias: spelled(alias) for alias in aliases()}
    known |= {name: one.steps for name, one in DROP_INS.items()}
    if as_json:
        print(dumps(known).decode(), end="")
    else:
        _print([("NAME", "STANDS FOR"), *known.items()], sys.maxsize)  # a spec stays in one line
    return 0


def _print(rows: Sequence[tuple[str, ...]], width: int) -> None:
    """Print rows in columns; the last cell of one goes on in its column."""
    from textwrap import wrap

    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    indent = sum(widths) + 2 * len(widths)
    for *cells, last in rows:
        padded = (f"{cell:<{size}}  " for cell, size in zip(cells, widths, strict=True))
        print("".join(padded) + f"\n{'':<{indent}}".join(wrap(last, width - indent)))
