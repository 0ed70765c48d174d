"""Metric flips: a score that crosses its threshold when the input is perturbed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.records.edit import edits_and_original, rebuild
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.grade import by_fields
from perturb.robustness.scoring.join import Pairs, join
from perturb.robustness.scoring.sources import Row, Source, listed_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.scoring.grade import Grade

Rule = Literal["strict", "pass_fail"]


class Metric(NamedTuple):
    """When a metric's value is good: above or below its threshold."""

    threshold: float
    higher_is_better: bool = True
    rule: Rule = "strict"


class MetricFlip(NamedTuple):
    """A metric's values on both sides of its threshold; direction good_to_bad or bad_to_good."""

    direction: str
    original: float
    perturbed: float
    threshold: float


class RobustnessProblem(NamedTuple):
    """A flip, and the pair of rows that shows it; a prompt that is no string is None."""

    metric: str
    flip: MetricFlip
    original_id: str
    replicate: Any
    perturbator: str
    p: float | None
    original_prompt: str | None
    perturbed_prompt: str | None


def metric_flip(
    original: float,
    perturbed: float,
    threshold: float,
    higher_is_better: bool = True,
    rule: Rule = "strict",
) -> MetricFlip | None:
    """Return the flip of a metric between an original and its perturbed version, or None.

    Args:
        original: the metric's value on the original.
        perturbed: its value on the perturbed.
        threshold: in the metric's unit.
        higher_is_better: whether values above the threshold are the good ones.
        rule: `strict`: the values lie strictly on opposite sides, a value at the threshold is on
            neither. `pass_fail`: one passes and one fails, a value at the threshold passes.

    Raises:
        ValueError: a value is NaN, or the rule is unknown.

    Source: "Perturbations" (H2O Eval Studio), the definition of a metric flip.

    Examples:
        >>> metric_flip(0.3, 0.8, threshold=0.75, higher_is_better=False).direction
        'good_to_bad'
        >>> metric_flip(0.75, 0.8, threshold=0.75) is None
        True
    """
    values = {"original": original, "perturbed": perturbed, "threshold": threshold}
    for name, value in values.items():
        if math.isnan(value):
            raise ValueError(f"{name} is NaN: a value that is not known cannot flip")
    sign = 1 if higher_is_better else -1
    before, after = sign * (original - threshold), sign * (perturbed - threshold)
    if rule == "strict":
        to_bad, to_good = before > 0 > after, before < 0 < after
    elif rule == "pass_fail":
        to_bad, to_good = before >= 0 > after, before < 0 <= after
    else:
        raise ValueError(f"rule must be strict or pass_fail, got {rule!r}")
    if not (to_bad or to_good):
        return None
    direction = "good_to_bad" if to_bad else "bad_to_good"
    return MetricFlip(direction, original, perturbed, threshold)


def flips(rows: Iterable[Row], metrics: Mapping[str, Mapping[str, Any]]) -> list[RobustnessProblem]:
    """List every flip of every metric between perturbed rows and their originals.

    Args:
        rows: scored rows with their linkage records, the originals among them; a row without a
            record is an original, known by its `id`.
        metrics: for each metric, a field of the rows, its `threshold` and, if not the default,
            `higher_is_better` and `rule`, as for `metric_flip`.

    Returns:
        The problems in the order of the rows; every perturbed row counts.

    Raises:
        DataError: rows cannot be linked, joined or scored (named), or a metric's settings are
            wrong.

    Source: "Perturbations" (H2O Eval Studio), section "Perturbations guide".

    Examples:
        >>> record = {"original_id": "7", "status": "changed", "replicate": 0, "field": "text",
        ...           "original": "Hi", "steps": [{"name": "swap", "p": 0.1}]}
        >>> rows = [{"id": 7, "score": 0.9},
        ...         {"id": "7-0", "text": "iH", "score": 0.2, "perturbation": record}]
        >>> [problem.flip.direction for problem in flips(rows, {"score": {"threshold": 0.5}})]
        ['good_to_bad']
    """
    return list(stream_flips([listed_source(rows)], metrics))


def stream_flips(
    sources: Sequence[Source],
    metrics: Mapping[str, Mapping[str, Any]],
    grade: Grade | None = None,
) -> Iterator[RobustnessProblem]:
    """Yield every flip as `flips` lists them, from rows that are read twice instead of kept.

    Args:
        sources: the rows, with their originals.
        metrics: as for `flips`.
        grade: what gives a row one score a metric; by default the fields of the metrics' names.
    """
    settings = {name: _metric(name, values) for name, values in metrics.items()}
    if not settings:
        raise DataError("no metric is given: name at least one, with its threshold")
    pairs = join(collect(sources, grade or by_fields(list(settings))), sources)
    flipped = _flipped(pairs, settings)
    problem = next(flipped, None)
    rows = (row for source in sources for _, row in source.rows)
    for place, row in enumerate(rows):
        while problem is not None and pairs.place[problem[0]] == place:
            yield _problem(row, pairs, *problem)
            problem = next(flipped, None)


def _flipped(pairs: Pairs, metrics: Mapping[str, Metric]) -> Iterator[tuple[int, str, MetricFlip]]:
    for at in np.flatnonzero((pairs.clean != pairs.perturbed).any(axis=1)).tolist():
        values = zip(metrics.items(), pairs.clean[at], pairs.perturbed[at], strict=True)
        for (name, metric), before, after in values:
            flip = metric_flip(float(before), float(after), *metric)
            if flip is not None:
                yield at, name, flip


def _metric(name: str, settings: Mapping[str, Any]) -> Metric:
    try:
        metric = Metric(**settings)
    except TypeError:
        raise DataError(
            f"metric {name!r} takes threshold, higher_is_better and rule, got {settings!r}"
        ) from None
    threshold = metric.threshold
    is_number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool)
    if not is_number or not math.isfinite(threshold):
        raise DataError(f"metric {name!r}: threshold must be a finite number, got {threshold!r}")
    if not isinstance(metric.higher_is_better, bool):
        raise DataError(
            f"metric {name!r}: higher_is_better must be true or false, "
            f"got {metric.higher_is_better!r}"
        )
    if metric.rule not in ("strict", "pass_fail"):
        raise DataError(f"metric {name!r}: rule must be strict or pass_fail, got {metric.rule!r}")
    return metric


def _problem(row: Row, pairs: Pairs, at: int, metric: str, flip: MetricFlip) -> RobustnessProblem:
    record = row["perturbation"]
    condition = int(pairs.condition[at])
    original, text = _prompts(row, record)
    return RobustnessProblem(
        metric=metric,
        flip=flip,
        original_id=link(row).original_id,
        replicate=record.get("replicate"),
        perturbator=pairs.labels[condition],
        p=pairs.conditions[condition].p,
        original_prompt=original,
        perturbed_prompt=text,
    )


def _prompts(row: Row, record: Row) -> tuple[str | None, str | None]:
    """Return the texts before and after the edits, restored or rebuilt where one is not there."""
    text, original = _text(row.get(str(record.get("field")))), _text(record.get("original"))
    if not isinstance(record.get("edits"), list):
        return original, text
    edits, original = edits_and_original(record, text)
    return original, rebuild(original, edits) if text is None and original is not None else text


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
