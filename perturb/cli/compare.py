"""`perturb compare`: two systems, or one on two dates, under the same noise."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import scoring_options

if TYPE_CHECKING:
    import argparse

    from perturb.robustness.scoring.contrast import Contrast, Contrasts

_LISTED = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb compare`."""
    parser.description = (
        "Compare what the same perturbed rows did to two systems: the difference of their "
        "differences, with its interval, and the rows where A holds and B breaks."
    )
    parser.add_argument("a", type=Path, metavar="A", help="scored rows of one, with originals")
    parser.add_argument("b", type=Path, metavar="B", help="scored rows of the other")
    scoring_options.add_grades(parser)
    scoring_options.add_metrics(parser)
    parser.add_argument(
        "-n", type=int, default=_LISTED, metavar="N", help="list so many rows (default: 10)"
    )
    parser.add_argument("--json", action="store_true", help="write all as JSON")


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    import orjson

    from perturb.robustness.scoring.contrast import contrast
    from perturb.robustness.scoring.sources import file_source

    how = scoring_options.grading(args)
    metric = next(iter(how.metrics.values()))  # of several, the first is compared
    better = metric.higher_is_better
    found = contrast(
        [file_source(args.a)], [file_source(args.b)], how.grade, higher_is_better=better
    )
    if args.json:
        print(orjson.dumps(found.to_dict(), option=orjson.OPT_INDENT_2).decode())
    else:
        print("\n".join(_lines(found, args.n)))
    return 0


def _lines(found: Contrasts, listed: int) -> list[str]:
    from perturb.robustness.scoring.tables import WIDTH, folded, wrapped

    header = ("condition", "A", "B", "B - A [95 %]", "verdict")
    rows = [_cells(one) for one in (*found.conditions, found.overall)]
    head, groups = folded(header, rows, WIDTH)
    lines = [*wrapped(found.sentence), "", *head, *(line for group in groups for line in group)]
    if found.a_holds and listed:
        shown = [f"  {original}, {condition}" for original, condition in found.a_holds[:listed]]
        left = len(found.a_holds) - len(shown)
        lines += ["", "A holds and B breaks:", *shown, *([f"  and {left:,} more"] if left else [])]
    return lines


def _cells(one: Contrast) -> tuple[str, ...]:
    interval = "-" if one.low is None else f"[{one.low:+.3f}, {one.high:+.3f}]"
    return (
        one.condition,
        f"{one.change_a:+.3f}",
        f"{one.change_b:+.3f}",
        f"{one.difference:+.3f} {interval}",
        one.verdict.replace("no difference", "none"),
    )
