"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.scoring_options import AT_LEAST, JUDGING, MARGIN
from perturb.cli.system_options import ON_ERROR, PACING, QUESTION, SYSTEM
from perturb.cli.talk import say
from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from perturb.cli.system_options import Asking
    from perturb.evaluation.ask_rows import Output, Run
    from perturb.evaluation.limits import Price
    from perturb.evaluation.questions import Question
    from perturb.robustness.grading.grade import Grade
    from perturb.robustness.metrics.looks import Look

# The options that a plan to stop depends on, besides the rows: the rules are those of
# `perturb score`.
_RULES = ("margin", "at_least", "cluster", "range", "unanswered")
_UNTIL = ("until", *_RULES, "match", "target")


MANUAL = f"""
Ask a system the questions of rows, and write the rows with its answers in order. OUTPUT.journal
keeps every answer at once, so a stopped run continues where it was and asks nothing twice.

the system:
{SYSTEM}
rows:
input INPUT?  rows as JSON lines, such as the output of perturb apply
-o, --output FILE  the rows with their answers
{QUESTION}
--seeds N  ask each row N times, with increasing seeds
--seed N  the first seed, or the only one (default: 0 with --seeds, else none)
--bisect SHARE? [0.2]  search for the strength at which each answer flips; ask this share of
    originals at every strength, to estimate the error of the shortcut (default: 0.2). perturb
    tolerance judges the answers. --match compares them with --target (default: answer)
--match WAY  with --bisect or --until, as for perturb score (default: exact)
--against {{original}}  with --bisect, compare with the answer to the original in place of the right
    answer
--prediction FIELD [prediction]  the field to write answers to (default: prediction)
when to stop:
--until {{decided,overall}}  ask whole originals in five rounds, and stop once every condition, or
    all conditions together, have a verdict; perturb score of the output allows for the repeated
    looks. --match compares answers with --target
{MARGIN}
{AT_LEAST}
{JUDGING}
benchmarks in several prompts:
--prompts FILE  a prompt set, YAML, from benchmarks to prompt files; or math or mcq, 20 prompts each
    that come with perturb and take the field problem, or that of --field
--benchmarks NAME:N,...  names of benchmarks, each with a number of seeds
--data-dir DIR  the folder with BENCHMARK.jsonl or BENCHMARK/test.jsonl
--output-dir DIR  the folder for BENCHMARK/PROMPT/output-rsN.jsonl and the summary
--target FIELD  the right answer (default: expected_answer, or answer with --bisect or --until)
--extract* RULE  how to find the answer in a reply: boxed (default), number, choice, regex:PATTERN;
    may be repeated, and the next one is tried if the first finds nothing
how to ask:
{PACING}
{ON_ERROR}
--again {{failed,truncated,refused}}  ask questions again whose reply is missing, was cut off (give
    a larger --max-tokens), or is a refusal; all other answers stay
--dry-run  ask nothing, and show what would be asked
--write-batch FILE  ask nothing, and write the questions without an answer as a batch for the API of
    the endpoint: OpenAI's or a compatible one, or Anthropic's; in several files if it limits their
    size
--read-batch* FILE  ask nothing, and take the answers from such a batch's output; give its errors
    too
"""


def run(args: argparse.Namespace) -> int:
    """Ask the questions without an answer, and write the outputs."""
    from perturb.evaluation.ask_rows import count_questions, unanswered

    asking = system_options.system(args)
    outputs, journal_path = _grid(args) if args.prompts else _rows(args)
    plan = _plan(args) if args.until else []
    if plan:
        asking = asking._replace(settings={**asking.settings, "until": _settings(args, plan)})
    journal = asking.journal(args, journal_path)
    run = asking.run(args, journal, count_questions(outputs, journal))
    if args.dry_run:
        _print_plan(args, asking, run, outputs)
    elif plan:
        _answer_until(args, asking, run, outputs[0], plan)
    elif args.write_batch is not None:
        from perturb.evaluation.batch_files import write_batch

        questions = unanswered(outputs, journal)
        count, files = write_batch(args.write_batch, args.endpoint, asking.body, questions)
        batch = f"{progress.plural(count, 'question')} in {', '.join(files)}"
        say(f"{batch}; then give the file of answers to the same call with --read-batch")
    else:
        _answer(args, asking, run, outputs)
        if args.prompts:
            from perturb.robustness.scoring.summarize import summarize_robustness

            summarize_robustness(args.output_dir)
    return 0


def _answer(args: argparse.Namespace, asking: Asking, run: Run, outputs: list[Output]) -> None:
    """Get the missing answers, from the system or from a batch, and write the outputs."""
    from perturb.evaluation.ask_rows import ask_questions, make_folders, unanswered, write_outputs

    if args.prompts:
        make_folders(outputs)
    questions = unanswered(outputs, run.journal)
    if args.read_batch is not None:
        from perturb.evaluation.batch_files import read_batch

        for note in read_batch(args.read_batch, questions, run.journal, run.counts):
            say(note)
    elif args.bisect is not None:
        outputs = [_bisected(args, run, outputs[0])]
    else:
        with system_options.watched(run) as watched:
            ask_questions(watched, questions)
    remedy = {"remedy": "--write-batch writes only these"} if args.read_batch else {}
    progress.failed(run.counts, "question", run.journal, args.on_error, **remedy)
    write_outputs(outputs, run.journal, run.counts, _call(args, asking))
    progress.answers(run.counts, asking.price)


def _bisected(args: argparse.Namespace, run: Run, output: Output) -> Output:
    """Ask by bisection, and return the output with the row whose answer each row takes."""
    from perturb.evaluation.bisect import ask_by_bisection

    with system_options.watched(run) as watched:
        standing = ask_by_bisection(watched, output, _grade(args), args.bisect)
    asked, every = run.counts.before + run.counts.answered, run.counts.questions
    say(f"{asked:,} answers cover {every:,} rows: {every / max(asked, 1):.1f} times fewer calls")
    return replace(output, standing=standing)


def _grade(args: argparse.Namespace) -> Grade:
    """Return the function that grades answers as they come."""
    from perturb.robustness.grading.grade import by_match
    from perturb.robustness.grading.ways import REFERENCE

    target = REFERENCE if args.against else args.target or "answer"
    try:
        return by_match(args.match or "exact", args.prediction, target)
    except ImportError as error:
        raise UsageError(str(error)) from None


def _call(args: argparse.Namespace, asking: Asking) -> dict[str, Any]:
    """Return the call as manifests describe it."""
    names = ("prompts", "benchmarks", "data_dir", "output_dir", "target", "extract")
    more = names if args.prompts else ("seed", "seeds", "bisect", "against", *_UNTIL)
    options = system_options.options(args, asking, *more, "prediction", "again")
    program = {"program": asking.settings["program"]} if args.command else {}
    return {"command": "run", "options": options, **program}


def _rows(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """Return the one output for the rows of a file, and the path of the journal."""
    from perturb.evaluation.ask_rows import Output
    from perturb.evaluation.questions import checked_seeds

    idle = ("benchmarks", "data_dir", "output_dir", "extract")
    system_options.refuse_given(args, "without --prompts", idle)
    if args.until is not None:
        also = ("bisect", "against", "write_batch", "read_batch")
        system_options.refuse_given(args, "with --until, which asks in rounds", also)
    elif args.bisect is not None:
        system_options.refuse_given(args, "without --until", _RULES)
        _check_bisect(args)
    else:
        system_options.refuse_given(args, "without --until or --bisect", (*_UNTIL[1:], "against"))
    system_options.check_files(args, args.input)
    first = args.seed or 0
    seeds = None if args.seed is None else [first]
    if args.seeds is not None:
        seeds = list(range(first, first + args.seeds))
    content = system_options.content(args)
    output = Output(
        args.output, args.input, content, checked_seeds(seeds), prediction=args.prediction
    )
    return [output], Path(f"{args.output}.journal")


def _check_bisect(args: argparse.Namespace) -> None:
    """Refuse options that bisection can't work with."""
    also = ("seeds", "write_batch", "read_batch")
    system_options.refuse_given(args, "with --bisect, which chooses by earlier answers", also)
    if not 0 < args.bisect <= 1:
        raise UsageError(f"--bisect takes a share above 0 and at most 1; got {args.bisect:g}")
    if args.temperature:
        raise UsageError(
            "--bisect needs a system that repeats its answers, but a --temperature above 0 draws "
            "them at random; leave out one of the two"
        )
    if args.on_error == "keep":
        raise UsageError("--bisect needs every answer that it asks for; leave out --on-error keep")


def _grid(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """Return the outputs of benchmarks in several prompts, and the path of the journal."""
    from perturb.evaluation.prompts import SHIPPED
    from perturb.evaluation.robust_eval import JOURNAL, grid

    idle = ["input", "output", "system", "prompt", "seed", "seeds", "bisect", "against"]
    idle += _UNTIL[:-1]
    if args.prompts not in SHIPPED:
        idle.append("field")
    system_options.refuse_given(args, "with --prompts, which makes the questions", idle)
    if None in (args.benchmarks, args.data_dir, args.output_dir):
        raise UsageError("--prompts needs --benchmarks, --data-dir and --output-dir")
    outputs = grid(
        args.prompts,
        args.benchmarks,
        args.data_dir,
        args.output_dir,
        field=args.field or "problem",
        target=args.target or "expected_answer",
        extract=args.extract or ["boxed"],
        prediction=args.prediction,
        rows_too=args.command is not None,
    )
    return outputs, Path(args.output_dir, JOURNAL)


def _plan(args: argparse.Namespace) -> list[tuple[Look, Collection[str]]]:
    """Return the looks at the answers, each with the originals to ask before it.

    A plan can't change once it has answers, so this checks first that the first row can be graded.
    """
    from perturb.evaluation.stopping import rounds
    from perturb.robustness.scoring.sources import file_source

    if args.match == "judge":
        raise UsageError("--until grades answers as they come; use another way than --match judge")
    args.match, args.target = args.match or "exact", args.target or "answer"
    scoring_options.carried(args)
    source = file_source(Path(args.input))
    for number, row in islice(source.rows, 1):
        with source.naming(number):
            list(_grade(args)([{**row, args.prediction: None}]))
    return list(rounds((row for _, row in source.rows), args.cluster))


def _settings(args: argparse.Namespace, plan: Sequence[tuple[Look, Any]]) -> dict[str, Any]:
    """Return the plan as the journal keeps it, so that no other plan continues with its answers."""
    usual, always = scoring_options.usual(), ("until", "margin", "match", "target")
    options = {name: getattr(args, name) for name in _UNTIL}
    options = {name: one for name, one in options.items() if name in always or one != usual[name]}
    return {**options, "looks": len(plan), "originals": len(plan[-1][1])}


def _answer_until(
    args: argparse.Namespace,
    asking: Asking,
    run: Run,
    output: Output,
    plan: Sequence[tuple[Look, Collection[str]]],
) -> None:
    """Ask in rounds, and write the output at each look, until the verdicts are decided."""
    from perturb.evaluation.ask_rows import count_questions
    from perturb.evaluation.stopping import is_decided, is_over, states
    from perturb.robustness.scoring.sources import file_source

    journal, total = run.journal, run.counts.questions
    unlike = {"score": None, "metrics": None, "seed": None, "scored": Path(output.path)}
    scored = argparse.Namespace(**{**vars(args), **unlike})
    for look, originals in plan:
        if journal.looks.get(look.number) is False and look != plan[-1][0]:
            continue  # a look counts once, even if the run was stopped after it
        part = replace(output, originals=originals, response={"look": str(look)})
        counts = count_questions([part], journal)
        _answer(args, asking, system_options.system(args).run(args, journal, counts), [part])
        if look.number not in journal.looks:
            rows = [file_source(scored.scored)]
            verdict = scoring_options.judge(scored, rows, scored.scored).verdict
            found = states(verdict, args.until, look)
            words = {one.name: one.verdict for one in verdict.conditions}
            seen = {"look": look.number, "decided": is_over(found)}
            with journal.writing():
                journal.add_look({**seen, "originals": len(originals), "verdicts": words})
            for state in found:
                say(f"  {state}")
            if is_over(found) and not is_decided(found):
                say("  more originals would hardly decide the rest")
        word = "decided" if journal.looks[look.number] else "undecided"
        say(f"look {look.number} of {look.planned}: {word} with {len(originals):,} originals")
        if journal.looks[look.number]:
            break
    say(f"saved {total - counts.questions:,} of {progress.plural(total, 'call')}")


def _print_plan(args: argparse.Namespace, asking: Asking, run: Run, outputs: list[Output]) -> None:
    from perturb.evaluation.ask_rows import questions_of, unanswered

    for output in outputs:
        display(output.path)
    questions = progress.plural(run.counts.questions, "question")
    display(f"{questions}, {run.counts.before:,} of them already answered")
    if asking.price is not None:
        missing = unanswered(outputs, run.journal)
        display(_expected_cost(missing, asking.price, args.max_tokens))
    display(json.dumps(asking.settings, ensure_ascii=False))
    key, content, seed, _ = next(questions_of(outputs))
    example = {"key": key, "content": content, "seed": seed}
    display(json.dumps(example, indent=2, ensure_ascii=False))


def _expected_cost(questions: Iterator[Question], price: Price, max_tokens: int | None) -> str:
    from perturb.evaluation.limits import prompt_tokens

    sizes = [prompt_tokens(question.content) for question in questions]
    prompts = f"prompts of about {sum(sizes):,.0f} tokens, {price.shown({'prompt': sum(sizes)})}"
    if max_tokens is None:
        return f"{prompts}; give --max-tokens for a ceiling on the cost of answers"
    most = len(sizes) * max_tokens
    return f"{prompts}; answers of at most {most:,} tokens, {price.shown({'completion': most})}"
