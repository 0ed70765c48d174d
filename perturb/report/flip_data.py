"""All flips and the matrix of originals and conditions, as columns for the script of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.report.edit_kinds import GROUPS
from perturb.report.series import key_of, strength
from perturb.robustness.scoring.comparison import value_range

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.report.listing import Listed, Reading
    from perturb.report.series import Series, Shared
    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.metric import Metric
    from perturb.values.arrays import Bool

# What stands in the matrix where an original has no row of a condition.
_NONE = 999


def flip_data(
    series: Sequence[Series],
    shared: Shared,
    readings: Sequence[Reading],
    metrics: Mapping[str, Metric],
    listed: Bool,
    conditions: Sequence[Finding],
) -> dict[str, Any]:
    """Return all that the page draws on demand; texts are told once, and named by their number.

    Args:
        series: one or two.
        shared: their pairs.
        readings: what was read of the rows of each.
        metrics: by name.
        listed: by metric and pair, whether it is.
        conditions: of the first system, in the order of the page.
    """
    pairs = series[0].judged.pairs
    places = {
        (label, condition.p, condition.severity, condition.expect): at
        for at, (label, condition) in enumerate(zip(pairs.labels, pairs.conditions, strict=True))
    }
    order = [places[key_of(finding)] for finding in conditions]
    rank = np.zeros(len(pairs.conditions), np.int64)
    rank[order] = np.arange(len(order))
    texts: dict[str, int] = {}
    return {
        "series": [one.name for one in series],
        "metrics": [
            {
                "name": name,
                "higher": metric.higher_is_better,
                "sides": not np.isnan(metric.threshold),
            }
            for name, metric in metrics.items()
        ],
        "conditions": [
            {
                "name": finding.name,
                "perturbator": finding.perturbator,
                "strength": strength(finding),
            }
            for finding in conditions
        ],
        "originals": readings[0].original_ids,
        "groups": GROUPS,
        "slices": list(readings[0].values),
        "flips": _columns(shared, readings, listed, rank, texts),
        "texts": list(texts),
        "matrix": [_matrix(shared, at, metric, rank, len(order), len(readings[0].original_ids))
                   for at, metric in enumerate(metrics.values())],
    }  # fmt: skip


def _columns(
    shared: Shared, readings: Sequence[Reading], listed: Bool, rank: Any, texts: dict[str, int]
) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {}
    slices = readings[0].values
    for measure, row in np.argwhere(listed).tolist():
        at = [int(rows[row]) for rows in shared.rows]
        shown = [reading.listed[place] for reading, place in zip(readings, at, strict=True)]
        entry = {
            "metric": measure,
            "original": int(shared.original[row]),
            "condition": int(rank[shared.condition[row]]),
            "before": shared.clean[:, row, measure].tolist(),
            "after": shared.perturbed[:, row, measure].tolist(),
            "kinds": int(readings[0].kinds[at[0]]),
            "causeKinds": max(int(r.explained[a]) for r, a in zip(readings, at, strict=True)),
            "slices": [_number(texts, column[at[0]]) for column in slices.values()],
            **_flip(shown, texts),
        }
        for name, value in entry.items():
            columns.setdefault(name, []).append(value)
    return columns


def _number(texts: dict[str, int], text: str | None) -> int:
    """Return the number of a text, a new one where it is new; -1 for None."""
    return -1 if text is None else texts.setdefault(text, len(texts))


def _flip(shown: Sequence[Listed], texts: dict[str, int]) -> dict[str, Any]:
    first, part = shown[0], shown[0].excerpt
    explained = next((row.explained for row in shown if row.explained is not None), None)
    return {
        "replicate": first.replicate,
        "text": _number(texts, part.text),
        "start": part.start,
        "left": part.left,
        "edits": [value for edit in part.edits for value in edit[:3]],
        "editsLeft": part.edits_left,
        "written": _number(texts, first.text),
        "cleanAnswers": [_number(texts, row.clean_answer) for row in shown],
        "answers": [_number(texts, row.answer) for row in shown],
        "target": _number(texts, first.target),
        "status": "" if explained is None else explained.status,
        "causes": [] if explained is None else explained.causes,
        "causeCount": 0 if explained is None else explained.edits,
        "tries": [] if explained is None else explained.tries,
    }


def _matrix(
    shared: Shared, measure: int, metric: Metric, rank: Any, conditions: int, originals: int
) -> dict[str, Any]:
    """The mean change of each original in each condition, in percent, worse is negative."""
    clean, perturbed = shared.clean[:, :, measure], shared.perturbed[:, :, measure]
    size = value_range(clean, perturbed) or 1.0
    sign = 1 if metric.higher_is_better else -1
    cells = shared.original * conditions + rank[shared.condition]
    counts = np.bincount(cells, minlength=originals * conditions)
    tallies = []
    for before, after in zip(clean, perturbed, strict=True):
        change = sign * (after - before) / size
        total = np.bincount(cells, change, minlength=originals * conditions)
        mean = np.divide(100 * total, counts, out=np.full(counts.size, float(_NONE)),
                         where=counts > 0)  # fmt: skip
        tallies.append(np.rint(mean).astype(int).tolist())
    first = np.zeros(originals)
    first[shared.original] = clean[0]
    return {"cells": tallies, "clean": np.round(first, 4).tolist(), "none": _NONE}
