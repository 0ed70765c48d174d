"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import argparse
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import progress, scoring_options, system_options
from perturb.cli.system_options import ON_ERROR, PACING, QUESTION, SYSTEM
from perturb.cli.talk import say
from perturb.errors import UsageError
from perturb.robustness.grading.plan import JUDGED, LOSE, STOPPING, Grading, manual
from perturb.robustness.grading.ways import BY_JUDGE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from perturb.cli.system_options import Asking
    from perturb.evaluation.ask_rows import AskCounts, Output, Run
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.stopping import State
    from perturb.robustness.metrics.looks import Look
    from perturb.robustness.scoring.sources import RowSource

MANUAL = f"""
Ask a system the questions of rows, and write the rows with its answers in order. OUTPUT.journal
keeps every answer at once, so a stopped run continues where it was and asks nothing twice.

the system:
{SYSTEM}
--group N|all  start the command for each N rows, one group at a time, or once for all; it gets a
    line for each row and the end of its input, and answers with as many lines, as Unix filters do.
    With --field it gets only that text, and answers with plain text. --timeout is for each row
rows:
input INPUT?  rows, such as the output of perturb apply
-o, --output FILE  the rows with their answers
{QUESTION}
--rows PATH  the path to the rows in a file or a line that holds several, as for perturb apply; its
    output needs none
--shape NAME  the layout of a published benchmark, in place of --rows, --field and --choices, as for
    perturb apply
--seeds N  ask each row N times, with increasing seeds
--seed N  the first seed, or the only one (default: 0 with --seeds, else none)
--bisect  ask only the strengths of a step between which --lose may be lost: the strongest and the
    one in the middle, then others, as long as the interval of perturb tolerance may narrow
--lose X  with --bisect, the loss, as for perturb tolerance (default: 0.05)
--match WAY  with --bisect or --until, as for perturb score (default: exact)
--against {{original}}  with --bisect, compare with the answer to the original in place of the right
    answer
--prediction FIELD [prediction]  the field to write answers to (default: prediction)
when to stop:
--until {{decided,overall}}  ask whole originals in five rounds, and stop once every condition, or
    all conditions together, have a verdict; perturb score of the output allows for the repeated
    looks. --match compares answers with --target
{manual("margin", "at_least", *JUDGED)}
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

    _take_shape(args)
    asking = system_options.system(args)
    outputs, journal_path = _grid(args) if args.prompts else _rows(args)
    grading = scoring_options.grading_of(args)
    if args.bisect:
        grading = replace(grading, lose=LOSE if grading.lose is None else grading.lose)
    plan = _plan(grading, args.input) if args.until else []
    if plan:
        until = {"until": args.until, **grading.to_dict(), "looks": len(plan)}
        until["originals"] = len(plan[-1][1])  # so that no other plan continues with its answers
        asking = asking._replace(settings={**asking.settings, "until": until})
    journal = asking.journal(args, journal_path)
    run = asking.run(args, journal, count_questions(outputs, journal))
    if args.dry_run:
        _print_plan(asking, run, outputs)
    elif plan:
        _answer_until(args, asking, grading, run, outputs[0], plan)
    elif args.bisect:
        _answer_bisecting(args, asking, grading, run, outputs[0])
    elif args.write_batch is not None:
        from perturb.evaluation.batch_files import write_batch

        questions = unanswered(outputs, journal)
        count, files = write_batch(args.write_batch, args.endpoint, asking.body, questions)
        batch = f"{progress.plural(count, 'question')} in {', '.join(files)}"
        say(f"{batch}; then give the file of answers to the same call with --read-batch")
    else:
        _answer(args, asking, grading, run, outputs)
        if args.prompts:
            from perturb.robustness.scoring.summarize import summarize_robustness

            summarize_robustness(args.output_dir)
    return 0


def _take_shape(args: argparse.Namespace) -> None:
    """Take what a shape says of the rows; those that perturb apply wrote are inside no others."""
    if args.shape is None or args.input is None:
        return
    from perturb.io.inputs import open_input
    from perturb.plan.options import LINKAGE
    from perturb.plan.shapes import shape_options

    given, shaped = args.rows, shape_options(args.shape)
    is_whole = args.prompt is not None or system_options.gets_rows(args.command, args.group)
    for name in ("rows", "field", "choices")[: 1 if is_whole else 3]:
        setattr(args, name, getattr(args, name) or shaped.get(name))
    with closing(open_input(args.input)) as source:
        _, first = next(source.rows(), (0, None))
    if isinstance(first, dict) and LINKAGE in first:
        args.rows = given


def _answer(
    args: argparse.Namespace, asking: Asking, grading: Grading, run: Run, outputs: list[Output]
) -> None:
    """Get the missing answers, from the system or from a batch, and write the outputs."""
    from perturb.evaluation.ask_rows import ask_questions, make_folders, unanswered, write_outputs

    if args.prompts:
        make_folders(outputs)
    questions = unanswered(outputs, run.journal)
    if args.read_batch is not None:
        from perturb.evaluation.batch_files import read_batch

        for note in read_batch(args.read_batch, questions, run.journal, run.counts):
            say(note)
    else:
        with system_options.watched(run) as watched:
            ask_questions(watched, questions)
    remedy = {"remedy": "--write-batch writes only these"} if args.read_batch else {}
    if args.read_batch and args.again:  # the journal has their answers from before
        remedy["remedy"] = (
            f"--again {args.again} with --write-batch writes these, and those that are "
            f"{args.again} once more"
        )
    progress.failed(run.counts, "question", run.journal, args.on_error, **remedy)
    write_outputs(outputs, run.journal, run.counts, _call(args, asking, grading))
    progress.answers(run.counts, asking.price)


def _call(args: argparse.Namespace, asking: Asking, grading: Grading) -> dict[str, Any]:
    """Return the call as manifests describe it."""
    names = ("prompts", "benchmarks", "data_dir", "output_dir", "target", "extract")
    more = names if args.prompts else ("seed", "seeds", "rows")
    options = system_options.options(args, asking, *more, "group", "prediction", "again")
    if args.until or args.bisect:
        stops = {"bisect": True} if args.bisect else {"until": args.until}
        options |= {**stops, **grading.to_dict()}
    program = {"program": asking.settings["program"]} if args.command else {}
    return {"command": "run", "options": options, **program}


def _rows(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """Return the one output for the rows of a file, and the path of the journal."""
    from perturb.evaluation.ask_rows import Output
    from perturb.evaluation.questions import checked_seeds

    refuse, batch = partial(system_options.refuse_given, args), ("write_batch", "read_batch")
    refuse("without --prompts", ("benchmarks", "data_dir", "output_dir", "extract"))
    if args.until is not None:
        refuse("with --until, which asks in rounds", ("bisect", "lose", "against", "rows", *batch))
    elif args.bisect:
        refuse("with --bisect, which chooses by earlier answers", ("rows", *batch))
        refuse("without --until", ("margin", "at_least"))
    else:
        refuse("without --until or --bisect", (*STOPPING, "match", "target", "against", "lose"))
    system_options.check_files(args, args.input)
    first = args.seed or 0
    seeds = None if args.seed is None else [first]
    if args.seeds is not None:
        seeds = list(range(first, first + args.seeds))
    content = system_options.content(args)
    output = Output(
        *(args.output, args.input, content, checked_seeds(seeds)),
        prediction=args.prediction,
        inner=args.rows,
    )
    return [output], Path(f"{args.output}.journal")


def _grid(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """Return the outputs of benchmarks in several prompts, and the path of the journal."""
    from perturb.evaluation.prompts import SHIPPED
    from perturb.evaluation.robust_eval import JOURNAL, grid

    idle = ["input", "output", "system", "prompt", "seed", "seeds", "bisect", "lose", "against"]
    idle += ["until", *STOPPING, "match", "rows", "shape", "choices"]
    if args.prompts not in SHIPPED:
        idle.append("field")
    system_options.refuse_given(args, "with --prompts, which makes the questions", idle)
    if len(args.field or ()) > 1:
        raise UsageError(f"--prompts takes one --field; got {', '.join(args.field)}")
    if None in (args.benchmarks, args.data_dir, args.output_dir):
        raise UsageError("--prompts needs --benchmarks, --data-dir and --output-dir")
    outputs = grid(
        args.prompts,
        args.benchmarks,
        args.data_dir,
        args.output_dir,
        field=(args.field or ["problem"])[0],
        target=args.target or "expected_answer",
        extract=args.extract or ["boxed"],
        prediction=args.prediction,
        rows_too=args.command is not None,
    )
    return outputs, Path(args.output_dir, JOURNAL)


def _plan(grading: Grading, rows: str) -> list[tuple[Look, Collection[str]]]:
    """Return the looks at the answers, each with the originals to ask before it."""
    from perturb.evaluation.stopping import rounds

    return list(rounds((row for _, row in _gradable(grading, rows).rows), grading.cluster))


def _rows_at(grading: Grading, path: Path | str) -> RowSource:
    """Return the rows of a file, with the fields that the plan names by their paths."""
    from perturb.robustness.scoring.sources import file_source

    return file_source(Path(path)).reading(*grading.paths)


def _gradable(grading: Grading, rows: str) -> RowSource:
    """Return the rows of a file, after a check that the first can be graded."""
    if grading.way == BY_JUDGE:
        raise UsageError("answers are graded as they come; use another way than --match judge")
    source = _rows_at(grading, rows)
    if grading.against is None:
        by = scoring_options.grader_of(grading, [source], rows)
        for number, row in islice(source.rows, 1):
            with source.naming(number):
                list(by.grade([{**row, str(grading.reply): None}]))
    return source


def _answer_part(
    args: argparse.Namespace, asking: Asking, grading: Grading, journal: Journal, part: Output
) -> AskCounts:
    """Have a part of the rows answered, and write it; return the counts of its questions."""
    from perturb.evaluation.ask_rows import count_questions

    counts = count_questions([part], journal)
    run = system_options.system(args).run(args, journal, counts)
    _answer(args, asking, grading, run, [part])
    return counts


def _answer_bisecting(
    args: argparse.Namespace, asking: Asking, grading: Grading, run: Run, output: Output
) -> None:
    """Ask strength by strength, as long as another one may narrow the interval of a tolerance."""
    from perturb.cli.tolerance import found
    from perturb.evaluation.bisect import next_strengths, strengths_of

    steps, left = strengths_of(row for _, row in _gradable(grading, args.input).rows)
    path = Path(output.path)
    while True:
        part = replace(output, without=frozenset(left))
        counts = _answer_part(args, asking, grading, run.journal, part)
        tolerances = found(grading, [path], [[_rows_at(grading, path)]])
        say(f"  {tolerances.sentence}")
        if not (wanted := next_strengths(steps, left, tolerances)):
            break
        left -= wanted
    total = run.counts.questions
    say(f"saved {total - counts.questions:,} of {progress.plural(total, 'call')}")


def _answer_until(
    args: argparse.Namespace,
    asking: Asking,
    grading: Grading,
    run: Run,
    output: Output,
    plan: Sequence[tuple[Look, Collection[str]]],
) -> None:
    """Ask in rounds, and write the output at each look, until the verdicts are decided."""
    from perturb.evaluation.stopping import is_decided, is_over, states

    journal, total = run.journal, run.counts.questions
    path = Path(output.path)
    for look, originals in plan:
        if journal.looks.get(look.number) is False and look != plan[-1][0]:
            continue  # a look counts once, even if the run was stopped after it
        part = replace(output, originals=originals, response={"look": str(look)})
        counts = _answer_part(args, asking, grading, journal, part)
        found: list[State] = []
        if look.number not in journal.looks:
            verdict = scoring_options.judge(grading, [_rows_at(grading, path)], path).verdict
            found = states(verdict, args.until, look)
            words = {one.name: one.verdict for one in verdict.conditions}
            seen = {"look": look.number, "decided": is_over(found)}
            with journal.writing():
                journal.add_look({**seen, "originals": len(originals), "verdicts": words})
            for state in found:
                say(f"  {state}")
            if is_over(found) and not is_decided(found):
                say("  more originals would hardly decide the rest")
        word = "decided" if is_decided(found) else "nothing more to decide"
        word = word if journal.looks[look.number] else "undecided"
        say(f"look {look.number} of {look.planned}: {word} with {len(originals):,} originals")
        if journal.looks[look.number]:
            break
    say(f"saved {total - counts.questions:,} of {progress.plural(total, 'call')}")


def _print_plan(asking: Asking, run: Run, outputs: list[Output]) -> None:
    from perturb.evaluation.ask_rows import questions_of, unanswered

    for output in outputs:
        display(output.path)
    missing, example = unanswered(outputs, run.journal), next(questions_of(outputs))
    system_options.show_plan(asking, run.counts, missing, example)
