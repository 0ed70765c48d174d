"""Differences between two models that were evaluated over the same rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from perturb.integrations.weave.scored_row import ScoredRow, Summary
from perturb.robustness.metrics.inference import paired_difference


class ModelDifference(NamedTuple):
    """The difference of one score between two models, paired by row.

    Attributes:
        a: the name of a model.
        b: that of another.
        score: the scorer and, after a dot each, the fields that lead to the number.
        rows: those in which both have a finite number.
        mean_a: the mean over them of model a.
        mean_b: the mean over them of model b.
        difference: `mean_b - mean_a`.
        low: of its 95 % interval, Student's t over rows; None of one row, or if all differ alike.
        high: as `low`.
    """

    a: str
    b: str
    score: str
    rows: int
    mean_a: float
    mean_b: float
    difference: float
    low: float | None
    high: float | None


class ModelComparison(NamedTuple):
    """Several models over the same rows.

    Attributes:
        summaries: of each model, by its name.
        differences: of each pair of models in each score that is a number or a truth value.
    """

    summaries: dict[str, Summary]
    differences: list[ModelDifference]


def model_differences(scored: Mapping[str, Sequence[ScoredRow]]) -> list[ModelDifference]:
    """Return the differences of each pair of models, from the rows of each in one order."""
    numbers = {
        name: [dict(_numbers(row.scores, "")) for row in rows] for name, rows in scored.items()
    }
    found = []
    for a, b in combinations(numbers, 2):
        names = dict.fromkeys(name for row in (*numbers[a], *numbers[b]) for name in row)
        for name in names:
            rows = zip(numbers[a], numbers[b], strict=True)
            pairs = [(one[name], two[name]) for one, two in rows if name in one and name in two]
            if pairs:
                found.append(_difference(a, b, name, pairs))
    return found


def _numbers(scores: Any, path: str) -> Iterator[tuple[str, float]]:
    """Yield the finite numbers in scores, by their paths."""
    if isinstance(scores, Mapping):
        for name, inner in scores.items():
            yield from _numbers(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(scores, int | float) and math.isfinite(scores):
        yield path, float(scores)


def _difference(a: str, b: str, name: str, pairs: Sequence[tuple[float, float]]) -> ModelDifference:
    of_a, of_b = zip(*pairs, strict=True)
    means = math.fsum(of_a) / len(pairs), math.fsum(of_b) / len(pairs)
    low = high = None
    if len(pairs) > 1:
        estimate = paired_difference(of_a, of_b, range(len(pairs)))
        if estimate.standard_error > 0:
            low, high = estimate.low, estimate.high
    return ModelDifference(a, b, name, len(pairs), *means, means[1] - means[0], low, high)
