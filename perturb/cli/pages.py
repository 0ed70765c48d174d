"""The page and the card of scored rows, which several commands write, and the calls in them."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import scoring_options, verdict_output
from perturb.errors import UsageError
from perturb.io.files import STANDARD
from perturb.io.outputs import writing_together
from perturb.robustness.grading.plan import GRADED, VERDICT, Grading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.cli.verdict_output import Output
    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings
    from perturb.report.listing import Fields
    from perturb.report.runs import Run
    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.tables.formats import Shown


def pieces_of(
    output: Output,
    grading: Grading,
    results: Shown,
    named: Sequence[str],
    runs: Sequence[Run],
    judged: Sequence[Judged],
) -> list[str]:
    """Return results in pieces, in a form which may be a card.

    Args:
        output: the form.
        grading: the plan of the verdict.
        results: the results to show.
        named: the files, as the caller named them.
        runs: the runs in these files.
        judged: the verdict on each run.
    """
    if output.format not in verdict_output.CARDS:
        return output.pieces(results)
    from perturb.report import card

    options = [*grading.words(*VERDICT), "--format", output.format]
    call = command_line(grading, output.command, *named, options=options)
    return [card.CARDS[output.format](card.Judgeds(results, runs, judged, call))]


def write_page(output: str, data: Data, around: Surroundings) -> None:
    """Write the page, and beside it the rows that don't fit on it; all files or none."""
    try:
        from perturb.report.page import packed, page
    except ImportError as error:
        raise UsageError(str(error)) from None
    beside = []
    with writing_together() as opened:
        target = opened(output)
        for at, rows in enumerate(() if output == STANDARD else data.further, 1):
            beside.append(f"{Path(output).stem}.rows-{at}.js")
            opened(str(Path(output).with_name(beside[-1]))).write(
                f'perturbRows("{packed(rows)}");'.encode()
            )
        target.write(page(data, around, beside).encode())


def fields(grading: Grading, rows: Sequence[RowSource], files: Sequence[Path | str]) -> Fields:
    """Return the fields that the page shows, including all fields that the grading reads."""
    from perturb.report.listing import Fields

    dear = str(grading.way).partition(":")[0] in ("embedding", "python")  # and read all of it
    grade = None
    if not grading.reads_scores and not dear:
        grade = scoring_options.grader_of(replace(grading, human=None), rows, files[0], files).grade
    return Fields(grading.slice, grading.reply, grading.right, grade)


def manifests(named: Sequence[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the existing manifests as text, with the names of their files."""
    return [
        (name, json.dumps(manifest, indent=2)) for name, manifest in named if manifest is not None
    ]


def command_line(grading: Grading, command: str, *files: str, options: Sequence[str] = ()) -> str:
    """Return a call of a command that grades rows by a plan."""
    return shlex.join(["perturb", command, *files, *grading.words(*GRADED), *options])
