"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import pages, progress, scoring_options, verdict_output
from perturb.cli.scoring_options import GRADING, SCORED
from perturb.cli.system_options import PACING, SYSTEM, asking_of, watched
from perturb.cli.talk import say
from perturb.cli.verdict_output import CARDS, FORM_OR_CARD, JUNIT
from perturb.errors import UsageError
from perturb.plan.options import repeated
from perturb.robustness.grading.plan import JUDGED, Grading, manual
from perturb.robustness.grading.ways import BY_JUDGE, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.evaluation.asking import Asking
    from perturb.robustness.linking.sources import RowSource

MANUAL = f"""
Compare the scores of perturbed rows with those of their originals: robust, worse, better, no worse,
undecided, or the reason why they can't be judged; sensitive or insensitive if the answers should
change.

{SCORED}
{GRADING}
{manual("margin", *JUDGED, "at_least")}
--seed SEED  also give a bootstrap interval with this seed, in --json, --csv and --format tsv; no
    verdict depends on it
{FORM_OR_CARD}
--wide  show all measures in the table, and each condition on its changed rows alone too
--plot DIR  also write plots, PNG and SVG
--fail-if* RULE []  exit with 3 if it holds: 'drop>0.05' if the interval proves such a drop,
    'keyboard_typos@0.1: low<-0.1' for one condition and limit, 'reaction<0.1' if it proves that
    answers that should change react less; may be repeated
{JUNIT}
the judge, with --match judge:
{SYSTEM}
how to ask the judge:
--judge-prompt FILE  a prompt in place of the one that comes with perturb, written as for --prompt
    of perturb run, with {{reference}} and {{response}}
--dry-run  ask nothing, and print the number of replies to judge and the first question
{PACING}
options:
{manual("human")}
--draw N  draw N originals at random (--seed), write the replies to them and to their versions to
    SCORED.human.jsonl for a person to grade in the field of --human, and stop; its field drawn
    shows later that nobody chose them
"""


def run(
    *,
    scored: Path,
    clean: Path | None,
    seed: int | None,
    plot: Path | None,
    judge_prompt: Path | None,
    dry_run: bool,
    draw: int | None,
    **options: Any,
) -> int:
    """Print the verdict."""
    from perturb.report.runs import runs_of
    from perturb.robustness.tables.gate import gated

    grading = scoring_options.grading_of(options, scored)
    output = verdict_output.output_of("score", grading, **options)
    rows, named = scoring_options.sources(grading, scored, clean), [str(scored)]
    if draw is not None:
        _draw(grading, scored, rows, draw, seed or 0)
        return 0
    of_judge = {name: options[name] for name in ("endpoint", "command")}
    of_judge |= {"judge-prompt": judge_prompt, "dry-run": dry_run}
    given = [option for option, value in of_judge.items() if value]
    if given and grading.way != BY_JUDGE:
        raise UsageError(f"--{given[0]} is for --match judge; give both, or leave it out")
    if given:
        _ask_judge(asking_of(options), judge_prompt, grading, scored, rows, dry_run)
        if dry_run:
            return 0
    judged = scoring_options.judge(grading, rows, scored, seed=seed)
    verdict = judged.verdict
    runs = runs_of(named, apart=False)[:1] if output.format in CARDS else []
    named += repeated("--clean", clean or ())
    pieces = pages.pieces_of(output, grading, verdict, named, runs, [judged])
    status = output.print(gated(verdict), pieces, verdict)
    if plot is not None:
        try:
            from perturb.robustness.tables.plots import write_plots
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_plots(verdict, plot)
    return status


def _draw(
    grading: Grading, scored: Path, sources: Sequence[RowSource], count: int, seed: int
) -> None:
    """Write the rows for a person to grade, keeping the grades that the file already has.

    Raises:
        UsageError: --human names no field for the grade.
    """
    from perturb.io.jsonl import dumps
    from perturb.io.outputs import writing
    from perturb.robustness.linking.sources import file_source
    from perturb.robustness.measures.human import human_grades, rows_to_grade

    if grading.human is None:
        raise UsageError("--draw needs --human FIELD, the field for a person's right or wrong")
    path = scoring_options.graded_path(scored)
    beside = [file_source(path)] if path.exists() else []
    by = grading.human, grading.reply, grading.right
    grades = human_grades([*sources, *beside], *by)
    rows = rows_to_grade(sources, *by, count=count, seed=seed, grades=grades)
    with writing(str(path)) as (file, _):
        file.write(b"".join(map(dumps, rows)))
    left = sum(row[grading.human] is None for row in rows)
    say(f"{progress.plural(left, 'reply', 'replies')} to grade in {path}; write right or wrong "
        f"into {grading.human!r}, then repeat this call without --draw")  # fmt: skip


def _ask_judge(
    asking: Asking,
    prompt_file: Path | None,
    grading: Grading,
    scored: Path,
    sources: Sequence[RowSource],
    dry_run: bool,
) -> None:
    """Ask the judge about unjudged replies, or print the first question.

    Raises:
        DataError: rows lack a field, or the judge failed to judge some replies.
    """
    from perturb.evaluation.ask_rows import AskCounts, ask_questions
    from perturb.evaluation.judge import PROMPT, Judge, journal_path, judge_prompt
    from perturb.robustness.grading.against import compared_rows

    prompt = judge_prompt(prompt_file)
    journal = asking.journal(journal_path(scored), **{PROMPT: prompt._asdict()})
    reply = str(grading.reply)
    if grading.against is not None:
        compared = compared_rows(sources, reply)
        sources = [source._replace(rows=[(at, each) for at, row in source.rows
                                         for each in compared(row)])
                   for source in sources]  # fmt: skip
    judge = Judge(prompt, reply, grading.right or REFERENCE, wrapped=asking.command is not None)
    questions = list(judge.questions(sources))
    unjudged = [question for question in questions if question not in journal]
    counts = AskCounts(len(questions), len(questions) - len(unjudged))
    if dry_run:
        display(f"{progress.plural(counts.questions, 'different reply', 'different replies')}, "
              f"{counts.before:,} of them already judged")  # fmt: skip
        for question in questions[:1]:
            display(json.dumps(question.content, ensure_ascii=False, indent=2))
        display(json.dumps(journal.settings, ensure_ascii=False))
        return
    with watched(asking.run(journal, counts)) as run:
        ask_questions(run, iter(unjudged))
    progress.failed(counts.failure(journal, "reply", "replies"))
    progress.answers(counts, asking.prices)
