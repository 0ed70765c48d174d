"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.scoring_options import SCORED
from perturb.cli.system_options import ON_ERROR, PACING, QUESTION, SYSTEM
from perturb.errors import UsageError
from perturb.robustness.grading.plan import ANSWERS, manual
from perturb.robustness.grading.ways import BY_JUDGE

# Explanations printed: a screen; the file has all of them.
_SHOWN = 20
MANUAL = f"""
For each row whose answer flipped, find a smallest set of its edits that flips the system's answer,
by asking the system again as perturb run did. Questions that decide are asked several times, so
that an answer that varies by itself isn't explained by an edit. All rows are written, or those of
--where, flipped rows with their explanation; the first of these are printed too. OUTPUT.journal
keeps every answer, so a stopped run continues where it was.

the system:
{SYSTEM}
rows:
{SCORED}
-o, --output FILE  the rows with their explanations
{QUESTION}
{manual("where", *ANSWERS, "against")}
how to ask:
{PACING}
{ON_ERROR}
--budget N [200]  how many texts to ask about at most for a row
--repeats N [3]  how often to ask again where an answer decides, with increasing seeds; more for a
    system whose answers vary, 1 for one that always answers the same
-n N  explain only the first N rows
"""


def run(
    *,
    scored: Path,
    clean: Path | None,
    output: str | None,
    n: int | None,
    budget: int,
    repeats: int,
    **options: Any,
) -> int:
    """Write the rows with their explanations."""
    from perturb.evaluation.ask_rows import AskCounts, writing_answers
    from perturb.evaluation.explain import ScoredRows, explain, write_explained
    from perturb.robustness.tables.formats import Table, as_text

    grading = scoring_options.grading_of(options, scored)
    scoring_options.tell_unlike(grading, scored)
    if grading.way == BY_JUDGE:
        raise UsageError("perturb explain asks the system, not a judge; use another --match")
    read, to = system_options.check_files(str(scored), output, clean=clean, **options)
    sources = scoring_options.sources(grading, scored, clean)
    grade = scoring_options.grader_of(grading, sources, scored).grade
    asking = system_options.asking_of(options)
    rows = ScoredRows(sources, grade, asking.content(), str(grading.reply))
    journal = asking.journal(f"{to}.journal")
    lines = rows.flipped()[:n]
    counts = AskCounts(questions=len(lines))
    with system_options.watched(asking.run(journal, counts)) as run:
        explanations = explain(run, rows, lines, budget=budget, repeats=repeats)
    progress.failed(counts.failure(journal, "row", on_error=asking.on_error))
    where = ["=".join(pair) for pair in grading.where]
    named = {"clean": clean, "budget": budget, "repeats": repeats, "n": n, "where": where}
    call = asking.call("explain", **named, **grading.answers())
    with writing_answers(to, read, call, counts) as file:
        told = write_explained(sources[-1], explanations, file)
    progress.answers(counts, asking.prices)
    header, first = ("row", "explained", "edits", "answers"), told[:_SHOWN]
    if not told:
        display("No answer flipped, so there is nothing to explain.")
        return 0
    sentence = (
        f"{progress.plural(len(told), 'row')} flipped. Edits that flip the first {len(first)}:"
    )
    display(as_text(Table(sentence, header, first, [""] * len(first), set())))
    return 0
