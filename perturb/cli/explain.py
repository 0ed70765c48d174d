"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

import argparse

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.scoring_options import AGAINST, ANSWERS, SCORED
from perturb.cli.system_options import ON_ERROR, PACING, QUESTION, SYSTEM
from perturb.errors import UsageError

_SHOWN = 20
MANUAL = f"""
For each row whose answer turned from right to wrong, or from wrong to right, find a smallest set of
its edits that turns the answer of the system, by asking the system again as perturb run did. What
decides is asked several times, so that nothing is explained which a system that varies by itself
would do without an edit. All rows are written, those rows with an explanation; the first of these
are printed too. Every answer is kept in OUTPUT.journal: what was stopped goes on where it was.

the system:
{SYSTEM}
rows:
{SCORED}
-o, --output FILE  the rows with their explanations
{QUESTION}
{ANSWERS}
{AGAINST}
how to ask:
{PACING}
{ON_ERROR}
--budget N [200]  how many texts to ask at most for a row (default: 200)
--repeats N [3]  how often to ask for an answer that decides, with seeds that count up: more for a
    system that varies, 1 for one that never does (default: 3)
-n N  explain only the first N rows
"""


def run(args: argparse.Namespace) -> int:
    """Write the rows with their explanations."""
    from perturb.evaluation.ask_rows import AskCounts, writing_answers
    from perturb.evaluation.explain import ScoredRows, explain, write_explained
    from perturb.robustness.tables.formats import Table, as_text

    if args.match == "judge":
        raise UsageError(
            "perturb explain asks the system itself, not a judge: take another --match"
        )
    system_options.check_files(args, str(args.scored))
    sources = scoring_options.sources(args)
    grade = scoring_options.by_answers(args, sources)  # which fills in --prediction
    asking = system_options.system(args)
    rows = ScoredRows(sources, grade, system_options.content(args), args.prediction)
    journal = asking.journal(args, f"{args.output}.journal")
    lines = rows.flipped()[: args.n]
    counts = AskCounts(questions=len(lines))
    with system_options.watched(asking.run(args, journal, counts)) as run:
        explanations = explain(run, rows, lines, budget=args.budget, repeats=args.repeats)
    progress.failed(counts, "row", journal, args.on_error)
    names = ("clean", "prediction", "target", "match", "against", "budget", "repeats", "n")
    call = {"command": "explain", "options": system_options.options(args, asking, *names)}
    with writing_answers(args.output, str(args.scored), call, counts) as file:
        told = write_explained(sources[-1], explanations, file)
    progress.answers(counts, asking.price)
    header, first = ("row", "explained", "edits", "answers"), told[:_SHOWN]
    sentence = f"Rows whose answer flipped: {len(told):,}; of the first {len(first)}, what does it:"
    display(as_text(Table(sentence, header, first, [""] * len(first), set())))
    return 0
