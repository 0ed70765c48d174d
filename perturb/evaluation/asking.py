"""The plan of asking: the system, its question about a row, and the pace.

Every door makes one `Asking` of its arguments, and hands on nothing else, as with `Job` for rows
and `Grading` for verdicts. Errors name its fields as options of the command line.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from perturb.errors import UsageError
from perturb.evaluation.ask import System, prediction_in
from perturb.evaluation.ask_rows import AskCounts, Run
from perturb.evaluation.cache import cached
from perturb.evaluation.journal import SYSTEM_SETTINGS, Journal
from perturb.evaluation.limits import Price, RateLimiter, paced, parse_price
from perturb.evaluation.prompts import Prompt, load_prompt
from perturb.evaluation.questions import Content, line_at, messages_at, value_at, without_records
from perturb.evaluation.redact import redacted
from perturb.evaluation.systems import command, endpoint
from perturb.evaluation.systems.function import Function, function
from perturb.plan.options import flag, repeated
from perturb.robustness.grading.matches import function_at
from perturb.robustness.grading.plan import place_of

# Settings that an endpoint gets with each request, and all fields that only an endpoint takes.
_SAMPLING = ("model", "temperature", "top_p", "max_tokens")
ENDPOINT = (*_SAMPLING, "extra_body", "key_env", "header", "tpm", "price", "system")
# Those that a function or a filter takes too.
_OF_QUESTIONS = ("field", "choices")
_ROWS = "with --command, which gets whole rows"
# A field, those that it makes idle, and why.
_IDLE = (
    ("endpoint", ("group",), "with --endpoint, which is asked one question at a time"),
    ("command", ENDPOINT, _ROWS),
    ("group", ("rpm",), "with --group, since a command gets its rows at once"),
    ("prompt", (*_OF_QUESTIONS, "system"), "with --prompt, which makes the question"),
)
# What a command may be, and the prefix of a function in place of one.
FUNCTION, PROGRAM, FILTER = "function", "program", "filter"
_FUNCTION = "python:"
_WHOLE = "the function gets whole rows, right answers too; --field PATH gives it the text alone"


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A system, its questions and its pace; the options of `perturb run` say what each field is.

    `command` is a program, the place of a function, or a function itself, which no file can name.

    Raises:
        UsageError: it names no system, two, or an invalid one, or a field does nothing for it.
    """

    prompt: Path | str | None = None
    endpoint: str | None = None
    model: str | None = None
    key_env: str | None = None
    header: Sequence[str] = ()
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    extra_body: str | Mapping[str, Any] | None = None
    command: str | Function | None = None
    same_system: bool = False
    concurrency: int = 16
    rpm: float | None = None
    tpm: float | None = None
    price: str | None = None
    retries: int = 8
    timeout: float = 600.0
    cache: Path | None = None
    on_error: str = "stop"
    group: int | str | None = None
    field: Sequence[str] = ()
    choices: Sequence[str] = ()
    system: str | None = None
    again: str | None = None

    def __post_init__(self) -> None:
        for name in ("header", "field", "choices"):
            object.__setattr__(self, name, tuple(getattr(self, name) or ()))
        if (self.endpoint is None) == (self.command is None):
            raise UsageError("give either --endpoint URL or --command 'PROGRAM ARGS'")
        for name, idle, why in _IDLE:
            if getattr(self, name) is not None:
                refuse_idle(vars(self), why, idle)
        if self.kind == PROGRAM:
            refuse_idle(vars(self), _ROWS, _OF_QUESTIONS)
        # Wrong ones are refused before anything is asked or written.
        _ = self.opened(), self.prices

    @property
    def kind(self) -> str:
        """Whether an endpoint, a function, a program or a filter is asked."""
        if self.command is None:
            return "endpoint"
        if callable(self.command) or self.command.startswith(_FUNCTION):
            return FUNCTION
        return PROGRAM if self.group is None else FILTER

    @property
    def gets_lines(self) -> bool:
        """Whether it is asked with the texts of a field alone, which carry no seed."""
        return self.kind == FILTER and bool(self.field)

    @cached_property
    def body(self) -> dict[str, Any]:
        """The fields of each request besides its messages and its seed."""
        if self.model is None:
            raise UsageError("--endpoint needs --model NAME")
        values = {name: getattr(self, name) for name in _SAMPLING}
        return {name: value for name, value in values.items() if value is not None} | self._extra

    @property
    def _extra(self) -> dict[str, Any]:
        """Further fields of each request."""
        extra: Any = {} if self.extra_body is None else self.extra_body
        if isinstance(extra, str):
            try:
                extra = json.loads(extra)
            except ValueError as error:
                raise UsageError(f"--extra-body isn't JSON: {error}") from None
        if not isinstance(extra, dict):
            raise UsageError(f"--extra-body must be a JSON object; got {self.extra_body}")
        fixed = sorted(extra.keys() & {*_SAMPLING, "messages", "seed", "stream", "n"})
        if fixed:
            raise UsageError(f"--extra-body can't have what perturb sets; got {', '.join(fixed)}")
        return extra

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The settings that all its answers share, without keys."""
        if self.endpoint is not None:
            return endpoint.settings(self.endpoint, self.body)
        line = self.command if isinstance(self.command, str) else place_of(self.command)
        if line is None:  # a lambda, a function within another, an object
            return {"function": getattr(self.command, "__qualname__", type(self.command).__name__)}
        if self.kind == FUNCTION:
            line = line.replace(f"{_FUNCTION}{Path.cwd()}/", _FUNCTION)  # as people name it
            return command.settings(line, line.removeprefix(_FUNCTION).rpartition(":")[0])
        # A program may answer otherwise, in other company.
        together = {} if self.group is None else {"group": self.group}
        return {**command.settings(line), **together}

    @cached_property
    def prices(self) -> Price | None:
        """The prices of tokens."""
        return None if self.price is None else parse_price(self.price)

    def opened(self) -> System:
        """Return the system, to be entered once, with its pace and its cache."""
        system = paced(self._system(), RateLimiter(self.rpm, self.tpm))
        if self.cache is None:
            return system
        return cached(system, self.cache, self.settings, recalls=self.again is None)

    def _system(self) -> System:
        if self.endpoint is not None:
            key, headers = endpoint.key_from(self.key_env), endpoint.parse_headers(self.header)
            more: dict[str, Any] = {"key": key, "headers": headers, "timeout": self.timeout}
            return endpoint.endpoint(self.endpoint, self.body, **more)
        called: Any = self.command
        if self.kind != FUNCTION:
            opens = command.command if self.kind == PROGRAM else command.filter_command
            return opens(called, timeout=self.timeout)
        if isinstance(called, str):
            called = _loaded(called.removeprefix(_FUNCTION))
        more = {"concurrency": self.concurrency, "batched": self.group is not None}
        return function(called, **more, read=prediction_in)

    def journal(self, path: Path | str, **more: Any) -> Journal:
        """Open the journal of its answers, with further settings that they share."""
        ignored = SYSTEM_SETTINGS if self.same_system else ()
        return Journal(Path(path), {**self.settings, **more}, ignored, self.again)

    def run(self, journal: Journal, counts: AskCounts) -> Run:
        """Return a run of the system."""
        together = self.group or self.concurrency
        size = max(counts.questions, 1) if together == "all" else int(together)
        return Run(self.opened(), journal, counts, size, self.retries)

    def content(self) -> Content:
        """Return a function from a row to the question for the system."""
        if self.prompt is not None:
            return self.prompted(load_prompt(Path(self.prompt)))
        if self.endpoint is not None:
            return messages_at(self.field, self.system, self.choices)
        if not self.field:
            refuse_idle(vars(self), f"{_ROWS} without --field", ("choices",))
            if self.kind == FUNCTION:  # f"{question}" would hold the right answer, and look fine
                warnings.warn(_WHOLE, stacklevel=2)
            return without_records
        return (line_at if self.gets_lines else value_at)(self.field, self.choices)

    def prompted(self, prompt: Prompt) -> Content:
        """Return a function from a row to a question in a prompt; a program gets the row too."""
        if self.kind in ("endpoint", FUNCTION):
            return prompt.messages
        return lambda row: {**without_records(row), "messages": prompt.messages(row)}

    def call(self, command: str, **more: Any) -> dict[str, Any]:
        """Return the call of a command as manifests describe it, with further options of it.

        This hides keys, and the query of the endpoint's URL.
        """
        names = (*_SAMPLING, "key_env", "field", "choices", "system", "prompt")
        values = {name: getattr(self, name) for name in names} | more
        if len(self.field) == 1:
            (values["field"],) = self.field
        if self.endpoint is not None:
            values["endpoint"] = self.endpoint.partition("?")[0]
            values["extra_body"] = json.dumps(redacted(self._extra)) if self._extra else None
            values["header"] = [f"{text.partition(':')[0]}: ..." for text in self.header]
        else:
            values |= {name: self.settings.get(name) for name in ("command", "function")}
        options = {
            name: str(value) if isinstance(value, Path) else value
            for name, value in values.items()
            if value is not False and value not in (None, (), [])
        }
        program = self.settings.get("program")
        return {"command": command, "options": options} | ({"program": program} if program else {})

    def words(self) -> list[str]:
        """Return the fields that differ from their defaults as words of a command line."""
        words: list[str] = []
        for each in fields(self):
            value, option = getattr(self, each.name), flag(each.name)
            if value != each.default:
                words += [option] if value is True else repeated(option, value)
        return words


_loaded = cache(function_at)  # what its file loads, such as a model, serves all rounds of asking


def refuse_idle(given: Mapping[str, Any], why: str, names: Iterable[str]) -> None:
    """Refuse arguments that would do nothing.

    Args:
        given: all arguments by name.
        why: the other arguments, in words such as "without --prompts".
        names: the arguments that would do nothing.

    Raises:
        UsageError: one of these was given.
    """
    for name in names:
        value = given[name]
        if value is not None and value is not False and value not in ((), []):
            option = "INPUT" if name == "input" else flag(name)
            raise UsageError(f"{option} does nothing {why}; leave it out")
