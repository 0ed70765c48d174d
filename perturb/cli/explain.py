"""`perturb explain`: the fewest edits that it takes to flip an answer."""

from __future__ import annotations

import argparse

from perturb.cli import progress, scoring_options, system_options
from perturb.errors import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb explain`."""
    parser.description = (
        "For each row whose answer turned from right to wrong, or from wrong to right, find a "
        "smallest set of its edits that turns the answer of the system, by asking the system "
        "again as perturb run did. What decides is asked several times, so that nothing is "
        "explained which a system that varies by itself would do without an edit. All rows are "
        "written; those rows with an explanation. Every "
        "answer is kept in OUTPUT.journal: what was stopped goes on where it was."
    )
    system_options.add_system(parser)
    rows = parser.add_argument_group("rows")
    scoring_options.add_files(rows)
    rows.add_argument("-o", "--output", metavar="FILE", help="the rows with their explanations")
    system_options.add_question(rows.add_argument)
    scoring_options.add_answers(rows)
    scoring_options.add_against(rows)
    add = parser.add_argument_group("how to ask").add_argument
    system_options.add_pacing(add)
    system_options.add_on_error(add)
    add("--budget", type=int, default=200, metavar="N", help="how many texts to ask at most "
        "for a row (default: 200)")  # fmt: skip
    add("--repeats", type=system_options.at_least(1, 100), default=3, metavar="N", help="how often "
        "to ask for an answer that decides, with seeds that count up: more for a system that "
        "varies, 1 for one that never does (default: 3)")  # fmt: skip
    add("-n", type=system_options.at_least(0), metavar="N", help="explain only the first N rows")


def run(args: argparse.Namespace) -> int:
    """Write the rows with their explanations."""
    from perturb.evaluation.ask_rows import AskCounts, writing_answers
    from perturb.evaluation.explain import ScoredRows, explain, write_explained

    if args.match == "judge":
        raise UsageError(
            "perturb explain asks the system itself, not a judge: take another --match"
        )
    system_options.check_files(str(args.scored), args.output)
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
        write_explained(sources[-1], explanations, file)
    progress.answers(counts, asking.price)
    return 0
