"""Options shared by the commands that ask a system: the system, questions and limits."""

from __future__ import annotations

import contextlib
import json
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from perturb.boundary import display
from perturb.cli import progress
from perturb.cli.manual import check_apart
from perturb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from perturb.evaluation.ask_rows import Run
    from perturb.evaluation.asking import Asking
    from perturb.evaluation.limits import Price
    from perturb.evaluation.questions import Question

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
    called with each row, with what --field names, or with the messages of a prompt, and returns the
    answer
--same-system  continue although the endpoint, the command or its program has changed since the
    first answers"""
QUESTION = """\
--field* PATH  the question for an endpoint: a text, or a list of chat messages (default: the
    perturbed field, or text), as messages[:-1] without the answer that it ends with; if it is
    repeated, the texts are asked one below the other
--choices* PATH  answer options in fields of their own, as for perturb apply, which are
    listed below the question with their labels; may be repeated
--system TEXT  a system message before the field's
--prompt FILE  in place of --field, a file with the user message, in which {field} is replaced by
    that field of the row; or YAML with user and system"""
LIMITS = """\
--concurrency N [16]  the number of questions asked at a time
--rpm N  at most N requests a minute; without it, the pace follows the endpoint's answers and
    refusals (429, Retry-After)
--tpm N  at most N tokens a minute, of prompts and answers together
--price IN,OUT  the price of a million tokens of prompts and of answers, as 2.50,10; the last
    line reports the cost"""
PACING = f"""\
{LIMITS}
--retries N [8]  how often to try again, with exponential backoff, after a failure that may pass
--timeout SECONDS [600]  how long to wait for an answer
--cache DIR  a folder in which to look for answers first and to keep new ones, for all runs that ask
    the same system the same questions"""
ON_ERROR = """\
--on-error {stop,keep} [stop]  if a question gets no answer: stop without an output once all others
    are asked (default), or write the rows without that answer; the same call asks it again"""

AGAIN = """\
--again {failed,truncated,refused}  ask questions again whose reply is missing, was cut off (give
    a larger --max-tokens), or is a refusal; all other answers stay"""


def asking_of(options: Mapping[str, Any]) -> Asking:
    """Return the plan of asking that options choose, among others.

    Raises:
        UsageError: they name no system, two, or an invalid one, or one of them does nothing.
    """
    from perturb.evaluation.asking import Asking

    named = {each.name: options.get(each.name) for each in fields(Asking)}
    return Asking(**{name: value for name, value in named.items() if value is not None})


@contextlib.contextmanager
def watched(run: Run) -> Iterator[Run]:
    """Show the progress of a run, and add to an error that ends it where its answers are."""
    with progress.kept(run.journal, run.counts), progress.progress(run.counts) as bar:
        yield run._replace(progress=bar)


def show_plan(
    asking: Asking, run: Run, missing: Iterator[Question], example: Question, when: str = ""
) -> None:
    """Print what would be asked: how much, at what cost, with which settings, and an example."""
    questions = progress.plural(run.counts.questions, "question")
    display(f"{questions}{when}, {run.counts.before:,} of them already answered")
    if asking.prices is not None:
        display(_expected_cost(missing, asking.prices, asking.max_tokens))
    display(json.dumps(run.journal.settings, ensure_ascii=False))
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


def check_files(read: str | None, to: str | None, /, **others: Any) -> tuple[str, str]:
    """Return the file to read and the one to write.

    Args:
        read: the rows.
        to: the output; its name with further endings is that of further outputs.
        others: the other options of the call; some of them name files.

    Raises:
        UsageError: a stopped run couldn't continue with them, since one is missing or a standard
            stream; two files are the same; or the name of the output is that of another format than
            JSON Lines.
    """
    from perturb.io.files import STANDARD
    from perturb.io.formats import FORMATS, suffix_format
    from perturb.io.inputs import MANIFEST

    if read is None or read == STANDARD:
        raise UsageError("name a file of rows; they are read twice, so standard input won't do")
    if to is None or to == STANDARD:
        raise UsageError("name the file for the answers with -o FILE; a journal goes beside it")
    if (form := suffix_format(to)) and form != FORMATS["jsonl"]:
        raise UsageError(
            f"{to} is {form.title} by its name, and JSON Lines are written: name it FILE.jsonl"
        )
    files = {**others, "input": read, "output": to}
    check_apart(files, journal=f"{to}.journal", manifest=f"{to}{MANIFEST}")
    return read, to
