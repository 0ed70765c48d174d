"""The answers to the page: a text perturbed, and how to get the same elsewhere."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, TypeVar

from perturb.api import apply, describe
from perturb.boundary import trusting
from perturb.engine.presets import PRESETS
from perturb.errors import UsageError
from perturb.io.jsonl import text_of_json
from perturb.pipeline.pipeline import Pipeline
from perturb.records.marked import pieces
from perturb.registry.registry import names

T = TypeVar("T")

# The field of a row that holds the spans which the user selected.
_KEPT = "keep"


def catalogue() -> dict[str, Any]:
    """Return all perturbators, with what a choice among them needs, and the rules that protect."""
    keys = ("name", "summary", "unit", "label_risk", "languages", "parameters", "severities", "doc")
    described = map(describe, names())
    return {
        "perturbators": [{key: said[key] for key in keys} for said in described],
        "presets": [*PRESETS],
    }


class _Request(NamedTuple):
    """The request of a page."""

    text: str
    steps: list[str]
    seed: int
    rules: list[str]
    spans: list[list[int]]


def answer(given: Any, trust: Collection[str] = ()) -> dict[str, Any]:
    """Perturb a text as the page asks.

    Args:
        given: an object with `text`, `steps` (specs), and, if they are wanted, `seed`, `protect`
            (presets) and `spans` (start and end of what is protected besides, in code points).
        trust: files and functions that the steps may name; a request is data.

    Returns:
        `pieces`, the text cut at its edits; `text`, `status`, `edits`, `units` and
        `rate`; the `record`; and what makes the same: `command`, `python` and `yaml`.

    Raises:
        UsageError: the request is none, or asks for what can't be; as on the command line.
        DataError: the text can't be perturbed so.
    """
    asked = _read(given)
    protect: list[Any] = [*asked.rules, *asked.spans]
    with trusting(trust):
        pipeline = Pipeline.of(asked.steps)
        record = apply(asked.text, pipeline, seed=asked.seed, protect=protect)
    return {
        "pieces": list(pieces(record.original, record.edits)),
        "text": record.text,
        "status": record.status,
        "edits": len(record.edits),
        "units": record.units,
        "rate": record.rate,
        "record": record.to_dict(),
        "command": _command(asked, pipeline),
        "python": _python(asked, pipeline),
        "yaml": _yaml(asked, pipeline),
    }


def _read(given: Any) -> _Request:
    if not isinstance(given, Mapping):
        raise UsageError("a request is an object with text and steps")
    text, steps = given.get("text"), given.get("steps")
    seed, rules, spans = given.get("seed", 0), given.get("protect", []), given.get("spans", [])
    if not isinstance(text, str):
        raise UsageError("text must be a string")
    return _Request(
        text,
        _listed("steps", steps, str),
        seed,
        _listed("protect", rules, str),
        _listed("spans", spans, list),
    )


def _listed(name: str, value: Any, kind: type[T]) -> list[T]:
    if not isinstance(value, list) or not all(isinstance(one, kind) for one in value):
        raise UsageError(f"{name} must be a list, each a {kind.__name__}; got {value!r}")
    return value


def _command(asked: _Request, pipeline: Pipeline) -> str:
    row: dict[str, Any] = {"text": asked.text}
    rules = list(asked.rules)
    if asked.spans:
        row[_KEPT] = asked.spans
        rules.append(f"field:{_KEPT}")
    words = ["perturb", "apply", *map(str, pipeline.parts)]
    words += ["--seed", str(asked.seed)] if asked.seed else []
    words += [word for rule in rules for word in ("--protect", rule)]
    return f"printf '%s\\n' {shlex.quote(text_of_json(row))} |\n  {shlex.join(words)}"


def _python(asked: _Request, pipeline: Pipeline) -> str:
    parts = list(map(str, pipeline.parts))
    protect = [*asked.rules, *map(tuple, asked.spans)]
    given = [repr(asked.text), repr(parts[0] if len(parts) == 1 else parts)]
    given += [f"seed={asked.seed}"] if asked.seed else []
    given += [f"protect={protect!r}"] if protect else []
    return f"import perturb\n\nrecord = perturb.apply({', '.join(given)})\nprint(record.text)"


def _yaml(asked: _Request, pipeline: Pipeline) -> str:
    import yaml

    said: dict[str, Any] = {"steps": list(map(str, pipeline.parts)), "seed": asked.seed}
    rules = [*asked.rules, *([f"field:{_KEPT}"] if asked.spans else [])]
    written: str = yaml.safe_dump(
        said | ({"protect": rules} if rules else {}), sort_keys=False, allow_unicode=True
    )
    return written
