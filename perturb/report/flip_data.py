"""The rows that the page lists, flips first, as columns for its script."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from perturb.report.edit_kinds import GROUPS
from perturb.report.series import key_of, strength
from perturb.rng import key64

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.report.listing import Reading
    from perturb.report.series import Series, Shared
    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.metric import Metric
    from perturb.values.arrays import Bool

# The bytes of rows in the page, and in each file beside it, before they are packed. Rows that can't
# be compressed take 19 MB of text, which browsers still open; smaller parts would be more files.
_TOGETHER = 14_000_000
_ANSWERS = ("cleanAnswers", "cleanRead", "answers", "read")
_TEXTS = ("original", "text", "written", "target")
_COLUMNS = (
    *("original", "replicate", "text", "start", "left", "edits", "editsLeft", "written"),
    *(*_ANSWERS, "target"),
)
_EXPLANATION = ("status", "causes", "causeCount", "tries")


def flip_data(
    series: Sequence[Series],
    shared: Shared,
    readings: Sequence[Reading],
    metrics: Mapping[str, Metric],
    listed: Bool,
    others: Bool,
    conditions: Sequence[Finding],
) -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """Return all that the page draws on demand; each text is written once and named by its number.

    The flips by each metric come first, then its other rows; the second part has no room in the
    page: further rows and texts, each continuing the one before it. They are read as they are
    asked for.

    Args:
        series: one or two.
        shared: their pairs.
        readings: the readings of the rows of each.
        metrics: by name.
        listed: by metric and pair, whether it is a flip.
        others: by metric and pair, whether it is listed although it is none.
        conditions: the conditions of the first system, in the order of the page.
    """
    pairs = series[0].judged.pairs
    places = {
        (label, condition.p, condition.severity, condition.expect): at
        for at, (label, condition) in enumerate(zip(pairs.labels, pairs.conditions, strict=True))
    }
    order = [places[key_of(finding)] for finding in conditions]
    rank = np.zeros(len(pairs.conditions), np.int64)
    rank[order] = np.arange(len(order))
    entries = [*np.argwhere(listed).tolist(), *np.argwhere(others).tolist()]
    packs = _packs(shared, readings, metrics, entries, int(listed.sum()), rank)
    head = {
        "series": [one.name for one in series],
        "metrics": [
            {
                "name": name,
                "higher": metric.higher_is_better,
                "sides": not np.isnan(metric.threshold),
                "threshold": None if np.isnan(metric.threshold) else metric.threshold,
                "range": float(np.subtract(*metric.ends(*chain(*shared.scores(at)))[::-1])) or 1.0,
            }
            for at, (name, metric) in enumerate(metrics.items())
        ],
        "conditions": [
            {
                "name": finding.name,
                "perturbator": finding.perturbator,
                "strength": strength(finding),
            }
            for finding in conditions
        ],
        "groups": GROUPS,
        "slices": list(readings[0].values),
        **next(packs),
    }
    return head, packs


class _Texts:
    """Texts by number; of those that were told no more is kept than a key."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self.new: list[str] = []
        self.size = 0

    def number(self, text: str | None) -> int:
        """Return the number of a text, a new one where it is new; -1 for None."""
        if text is None:
            return -1
        count = len(self._numbers)
        number = self._numbers.setdefault(key64(text), count)
        if number == count:
            self.new.append(text)
            self.size += len(text.encode())
        return number


def _packs(
    shared: Shared,
    readings: Sequence[Reading],
    metrics: Mapping[str, Metric],
    entries: Sequence[list[int]],
    flips: int,
    rank: Any,
) -> Iterator[dict[str, Any]]:
    """Yield rows in columns with the texts that are new in them, as many as belong together."""
    columns: dict[str, list[Any]] = {}
    texts, size = _Texts(), 0
    rows = np.array([row for _, row in entries], np.intp)
    chosen = shared._replace(sides=[pairs.take(rows) for pairs in shared.sides])
    scores = [[*chosen.scores(measure)] for measure in range(len(metrics))]
    there = [pairs.there for pairs in chosen.sides]
    for number, (measure, row) in enumerate(entries):
        if size + texts.size > _TOGETHER:
            yield {"flips": columns, "texts": texts.new}
            columns, size, texts.size, texts.new = {}, 0, 0, []
        at = [int(each[row]) for each in shared.rows]
        first = readings[0]
        values = (names[numbers[at[0]]] for names, numbers in first.values.values())
        entry = {
            "flip": int(number < flips),
            "metric": measure,
            "condition": int(rank[shared.condition[row]]),
            "before": [float(clean[number]) for clean, _ in scores[measure]],
            "after": [float(perturbed[number]) for _, perturbed in scores[measure]],
            "lost": [int(not pairs[number]) for pairs in there],
            "kinds": int(first.kinds[at[0]]),
            "causeKinds": max(int(r.explained[a]) for r, a in zip(readings, at, strict=True)),
            "slices": [texts.number(value) for value in values],
            **_flip([reading.row(a) for reading, a in zip(readings, at, strict=True)], texts),
        }
        for name, value in entry.items():
            columns.setdefault(name, []).append(value)
        size += len(orjson.dumps(entry))
    yield {"flips": columns, "texts": texts.new}


def _flip(shown: Sequence[Mapping[str, Any]], texts: _Texts) -> dict[str, Any]:
    """Return the columns of a pair; systems share all of its rows but the answers."""
    first, flip = shown[0], dict[str, Any]()
    explained = next((row for row in shown if row["status"]), first)
    for name in _COLUMNS:
        if name in _ANSWERS:
            flip[name] = [texts.number(row[name]) for row in shown]
        else:
            flip[name] = texts.number(first[name]) if name in _TEXTS else first[name]
    return {**flip, **{name: explained[name] for name in _EXPLANATION}}
