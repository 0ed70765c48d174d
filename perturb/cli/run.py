"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError, PerturbError, UsageError

if TYPE_CHECKING:
    from perturb.experiment.asking import Ask
    from perturb.experiment.files import Counts, Output
    from perturb.experiment.journal import Journal
    from perturb.experiment.questions import Content

    System = contextlib.AbstractAsyncContextManager[Ask]

_SAMPLING = ("model", "temperature", "top_p", "max_tokens")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = (
        "Ask a system the questions of rows and write the rows with its answers, in order. Every "
        "answer is kept in OUTPUT.journal when it comes: a run that was stopped goes on where it "
        "was, and asks nothing twice."
    )
    _add_system(parser.add_argument_group("the system").add_argument)
    _add_rows(parser.add_argument_group("rows").add_argument)
    _add_prompts(parser.add_argument_group("benchmarks in several prompts").add_argument)
    _add_way(parser.add_argument_group("how to ask").add_argument)


def _add_system(add: Callable[..., Any]) -> None:
    add("--endpoint", metavar="URL", help="base of an API with OpenAI's chat completions, as "
        "http://localhost:8000/v1")  # fmt: skip
    add("--model", metavar="NAME", help="the model at the endpoint")
    add("--key-env", metavar="NAME", help="environment variable with the key of the endpoint "
        "(default: OPENAI_API_KEY, where it is set)")  # fmt: skip
    add("--temperature", type=float, metavar="T", help="passed on, like the three that follow")
    add("--top-p", type=float, metavar="P")
    add("--max-tokens", type=int, metavar="N")
    add("--extra-body", metavar="JSON", help="further fields of each request, an object")
    add("--command", metavar="'PROGRAM ARGS'", help="in place of an endpoint, a program that reads "
        "rows as JSON lines and answers each with a line: text, or JSON with answer")  # fmt: skip


def _add_rows(add: Callable[..., Any]) -> None:
    add("input", nargs="?", metavar="INPUT", help="rows as JSON lines, as perturb apply writes")
    add("-o", "--output", metavar="FILE", help="the rows with their answers")
    add("--field", metavar="PATH", help="a text, or a list of chat messages (default: text)")
    add("--system", metavar="TEXT", help="message of the system, in front of the field's")
    add("--prompt", metavar="FILE", help="in place of --field: the user's message, with {field} "
        "where the row's field goes; or YAML with user and system")  # fmt: skip
    add("--seeds", type=int, metavar="N", help="ask each row N times, with seeds that count up")
    add("--seed", type=int, metavar="N", help="the first seed, or the only one (default: 0 with "
        "--seeds, else none)")  # fmt: skip


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


def _add_way(add: Callable[..., Any]) -> None:
    add("--answer-field", default="answer", metavar="FIELD", help="for what the system says "
        "(default: answer)")  # fmt: skip
    add("--concurrency", type=_at_least(1), default=16, metavar="N", help="how many questions are "
        "under way at a time (default: 16)")  # fmt: skip
    add("--retries", type=_at_least(0), default=8, metavar="N", help="tries after the first, ever "
        "later, where an endpoint may still answer (default: 8)")  # fmt: skip
    add("--timeout", type=_seconds, default=600.0, metavar="SECONDS", help="for one answer "
        "(default: 600)")  # fmt: skip
    add("--on-error", choices=("stop", "keep"), default="stop", help="where questions have no "
        "answer: after all others, stop without an output (default), or keep them with null and "
        "the error; either way they are asked again next time")  # fmt: skip
    add("--dry-run", action="store_true", help="ask nothing; say what would be asked")


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"must be a number of at least {least}; got {text!r}")
        return int(text)

    return number


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"must be seconds above 0; got {text!r}")
    return seconds


def run(args: argparse.Namespace) -> int:
    """Ask what is not answered yet, and write the outputs."""
    from perturb.experiment import files
    from perturb.experiment.journal import Journal

    system, settings = _system(args)
    outputs, journal_path = _grid(args) if args.prompts else _rows(args)
    journal = Journal(journal_path, settings)
    counts = files.check(outputs, journal)
    if args.dry_run:
        _print_plan(outputs, settings, counts)
        return 0
    files.make_folders(outputs)
    way = files.Way(args.concurrency, args.retries)
    with _kept(journal, counts), _progress(counts) as progress:
        files.ask(outputs, journal, system, way, counts, progress)
    if counts.failed:
        _tell_failed(counts, journal, args.on_error)
    files.finish(outputs, journal, counts)
    _tell(counts)
    if args.prompts:
        from perturb.robustness.summarize import summarize_robustness

        summarize_robustness(args.output_dir)
    return 0


def _system(args: argparse.Namespace) -> tuple[System, dict[str, Any]]:
    """What to ask, and what all its answers have in common."""
    if (args.endpoint is None) == (args.command is None):
        raise UsageError("give either --endpoint URL or --command 'PROGRAM ARGS'")
    if args.command is not None:
        others = (*_SAMPLING, "extra_body", "key_env", "field", "system")
        _refuse_given(args, "a command takes whole rows", *others)
        from perturb.experiment.command import command

        return command(args.command, timeout=args.timeout), {"command": args.command}
    from perturb.experiment.endpoint import endpoint, key_from, target

    target(args.endpoint)
    body, key = _body(args), key_from(args.key_env)
    return endpoint(args.endpoint, body, key=key, timeout=args.timeout), body


def _body(args: argparse.Namespace) -> dict[str, Any]:
    """What each request says beside its messages and its seed."""
    if args.model is None:
        raise UsageError("--endpoint needs --model NAME")
    given = {name: getattr(args, name) for name in _SAMPLING}
    extra = _extra(args.extra_body) if args.extra_body is not None else {}
    taken = sorted(extra.keys() & {*_SAMPLING, "messages", "seed", "stream", "n"})
    if taken:
        raise UsageError(f"--extra-body must not hold {', '.join(taken)}")
    return {name: value for name, value in given.items() if value is not None} | extra


def _extra(text: str) -> dict[str, Any]:
    try:
        extra = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--extra-body is not JSON: {error}") from None
    if not isinstance(extra, dict):
        raise UsageError(f"--extra-body must be a JSON object; got {text}")
    return extra


def _rows(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """One output for the rows of a file."""
    from perturb.experiment.files import Output
    from perturb.experiment.questions import checked_seeds
    from perturb.io.files import STANDARD, same_file

    _refuse_given(args, "there is no --prompts", "benchmarks", "data_dir", "output_dir", "extract")
    if args.input is None or args.output is None or STANDARD in (args.input, args.output):
        raise UsageError("give a file of rows, and with -o the file for the answers")
    if same_file(args.input, args.output):
        raise UsageError(f"the input and the output are the same file: {args.output}")
    output = Output(
        args.output, args.input, _content(args), checked_seeds(_seeds(args)),
        answer_field=args.answer_field,
    )  # fmt: skip
    return [output], Path(f"{args.output}.journal")


def _seeds(args: argparse.Namespace) -> list[int] | None:
    if args.seeds is None:
        return None if args.seed is None else [args.seed]
    first = args.seed or 0
    return list(range(first, first + args.seeds))


def _content(args: argparse.Namespace) -> Content:
    from perturb.experiment.prompts import load_prompt
    from perturb.experiment.questions import messages_at

    if args.prompt is None:
        return messages_at(args.field or "text", args.system) if args.endpoint else dict
    _refuse_given(args, "--prompt says what to ask", "field", "system")
    prompt = load_prompt(Path(args.prompt))
    if args.endpoint:
        return prompt.messages
    return lambda row: {**row, "messages": prompt.messages(row)}


def _grid(args: argparse.Namespace) -> tuple[list[Output], Path]:
    """The outputs of benchmarks in several prompts."""
    from perturb.experiment.grid import grid, parse_benchmarks
    from perturb.experiment.prompts import load_set

    others = ("input", "output", "field", "system", "prompt", "seed", "seeds")
    _refuse_given(args, "--prompts says what to ask", *others)
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
        answer_field=args.answer_field,
    )
    return outputs, Path(args.output_dir, "answers.journal")


def _refuse_given(args: argparse.Namespace, why: str, *names: str) -> None:
    for name in names:
        if getattr(args, name) is not None:
            option = "INPUT" if name == "input" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{why}: leave out {option}")


@contextlib.contextmanager
def _kept(journal: Journal, counts: Counts) -> Iterator[None]:
    """Say of a run that can't go on where its answers are."""
    from perturb.experiment.asking import UnreliableError

    try:
        yield
    except PerturbError as error:
        if not counts.answered or isinstance(error, UnreliableError):
            raise
        raise DataError(
            f"{error}; {_plural(counts.answered, 'answer')} of this run stand in {journal.path}, "
            "and the same call goes on from there"
        ) from error.__cause__


def _tell_failed(counts: Counts, journal: Journal, on_error: str) -> None:
    key, error = next(iter(counts.failed.items()))
    message = (
        f"{_plural(len(counts.failed), 'question')} of {counts.questions} had no answer; "
        f"{key!r}: {error}"
    )
    if on_error == "keep":
        print(f"perturb: {message}; the same call asks again", file=sys.stderr)
        return
    raise DataError(
        f"{message}; the other answers stand in {journal.path}, and the same call asks these "
        "alone; --on-error keep writes the output with null in their place"
    )


def _tell(counts: Counts) -> None:
    told = _plural(counts.answered, "answer")
    if counts.before:
        told += f", {counts.before} from before"
    if counts.tokens:
        parts = ", ".join(f"{count:,} of the {kind}" for kind, count in counts.tokens.items())
        told += f"; {sum(counts.tokens.values()):,} tokens: {parts}"
    print(f"perturb: {told}", file=sys.stderr)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _print_plan(outputs: list[Output], settings: dict[str, Any], counts: Counts) -> None:
    from perturb.experiment import files

    for output in outputs:
        print(output.path)
    print(f"{_plural(counts.questions, 'question')}, {counts.before} of them answered before")
    print(json.dumps(settings, ensure_ascii=False))
    print(json.dumps(files.first(outputs)._asdict(), indent=2, ensure_ascii=False))


@contextlib.contextmanager
def _progress(counts: Counts) -> Iterator[Callable[[], None]]:
    """A function to call when a question is done with; it draws a bar on a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from tqdm import tqdm

    with tqdm(total=counts.questions, initial=counts.before, unit="row", leave=False) as bar:

        def done() -> None:
            bar.update()

        yield done
