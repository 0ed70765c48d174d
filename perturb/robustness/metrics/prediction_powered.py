"""The mean of what a person says, estimated with what a judge says that may err."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import clustered
from perturb.robustness.metrics.distributions import student_t_quantile, student_t_two_sided
from perturb.values.arrays import Float64


class Corrected(NamedTuple):
    """A mean of a judge's values, corrected by those of a person.

    Attributes:
        mean: the corrected mean.
        standard_error: its standard error, by clusters.
        low: the limits of its interval.
        high: as `low`.
        p_value: two-sided, against 0.
        weight: the weight of the judge, from 0 to 1.
        graded: how many clusters the person graded.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    p_value: float
    weight: float
    graded: int


def prediction_powered(
    judged: ArrayLike,
    human: ArrayLike,
    clusters: ArrayLike,
    weight: float | None = None,
    level: float = 0.95,
) -> Corrected:
    """Return the mean of a person's values, known of some clusters, with a judge's of all.

    `human + weight * (rest - judged)`: the person's mean over graded clusters, and by how much the
    judge's over the rest differs from the judge's over these. So it is right on average however the
    judge errs; the better the judge, the larger the weight, and the narrower the interval. Means
    are of values, errors of the clusters' sums, as in `clustered_mean`; each
    part has two clusters more, one with all values 1 above the mean, one with all 1 below.

    Args:
        judged: n values, in a range of 1, or differences of such values.
        human: n values, NaN for none. A cluster is graded if none of its values is NaN;
            the graded ones must be a random sample of all.
        clusters: n labels; equal labels belong together.
        weight: the weight of the judge; None for that which makes the standard error least.
        level: the share of such intervals that cover the true mean, in (0, 1).

    Raises:
        ValueError: fewer than two clusters are graded, unequal numbers, NaN among `judged`, or a
            level out of range.

    Source: Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient Prediction-Powered Inference; the
    clusters that are added, Agresti and Min (2005).

    Examples:
        >>> judge, person = [0, 0, 1, 0, 1, 0], [0, 0, 1, 1, np.nan, np.nan]
        >>> estimate = prediction_powered(judge, person, range(6))
        >>> round(estimate.mean, 3), round(estimate.weight, 3), estimate.graded
        (0.533, 0.133, 4)
    """
    x, index, count = clustered(judged, clusters, level, "judged")
    y = np.asarray(human, float)
    if y.shape != x.shape:
        raise ValueError(f"{x.size} judged values need {x.size} of a person, got {y.shape}")
    graded = np.bincount(index, np.isnan(y), count) == 0
    known, rest = int(graded.sum()), int(count - graded.sum())
    if known < 2:
        raise ValueError(f"a person graded {known} clusters: an interval needs at least 2")
    sizes = np.bincount(index, minlength=count).astype(float)
    by_judge, by_person = (np.bincount(index, values, count) for values in (x, np.nan_to_num(y)))
    mean, off = _mean(by_person[graded], sizes[graded])
    there, off_there = _mean(by_judge[graded], sizes[graded])
    if rest < 2:
        weight, elsewhere, off_rest = 0.0, there, np.zeros(2)
    else:
        elsewhere, off_rest = _mean(by_judge[~graded], sizes[~graded])
    if weight is None:
        spread = _variance(off_there @ off_there, known) + _variance(off_rest @ off_rest, rest)
        shared = _variance(off @ off_there, known)
        weight = min(max(shared / spread, 0.0), 1.0) if spread > 0 else 0.0
    mean += weight * (elsewhere - there)
    off = off - weight * off_there
    variance = _variance(off @ off + 2, known)
    variance += weight**2 * _variance(off_rest @ off_rest + 2, max(rest, 2))
    error, freedom = math.sqrt(variance), known - 1
    reach = student_t_quantile((1 + level) / 2, freedom) * error
    p_value = student_t_two_sided(mean / error, freedom)
    return Corrected(mean, error, mean - reach, mean + reach, p_value, weight, known)


def _mean(sums: Float64, sizes: Float64) -> tuple[float, Float64]:
    """Return the mean of all values, and by how much the clusters are off it, in clusters' size."""
    mean = float(sums.sum() / sizes.sum())
    return mean, (sums - mean * sizes) / sizes.mean()


def _variance(squares: Float64, count: int) -> float:
    return float(squares) / (count * (count - 1))
