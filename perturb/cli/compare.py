"""`perturb compare`: two systems or more, or one on several dates, under the same noise."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.cli import pages, scoring_options, verdict_output
from perturb.cli.manual import answers
from perturb.cli.scoring_options import GRADING
from perturb.cli.verdict_output import FORM_OR_CARD, JUNIT
from perturb.errors import UsageError
from perturb.robustness.grading.plan import JUDGED, LOSE, VERDICT, Grading, manual
from perturb.robustness.grading.ways import BY_JUDGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.report.runs import Run
    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.scoring.contrast import Contrasts
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.standings import Standings

MANUAL = f"""
Compare two systems on the same perturbed rows: the difference of their differences, with its
interval, and the rows where A holds and B breaks. With more systems: the loss of each under each
condition, and its rank, with intervals.

scored SCORED+  two or more files of scored rows with originals, each of one system; or one folder
    or pattern with the files of all systems, in which files of one system and one job are one run
{GRADING}
{manual("human", "margin", *JUDGED)}
--lose X  find the strength at which each system loses this (default: {LOSE} of two systems, where
    they were asked at several strengths of a step)
-n N [10]  how many rows to list, with two systems; 0 for all
{FORM_OR_CARD}
--fail-if* RULE []  exit with 3 if it holds: 'drop>0.05' if the interval proves that B loses that
    much more than A, 'keyboard_typos@0.1: low<-0.1' for one condition and limit, 'ratio<0.8' unless
    B tolerates that share of the noise that A tolerates; with more than two systems, that one loses
    that much, 'small: drop>0.05' for system small; may be repeated
{JUNIT}
{manual("slice")}
-o, --output FILE  also write the comparison as one web page, HTML
"""


def _scored(text: str) -> str:
    """Read the path or the address of scored rows."""
    return text if "://" in text else str(answers(text))


TYPES = {"scored": _scored}


def run(*, scored: list[str], n: int, output: str | None, **options: Any) -> int:
    """Print the comparison."""
    from perturb.io.addresses import size_of
    from perturb.io.files import STANDARD, readable
    from perturb.report.runs import runs_of
    from perturb.robustness.scoring.standings import Standings

    runs = runs_of(scored, apart=True)
    if len(runs) < 2:
        if (file := runs[0].files[0]) != STANDARD:
            with readable(file):
                size_of(file)  # a missing file is the better explanation
        raise UsageError(f"{scored[0]} has one system; compare takes two or more")
    grading = scoring_options.grading_of(options, runs[0].files[0])
    shown = verdict_output.output_of("compare", grading, **options)
    found = compared(grading, runs)
    if output is not None:
        write_page(grading, scored, found, output)
    results, judged = found.results, found.judged
    pieces = pages.pieces_of(shown, grading, results, scored, runs, judged)
    if shown.format == "table" and not isinstance(results, Standings):
        pieces += [f"\n{line}" for line in results.held_lines(n)]
    return shown.print(results.gated(), pieces, results)


class Found(NamedTuple):
    """A comparison, the runs that it compares, their rows, and the verdict on each."""

    results: Contrasts | Standings
    runs: Sequence[Run]
    rows: Sequence[RowSource]
    judged: Sequence[Judged]


def compared(grading: Grading, runs: Sequence[Run]) -> Found:
    """Compare two runs or more by a plan."""
    from perturb.report.runs import successions
    from perturb.robustness.scoring.compare import standings
    from perturb.robustness.scoring.contrast import contrast_pairs

    files = [file for run in runs for file in run.files]
    rows = [scoring_options.source(grading, run.files) for run in runs]
    judged = [
        scoring_options.judge(grading, [each], run.files[0], files)
        for run, each in zip(runs, rows, strict=True)
    ]
    metrics, sides, names = judged[0].metrics, [one.pairs for one in judged], names_of(runs)
    results: Contrasts | Standings
    if len(runs) == 2:
        results = contrast_pairs(
            *(sides[0], sides[1], metrics),
            margin=grading.margin,
            systems=(names[0], names[1]),
            lose=grading.loss,
        )
    else:
        results = standings(
            dict(zip(names, sides, strict=True)),
            metrics,
            margin=grading.margin,
            lose=grading.lose,
            successions=successions(runs),
        )
    hints = [*results.hints, *_hints(grading, runs, judged, results)]
    return Found(replace(results, hints=tuple(hints)), runs, rows, judged)


def names_of(runs: Sequence[Run]) -> Sequence[str]:
    """Return the names of systems; A and B where one file is compared with itself."""
    from perturb.robustness.measures.judgement import SYSTEMS

    names = [run.name for run in runs]
    return names if len({*names}) > 1 else SYSTEMS


def _hints(
    grading: Grading, runs: Sequence[Run], judged: Sequence[Judged], results: Contrasts | Standings
) -> Iterator[str]:
    """Yield notes: why a system can't be judged, and who judged the replies."""
    from perturb.robustness.measures.findings import Contrast
    from perturb.robustness.measures.judgement import CANNOT_JUDGE
    from perturb.robustness.measures.unanswered import lost_hint
    from perturb.robustness.scoring.verdict import finding_over_all

    yield from dict.fromkeys(
        hint for run in runs for hint in scoring_options.unlike(grading, run.files[0])
    )
    for name, side in zip(names_of(runs), judged, strict=True):
        all_rows = finding_over_all(side.pairs, side.metrics, margin=grading.margin)
        if all_rows.verdict == CANNOT_JUDGE:
            # The comparison counts both itself.
            known = {*results.hints, *lost_hint(side.pairs, side.metrics)}
            hints = (hint for hint in side.verdict.hints if not hint.startswith("A person's"))
            yield from (f"{name}: {hint}" for hint in hints if hint not in known)
    if grading.way == BY_JUDGE:
        overall = results.overall[0]
        whole = overall if isinstance(overall, Contrast) else overall.finding
        files = [file for run in runs for file in run.files]
        yield from scoring_options.judge_notes(files, judged[0], whole.difference, len(runs))


def write_page(grading: Grading, named: Sequence[str], found: Found, output: str) -> None:
    """Write a comparison as a page.

    Args:
        grading: the plan of the comparison.
        named: the files, as the caller named them.
        found: the comparison.
        output: the path of the page.
    """
    from perturb.report.contents import gather
    from perturb.report.follow_up import Next, Surroundings
    from perturb.report.series import Series

    results, runs = found.results, found.runs
    if len(runs) > 2 and grading.slice:
        raise UsageError("--slice takes one or two systems; for more, make a page of each")
    paths = [Path(run.files[0]) for run in runs]
    every = zip(names_of(runs), paths, runs, found.rows, found.judged, strict=True)
    series = [
        Series(name, path.name, run.system, run.asked, [rows], alone)
        for name, path, run, rows, alone in every
    ]
    fields = pages.fields(grading, found.rows[:1], [file for run in runs for file in run.files])
    data = gather(series, fields=fields, compared=results)
    stated = grading.words(*VERDICT)
    options = [*stated, "-o", f"{paths[-1].stem}.html"]
    apart = pages.command_line(grading, "report", str(paths[-1]), options=options)
    options = [*stated, *grading.words("slice", "lose"), "-o", output]
    again = pages.command_line(grading, "compare", *named, options=options)
    title = " and ".join(path.name for path in paths)
    around = Surroundings(
        title=title if len(runs) == 2 else f"{len(runs)} systems",
        next=Next("Look at each system alone.", apart),
        hints=results.hints,
        commands=[("This page:", again)],
        flips_command="",
        grading=json.dumps(grading.to_dict(), indent=2),
        manifests=pages.manifests(
            [(each.file, run.manifest) for each, run in zip(series, runs, strict=True)]
        ),
    )
    pages.write_page(output, data, around)
