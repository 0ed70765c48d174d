"""The arguments of `perturb run`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any


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
    add("--seeds", type=_at_least(1), metavar="N", help="ask each row N times, with seeds that "
        "count up")  # fmt: skip
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
