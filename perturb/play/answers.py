"""The answers to the page: a text perturbed, and how to get the same elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from perturb.api import apply
from perturb.boundary import trusting
from perturb.engine.presets import PRESETS
from perturb.errors import UsageError
from perturb.io.jsonl import text_of_json
from perturb.pipeline import grammar
from perturb.pipeline.pipeline import Pipeline
from perturb.pipeline.step import Step
from perturb.pipeline.strength import SHARES
from perturb.plan.job import job_of
from perturb.plan.recipe import read as read_recipe
from perturb.records.marked import pieces
from perturb.registry.describe import describe
from perturb.registry.registry import names

# The field of a row that holds the spans which the user selected.
_SPANS = "keep"


def catalogue() -> dict[str, Any]:
    """Return all perturbators, with what a choice among them needs, and the rules that protect."""
    keys = ("name", "summary", "unit", "label_risk", "languages", "parameters", "severities", "doc")
    return {
        "perturbators": [{key: facts[key] for key in keys} for facts in map(describe, names())],
        "presets": [*PRESETS],
    }


def start_of(steps: Sequence[str], recipe: str | None, text: str | None) -> dict[str, Any]:
    """Return what the page begins with, in place of its example.

    Args:
        steps: specs, as `perturb apply` takes them.
        recipe: in place of steps, with the seed and what is protected; records have it.
        text: to perturb.

    Raises:
        UsageError: both are given, a step is unknown, or the page has no place for it.
    """
    start: dict[str, Any] = {} if text is None else {"text": text}
    if not steps and recipe is None:
        return start
    if steps and recipe is not None:
        raise UsageError("a recipe has its own steps; give one of both")
    try:
        job = job_of([*steps]) if recipe is None else read_recipe(recipe)
    except TypeError as error:  # in a text each value is the one of a kind
        raise UsageError(str(error)) from error
    start["steps"] = [_control(step) for each in job.conditions for step in each.pipeline.parts]
    start["spans"] = [rule for rule in job.protect if isinstance(rule, tuple)]
    start["protect"] = [rule for rule in job.protect if isinstance(rule, str)]
    return {**start, "seed": job.seed}


def _control(step: Any) -> tuple[str, dict[str, Any], float, str]:
    """Return a step as the page has it: a name, settings, a p and a severity."""
    if not isinstance(step, Step) or step.p is None:
        raise UsageError(f"the page has a slider for the p of each step; {step} has none")
    name, _, rest = str(step).partition(":")
    settings = grammar.assignments(name, rest)
    others = {key: value for key, value in settings.items() if key not in SHARES}
    return name, others, step.p, str(step.severity or "")


class _Call(NamedTuple):
    """What a page asks for."""

    text: str
    steps: list[str]
    seed: int
    rules: list[str]
    spans: list[list[int]]


def answer(request: Any, trust: Collection[str] = ()) -> dict[str, Any]:
    """Perturb a text as the page asks.

    Args:
        request: an object with `text`, `steps` (specs), and, if they are wanted, `seed`, `protect`
            (presets) and `spans` (start and end of what is protected besides, in code points).
        trust: files and functions that the steps may name; a request is data.

    Returns:
        `pieces`, the text cut at its edits; `text`, `status`, `edits`, `units` and
        `rate`; the `record`; and what makes the same: `command`, `python` and `yaml`.

    Raises:
        UsageError: the request is none, or asks for what can't be; as on the command line.
        DataError: the text can't be perturbed so.
    """
    call = _read(request)
    protect: list[Any] = [*call.rules, *call.spans]
    with trusting(trust):
        pipeline = Pipeline.of(call.steps)
        record = apply(call.text, pipeline, seed=call.seed, protect=protect)
    call = call._replace(steps=list(map(str, pipeline.parts)))
    return {
        "pieces": list(pieces(record.original, record.edits)),
        "text": record.text,
        "status": record.status,
        "edits": len(record.edits),
        "units": record.units,
        "rate": record.rate,
        "record": record.to_dict(),
        "command": _command(call),
        "python": _python(call),
        "yaml": _yaml(call),
        "share": shlex.join(["perturb", "play", "--recipe", record.recipe, "--text", call.text]),
    }


def _read(request: Any) -> _Call:
    if not isinstance(request, Mapping):
        raise UsageError("a request is an object with text and steps")
    text = request.get("text")
    if not isinstance(text, str):
        raise UsageError("text must be a string")
    steps = _list_of(str, "steps", request.get("steps"))
    rules = _list_of(str, "protect", request.get("protect", []))
    spans = _list_of(list, "spans", request.get("spans", []))
    return _Call(text, steps, request.get("seed", 0), rules, spans)


def _list_of(kind: type, name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
        raise UsageError(f"{name} must be a list, each a {kind.__name__}; got {value!r}")
    return value


def _rules(call: _Call) -> list[str]:
    """Return the rules that protect, where the spans stand in a field of the row."""
    return [*call.rules, *([f"field:{_SPANS}"] if call.spans else [])]


def _command(call: _Call) -> str:
    row = {"text": call.text} | ({_SPANS: call.spans} if call.spans else {})
    words = ["perturb", "apply", *call.steps]
    words += ["--seed", str(call.seed)] if call.seed else []
    words += [word for rule in _rules(call) for word in ("--protect", rule)]
    return f"printf '%s\\n' {shlex.quote(text_of_json(row))} |\n  {shlex.join(words)}"


def _python(call: _Call) -> str:
    protect = [*call.rules, *map(tuple, call.spans)]
    arguments = [repr(call.text), repr(call.steps[0] if len(call.steps) == 1 else call.steps)]
    arguments += [f"seed={call.seed}"] if call.seed else []
    arguments += [f"protect={protect!r}"] if protect else []
    return f"import perturb\n\nrecord = perturb.apply({', '.join(arguments)})\nprint(record.text)"


def _yaml(call: _Call) -> str:
    import yaml

    settings: dict[str, Any] = {"steps": call.steps, "seed": call.seed}
    if rules := _rules(call):
        settings["protect"] = rules
    text: str = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    return text
