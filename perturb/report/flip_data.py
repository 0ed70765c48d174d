"""The rows that the page lists, flips first, as columns for its script."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from perturb.report.edit_kinds import GROUPS
from perturb.report.series import Series, Shared, key_of, strength
from perturb.rng import key64
from perturb.robustness.scoring.remember import remembered

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.report.listing import Reading
    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.metric import Metric
    from perturb.values.arrays import Bool

# The bytes of rows in the page, and in each file beside it, before they are packed. Rows that can't
# be compressed take 19 MB of text, which browsers still open; smaller parts would be more files.
_TOGETHER = 14_000_000
# Those of the figures of a row, about.
_FIGURES = 120
_TEXTS = {"original", "text", "written", "target"}
_SHARED = (
    "original",
    "replicate",
    "text",
    "start",
    "left",
    "edits",
    "editsLeft",
    "written",
    "target",
)
_ANSWERS = ("cleanAnswers", "cleanRead", "answers", "read")
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
        self._key = remembered(key64)  # versions of one original share its texts
        self.new: list[str] = []
        self.size = 0

    def number(self, text: str | None) -> int:
        """Return the number of a text, a new one where it is new; -1 for None."""
        if text is None:
            return -1
        count = len(self._numbers)
        number = self._numbers.setdefault(self._key(text), count)
        if number == count:
            self.new.append(text)
            self.size += len(text.encode())
        return number

    def taken(self) -> list[str]:
        """Return the texts that are new since this was asked."""
        new, self.new, self.size = self.new, [], 0
        return new


def _packs(
    shared: Shared,
    readings: Sequence[Reading],
    metrics: Mapping[str, Metric],
    entries: Sequence[list[int]],
    flips: int,
    rank: Any,
) -> Iterator[dict[str, Any]]:
    """Yield rows in columns with the texts that are new in them, as many as belong together."""
    first, texts = readings[0], _Texts()
    measure, rows = np.array(entries, np.intp).reshape(-1, 2).T
    at = np.stack([each[rows] for each in shared.rows])  # by system
    chosen = shared._replace(sides=[pairs.take(rows) for pairs in shared.sides])
    scores = np.array([[*chosen.scores(each)] for each in range(len(metrics))])
    before, after = scores[measure, :, :, np.arange(rows.size)].transpose(2, 0, 1)
    explained = [reading.explained[each] for reading, each in zip(readings, at, strict=True)]
    figures = {
        "flip": (np.arange(rows.size) < flips).astype(np.int8),
        "metric": measure,
        "condition": rank[shared.condition[rows]],
        "before": before,
        "after": after,
        "lost": np.stack([~pairs.there for pairs in chosen.sides], axis=1).astype(np.int8),
        "kinds": first.kinds[at[0]],
        "causeKinds": np.max(explained, axis=0),
    }
    told, begin, size = list[list[Any]](), 0, 0
    for number, pair in enumerate(at.T.tolist()):
        if size + texts.size > _TOGETHER:
            yield _pack(figures, slice(begin, number), told, texts)
            told, begin, size = [], number, 0
        shown = [reading.row(each) for reading, each in zip(readings, pair, strict=True)]
        values = (names[numbers[pair[0]]] for names, numbers in first.values.values())
        told.append([[texts.number(value) for value in values], *_told(shown, texts)])
        size += _FIGURES + len(orjson.dumps(told[-1]))
    yield _pack(figures, slice(begin, None), told, texts)


def _pack(
    figures: Mapping[str, Any], part: slice, told: Sequence[list[Any]], texts: _Texts
) -> dict[str, Any]:
    """Return a part of the rows in columns, with the texts that are new since the last one."""
    columns = {name: np.ascontiguousarray(column[part]) for name, column in figures.items()}
    names = ("slices", *_SHARED, *_ANSWERS, *_EXPLANATION)
    values = zip(*told, strict=True) if told else ((),) * len(names)
    return {"flips": {**columns, **dict(zip(names, values, strict=True))}, "texts": texts.taken()}


def _told(shown: Sequence[Mapping[str, Any]], texts: _Texts) -> list[Any]:
    """Return the columns of a pair; systems share all of its rows but the answers."""
    first, number = shown[0], texts.number
    explained = next((row for row in shown if row["status"]), first)
    return [
        *(number(first[name]) if name in _TEXTS else first[name] for name in _SHARED),
        *([number(row[name]) for row in shown] for name in _ANSWERS),
        *(explained[name] for name in _EXPLANATION),
    ]
