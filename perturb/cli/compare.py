"""`perturb compare`: two systems, or one on two dates, under the same noise."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.cli import report as page_options
from perturb.cli import scoring_options

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from perturb.robustness.scoring.contrast import Contrast, Contrasts
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

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
    page_options.add_slices(parser)
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="also write the comparison as one web page, HTML"
    )


def run(args: argparse.Namespace) -> int:
    """Print the comparison."""
    import orjson

    from perturb.robustness.scoring.contrast import contrast_pairs
    from perturb.robustness.scoring.score import judge_pairs
    from perturb.robustness.scoring.sources import file_source

    how = scoring_options.grading(args)
    metric = next(iter(how.metrics.values()))  # of several, the first is compared
    sources = [[file_source(path)] for path in (args.a, args.b)]
    judged = [
        judge_pairs(rows, how.grade, metrics=how.metrics, prediction=how.prediction)
        for rows in sources
    ]
    better = metric.higher_is_better
    found = contrast_pairs(judged[0].pairs, judged[1].pairs, sources[0], higher_is_better=better)
    if args.output is not None:
        _write_page(args, found, sources, judged)
    if args.json:
        print(orjson.dumps(found.to_dict(), option=orjson.OPT_INDENT_2).decode())
    else:
        print("\n".join(_lines(found, args.n)))
    return 0


def _write_page(
    args: argparse.Namespace,
    found: Contrasts,
    sources: Sequence[Sequence[RowSource]],
    judged: Sequence[Judged],
) -> None:
    from perturb.report.contents import gather
    from perturb.report.follow_up import Surroundings
    from perturb.report.headline import Next
    from perturb.report.listing import Fields
    from perturb.stream.manifest import read

    paths = (args.a, args.b)
    held = [read(str(path)) for path in paths]
    series = [
        page_options.series_of(*each)
        for each in zip("AB", paths, held, sources, judged, strict=True)
    ]
    fields = Fields(args.slice, args.prediction, args.target)
    data = gather(series, fields=fields, contrasts=found)
    graded = [*page_options.grading(args), *(["--match", args.match] if args.match else [])]
    slices = [word for field in args.slice for word in ("--slice", field)]
    again = shlex.join(["perturb", "compare", *map(str, paths), *graded, *slices])
    around = Surroundings(
        title=" and ".join(path.name for path in paths),
        next=Next(
            "Look at each system alone.",
            shlex.join(["perturb", "report", str(args.b), *graded, "-o", "b.html"]),
        ),
        hints=(),
        commands=[("This page:", f"{again} {shlex.join(['-o', str(args.output)])}")],
        flips_command="",
        manifests=page_options.manifests(
            [(path.name, one) for path, one in zip(paths, held, strict=True)]
        ),
    )
    page_options.write_page(args.output, data, around)


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
