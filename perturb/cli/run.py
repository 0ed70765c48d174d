"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import progress, system_options
from perturb.cli.talk import say
from perturb.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from perturb.cli.system_options import Asking
    from perturb.evaluation.ask_rows import AskCounts, Output
    from perturb.evaluation.journal import Journal


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
    system_options.add_on_error(add)
    add("--dry-run", action="store_true", help="ask nothing; say what would be asked")
    add("--write-batch", metavar="FILE", help="ask nothing; write the questions without answer as "
        "a batch for OpenAI's batch API, or another that reads the same")  # fmt: skip
    add("--read-batch", metavar="FILE", help="ask nothing; take the answers from such a batch's "
        "output")  # fmt: skip


def _add_rows(add: Callable[..., Any]) -> None:
    add("input", nargs="?", metavar="INPUT", help="rows as JSON lines, as perturb apply writes")
    add("-o", "--output", metavar="FILE", help="the rows with their answers")
    system_options.add_question(add)
    add("--seeds", type=system_options.at_least(1, 10_000), metavar="N",
        help="ask each row N times, with seeds that count up")  # fmt: skip
    add("--seed", type=int, metavar="N", help="the first seed, or the only one (default: 0 with "
        "--seeds, else none)")  # fmt: skip
    add("--prediction", default="prediction", metavar="FIELD", help="for what the system says "
        "(default: prediction)")  # fmt: skip


def _add_prompts(add: Callable[..., Any]) -> None:
    add("--prompts", metavar="FILE", help="prompt set: YAML, from benchmarks to prompt files; or "
        "math or mcq, 20 prompts each that come with perturb, which take the field problem, or "
        "that of --field")  # fmt: skip
    add("--benchmarks", metavar="NAME:N,...", help="which benchmarks, with how many seeds")
    add("--data-dir", metavar="DIR", help="holds BENCHMARK.jsonl or BENCHMARK/test.jsonl")
    add("--output-dir", metavar="DIR", help="for BENCHMARK/PROMPT/output-rsN.jsonl and the summary")
    add("--target", metavar="FIELD", help="the right answer (default: expected_answer)")
    add("--extract", action="append", metavar="RULE", help="where the answer stands in what is "
        "said: boxed (default), number, choice, regex:PATTERN; given again, for where "
        "the first finds none")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Ask what is not answered yet, and write the outputs."""
    from perturb.evaluation.ask_rows import count_questions, make_folders, write_outputs
    from perturb.evaluation.cost import parse_price

    price = None if args.price is None else parse_price(args.price)
    asking = system_options.system(args)
    outputs, journal_path = _grid(args) if args.prompts else _rows(args)
    journal = asking.journal(journal_path, args.same_system)
    counts = count_questions(outputs, journal)
    if args.dry_run:
        _print_plan(args, outputs, asking, journal, counts)
        return 0
    if args.write_batch is not None:
        return _write_batch(args, outputs, asking, journal)
    if args.prompts:
        make_folders(outputs)
    _ask(args, outputs, asking, journal, counts)
    progress.failed(counts, "question", journal, args.on_error)
    write_outputs(outputs, journal, counts, _asked(args, asking))
    progress.answers(counts, price)
    if args.prompts:
        from perturb.robustness.scoring.summarize import summarize_robustness

        summarize_robustness(args.output_dir)
    return 0


def _ask(
    args: argparse.Namespace,
    outputs: list[Output],
    asking: Asking,
    journal: Journal,
    counts: AskCounts,
) -> None:
    """Have what is unanswered answered, by the system or by a batch."""
    from perturb.evaluation.ask_rows import AskPolicy, ask_outputs, unanswered

    if args.read_batch is not None:
        from perturb.evaluation.batch_files import read_batch

        read_batch(args.read_batch, unanswered(outputs, journal), journal, counts)
        return
    policy = AskPolicy(args.concurrency, args.retries)
    with progress.kept(journal, counts), progress.progress(counts) as bar:
        ask_outputs(outputs, journal, asking.system, policy, counts, bar)


def _write_batch(
    args: argparse.Namespace, outputs: list[Output], asking: Asking, journal: Journal
) -> int:
    from perturb.evaluation.ask_rows import unanswered
    from perturb.evaluation.batch_files import write_batch

    questions = unanswered(outputs, journal)
    count = write_batch(args.write_batch, args.endpoint, asking.body, questions)
    said = f"{progress.plural(count, 'question')} in {args.write_batch}"
    say(f"{said}; give the file of answers to the same call as --read-batch")
    return 0


def _asked(args: argparse.Namespace, asking: Asking) -> dict[str, Any]:
    """Return what the manifests say of the call."""
    names = ("prompts", "benchmarks", "data_dir", "output_dir", "target", "extract")
    more = names if args.prompts else ("seed", "seeds")
    options = system_options.options(args, asking, *more, "prediction")
    program = {"program": asking.settings["program"]} if args.command else {}
    return {"command": "run", "options": options, **program}


def _rows(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """Return the one output for the rows of a file, and the path of the journal."""
    from perturb.evaluation.ask_rows import Output
    from perturb.evaluation.questions import checked_seeds

    idle = ("benchmarks", "data_dir", "output_dir", "extract", "target")
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
    """Return the outputs of benchmarks in several prompts, and the path of the journal."""
    from perturb.evaluation.benchmarks import grid, parse_benchmarks
    from perturb.evaluation.prompts import SHIPPED, load_set, shipped_set

    shipped = args.prompts in SHIPPED
    idle = (
        "input",
        "output",
        "system",
        "prompt",
        "seed",
        "seeds",
        *(() if shipped else ("field",)),
    )
    system_options.refuse_given(args, "--prompts says what to ask", idle)
    if None in (args.benchmarks, args.data_dir, args.output_dir):
        raise UsageError("--prompts needs --benchmarks, --data-dir and --output-dir")
    benchmarks = parse_benchmarks(args.benchmarks)
    if shipped:
        prompts = dict.fromkeys(benchmarks, shipped_set(args.prompts, args.field or "problem"))
    else:
        prompts = load_set(Path(args.prompts))
    outputs = grid(
        Path(args.output_dir),
        Path(args.data_dir),
        prompts,
        benchmarks,
        rows_too=args.command is not None,
        extract=args.extract or ["boxed"],
        target=args.target or "expected_answer",
        prediction=args.prediction,
    )
    return outputs, Path(args.output_dir, "answers.journal")


def _print_plan(
    args: argparse.Namespace,
    outputs: list[Output],
    asking: Asking,
    journal: Journal,
    counts: AskCounts,
) -> None:
    from perturb.evaluation.ask_rows import first_question

    for output in outputs:
        display(output.path)
    questions = progress.plural(counts.questions, "question")
    display(f"{questions}, {counts.before:,} of them answered before")
    if args.price is not None:
        display(_expected_cost(args, outputs, journal))
    display(json.dumps(asking.settings, ensure_ascii=False))
    display(json.dumps(first_question(outputs)._asdict(), indent=2, ensure_ascii=False))


def _expected_cost(args: argparse.Namespace, outputs: list[Output], journal: Journal) -> str:
    from perturb.evaluation.ask_rows import unanswered
    from perturb.evaluation.cost import parse_price, prompt_tokens

    price = parse_price(args.price)
    sizes = [prompt_tokens(question.content) for question in unanswered(outputs, journal)]
    said = f"prompts of about {sum(sizes):,.0f} tokens, {price.shown({'prompt': sum(sizes)})}"
    if args.max_tokens is None:
        return f"{said}; give --max-tokens for a ceiling of what the answers cost"
    most = len(sizes) * args.max_tokens
    return f"{said}; answers of at most {most:,} tokens, {price.shown({'completion': most})}"
