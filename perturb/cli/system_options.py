"""Options shared by the commands that ask a system: the system, questions and limits."""

from __future__ import annotations

import argparse
import contextlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.boundary import display
from perturb.cli import progress
from perturb.cli.manual import check_apart
from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from perturb.evaluation.ask import System
    from perturb.evaluation.ask_rows import AskCounts, Run
    from perturb.evaluation.journal import Journal
    from perturb.evaluation.limits import Price
    from perturb.evaluation.questions import Content, Question

# Settings that an endpoint gets with each request, and with these all options for endpoints only.
_SAMPLING = ("model", "temperature", "top_p", "max_tokens")
ENDPOINT = (
    *(*_SAMPLING, "extra_body", "key_env", "header", "tpm", "price", "field", "choices"),
    *("system", "write_batch", "read_batch"),
)
# Those that a function or a filter takes too.
_QUESTION = ("field", "choices")
# The prefix of a function in place of a command.
_FUNCTION = "python:"
SYSTEM = """\
--endpoint URL  base of an API with OpenAI's chat completions, as http://localhost:8000/v1; or a URL
    that ends in /responses (OpenAI's) or /messages (Anthropic's)
--model NAME  the model at the endpoint
--key-env NAME  environment variable with the key of the endpoint (default: OPENAI_API_KEY, if it is
    set)
--header* 'NAME: VALUE'  a header of each request; may be repeated. No file gets its value
--temperature T  passed to the model, like the next three options
--top-p P
--max-tokens N
--extra-body JSON  further fields of each request, as an object
--command 'PROGRAM ARGS'  in place of an endpoint, a program that reads one row a line, as JSON
    without its record, and answers each row with one line before it reads the next: an object with
    prediction, a string, null for no answer, or plain text. Or python:FILE.py:FUNCTION, which is
    called with each row, or with what --field names, and returns the answer
--same-system  continue although the endpoint, the command or its program has changed since the
    first answers"""
QUESTION = """\
--field* PATH  the question for an endpoint: a text, or a list of chat messages (default: the
    perturbed field, or text); if it is repeated, the texts are asked one below the other
--choices* PATH  answer options in fields of their own, as for perturb apply, which are
    listed below the question with their labels; may be repeated
--system TEXT  a system message before the field's
--prompt FILE  in place of --field, a file with the user message, in which {field} is replaced by
    that field of the row; or YAML with user and system"""
LIMITS = """\
--concurrency N [16]  the number of questions asked at a time (default: 16)
--rpm N  at most N requests a minute; without it, the pace follows the endpoint's answers and
    refusals (429, Retry-After)
--tpm N  at most N tokens a minute, of prompts and answers together
--price IN,OUT  the price of a million tokens of prompts and of answers, as 2.50,10; --dry-run and
    the last line report the cost"""
PACING = f"""\
{LIMITS}
--retries N [8]  how often to try again, with exponential backoff, after a failure that may pass
    (default: 8)
--timeout SECONDS [600]  how long to wait for an answer (default: 600)
--cache DIR  a folder in which to look for answers first and to keep new ones, for all runs that ask
    the same system the same questions"""
ON_ERROR = """\
--on-error {stop,keep} [stop]  if a question gets no answer: stop without an output once all others
    are asked (default), or write the rows without that answer; the same call asks it again"""


class Asking(NamedTuple):
    """A system with its settings.

    Attributes:
        system: opens the system.
        settings: the settings that all its answers share, without keys.
        body: the fields of each request to an endpoint besides its question.
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
        """Return a run of the system, with its pace and its journal."""
        from perturb.evaluation.ask_rows import Run

        together = getattr(args, "group", None) or args.concurrency
        size = max(counts.questions, 1) if together == "all" else together
        return Run(self.system, journal, counts, size, args.retries)


@contextlib.contextmanager
def watched(run: Run) -> Iterator[Run]:
    """Show the progress of a run, and add to an error that ends it where its answers are."""
    with progress.kept(run.journal, run.counts), progress.progress(run.counts) as bar:
        yield run._replace(progress=bar)


def system(args: argparse.Namespace) -> Asking:
    """Return the system that the arguments name, paced and with its cache.

    Raises:
        UsageError: the arguments name no system, two, or an invalid one.
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
    group = getattr(args, "group", None)
    if args.command is not None:
        idle = [
            name for name in ENDPOINT if name not in _QUESTION or gets_rows(args.command, group)
        ]
        refuse_given(args, "with --command, which gets whole rows", idle)
        from perturb.evaluation.systems import command

        if group is not None:
            refuse_given(args, "with --group, since a command gets its rows at once", ("rpm",))
        if (place := _place(args.command)) is not None:
            from perturb.evaluation.systems.function import function

            batched = group is not None
            opened = function(_loaded(place), concurrency=args.concurrency, batched=batched)
            return Asking(opened, command.settings(args.command, place.rpartition(":")[0]), {})
        opens = command.command if group is None else command.filter_command
        opened = opens(args.command, timeout=args.timeout)
        settings = command.settings(args.command)
        if group is not None:  # a program may answer otherwise, in other company
            settings["group"] = group
        return Asking(opened, settings, {})
    refuse_given(args, "with --endpoint, which is asked one question at a time", ("group",))
    from perturb.evaluation.systems import endpoint

    body, key = _body(args), endpoint.key_from(args.key_env)
    headers = endpoint.parse_headers(args.header or ())
    system = endpoint.endpoint(args.endpoint, body, key=key, headers=headers, timeout=args.timeout)
    return Asking(system, endpoint.settings(args.endpoint, body), body)


def gets_rows(command: str | None, group: str | None) -> bool:
    """Return true if a command is a program that gets whole rows."""
    return command is not None and _place(command) is None and group is None


def _place(command: str) -> str | None:
    """Return the place of the function that takes the place of a command, if one does."""
    return command.removeprefix(_FUNCTION) if command.startswith(_FUNCTION) else None


@cache  # what its file loads, such as a model, serves all rounds of asking
def _loaded(place: str) -> Callable[..., Any]:
    from perturb.robustness.grading.matches import function_at

    return function_at(place)


def _body(args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of each request besides its messages and its seed."""
    if args.model is None:
        raise UsageError("--endpoint needs --model NAME")
    text = "{}" if args.extra_body is None else args.extra_body
    try:
        extra = json.loads(text)
    except ValueError as error:
        raise UsageError(f"--extra-body isn't JSON: {error}") from None
    if not isinstance(extra, dict):
        raise UsageError(f"--extra-body must be a JSON object; got {text}")
    fixed = sorted(extra.keys() & {*_SAMPLING, "messages", "seed", "stream", "n"})
    if fixed:
        raise UsageError(f"--extra-body can't have what perturb sets; got {', '.join(fixed)}")
    values = {name: getattr(args, name) for name in _SAMPLING}
    return {name: value for name, value in values.items() if value is not None} | extra


def content(args: argparse.Namespace) -> Content:
    """Return a function from a row to the question for the system."""
    from perturb.evaluation.prompts import load_prompt
    from perturb.evaluation.questions import line_at, messages_at, value_at, without_records

    if args.prompt is None and args.command and args.field:
        if _place(args.command) is not None:
            return value_at(args.field, args.choices or ())
        refuse_given(args, "with --command and --field, which gives it the text alone", ("seed",))
        return line_at(args.field, args.choices or ())
    if args.prompt is None:
        if args.endpoint:
            return messages_at(args.field, args.system, args.choices)
        refuse_given(args, "with --command, which gets whole rows without --field", ("choices",))
        return without_records
    refuse_given(args, "with --prompt, which makes the question", ("field", "choices", "system"))
    prompt = load_prompt(Path(args.prompt))
    if args.endpoint:
        return prompt.messages
    return lambda row: {**without_records(row), "messages": prompt.messages(row)}


def show_plan(
    asking: Asking,
    counts: AskCounts,
    missing: Iterator[Question],
    example: Question,
    when: str = "",
) -> None:
    """Print what would be asked: how much, at what cost, with which settings, and an example."""
    questions = progress.plural(counts.questions, "question")
    display(f"{questions}{when}, {counts.before:,} of them already answered")
    if asking.price is not None:
        display(_expected_cost(missing, asking.price, asking.body.get("max_tokens")))
    display(json.dumps(asking.settings, ensure_ascii=False))
    shown = {"key": example.key, "content": example.content, "seed": example.seed}
    display(json.dumps(shown, indent=2, ensure_ascii=False))


def _expected_cost(questions: Iterator[Question], price: Price, max_tokens: int | None) -> str:
    from perturb.evaluation.limits import prompt_tokens

    sizes = [prompt_tokens(question.content) for question in questions]
    prompts = f"prompts of about {sum(sizes):,.0f} tokens, {price.shown({'prompt': sum(sizes)})}"
    if max_tokens is None:
        return f"{prompts}; give --max-tokens for a ceiling on the cost of answers"
    most = len(sizes) * max_tokens
    return f"{prompts}; answers of at most {most:,} tokens, {price.shown({'completion': most})}"


def options(args: argparse.Namespace, asking: Asking, *more: str) -> dict[str, Any]:
    """Return the options of the questions, and some more, by name; for a manifest.

    This hides keys, and the query of the endpoint's URL.
    """
    names = (*_SAMPLING, "key_env", "field", "choices", "system", "prompt", *more)
    values = {name: getattr(args, name) for name in names}
    if len(args.field or ()) == 1:
        (values["field"],) = args.field
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
    """Refuse files that a stopped run couldn't continue with.

    Raises:
        UsageError: one is missing or a standard stream, or two are the same.
    """
    from perturb.io.files import STANDARD
    from perturb.io.inputs import MANIFEST

    to = args.output
    if read is None or read == STANDARD:
        raise UsageError("name a file of rows; they are read twice, so standard input won't do")
    if to is None or to == STANDARD:
        raise UsageError("name the file for the answers with -o FILE; a journal goes beside it")
    check_apart(args, journal=f"{to}.journal", manifest=f"{to}{MANIFEST}")


def refuse_given(args: argparse.Namespace, why: str, names: Iterable[str]) -> None:
    """Refuse arguments that would do nothing.

    Args:
        args: the arguments of the command.
        why: the other arguments, in words such as "without --prompts".
        names: the arguments that would do nothing.

    Raises:
        UsageError: one of these was given.
    """
    for name in names:
        value = vars(args).get(name)
        if value is not None and value is not False:
            option = "INPUT" if name == "input" else f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} does nothing {why}; leave it out")
