"""The rows that the page lists, flips first, as columns for its script."""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from perturb.report.edit_kinds import GROUPS
from perturb.report.listing import ANSWERS, EXPLANATION, SHOWN, TEXTS
from perturb.report.series import Series, Shared, key_of, strength

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from perturb.report.listing import Reading, Texts
    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.metric import Metric
    from perturb.values.arrays import Bool

# The bytes of rows in the page, and in each file beside it, before they are packed. Rows that can't
# be compressed take 19 MB of text, which browsers still open; smaller parts would be more files.
_TOGETHER = 14_000_000
# Those of the figures of a row, about.
_FIGURES = 120
_SHARED = tuple(name for name in SHOWN if name not in (*ANSWERS, *EXPLANATION))
_NUMBERS = {*TEXTS, *ANSWERS, "start", "left", "editsLeft", "causeCount"}


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


class _Told:
    """Texts as the page numbers them: in the order in which its rows name them.

    Args:
        texts: all of them, by their own numbers.
    """

    def __init__(self, texts: Texts) -> None:
        self._texts, self._numbers = texts, dict[int, int]()
        self.new: list[str] = []
        self.size = 0

    def number(self, own: int) -> int:
        """Return the number of a text, a new one where it is new; -1 for none."""
        if own < 0:
            return own
        count = len(self._numbers)
        number = self._numbers.setdefault(own, count)
        if number == count:
            self.new.append(self._texts.get(own))
            self.size += len(self.new[-1].encode())
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
    first, texts, own = readings[0], _Told(readings[0].texts), readings[0].texts
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
    told, begin, size = _columns(), 0, 0
    for number, pair in enumerate(at.T.tolist()):
        if size + texts.size > _TOGETHER:
            yield _pack(figures, slice(begin, number), told, texts)
            told, begin, size = _columns(), number, 0
        shown = [reading.row(each) for reading, each in zip(readings, pair, strict=True)]
        values = (names[numbers[pair[0]]] for names, numbers in first.values.values())
        slices = [texts.number(own.number(value)) for value in values]
        row = [slices, *_told(shown, texts.number)]
        size += _FIGURES + len(orjson.dumps(row))
        for (name, column), value in zip(told.items(), row, strict=True):
            (column.extend if name in ANSWERS else column.append)(value)
    yield _pack(figures, slice(begin, rows.size), told, texts)


def _pack(
    figures: Mapping[str, Any], part: slice, told: Mapping[str, Any], texts: _Told
) -> dict[str, Any]:
    """Return a part of the rows in columns, with the texts that are new since the last one."""
    columns = {name: np.ascontiguousarray(column[part]) for name, column in figures.items()}
    size = part.stop - part.start
    for name, column in told.items():
        is_list = isinstance(column, list)
        columns[name] = column if is_list else np.asarray(column, np.int32)
        if name in ANSWERS:
            columns[name] = columns[name].reshape(size, -1 if size else 1)
    return {"flips": columns, "texts": texts.taken()}


def _columns() -> dict[str, Any]:
    """Return columns of no rows; of numbers they take a tenth of the memory of lists."""
    names = ("slices", *_SHARED, *ANSWERS, *EXPLANATION)
    return {name: array("i") if name in _NUMBERS else [] for name in names}


def _told(shown: Sequence[Mapping[str, Any]], number: Callable[[int], int]) -> list[Any]:
    """Return the columns of a pair; systems share all of its rows but the answers."""
    first = shown[0]
    explained = next((row for row in shown if row["status"]), first)
    return [
        *(number(first[name]) if name in TEXTS else first[name] for name in _SHARED),
        *([number(row[name]) for row in shown] for name in ANSWERS),
        *(explained[name] for name in EXPLANATION),
    ]
