"""The rows that the page lists, flips first, as columns for its script."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from orjson import Fragment

from perturb.report.edit_kinds import GROUPS
from perturb.report.listing import ANSWERS, EXPLANATION, JSON, SHARED, TEXTS
from perturb.report.series import Series, Shared, key_of, strength
from perturb.values.arrays import Int32, Int64, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.report.listing import Reading, Texts
    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.measures.metric import Metric
    from perturb.robustness.pairs.join import Pairs
    from perturb.values.arrays import Bool

# The bytes of rows in the page, and in each file beside it, before they are packed. Rows that can't
# be compressed take 19 MB of text, which browsers still open; smaller parts would be more files.
_TOGETHER = 14_000_000
# Those of the figures and signs of a row, about.
_FIGURES = 132
_POWERS = 10 ** np.arange(1, 10)


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
    entries = np.concatenate([np.argwhere(listed), np.argwhere(others)])
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


def _packs(
    shared: Shared,
    readings: Sequence[Reading],
    metrics: Mapping[str, Metric],
    entries: Int64,
    flips: int,
    rank: Any,
) -> Iterator[dict[str, Any]]:
    """Yield rows in columns with the texts that are new in them, as many as belong together."""
    measure, rows = entries.T
    chosen = shared._replace(sides=[pairs.take(rows) for pairs in shared.sides])
    scores = np.array([[*chosen.scores(each)] for each in range(len(metrics))])
    lost = np.array(
        [[~pairs.by(each).there for pairs in chosen.sides] for each in range(len(metrics))]
    )
    before, after = scores[measure, :, :, np.arange(rows.size)].transpose(2, 0, 1)
    at = [each[rows] for each in shared.rows]
    explained = [reading.explained[each] for reading, each in zip(readings, at, strict=True)]
    texts, told = readings[0].texts, _told(readings, chosen.sides, at[0])
    sizes = np.append(texts.sizes(), 2)  # the last is that of no JSON
    own, named = _numbered(told)
    size = np.bincount(named, sizes[own], rows.size).astype(np.int64) + _FIGURES
    for name, column in told.items():
        # Each number and each piece of JSON has a comma or a bracket behind it.
        digits = _POWERS.searchsorted(column, "right") + 2 + (column < 0)
        size += (sizes[column] + 1 if name in JSON else digits).reshape(rows.size, -1).sum(axis=1)
    columns = {
        "flip": (np.arange(rows.size) < flips).astype(np.int8),
        "metric": measure,
        "condition": rank[shared.condition[rows]],
        "before": before,
        "after": after,
        "lost": lost[measure, :, np.arange(rows.size)].astype(np.int8),
        "kinds": readings[0].kinds[at[0]],
        "causeKinds": np.max(explained, axis=0),
        **told,
    }
    total, end = np.append(0, np.cumsum(size)), 0
    while True:
        begin, most = end, total[end] + _TOGETHER
        end = min(int(total.searchsorted(most, "right")), rows.size)
        part = {name: _part(name, column[begin:end], texts) for name, column in columns.items()}
        new = own[slice(*named.searchsorted((begin, end)))].tolist()
        yield {"flips": part, "texts": [texts.get(number).decode() for number in new]}
        if end == rows.size:
            return


def _told(readings: Sequence[Reading], sides: Sequence[Pairs], pair: Int32) -> dict[str, Int32]:
    """Return what rows hold in columns; systems share all of it but the answers."""
    first, *_ = shown = [
        reading.columns(pairs) for reading, pairs in zip(readings, sides, strict=True)
    ]
    slices = [_names(*each, pair, readings[0].texts) for each in readings[0].values.values()]
    explained = np.argmax([each["status"] >= 0 for each in shown], axis=0)
    return {
        "slices": np.stack(slices, axis=1) if slices else np.empty((pair.size, 0), np.int32),
        **{name: first[name] for name in SHARED},
        **{name: np.stack([each[name] for each in shown], axis=1) for name in ANSWERS},
        **{name: np.choose(explained, [each[name] for each in shown]) for name in EXPLANATION},
    }


def _names(names: Sequence[str], numbers: Int32, pair: Int32, texts: Texts) -> Int32:
    """Return the numbers of the texts of the values of a field."""
    values = numbers[pair]
    used = distinct(values)
    found = np.array([texts.number(names[at]) for at in used.tolist()], np.int32)
    return found[used.searchsorted(values)]


def _numbered(told: dict[str, Int32]) -> tuple[Int64, Int64]:
    """Number texts in the order in which rows name them, in place.

    Returns:
        For each text, its own number, and the row that names it first.
    """
    named = np.column_stack([told[name] for name in ("slices", *TEXTS)])
    first = np.full(int(named.max(initial=-1)) + 2, named.size)
    first[named.ravel()[::-1]] = np.arange(named.size)[::-1]
    first = first[:-1]  # without that of none
    own = np.argsort(first)[: np.count_nonzero(first < named.size)]
    number = np.full(first.size + 1, -1, np.int32)
    number[own] = np.arange(own.size)
    told.update({name: number[told[name]] for name in ("slices", *TEXTS)})
    return own, first[own] // max(named.shape[1], 1)


def _part(name: str, column: Any, texts: Texts) -> Any:
    """Return a part of a column as it goes into the page."""
    if name in JSON:
        none = b'""' if name == "status" else b"[]"
        found = [texts.get(at) if at >= 0 else none for at in column.tolist()]
        return Fragment(b"[%b]" % b",".join(found))
    return column.tolist() if name == "slices" else np.ascontiguousarray(column)
