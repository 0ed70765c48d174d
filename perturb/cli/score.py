"""`perturb score`: the verdict on scored rows."""

from __future__ import annotations

import argparse
import json

from perturb.boundary import display
from perturb.cli import pages, progress, scoring_options, system_options, verdict_output
from perturb.cli.scoring_options import AT_LEAST, GRADING, HUMAN, MARGIN, SCORED
from perturb.cli.system_options import PACING, SYSTEM
from perturb.cli.talk import say
from perturb.cli.verdict_output import CARDS, FORM_OR_CARD, JUNIT
from perturb.errors import UsageError

MANUAL = f"""
Compare the scores of perturbed rows with those of their originals: robust, worse, better, no worse,
undecided, or the reason why they can't be judged; sensitive or insensitive if the answers should
change.

{SCORED}
{GRADING}
{MARGIN}
{scoring_options.JUDGING}
{AT_LEAST}
--seed SEED  also give a bootstrap interval with this seed, in --json, --csv and --format tsv; no
    verdict depends on it
{FORM_OR_CARD}
--wide  show all measures in the table
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
{HUMAN}
--draw N  draw N originals at random (--seed), write the replies to them and to their versions to
    SCORED.human.jsonl for a person to grade in the field of --human, and stop; its field drawn
    shows later that nobody chose them
"""


def run(args: argparse.Namespace) -> int:
    """Print the verdict."""
    from perturb.report.runs import runs_of
    from perturb.robustness.scoring.gate import gated

    rules = verdict_output.rules_of(args)
    if args.draw is not None:
        _draw(args)
        return 0
    if not _ask_judge(args):
        return 0
    judged = scoring_options.judge(args, scoring_options.sources(args), args.scored)
    verdict, named = judged.verdict, [str(args.scored)]
    runs = runs_of(named, apart=False)[:1] if args.format in CARDS else []
    pieces = pages.pieces_of(args, verdict, named, runs, [judged])
    status = verdict_output.print_gated(args, rules, gated(verdict), pieces, verdict)
    if args.plot is not None:
        try:
            from perturb.robustness.tables.plots import write_plots
        except ImportError as error:
            raise UsageError(str(error)) from None
        write_plots(verdict, args.plot)
    return status


def _draw(args: argparse.Namespace) -> None:
    """Write the rows for a person to grade, keeping the grades that the file already has.

    Raises:
        UsageError: --human names no field for the grade, or the rows have scores.
    """
    from perturb.io.jsonl import dumps
    from perturb.io.outputs import writing
    from perturb.robustness.scoring.human import rows_to_grade

    if args.human is None:
        raise UsageError("--draw needs --human FIELD, the field for a person's right or wrong")
    if args.score is None:
        args.prediction, args.target = args.prediction or "prediction", args.target or "answer"
    sources = scoring_options.sources(args)
    grades, _ = scoring_options.human_grades(args, sources, args.scored)
    rows = rows_to_grade(sources, args.human, args.prediction, args.target,
                         count=args.draw, seed=args.seed or 0, grades=grades)  # fmt: skip
    with writing(str(path := scoring_options.graded_path(args.scored))) as (file, _):
        file.write(b"".join(map(dumps, rows)))
    left = sum(row[args.human] is None for row in rows)
    say(f"{progress.plural(left, 'reply', 'replies')} to grade in {path}; write right or wrong "
        f"into {args.human!r}, then repeat this call without --draw")  # fmt: skip


def _ask_judge(args: argparse.Namespace) -> bool:
    """Ask the judge about unjudged replies, if the arguments name one; return whether to go on.

    Raises:
        UsageError: the arguments of the judge are invalid, or --match isn't judge.
        DataError: rows lack a field, or the judge failed to judge some replies.
    """
    options = [
        name for name in ("endpoint", "command", "judge_prompt") if getattr(args, name) is not None
    ]
    if args.match != "judge":
        if options or args.dry_run:
            option = (options or ["dry_run"])[0].replace("_", "-")
            raise UsageError(f"--{option} is for --match judge; give both, or leave it out")
        return True
    if not options and not args.dry_run:
        return True
    from perturb.evaluation.ask_rows import AskCounts, ask_questions
    from perturb.evaluation.judge import Judge, journal_path, judge_prompt, judge_settings

    prompt = judge_prompt(args.judge_prompt)
    asking = system_options.system(args)
    asking = asking._replace(settings=judge_settings(asking.settings, prompt))
    journal = asking.journal(args, journal_path(args.scored))
    sources = scoring_options.sources(args)
    compared, target = scoring_options.fields_and_rows(args, sources)
    if compared is not None:
        sources = [source._replace(rows=[(at, each) for at, row in source.rows
                                         for each in compared(row)])
                   for source in sources]  # fmt: skip
    judge = Judge(prompt, args.prediction, target, wrapped=args.command is not None)
    questions = list(judge.questions(sources))
    unjudged = [question for question in questions if question not in journal]
    counts = AskCounts(len(questions), len(questions) - len(unjudged))
    if args.dry_run:
        display(f"{progress.plural(counts.questions, 'different reply', 'different replies')}, "
              f"{counts.before:,} of them already judged")  # fmt: skip
        for question in questions[:1]:
            display(json.dumps(question.content, ensure_ascii=False, indent=2))
        display(json.dumps(asking.settings, ensure_ascii=False))
        return False
    with system_options.watched(asking.run(args, journal, counts)) as run:
        ask_questions(run, iter(unjudged))
    progress.failed(counts, "reply", journal, "", "replies")
    progress.answers(counts, asking.price)
    return True
