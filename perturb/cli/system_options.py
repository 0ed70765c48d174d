"""What the commands that ask a system share: which system, what it is asked, and how."""

from __future__ import annotations

import argparse
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from perturb.evaluation.ask import Ask
    from perturb.evaluation.questions import Content

    System = contextlib.AbstractAsyncContextManager[Ask]

# What an endpoint is told beside the messages, and what else only an endpoint takes.
_SAMPLING = ("model", "temperature", "top_p", "max_tokens")
_ENDPOINT = (*_SAMPLING, "extra_body", "key_env", "field", "system")
_PROTOCOL = (
    "a program that reads a row a line, as JSON without its record, and answers each before it "
    "waits for more, with a line of its own: an object with prediction, a string, null for none, "
    "or plain text"
)


def add_system(parser: argparse.ArgumentParser) -> None:
    """Declare which system is asked."""
    add = parser.add_argument_group("the system").add_argument
    add("--endpoint", metavar="URL", help="base of an API with OpenAI's chat completions, as "
        "http://localhost:8000/v1")  # fmt: skip
    add("--model", metavar="NAME", help="the model at the endpoint")
    add("--key-env", metavar="NAME", help="environment variable with the key of the endpoint "
        "(default: OPENAI_API_KEY, where it is set)")  # fmt: skip
    add("--temperature", type=float, metavar="T", help="passed on, like the three that follow")
    add("--top-p", type=float, metavar="P")
    add("--max-tokens", type=int, metavar="N")
    add("--extra-body", metavar="JSON", help="further fields of each request, an object")
    add("--command", metavar="'PROGRAM ARGS'", help=f"in place of an endpoint, {_PROTOCOL}")


def add_question(add: Callable[..., Any]) -> None:
    """Declare what is asked of a row."""
    add("--field", metavar="PATH", help="what an endpoint is asked: a text, or a list of chat "
        "messages (default: text)")  # fmt: skip
    add("--system", metavar="TEXT", help="message of the system, in front of the field's")
    add("--prompt", metavar="FILE", help="in place of --field: the user's message, with {field} "
        "where the row's field goes; or YAML with user and system")  # fmt: skip


def add_pacing(add: Callable[..., Any]) -> None:
    """Declare how the system is asked."""
    add("--concurrency", type=at_least(1), default=16, metavar="N", help="how many questions are "
        "under way at a time (default: 16)")  # fmt: skip
    add("--retries", type=at_least(0), default=8, metavar="N", help="tries after the first, ever "
        "later, where an endpoint may still answer (default: 8)")  # fmt: skip
    add("--timeout", type=_seconds, default=600.0, metavar="SECONDS", help="for one answer "
        "(default: 600)")  # fmt: skip
    add("--on-error", choices=("stop", "keep"), default="stop", help="where there is no answer: "
        "after all others, stop without an output (default), or write the rows without it; either "
        "way the same call asks again")  # fmt: skip


def at_least(least: int) -> Callable[[str], int]:
    """A type of argument: whole numbers from `least`."""

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


def system(args: argparse.Namespace) -> tuple[System, dict[str, Any]]:
    """What to ask, and the settings that all its answers have in common.

    Raises:
        UsageError: the arguments name no system, or two, or what can't be.
    """
    if (args.endpoint is None) == (args.command is None):
        raise UsageError("give either --endpoint URL or --command 'PROGRAM ARGS'")
    if args.command is not None:
        refuse_given(args, "a command takes whole rows", _ENDPOINT)
        from perturb.evaluation.systems.command import command

        return command(args.command, timeout=args.timeout), {"command": args.command}
    from perturb.evaluation.systems.endpoint import endpoint, key_from, target

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


def content(args: argparse.Namespace) -> Content:
    """From a row to what the system is asked."""
    from perturb.evaluation.prompts import load_prompt
    from perturb.evaluation.questions import messages_at, without_records

    if args.prompt is None:
        return messages_at(args.field or "text", args.system) if args.endpoint else without_records
    refuse_given(args, "--prompt says what to ask", ("field", "system"))
    prompt = load_prompt(Path(args.prompt))
    if args.endpoint:
        return prompt.messages
    return lambda row: {**without_records(row), "messages": prompt.messages(row)}


def options(args: argparse.Namespace, *more: str) -> dict[str, Any]:
    """The options that say what is asked, and some more, by their names; for a manifest.

    What the URL of the endpoint says after its path is left out: some hold a key there.
    """
    names = ("endpoint", *_ENDPOINT, "command", "prompt", *more)
    given = {name: getattr(args, name) for name in names}
    if args.endpoint is not None:
        given["endpoint"] = args.endpoint.partition("?")[0]
    plain = {name: str(one) if isinstance(one, Path) else one for name, one in given.items()}
    return {name: value for name, value in plain.items() if value is not None}


def check_files(read: str | None, written: str | None) -> None:
    """Refuse files that a run can't go on with: it reads one again, and has a journal at the other.

    Raises:
        UsageError: one is missing or a standard stream, or both are the same.
    """
    from perturb.io.files import STANDARD, same_file

    if read is None or written is None or STANDARD in (read, written):
        raise UsageError("give a file of rows, and with -o the file for the answers")
    if same_file(read, written):
        raise UsageError(f"the input and the output are the same file: {written}")


def refuse_given(args: argparse.Namespace, why: str, names: Iterable[str]) -> None:
    """Refuse arguments that others make idle.

    Raises:
        UsageError: one of these was given.
    """
    for name in names:
        if getattr(args, name) is not None:
            option = "INPUT" if name == "input" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{why}: leave out {option}")
