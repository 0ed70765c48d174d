"""`perturb tolerance`: the strength at which one or two systems lose a given score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import compare, scoring_options, verdict_output
from perturb.cli.scoring_options import GRADING, SCORED
from perturb.cli.verdict_output import FORM, JUNIT
from perturb.errors import UsageError
from perturb.robustness.grading.plan import JUDGED, Grading, manual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.scoring.tolerances import Tolerances

MANUAL = f"""
Find how much noise a system tolerates: for each step with answers at several strengths, the
strength from which the loss stays at least --lose, with its 95 % interval; and for two systems on
the same rows, how many times as much noise B tolerates as A.

{SCORED}
other B?  scored rows of another system, B
{manual("lose")}
{GRADING}
{manual(*JUDGED)}
{FORM}
--fail-if* RULE []  exit with 3 if it holds: 'tolerance<0.05' unless the interval proves that the
    system tolerates that much noise, 'ratio<0.8' unless it proves that B tolerates that share of
    the noise that A tolerates; may be repeated
{JUNIT}
"""


def run(*, scored: Path, other: Path | None, clean: Path | None, **options: Any) -> int:
    """Print the tolerances of one system, or of two with their ratios."""
    grading = scoring_options.grading_of(options, scored, "lose")
    output = verdict_output.output_of("tolerance", grading, **options)
    files, sides = [scored], [scoring_options.sources(grading, scored, clean)]
    if other is not None:
        if clean is not None:
            raise UsageError("--clean is for one file; several files need their own originals")
        files.append(other)
        sides.append(scoring_options.sources(grading, other))
    results = found(grading, files, sides)
    told = dict.fromkeys(hint for path in files for hint in scoring_options.unlike(grading, path))
    results = replace(results, hints=(*results.hints, *told))
    return output.print(results.gated(), output.pieces(results), results)


def found(
    grading: Grading, files: Sequence[Path], sides: Sequence[Sequence[RowSource]]
) -> Tolerances:
    """Return the tolerances of one system or of two, from the rows of their files."""
    from perturb.report.runs import runs_of
    from perturb.robustness.measures.judgement import SYSTEMS
    from perturb.robustness.scoring.score import paired
    from perturb.robustness.scoring.tolerance import tolerances

    graders = [
        scoring_options.grader_of(grading, rows, path, files)
        for path, rows in zip(files, sides, strict=True)
    ]
    pairs = [paired(rows, grading, by) for rows, by in zip(sides, graders, strict=True)]
    names: Sequence[str] = SYSTEMS
    if len(files) == 2:
        names = compare.names_of(runs_of(list(map(str, files)), apart=False))
    return tolerances(pairs, graders[0].metrics, grading.loss, names)
