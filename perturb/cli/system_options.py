"""Options shared by the commands that ask a system: the system, the questions, and the limits."""

from __future__ import annotations

import argparse
import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.cli import progress
from perturb.cli.manual import check_apart
from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from perturb.evaluation.ask import System
    from perturb.evaluation.ask_rows import AskCounts, Run
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.limits import Price
    from perturb.evaluation.questions import Content

# What an endpoint is told beside the messages, and what else only an endpoint takes.
_SAMPLING = ("model", "temperature", "top_p", "max_tokens")
_ENDPOINT = (
    *(*_SAMPLING, "extra_body", "key_env", "header", "tpm", "price", "field", "system"),
    *("write_batch", "read_batch"),
)
SYSTEM = """\
--endpoint URL  base of an API with OpenAI's chat completions, as http://localhost:8000/v1; or a URL
    that ends in /responses (OpenAI's) or /messages (Anthropic's)
--model NAME  the model at the endpoint
--key-env NAME  environment variable with the key of the endpoint (default: OPENAI_API_KEY, where it
    is set)
--header* 'NAME: VALUE'  a header of each request; may be given more than once. Values are written
    to no file
--temperature T  passed on to the model, like the three that follow
--top-p P
--max-tokens N
--extra-body JSON  further fields of each request, an object
--command 'PROGRAM ARGS'  in place of an endpoint, a program that reads a row a line, as JSON
    without its record, and answers each before it waits for more, with a line of its own: an object
    with prediction, a string, null for none, or plain text
--same-system  go on although the endpoint, the command or its program has changed since the first
    answers"""
QUESTION = """\
--field PATH  what an endpoint is asked: a text, or a list of chat messages (default: what was
    perturbed, or text)
--system TEXT  message of the system, in front of the field's
--prompt FILE  in place of --field: the user's message, with {field} where the row's field goes; or
    YAML with user and system"""
LIMITS = """\
--concurrency N [16]  questions under way at a time (default: 16)
--rpm N  requests a minute at most; without it, the pace follows what the endpoint answers and
    refuses (429, Retry-After)
--tpm N  tokens a minute at most, of prompts and answers together
--price IN,OUT  what a million tokens of prompts and of answers cost, as 2.50,10; the cost is said
    with --dry-run and at the end"""
PACING = f"""\
{LIMITS}
--retries N [8]  tries after the first, with exponential backoff, where another may help (default:
    8)
--timeout SECONDS [600]  how long to wait for an answer (default: 600)
--cache DIR  look answers up in a folder first, and keep new ones there, for all runs that ask the
    same of the same system"""
ON_ERROR = """\
--on-error {stop,keep} [stop]  where there is no answer: after all others, stop without an output
    (default), or write the rows without it; either way the same call asks again"""


class Asking(NamedTuple):
    """The system, and what belongs to it.

    Attributes:
        system: to be opened.
        settings: what all its answers have in common, without keys.
        body: what each request to an endpoint says beside its question.
        price: the price of its tokens.
    """

    system: System
    settings: dict[str, Any]
    body: dict[str, Any]
    price: Price | None = None

    def journal(self, args: argparse.Namespace, path: Path | str) -> Journal:
        """Open the journal of its answers."""
        from perturb.evaluation.journal import SYSTEM_SETTINGS, Journal

        ignored = SYSTEM_SETTINGS if args.same_system else ()
        return Journal(Path(path), self.settings, ignored, getattr(args, "again", None))

    def run(self, args: argparse.Namespace, journal: Journal, counts: AskCounts) -> Run:
        """Return the system with how it is asked, and where its answers go."""
        from perturb.evaluation.ask_rows import Run

        return Run(self.system, journal, counts, args.concurrency, args.retries)


@contextlib.contextmanager
def watched(run: Run) -> Iterator[Run]:
    """Show the progress of a run, and say of one that can't go on where its answers are."""
    with progress.kept(run.journal, run.counts), progress.progress(run.counts) as bar:
        yield run._replace(progress=bar)


def system(args: argparse.Namespace) -> Asking:
    """Return the system that the arguments name, paced and with its cache.

    Raises:
        UsageError: the arguments name no system, or two, or what can't be.
    """
    from perturb.evaluation.cache import cached
    from perturb.evaluation.limits import RateLimiter, paced, parse_price

    price = None if args.price is None else parse_price(args.price)
    asking = _system(args)
    system = paced(asking.system, RateLimiter(args.rpm, args.tpm))
    if args.cache is not None:
        recalls = getattr(args, "again", None) is None
        system = cached(system, args.cache, asking.settings, recalls=recalls)
    return asking._replace(system=system, price=price)


def _system(args: argparse.Namespace) -> Asking:
    if (args.endpoint is None) == (args.command is None):
        raise UsageError("give either --endpoint URL or --command 'PROGRAM ARGS'")
    if args.command is not None:
        refuse_given(args, "a command takes whole rows", _ENDPOINT)
        from perturb.evaluation.systems import command

        opened = command.command(args.command, timeout=args.timeout)
        return Asking(opened, command.settings(args.command), {})
    from perturb.evaluation.systems import endpoint

    body, key = _body(args), endpoint.key_from(args.key_env)
    headers = endpoint.parse_headers(args.header or ())
    system = endpoint.endpoint(args.endpoint, body, key=key, headers=headers, timeout=args.timeout)
    return Asking(system, endpoint.settings(args.endpoint, body), body)


def _body(args: argparse.Namespace) -> dict[str, Any]:
    """Return what each request says beside its messages and its seed."""
    if args.model is None:
        raise UsageError("--endpoint needs --model NAME")
    text = "{}" if args.extra_body is None else args.extra_body
    try:
        extra = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--extra-body is not JSON: {error}") from None
    if not isinstance(extra, dict):
        raise UsageError(f"--extra-body must be a JSON object; got {text}")
    fixed = sorted(extra.keys() & {*_SAMPLING, "messages", "seed", "stream", "n"})
    if fixed:
        raise UsageError(f"--extra-body must not hold {', '.join(fixed)}")
    values = {name: getattr(args, name) for name in _SAMPLING}
    return {name: value for name, value in values.items() if value is not None} | extra


def content(args: argparse.Namespace) -> Content:
    """Return a function from a row to what the system is asked."""
    from perturb.evaluation.prompts import load_prompt
    from perturb.evaluation.questions import messages_at, without_records

    if args.prompt is None:
        return messages_at(args.field, args.system) if args.endpoint else without_records
    refuse_given(args, "--prompt says what to ask", ("field", "system"))
    prompt = load_prompt(Path(args.prompt))
    if args.endpoint:
        return prompt.messages
    return lambda row: {**without_records(row), "messages": prompt.messages(row)}


def options(args: argparse.Namespace, asking: Asking, *more: str) -> dict[str, Any]:
    """Return the options that say what is asked, and some more, by their names; for a manifest.

    Keys among them are hidden, and so is what the URL of the endpoint says after its path.
    """
    names = (*_SAMPLING, "key_env", "field", "system", "prompt", *more)
    values = {name: getattr(args, name) for name in names}
    if args.endpoint is not None:
        from perturb.evaluation.redact import redacted

        values["endpoint"] = args.endpoint.partition("?")[0]
        if args.extra_body is not None:
            extra = json.loads(args.extra_body)
            public = redacted(extra)
            values["extra_body"] = args.extra_body if public == extra else json.dumps(public)
        if args.header:
            values["header"] = [f"{text.partition(':')[0]}: ..." for text in args.header]
    else:
        values["command"] = asking.settings["command"]
    return {
        name: str(value) if isinstance(value, Path) else value
        for name, value in values.items()
        if value is not None
    }


def check_files(args: argparse.Namespace, read: str | None) -> None:
    """Refuse files that a run can't go on with: it reads one again, and has a journal at the other.

    Raises:
        UsageError: one is missing or a standard stream, or two are the same.
    """
    from perturb.io.files import STANDARD
    from perturb.io.inputs import MANIFEST

    to = args.output
    if read is None or read == STANDARD:
        raise UsageError("name a file of rows: they are read twice, so not from standard input")
    if to is None or to == STANDARD:
        raise UsageError("name the file for the answers with -o FILE: a journal stands beside it")
    check_apart(args, journal=f"{to}.journal", manifest=f"{to}{MANIFEST}")


def refuse_given(args: argparse.Namespace, why: str, names: Iterable[str]) -> None:
    """Refuse arguments that others make idle.

    Raises:
        UsageError: one of these was given.
    """
    for name in names:
        if getattr(args, name, None) is not None:
            option = "INPUT" if name == "input" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{why}: leave out {option}")
