"""Records of contract 1, in the form of contract 2, so that everything else knows one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.errors import DataError
from perturb.io.jsonl import text_of_json
from perturb.pipeline.step import LIMITS


def upgraded(linkage: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record in the form of contract 2; one of contract 1 still says that it is that.

    Raises:
        DataError: its steps, edits, spans or answer are damaged.
    """
    if linkage.get("contract") != 1 or "scope" in linkage:
        return dict(linkage)
    made = {"pipeline": "", "scope": "", **linkage}
    scope = {key: made.pop(key) for key in ("protect", "only") if key in made}
    try:
        if scope:
            made["scope"] = text_of_json(scope)
        made["field"] = made.get("field") or ""
        made["reason"] = made.get("reason") or ""
        made["edits"] = list(map(_edit, made["edits"]))
        made["steps"] = list(map(step_of, made["steps"]))
        if "spans" in made:
            made["spans"] = list(map(_span, made["spans"]))
        answer = made.get("answer")
        if answer is not None:
            made["answer"] = {**answer, "original": text_of_json(answer["original"])}
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise DataError(f"the perturbation record, of contract 1, is damaged: {error}") from error
    return made


def step_of(step: Mapping[str, Any]) -> dict[str, Any]:
    """Return a step of a record in the form of contract 2.

    Raises:
        TypeError: it is no step; or AttributeError, KeyError, ValueError.
    """
    params = step.get("params", {})
    if isinstance(params, str):
        return dict(step)
    limits = {key: step[key] for key in LIMITS if key in step}
    note = step.get("note")
    left = {key: value for key, value in step.items() if key not in limits}
    return {
        "units": 0,
        "sites": 0,
        "edits": 0,
        **left,
        "p": 0.0 if step["p"] is None else step["p"],
        "params": _params(step["name"], {**limits, **params}),
        "intensity": "",
        "severity": step.get("severity", 0),
        "closed": 0,
        "saturated": False,
        "note": "" if note is None else text_of_json(note),
    }


def _params(name: str, given: Mapping[str, Any]) -> str:
    """Return settings as a spec has them, without the defaults, as far as these are known."""
    from perturb.pipeline import grammar
    from perturb.registry.registry import is_known, resolve

    # All settings are spelled out of a perturbator that is not installed.
    defaults: Mapping[str, Any] = resolve(name)[0].parameters if is_known(name) else {}
    return grammar.assigned(
        {k: v for k, v in given.items() if k not in defaults or v != defaults[k]}
    )


def _edit(entry: Any) -> dict[str, Any]:
    if isinstance(entry, Mapping):
        return dict(entry)
    start, end, text, *removed = entry
    made = {"start": start, "end": end, "text": text}
    return {**made, "removed": removed[0]} if removed else made


def _span(span: Any) -> dict[str, int]:
    if isinstance(span, Mapping):
        return dict(span)
    start, end = (-1, -1) if span is None else span
    return {"start": start, "end": end}
