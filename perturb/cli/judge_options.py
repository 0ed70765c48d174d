"""Options and steps of `perturb score --match judge`, which asks a system about each reply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.talk import say
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse

_SYSTEM = ("endpoint", "command")


def draw(args: argparse.Namespace) -> None:
    """Write the rows that a person is to grade; grades that stand in the file are kept.

    Raises:
        UsageError: no field for the grade is named, or rows are scored.
    """
    from perturb.io.jsonl import dumps
    from perturb.io.outputs import writing
    from perturb.robustness.scoring.human import rows_to_grade

    if args.human is None:
        raise UsageError("--draw needs --human FIELD, in which a person writes right or wrong")
    args.prediction, args.target = args.prediction or "prediction", args.target or "answer"
    sources = scoring_options.sources(args)
    grades = scoring_options.human_grades(args, sources, args.scored)
    rows = rows_to_grade(sources, args.human, args.prediction, args.target,
                         count=args.draw, seed=args.seed or 0, grades=grades)  # fmt: skip
    with writing(str(path := scoring_options.graded_path(args.scored))) as (file, _):
        file.write(b"".join(map(dumps, rows)))
    left = sum(row[args.human] is None for row in rows)
    say(f"{progress.plural(left, 'reply', 'replies')} to grade in {path}: write right or wrong "
        f"into {args.human!r}, and call this again without --draw")  # fmt: skip


def ask_judge(args: argparse.Namespace) -> bool:
    """Ask what is not judged yet, where the arguments name a judge; tell whether to go on.

    Raises:
        UsageError: a judge is named but not asked for, or can't be.
        DataError: rows lack a field, or replies could not be judged.
    """
    options = [name for name in (*_SYSTEM, "judge_prompt") if getattr(args, name) is not None]
    if args.match != "judge":
        if options or args.dry_run:
            option = (options or ["dry_run"])[0].replace("_", "-")
            raise UsageError(f"--{option} is of --match judge: give both, or leave it out")
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
              f"{counts.before:,} of them judged before")  # fmt: skip
        for question in questions[:1]:
            display(json.dumps(question.content, ensure_ascii=False, indent=2))
        display(json.dumps(asking.settings, ensure_ascii=False))
        return False
    with system_options.watched(asking.run(args, journal, counts)) as run:
        ask_questions(run, iter(unjudged))
    progress.failed(counts, "reply", journal, "", "replies")
    progress.answers(counts, asking.price)
    return True
