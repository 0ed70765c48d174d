"""Metrics: when a value is good, and when it crosses from good to bad."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from perturb.errors import DataError, UsageError
from perturb.robustness.grading.plan import OfCorpus, ends
from perturb.robustness.grading.ways import way_of
from perturb.values.arrays import Bool, Float64
from perturb.values.fields import plain

Rule = Literal["strict", "pass_fail"]


# A score may leave its range by this much: sums of floats do, as sentence BLEU of a perfect answer
# did, and no scale that people use is as fine.
ROUNDED = 1e-9


class Metric(NamedTuple):
    """The good side of a metric: above or below its threshold; and its range.

    A threshold of NaN means none: nothing is above or below it. A range of None is not known;
    scores that all lie in [0, 1] are taken to be between 0 and 1.
    """

    threshold: float
    higher_is_better: bool = True
    rule: Rule = "strict"
    range: tuple[float, float] | None = None

    def ends(self, *scores: Float64) -> tuple[float, float]:
        """Return the range, or as far as these scores tell."""
        low, high = min(each.min() for each in scores), max(each.max() for each in scores)
        is_share = low >= -ROUNDED and high <= 1 + ROUNDED
        return self.range or ((0.0, 1.0) if is_share else (float(low), float(high)))

    def is_known(self, *scores: Float64) -> bool:
        """Return whether the range is, and not only what these scores reach."""
        return self.range is not None or self.ends(*scores) == (0.0, 1.0)


# A score without settings: higher is better, and only 0 and 1 have sides.
SCORE = Metric(math.nan)
# The range of a cosine. For other ways to compare answers, the scores show it.
_RANGES = {"embedding": (-1.0, 1.0)}
# The scores of rows that are compared with the outputs for their originals.
AGREEMENT, CHANGE = "agreement", "change"


def answer_metric(match: Any, against: bool) -> dict[str, Metric]:
    """Return the one metric of answers that are compared, by its name.

    Args:
        match: the way to compare.
        against: whether they are compared with the outputs for their originals.
    """
    label, metric, usual = "", SCORE, "score"
    if isinstance(match, OfCorpus):
        label = f"{match.name} (corpus)"
    elif isinstance(match, str):
        way, kind = way_of(match), match.partition(":")[0]
        label = way.label or f"{match.rpartition(':')[2]} (corpus)" * way.corpus
        metric = SCORE._replace(range=_RANGES.get(kind), higher_is_better=way.higher_is_better)
        usual = usual if way.higher_is_better else match
    if against:
        label = ", ".join(filter(None, (AGREEMENT if metric.higher_is_better else CHANGE, label)))
    return {label or usual: metric}


def to_original(name: str) -> tuple[str, str]:
    """Return of a metric AGREEMENT or CHANGE, and its label; "" and its name of any other.

    Examples:
        >>> to_original("agreement, chrF (mean of replies)"), to_original("score")
        (('agreement', 'chrF (mean of replies)'), ('', 'score'))
    """
    kind, _, label = name.partition(", ")
    return (kind, label) if kind in (AGREEMENT, CHANGE) else ("", name)


def ranged(metrics: Mapping[str, Metric], range: tuple[float, float] | None) -> dict[str, Metric]:
    """Give all metrics a range that is stated."""
    if range is None:
        return dict(metrics)
    return {name: metric._replace(range=range) for name, metric in metrics.items()}


class MetricFlip(NamedTuple):
    """A metric's values on both sides of its threshold; direction good_to_bad or bad_to_good."""

    direction: str
    original: float
    perturbed: float
    threshold: float


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
    original, perturbed, threshold = map(plain, (original, perturbed, threshold))
    values = {"original": original, "perturbed": perturbed, "threshold": threshold}
    for name, value in values.items():
        if math.isnan(value):
            raise ValueError(f"{name} is NaN: a value that is not known cannot flip")
    if rule not in ("strict", "pass_fail"):
        raise ValueError(f"rule must be strict or pass_fail, got {rule!r}")
    metric = Metric(threshold, higher_is_better, rule)
    to_bad, to_good = crossings(np.array([original]), np.array([perturbed]), metric)
    if not (to_bad[0] or to_good[0]):
        return None
    direction = "good_to_bad" if to_bad[0] else "bad_to_good"
    return MetricFlip(direction, original, perturbed, threshold)


# Comparisons with the threshold, by the rule and whether higher is better.
_BAD: Mapping[bool, np.ufunc] = {True: np.less, False: np.greater}
_GOOD: Mapping[tuple[str, bool], np.ufunc] = {
    ("strict", True): np.greater,
    ("strict", False): np.less,
    ("pass_fail", True): np.greater_equal,
    ("pass_fail", False): np.less_equal,
}


def crossings(original: Float64, perturbed: Float64, metric: Metric) -> tuple[Bool, Bool]:
    """Return which values turn from good to bad, and which from bad to good."""
    good, bad = _GOOD[metric.rule, metric.higher_is_better], _BAD[metric.higher_is_better]
    to_bad = good(original, metric.threshold) & bad(perturbed, metric.threshold)
    return to_bad, bad(original, metric.threshold) & good(perturbed, metric.threshold)


def metrics_of(settings: Mapping[str, Mapping[str, Any]]) -> dict[str, Metric]:
    """Read the settings of metrics: `threshold`, `higher_is_better`, `rule` and `range` of each.

    Raises:
        DataError: there is none, or one's settings are wrong (named).
    """
    if not settings:
        raise DataError("no metric is given: name at least one, with its threshold")
    if not isinstance(settings, Mapping):
        raise DataError(
            "metrics are an object from the name of each to its settings, as in "
            f"correct: {{threshold: 0.5}}; got {settings!r:.60}; for a field alone, give score="
        )
    return {str(name): _metric(name, values) for name, values in settings.items()}


def _metric(name: str, settings: Mapping[str, Any]) -> Metric:
    try:
        metric = Metric(**settings)
    except TypeError:
        raise DataError(
            f"metric {name!r} needs a threshold, and may have higher_is_better, rule and range; "
            f"got {settings!r}"
        ) from None
    metric = metric._replace(threshold=plain(metric.threshold))
    threshold = metric.threshold
    if type(threshold) not in (int, float) or not math.isfinite(threshold):
        raise DataError(f"metric {name!r}: threshold must be a finite number, got {threshold!r}")
    if not isinstance(metric.higher_is_better, bool):
        raise DataError(
            f"metric {name!r}: higher_is_better must be true or false, "
            f"got {metric.higher_is_better!r}"
        )
    if metric.rule not in ("strict", "pass_fail"):
        raise DataError(f"metric {name!r}: rule must be strict or pass_fail, got {metric.rule!r}")
    if metric.range is not None:
        try:
            return metric._replace(range=ends(metric.range))
        except UsageError:
            raise DataError(
                f"metric {name!r}: range must be two numbers, the lowest first; "
                f"got {metric.range!r}"
            ) from None
    return metric
