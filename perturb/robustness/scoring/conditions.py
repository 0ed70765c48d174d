"""The origin of a row, read from its linkage record: its original, and how it was perturbed."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import regex

from perturb.errors import DataError
from perturb.records.contract1 import step_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.sources import Row

_STATUSES = ("changed", "unchanged", "original")
_COUNT = regex.compile(r"(^|,)count=\d")


class Condition(NamedTuple):
    """One way of perturbing: the perturbator, its strength, and its parameters as text.

    Several steps in a row are one condition, named by their specs, without a strength of its own.
    `severity` is that which `p` was given as; None for a plain `p`.
    """

    perturbator: str
    p: float | None
    params: str
    severity: int | None = None


class Link(NamedTuple):
    """One row's place; an untouched original has no condition.

    `instance` tells apart the rows of one original and condition: by seed, replicate, and where
    steps were chosen by chance, what they were chosen from. `sample` is the seed that the system
    answered with; None where none is told.
    """

    original_id: str
    condition: Condition | None
    instance: tuple[Any, ...]
    changed: bool
    sample: Any = None


def link(row: Row) -> Link:
    """Read a row's linkage record; a row without one is an original, known by its `id`.

    Raises:
        DataError: the record, or a row's identity, is missing or malformed.
    """
    record, response = row.get("perturbation"), row.get("response")
    sample = response.get("seed") if isinstance(response, dict) else None
    if record is None:
        return Link(_identity(row, "id"), None, (None, None), False, sample)
    if isinstance(record, list):
        raise DataError(
            f"perturbation holds {len(record)} records, one for each text of the row, and a score "
            "belongs to one: perturb one text of a row, by a --field that leads to one"
        )
    if not isinstance(record, dict):
        raise DataError(f"perturbation must be an object, got {type(record).__name__}")
    original_id, status = _identity(record, "original_id"), record.get("status")
    if status not in _STATUSES:
        raise DataError(f"perturbation.status must be one of {_STATUSES}, got {status!r}")
    if status == "original":
        return Link(original_id, None, (None, None), False, sample)
    chosen_from = [record["pipeline"]] if record.get("pipeline") else []
    instance = (record.get("seed"), record.get("replicate"), *chosen_from)
    condition = _condition(record.get("steps"))
    return Link(original_id, condition, instance, status == "changed", sample)


def _identity(fields: Row, name: str) -> str:
    value = fields.get(name)
    if type(value) is str:  # as most are
        return value
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise DataError(
            f"{name} must be a string or an integer that says which original the row belongs to, "
            f"got {value!r}"
        )
    return str(value)


def _condition(steps: Any) -> Condition:
    try:
        told = [(step["name"], step["p"], step["params"], step.get("severity")) for step in steps]
        return _condition_of(tuple(told))
    except (
        TypeError,
        KeyError,
        AttributeError,
    ):  # no steps, or of contract 1, with parameters as objects
        return _read_condition(steps)


@lru_cache(maxsize=1024)
def _condition_of(told: tuple[tuple[Any, ...], ...]) -> Condition:
    """Return the condition of steps, each its name, p, params and severity."""
    names = ("name", "p", "params", "severity")
    return _read_condition([dict(zip(names, step, strict=True)) for step in told])


def _read_condition(steps: Any) -> Condition:
    try:
        parts = [_part(step) for step in steps]
        specs = [name + ("" if p is None else f":p={p:g}") for name, p, _ in parts]
    except (TypeError, KeyError, AttributeError, ValueError):
        raise DataError(
            "perturbation.steps must be a list of objects with a name and a p that is a number or "
            f"null, got {steps!r}"
        ) from None
    if len(parts) == 1:
        name, p, params = parts[0]
        return Condition(name, p, params, steps[0].get("severity") or None)
    return Condition(" ".join(specs) or "no step", None, " ".join(part[2] for part in parts))


def _part(step: Row) -> tuple[str, float | None, str]:
    """Return the name, the strength and the parameters of a step; a count is no strength."""
    p, params = step["p"], step_of(step)["params"]
    by_count = p is None or (p == 0 and _COUNT.search(params))
    return step["name"], None if by_count else p, params


def order(condition: Condition) -> tuple[str, float, str]:
    """Return the sort key that puts the strengths of one perturbator in order."""
    p = -1.0 if condition.p is None else condition.p
    return condition.perturbator, p, condition.params


def labels(conditions: Sequence[Condition]) -> list[str]:
    """Name each condition's perturbator, with its parameters where the name alone is ambiguous."""
    shared = Counter(condition[:2] for condition in conditions)
    return [
        f"{condition.perturbator} {condition.params}".rstrip()
        if shared[condition[:2]] > 1
        else condition.perturbator
        for condition in conditions
    ]


def condition_name(label: str, p: float | None, severity: int | None) -> str:
    """Return the name of a condition: its label with its strength, as it was given.

    Examples:
        >>> condition_name("ocr", 0.05, None), condition_name("ocr", 0.05, 3)
        ('ocr p=0.05', 'ocr severity=3')
    """
    if severity is not None:
        return f"{label} severity={severity}"
    return label if p is None else f"{label} p={p:g}"
