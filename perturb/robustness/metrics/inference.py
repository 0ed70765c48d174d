"""Paired comparison of clean and perturbed scores, where rows of one original belong together."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.rng import key64
from perturb.robustness.metrics.checks import as_scores, check_level, cluster_index, clustered
from perturb.robustness.metrics.distributions import (
    normal_quantile,
    student_t_quantile,
    student_t_two_sided,
)
from perturb.robustness.metrics.sampling import integers
from perturb.values.arrays import Float64


class Estimate(NamedTuple):
    """A mean with its clustered standard error, interval and two-sided p-value against 0."""

    mean: float
    standard_error: float
    low: float
    high: float
    p_value: float
    clusters: int


def clustered_mean(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Estimate:
    """Return the mean of all values with an interval that knows which values belong together.

    `se**2 = G / (G - 1) * sum_g (sum_i (x_gi - mean))**2 / n**2` over G clusters and n values; the
    interval is `mean +- t * se` with G - 1 degrees of freedom. This is the intercept of a
    regression with clustered errors. Values in one cluster may depend on each other in any way.
    Where nothing varies the p-value is that of G equal signs, `2**(1 - G)`.

    Args:
        values: n values.
        clusters: n labels; equal labels belong together.
        level: the share of such intervals that cover the true mean, in (0, 1).

    Raises:
        ValueError: fewer than two clusters, unequal numbers of values and labels, NaN, or a level
            out of range.

    Source: Liang and Zeger (1986), Longitudinal data analysis using generalized linear models; the
    t quantile and G / (G - 1) as in Cameron and Miller (2015), A Practitioner's Guide to
    Cluster-Robust Inference.

    Examples:
        >>> estimate = clustered_mean([1, 1, 0, 0, 1, 1], ["a", "a", "b", "b", "c", "c"])
        >>> round(estimate.mean, 3), round(estimate.standard_error, 3), estimate.clusters
        (0.667, 0.333, 3)
    """
    x, index, count = clustered(values, clusters, level)
    mean = float(x.mean())
    sums = np.bincount(index, x - mean, count)
    error = math.sqrt(count / (count - 1) * float(sums @ sums)) / x.size
    reach = student_t_quantile((1 + level) / 2, count - 1) * error
    if error > 0:
        p_value = student_t_two_sided(mean / error, count - 1)
    else:
        # No p-value is 0, to which 2**-1075 rounds.
        p_value = 1.0 if mean == 0.0 else 2.0 ** max(1 - count, -1000)
    return Estimate(mean, error, mean - reach, mean + reach, p_value, count)


def paired_difference(
    original: ArrayLike, perturbed: ArrayLike, clusters: ArrayLike, level: float = 0.95
) -> Estimate:
    """Return the mean of `perturbed - original`, row by row, with a clustered interval.

    Args:
        original: for each perturbed row, the score of its original.
        perturbed: the score of each perturbed row.
        clusters: for each row, which original it comes from.
        level: as for `clustered_mean`.

    Returns:
        Negative where perturbing lowers the score.

    Raises:
        ValueError: as for `clustered_mean`, or unequal numbers of scores.

    Source: as for `clustered_mean`.

    Examples:
        >>> paired_difference([1, 1, 1, 0], [0, 1, 1, 0], [1, 1, 2, 3]).mean
        -0.25
    """
    before, after = as_scores(original, "original"), as_scores(perturbed, "perturbed")
    if before.size != after.size:
        raise ValueError(
            f"there are {before.size} original scores, but {after.size} perturbed ones"
        )
    return clustered_mean(after - before, clusters, level)


def cluster_bootstrap(
    values: ArrayLike,
    clusters: ArrayLike,
    resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the percentile interval of the mean of all values, by resampling whole clusters.

    Args:
        values: n values.
        clusters: n labels; equal labels belong together. Only which values share a label counts,
            and the order of the labels.
        resamples: how often G clusters are drawn with replacement from the G there are.
        seed: any integer; the interval is a function of it and of the data.
        level: as for `clustered_mean`.

    Returns:
        The low and the high limit, within the range of the values.

    Raises:
        ValueError: as for `clustered_mean`, or fewer than one resample.

    Source: Efron (1979), Bootstrap methods: another look at the jackknife; of whole clusters, Field
    and Welsh (2007), Bootstrapping clustered data.

    Examples:
        >>> low, high = cluster_bootstrap([0, 1, 1, 1, 0, 1], [1, 1, 2, 2, 3, 3], seed=7)
        >>> 0 <= low <= 4 / 6 <= high <= 1
        True
    """
    x, index, count = clustered(values, clusters, level)
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, got {resamples!r}")
    totals = np.stack([np.bincount(index, x, count), np.bincount(index, minlength=count)])
    means = np.empty(resamples)
    for resample in range(resamples):
        drawn = integers(key64("cluster bootstrap", seed, resample), count, count)
        total, size = totals @ np.bincount(drawn, minlength=count)
        means[resample] = total / size
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def benjamini_hochberg(p_values: ArrayLike) -> Float64:
    """Return the p-values adjusted for being one of several, each in its place.

    Calling a comparison significant where its adjusted value is below q keeps the expected share of
    false ones at or below q: `adjusted_(i) = min over j >= i of p_(j) * m / j`.

    Args:
        p_values: the m p-values, in [0, 1].

    Raises:
        ValueError: there is none, or one lies outside [0, 1].

    Source: Benjamini and Hochberg (1995), Controlling the False Discovery Rate.

    Examples:
        >>> benjamini_hochberg([0.25, 0.01, 0.5]).tolist()
        [0.375, 0.03, 0.5]
    """
    p = as_scores(p_values, "p_values")
    if ((p < 0) | (p > 1)).any():
        raise ValueError(f"p-values lie in [0, 1], got {p.min():g} to {p.max():g}")
    order = np.argsort(-p, kind="stable")
    scaled = p[order] * p.size / np.arange(p.size, 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum.accumulate(scaled).clip(max=1.0)
    return adjusted


def worst_of_k(scores: ArrayLike, clusters: ArrayLike) -> float:
    """Return the mean over originals of the worst score among the original's perturbed rows.

    Args:
        scores: n scores; higher is better.
        clusters: for each, which original it comes from.

    Returns:
        Between the least and the greatest score, and at most their mean where originals have
        equally many.

    Raises:
        ValueError: unequal numbers of scores and labels, none, or NaN.

    Examples:
        >>> worst_of_k([1, 0, 1, 1], ["a", "a", "b", "b"])
        0.5
    """
    x = as_scores(scores, "scores")
    index, count = cluster_index(x, clusters)
    worst = np.full(count, np.inf)
    np.minimum.at(worst, index, x)
    return float(worst.mean())


def minimum_detectable_drop(
    standard_error: float, level: float = 0.95, power: float = 0.8
) -> float:
    """Return the smallest true drop that data of this precision would find.

    `(z((1 + level) / 2) + z(power)) * se`, by the normal approximation: with a true drop of this
    size, an interval of this level excludes 0 with probability `power`.

    Args:
        standard_error: the standard error of the paired difference, above 0. Data without any
            variation has 0 and says nothing about the drops that it could have found.
        level: in (0, 1).
        power: in (0, 1).

    Returns:
        Above 0, in the unit of the standard error.

    Raises:
        ValueError: an argument is out of range.

    Source: Bloom (1995), Minimum detectable effects.

    Examples:
        >>> round(minimum_detectable_drop(0.01), 4)
        0.028
    """
    if not standard_error > 0:
        raise ValueError(f"standard_error must be above 0, got {standard_error!r}")
    check_level(level)
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, got {power!r}")
    return (normal_quantile((1 + level) / 2) + normal_quantile(power)) * standard_error
