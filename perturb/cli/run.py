"""`perturb run`: ask a system the questions of rows, or of benchmarks in several prompts."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli.run_arguments import add_arguments
from perturb.errors import DataError, PerturbError, UsageError

if TYPE_CHECKING:
    from perturb.experiment.asking import Ask
    from perturb.experiment.files import Counts, Output, Progress
    from perturb.experiment.journal import Journal
    from perturb.experiment.questions import Content

    System = contextlib.AbstractAsyncContextManager[Ask]

__all__ = ["add_arguments", "run"]

_NAMED = 5  # so many of the questions without answer
_SAMPLING = ("model", "temperature", "top_p", "max_tokens")


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
    if args.prompts:
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
    keys = ", ".join(map(repr, [*counts.failed][:_NAMED]))
    if len(counts.failed) > _NAMED:
        keys += f" and {len(counts.failed) - _NAMED} more"
    message = (
        f"{_plural(len(counts.failed), 'question')} of {counts.questions} had no answer: {keys}; "
        f"the first: {next(iter(counts.failed.values()))}"
    )
    if on_error == "keep":
        print(f"perturb: {message}; the same call asks again", file=sys.stderr)
        return
    raise DataError(
        f"{message}; the same call asks these alone, since all else is kept in {journal.path}, and "
        "with --on-error keep writes the output with null in their place"
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
def _progress(counts: Counts) -> Iterator[Progress]:
    """Draw a bar on a terminal; elsewhere, say once that something is tried again."""
    from perturb.experiment.files import Progress

    if not sys.stderr.isatty():
        yield Progress(lambda: None, _telling_once())
        return
    from tqdm import tqdm

    with tqdm(total=counts.questions, initial=counts.before, unit="row", leave=False) as bar:

        def done() -> None:
            bar.update()

        yield Progress(done, lambda error: bar.set_postfix_str(f"trying again: {error:.60}"))


def _telling_once() -> Callable[[str], None]:
    told: list[str] = []

    def tell(error: str) -> None:
        if not told:
            print(f"perturb: {error}; trying again", file=sys.stderr)
            told.append(error)

    return tell
