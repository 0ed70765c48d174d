"""`perturb report`: the verdict, the flips and the commands that reproduce them as a web page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import compare, pages, scoring_options
from perturb.cli.scoring_options import CLEAN, GRADING
from perturb.errors import UsageError
from perturb.plan.options import repeated
from perturb.robustness.grading.plan import JUDGED, VERDICT, Grading, manual

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.report.contents import Data
    from perturb.report.follow_up import Surroundings


MANUAL = f"""
Write the effect of noise on the scores as one web page that needs no network: which edits break the
system and what to do next, every condition, the score over strength, all flips with their edits,
and the commands that reproduce it. For several systems it shows the comparison of perturb compare.

scored SCORED+  scored rows, JSON Lines; several files, or a folder with several, are compared
{CLEAN}
{GRADING}
{manual("human", "margin", *JUDGED, "at_least", "lose", "slice")}
-o, --output! FILE  the page to write, HTML
"""


def run(*, scored: list[Path], clean: Path | None, output: str, **options: Any) -> int:
    """Write the page."""
    from perturb.report.contents import gather
    from perturb.report.runs import runs_of
    from perturb.report.series import Series

    named = list(map(str, scored))
    runs = runs_of(named, apart=None)
    grading = scoring_options.grading_of(options, runs[0].files[0])
    if len(runs) > 1:
        if clean is not None:
            raise UsageError("--clean is for one file; several files need their own originals")
        compare.write_page(grading, named, compare.compared(grading, runs), output)
        return 0
    (path,) = scored
    rows = scoring_options.sources(grading, path, clean)
    judged, manifest = scoring_options.judge(grading, rows, path), runs[0].manifest
    series = Series("", path.name, runs[0].system, runs[0].asked, rows, judged)
    data = gather([series], fields=pages.fields(grading, rows, [path]))
    files = [*named, *repeated("--clean", clean or ())]
    pages.write_page(output, data, _surroundings(grading, files, output, data, manifest))
    return 0


def _surroundings(
    grading: Grading, files: Sequence[str], output: str, data: Data, manifest: dict[str, Any] | None
) -> Surroundings:
    from perturb.report.edit_kinds import TOUCHED
    from perturb.report.follow_up import Surroundings, next_commands, next_step
    from perturb.robustness.linking.damage import ADVICE
    from perturb.stream.reproduce import commands

    verdict, name = data.series[0].judged.verdict, Path(files[0]).name
    touched = data.views[0].broken[0].get(TOUCHED, ())
    if data.explained and touched and touched[0].label not in ("number", "negation"):
        hints = tuple(hint.partition(ADVICE)[0] for hint in verdict.hints)
        verdict = replace(verdict, hints=hints)  # other edits flip the answers, so drop the advice
    stated = grading.words(*VERDICT)
    ending = [*grading.words("slice"), *stated, *grading.words("lose"), "-o", output]
    following = next_commands(manifest, files, grading, ending)
    flips = pages.command_line(grading, "flips", *files)
    return Surroundings(
        title=name,
        next=next_step(verdict, data.headlines[0], bool(data.explained), following),
        hints=verdict.hints,
        commands=[
            *commands(manifest, name),
            ("This page:", pages.command_line(grading, "report", *files, options=ending)),
            (
                "The same figures in a terminal, or with --json for programs:",
                pages.command_line(grading, "score", *files, options=stated),
            ),
        ],
        flips_command=flips if data.views[0].flips else "",
        manifests=pages.manifests([(name, manifest)]),
        grading=json.dumps(grading.to_dict(), indent=2),
    )
