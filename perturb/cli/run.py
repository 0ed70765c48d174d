"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli import progress, system_options
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from perturb.evaluation.run import AskCounts, Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `perturb run`."""
    parser.description = (
        "Ask a system the questions of rows and write the rows with its answers, in order. Every "
        "answer is kept in OUTPUT.journal when it comes: a run that was stopped goes on where it "
        "was, and asks nothing twice."
    )
    system_options.add_system(parser)
    _add_rows(parser.add_argument_group("rows").add_argument)
    _add_prompts(parser.add_argument_group("benchmarks in several prompts").add_argument)
    add = parser.add_argument_group("how to ask").add_argument
    system_options.add_pacing(add)
    add("--dry-run", action="store_true", help="ask nothing; say what would be asked")


def _add_rows(add: Callable[..., Any]) -> None:
    add("input", nargs="?", metavar="INPUT", help="rows as JSON lines, as perturb apply writes")
    add("-o", "--output", metavar="FILE", help="the rows with their answers")
    system_options.add_question(add)
    add("--seeds", type=system_options.at_least(1), metavar="N",
        help="ask each row N times, with seeds that count up")  # fmt: skip
    add("--seed", type=int, metavar="N", help="the first seed, or the only one (default: 0 with "
        "--seeds, else none)")  # fmt: skip
    add("--prediction", default="prediction", metavar="FIELD", help="for what the system says "
        "(default: prediction)")  # fmt: skip


def _add_prompts(add: Callable[..., Any]) -> None:
    add("--prompts", metavar="FILE", help="prompt set: YAML, from benchmarks to prompt files")
    add("--benchmarks", metavar="NAME:N,...", help="which benchmarks, with how many seeds")
    add("--data-dir", metavar="DIR", help="holds BENCHMARK.jsonl or BENCHMARK/test.jsonl")
    add("--output-dir", metavar="DIR", help="for BENCHMARK/PROMPT/output-rsN.jsonl and the summary")
    add("--expected", default="expected_answer", metavar="FIELD", help="the right answer "
        "(default: expected_answer)")  # fmt: skip
    add("--extract", action="append", metavar="RULE", help="where the answer stands in what is "
        "said: boxed (default), number, choice, regex:PATTERN; given again, for where "
        "the first finds none")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Ask what is not answered yet, and write the outputs."""
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.run import (
        AskPolicy,
        ask_outputs,
        count_questions,
        make_folders,
        write_outputs,
    )

    system, settings = system_options.system(args)
    outputs, journal_path = _grid(args) if args.prompts else _rows(args)
    journal = Journal(journal_path, settings)
    counts = count_questions(outputs, journal)
    if args.dry_run:
        _print_plan(outputs, settings, counts)
        return 0
    if args.prompts:
        make_folders(outputs)
    policy = AskPolicy(args.concurrency, args.retries)
    with progress.kept(journal, counts), progress.progress(counts) as bar:
        ask_outputs(outputs, journal, system, policy, counts, bar)
    progress.failed(counts, "question", journal, args.on_error)
    write_outputs(outputs, journal, counts)
    progress.answers(counts)
    if args.prompts:
        from perturb.robustness.scoring.summarize import summarize_robustness

        summarize_robustness(args.output_dir)
    else:
        options = system_options.options(args, "seed", "seeds", "prediction")
        progress.manifest(args.output, args.input, "run", options, counts)
    return 0


def _rows(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """One output for the rows of a file."""
    from perturb.evaluation.questions import checked_seeds
    from perturb.evaluation.run import Output

    idle = ("benchmarks", "data_dir", "output_dir", "extract")
    system_options.refuse_given(args, "there is no --prompts", idle)
    system_options.check_files(args.input, args.output)
    seeds = checked_seeds(_seeds(args))
    output = Output(
        args.output, args.input, system_options.content(args), seeds, prediction=args.prediction
    )
    return [output], Path(f"{args.output}.journal")


def _seeds(args: argparse.Namespace) -> list[int] | None:
    if args.seeds is None:
        return None if args.seed is None else [args.seed]
    first = args.seed or 0
    return list(range(first, first + args.seeds))


def _grid(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """The outputs of benchmarks in several prompts."""
    from perturb.evaluation.benchmarks import grid, parse_benchmarks
    from perturb.evaluation.prompts import load_set

    idle = ("input", "output", "field", "system", "prompt", "seed", "seeds")
    system_options.refuse_given(args, "--prompts says what to ask", idle)
    if None in (args.benchmarks, args.data_dir, args.output_dir):
        raise UsageError("--prompts needs --benchmarks, --data-dir and --output-dir")
    outputs = grid(
        Path(args.output_dir),
        Path(args.data_dir),
        load_set(Path(args.prompts)),
        parse_benchmarks(args.benchmarks),
        rows_too=args.command is not None,
        extract=args.extract or ["boxed"],
        expected=args.expected,
        prediction=args.prediction,
    )
    return outputs, Path(args.output_dir, "answers.journal")


def _print_plan(outputs: list[Output], settings: dict[str, Any], counts: AskCounts) -> None:
    from perturb.evaluation.run import first_question

    for output in outputs:
        print(output.path)
    questions = progress.plural(counts.questions, "question")
    print(f"{questions}, {counts.before} of them answered before")
    print(json.dumps(settings, ensure_ascii=False))
    print(json.dumps(first_question(outputs)._asdict(), indent=2, ensure_ascii=False))
