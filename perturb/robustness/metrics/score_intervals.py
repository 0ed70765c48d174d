"""Intervals of binary outcomes, where rows of one original belong together.

An interval about an estimated variance, as `mean +- t * se`, has no width where nothing varied and
covers far too rarely where little did. Tango's takes the variance under each value that it tests,
and Agresti and Coull's adds observations of either kind. Clusters enter by a design effect: n rows
are worth `n / deff` independent ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import (
    as_proportions,
    as_scores,
    clustered,
    paired_differences,
)
from perturb.robustness.metrics.distributions import normal_quantile, student_t_quantile
from perturb.robustness.metrics.inference import Estimate
from perturb.values.arrays import Float64

# Originals that are taken to be seen already, which turn bad or good with all their rows; and those
# that are right and wrong so. Without them the few that vary would tell of their clusters alone.
# With fewer, intervals of the simulation in `benchmarks/coverage.py` cover too rarely.
TURNED_WHOLE, RIGHT_WHOLE = 1.5, 0.1
_HALVINGS = 60


class Interval(NamedTuple):
    """The limits of an interval of confidence."""

    low: float
    high: float

    def within(self, least: float, most: float) -> Interval:
        """Return the part that is possible."""
        return Interval(max(self.low, least), min(self.high, most))


def agresti_coull_interval(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Return Agresti and Coull's interval of a proportion, with a design effect for clusters.

    `p +- q sqrt(p (1 - p) / (n + q**2))` within [0, 1], where `p = (x + q**2 / 2) / (n + q**2)`, n
    is the rows over the design effect, x as many times the mean, and q the quantile of Student's t
    with G - 1 degrees of freedom. It holds Wilson's interval, which covers a proportion near 0 or
    1 too rarely.

    Args:
        values: n values, each 0 or 1.
        clusters: n labels; equal labels belong together.
        level: the share of such intervals that cover the true proportion, in (0, 1).

    Raises:
        ValueError: a value is not 0 or 1, fewer than two clusters, unequal numbers, or a level out
            of range.

    Source: Agresti and Coull (1998), Approximate is better than "exact" for interval estimation of
    binomial proportions; beside Wilson's, Brown, Cai and DasGupta (2001), Interval estimation for a
    binomial proportion; the effective number of rows and the quantile as in Korn and Graubard
    (1998), Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data.

    Examples:
        >>> low, high = agresti_coull_interval([1] * 10, range(10))
        >>> round(low, 3), high
        (0.613, 1.0)
    """
    x = _binary(values, "values")
    rows, count = _effective(x, clusters, level, RIGHT_WHOLE)
    quantile = student_t_quantile((1 + level) / 2, count - 1)
    return Interval(*map(float, agresti_coull_limits(x.mean(), rows, quantile)))


def tango_interval(
    original: ArrayLike, perturbed: ArrayLike, clusters: ArrayLike, level: float = 0.95
) -> Interval:
    """Return Tango's score interval of a paired difference, with a design effect for clusters.

    The differences d at which the score statistic lies within the normal quantile q:
    `|c - b - n d| <= q sqrt(n (2 r + d (1 - d)))`, with b the rows that turned bad, c those that
    turned good, and r the estimate, under d, of the share that turned bad. All three counts are
    divided by the design effect; the originals that are added to it leave a quantile of Student's t
    nothing to make up for.

    Args:
        original: for each perturbed row, the score of its original; 0 or 1, or the mean of several
            such scores, which are as many pairs of a share of a row each.
        perturbed: the score of each perturbed row; 0 or 1.
        clusters: for each row, which original it comes from.
        level: as for `agresti_coull_interval`.

    Returns:
        The interval of `perturbed - original`, within [-1, 1] and never without width.

    Raises:
        ValueError: as for `agresti_coull_interval`.

    Source: Tango (1998), Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design; the design effect as in Rao and Scott (1992), A
    simple method for the analysis of clustered binary data; that pairs are added, as many of each
    kind, as in Agresti and Min (2005), Simple improved confidence intervals for comparing matched
    proportions.

    Examples:
        >>> low, high = tango_interval([1] * 50, [1] * 50, range(50))
        >>> round(low, 3), round(high, 3)
        (-0.071, 0.071)
    """
    before, after = as_proportions(original, "original"), _binary(perturbed, "perturbed")
    differences = paired_differences(before, after)
    worse, better = float(np.mean(before * (1 - after))), float(np.mean((1 - before) * after))
    squares = before.size * (worse + better - (better - worse) ** 2)
    rows, _ = _effective(differences, clusters, level, TURNED_WHOLE, squares)
    quantile = normal_quantile((1 + level) / 2)
    return Interval(*map(float, tango_limits(worse, better, rows, quantile)))


def padded_interval(differences: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Return Student's t interval of a mean difference, with two clusters added to the data.

    In one of them every difference is 1, in the other -1, and they are as large as clusters are on
    average. Where few clusters vary, Student's t alone covers far too rarely.

    Args:
        differences: n differences of scores that are 0 or 1 each, or of two such differences.
        clusters: n labels; equal labels belong together.
        level: as for `agresti_coull_interval`.

    Raises:
        ValueError: fewer than two clusters, unequal numbers, NaN, or a level out of range.

    Source: Agresti and Min (2005), Simple improved confidence intervals for comparing matched
    proportions, which adds two such pairs.

    Examples:
        >>> low, high = padded_interval([0] * 50, range(50))
        >>> round(low, 3), round(high, 3)
        (-0.055, 0.055)
    """
    x, index, count = clustered(differences, clusters, level, "differences")
    sizes = np.bincount(index, minlength=count).astype(float)
    each = x.size / count
    sums = np.append(np.bincount(index, x, count), [each, -each])
    sizes = np.append(sizes, [each, each])
    rows, count = float(sizes.sum()), count + 2
    mean = float(sums.sum()) / rows
    off = sums - sizes * mean
    error = float(np.sqrt(count / (count - 1) * (off @ off))) / rows
    reach = student_t_quantile((1 + level) / 2, count - 1) * error
    return Interval(mean - reach, mean + reach)


def t_interval(estimate: Estimate, size: float, level: float = 0.95) -> Interval:
    """Return Student's t interval; where nothing varied, as far as so many clusters tell.

    Args:
        estimate: the estimate of a mean.
        size: the range of the values. What none of G clusters shows happens, with 97.5 %
            confidence, in at most `1 - 0.025**(1 / G)` of all (Clopper and Pearson, 1934).
        level: that of the estimate's interval; 0.025 is its tail.
    """
    if estimate.standard_error > 1e-12 * size:
        return Interval(estimate.low, estimate.high)
    reach = size * (1 - ((1 - level) / 2) ** (1 / estimate.clusters))
    return Interval(estimate.mean - reach, estimate.mean + reach)


def _binary(values: ArrayLike, name: str) -> Float64:
    scores = as_scores(values, name)
    other = scores[(scores != 0) & (scores != 1)]
    if other.size:
        raise ValueError(f"{name} must be 0 or 1 each, got {other[0]:g}")
    return scores


def _effective(
    values: ArrayLike, clusters: ArrayLike, level: float, whole: float, squares: float | None = None
) -> tuple[float, int]:
    """Return how many independent rows clustered ones are worth, and how many clusters there are.

    See `effective_rows`; `squares` is the sum of all squared deviations, unless it is given.
    """
    x, index, count = clustered(values, clusters, level)
    sizes = np.bincount(index, minlength=count).astype(float)
    centred = x - x.mean()
    off = np.bincount(index, centred, count).astype(np.float64)
    total = np.asarray(centred @ centred if squares is None else squares)
    return float(effective_rows(sizes, off, total, whole)), count


def effective_rows(sizes: Float64, off: Float64, squares: Float64, whole: float) -> Float64:
    """Return how many independent rows clustered ones are worth.

    The design effect is the clustered variance of the mean over that of independent rows, between
    1 and that of rows which only repeat each other. Few rows that vary say little about it, and
    nothing about the originals that were not seen to vary: whole ones are added to both variances.

    Args:
        sizes: the rows of each cluster, along the last axis.
        off: the sum of each cluster's deviations from the mean, along the last axis.
        squares: the sum of all squared deviations.
        whole: how many clusters to add in which all rows are 1 off the mean.
    """
    count, rows = sizes.shape[-1], sizes.sum(axis=-1)
    largest = (sizes**2).sum(axis=-1) / rows
    between = count / (count - 1) * (off**2).sum(axis=-1) + whole * largest**2
    return np.asarray(rows / np.clip(between / (squares + whole * largest), 1.0, largest))


def agresti_coull_limits(
    mean: ArrayLike, rows: ArrayLike, quantile: ArrayLike
) -> tuple[Float64, Float64]:
    """Return the limits of Agresti and Coull's interval, for arrays."""
    added = np.asarray(quantile, float) ** 2
    n = np.asarray(rows, float) + added
    p = (np.asarray(mean, float) * rows + added / 2) / n
    reach = np.sqrt(added * p * (1 - p) / n)
    return np.maximum(p - reach, 0.0), np.minimum(p + reach, 1.0)


def tango_limits(
    worse: ArrayLike, better: ArrayLike, rows: ArrayLike, quantile: ArrayLike
) -> tuple[Float64, Float64]:
    """Return the limits of Tango's interval, by bisection, for arrays of shares and row counts."""
    b, c, n, q = (np.asarray(each, float) for each in (worse, better, rows, quantile))
    return -_upper(c, b, n, q), _upper(b, c, n, q)


def _upper(b: Float64, c: Float64, n: Float64, quantile: Float64) -> Float64:
    """Return the largest difference that the score test does not reject."""
    inside, outside = np.asarray(c - b), np.ones(np.broadcast(b, c, n).shape)
    for _ in range(_HALVINGS):
        d = (inside + outside) / 2
        # The share that turned bad, restricted to a difference d: a root of 2 r**2 + e r - f = 0.
        e = -b - c + (2 - c + b) * d
        r = (np.sqrt(np.maximum(e**2 + 8 * b * d * (1 - d), 0.0)) - e) / 4
        spread = np.sqrt(np.maximum(2 * r + d * (1 - d), 0.0) / n)
        keeps = d - (c - b) <= quantile * spread
        inside, outside = np.where(keeps, d, inside), np.where(keeps, outside, d)
    return np.asarray(outside)
