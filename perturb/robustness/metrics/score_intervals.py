"""Score intervals of binary outcomes, where rows of one original belong together.

An interval about an estimated variance, as `mean +- t * se`, has no width where nothing varied and
covers far too rarely where little did. Score intervals take the variance under each value that
they test. Clusters enter by a design effect: n rows are worth `n / deff` independent ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.arrays import Float64
from perturb.robustness.metrics.checks import (
    as_scores,
    check_level,
    cluster_index,
    paired_differences,
)
from perturb.robustness.metrics.distributions import student_t_quantile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from perturb.robustness.metrics.inference import Estimate

# Originals that vary and are taken to be seen already, each with the largest design effect: what
# is known of it from a few is little.
_PRIOR = 2.0
_HALVINGS = 60


class Interval(NamedTuple):
    """The limits of an interval of confidence."""

    low: float
    high: float


def wilson_interval(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Return Wilson's score interval of a proportion, with a design effect for clusters.

    The proportions p with `(m - p)**2 <= q**2 p (1 - p) / n`, where m is the mean, n the rows over
    the design effect and q the quantile of Student's t with G - 1 degrees of freedom.

    Args:
        values: n values, each 0 or 1.
        clusters: n labels; equal labels belong together.
        level: the share of such intervals that cover the true proportion, in (0, 1).

    Raises:
        ValueError: a value is not 0 or 1, fewer than two clusters, unequal numbers, or a level out
            of range.

    Source: Wilson (1927); the design effect as in Kott and Carr (1997) and Rao and Scott (1992).

    Examples:
        >>> low, high = wilson_interval([1] * 10, range(10))
        >>> round(low, 3), high
        (0.661, 1.0)
    """
    x = _binary(values, "values")
    rarer = x if x.mean() <= 0.5 else 1 - x
    low, high = wilson_limits(x.mean(), *_effective(x, rarer, clusters, level))
    return Interval(float(low), float(high))


def tango_interval(
    original: ArrayLike, perturbed: ArrayLike, clusters: ArrayLike, level: float = 0.95
) -> Interval:
    """Return Tango's score interval of a paired difference, with a design effect for clusters.

    The differences d at which the score statistic lies within the quantile q of Student's t with
    G - 1 degrees of freedom: `|c - b - n d| <= q sqrt(n (2 r + d (1 - d)))`, with b the rows that
    turned bad, c those that turned good, and r the estimate, under d, of the share that turned
    bad. All three counts are divided by the design effect.

    Args:
        original: for each perturbed row, the score of its original; 0 or 1.
        perturbed: the score of each perturbed row; 0 or 1.
        clusters: for each row, which original it comes from.
        level: as for `wilson_interval`.

    Returns:
        The interval of `perturbed - original`, within [-1, 1] and never without width.

    Raises:
        ValueError: as for `wilson_interval`.

    Source: Tango (1998), Equivalence test and confidence interval for the difference in
    proportions for the paired-sample design; the design effect as in Rao and Scott (1992).

    Examples:
        >>> low, high = tango_interval([1] * 50, [1] * 50, range(50))
        >>> round(low, 3), round(high, 3)
        (-0.075, 0.075)
    """
    before, after = _binary(original, "original"), _binary(perturbed, "perturbed")
    differences = paired_differences(before, after)
    worse, better = float(np.mean(differences < 0)), float(np.mean(differences > 0))
    effective = _effective(differences, np.abs(differences), clusters, level)
    low, high = tango_limits(worse, better, *effective)
    return Interval(float(low), float(high))


def padded_interval(differences: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Interval:
    """Return Student's t interval of a mean difference, with two clusters added to the data.

    In one of them every difference is 1, in the other -1, and they are as large as clusters are on
    average. Where few clusters vary, Student's t alone covers far too rarely.

    Args:
        differences: n differences of scores that are 0 or 1 each, or of two such differences.
        clusters: n labels; equal labels belong together.
        level: as for `wilson_interval`.

    Raises:
        ValueError: fewer than two clusters, unequal numbers, NaN, or a level out of range.

    Source: Agresti and Min (2005), Simple improved confidence intervals for comparing matched
    proportions, which adds two such pairs.

    Examples:
        >>> low, high = padded_interval([0] * 50, range(50))
        >>> round(low, 3), round(high, 3)
        (-0.055, 0.055)
    """
    x = as_scores(differences, "differences")
    check_level(level)
    index, count = cluster_index(x, clusters)
    if count < 2:
        raise ValueError("all values belong to 1 cluster: an interval needs at least 2")
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


def t_interval(estimate: Estimate, size: float) -> Interval:
    """Return Student's t interval; where nothing varied, as far as so many clusters tell.

    Args:
        estimate: of a mean.
        size: the range of the values; a change that no cluster shows is bounded as a proportion is.
    """
    if estimate.standard_error > 1e-12 * size:
        return Interval(estimate.low, estimate.high)
    quantile = student_t_quantile(0.975, estimate.clusters - 1)
    reach = size * float(wilson_limits(0.0, estimate.clusters, quantile)[1])
    return Interval(estimate.mean - reach, estimate.mean + reach)


def _binary(values: ArrayLike, name: str) -> Float64:
    scores = as_scores(values, name)
    other = scores[(scores != 0) & (scores != 1)]
    if other.size:
        raise ValueError(f"{name} must be 0 or 1 each, got {other[0]:g}")
    return scores


def _effective(
    x: Float64, rarer: Float64, clusters: ArrayLike, level: float
) -> tuple[float, float]:
    """Return how many independent rows the values are worth, and the quantile to go with it."""
    check_level(level)
    index, count = cluster_index(x, clusters)
    if count < 2:
        raise ValueError("all values belong to 1 cluster: an interval needs at least 2")
    sizes = np.bincount(index, minlength=count).astype(float)
    centred = x - x.mean()
    off = np.bincount(index, centred, count).astype(np.float64)
    varying = int(np.count_nonzero(np.bincount(index, rarer, count)))
    squares = np.asarray(centred @ centred)
    rows = float(effective_rows(sizes, off, squares, varying))
    return rows, student_t_quantile((1 + level) / 2, count - 1)


def effective_rows(sizes: Float64, off: Float64, squares: Float64, varying: ArrayLike) -> Float64:
    """Return how many independent rows clustered ones are worth.

    The design effect is the clustered variance of the mean over that of independent rows. Few
    clusters that vary say little about it, so it is averaged with the largest it can be, that of
    rows which only repeat each other, as if that had been seen in two more clusters.

    Args:
        sizes: the rows of each cluster, along the last axis.
        off: the sum of each cluster's deviations from the mean, along the last axis.
        squares: the sum of all squared deviations.
        varying: how many clusters hold the rarer outcome.
    """
    count, rows, varying = sizes.shape[-1], sizes.sum(axis=-1), np.asarray(varying, float)
    largest = (sizes**2).sum(axis=-1) / rows
    found = count / (count - 1) * (off**2).sum(axis=-1) / np.where(squares > 0, squares, 1.0)
    found = np.where(squares > 0, np.clip(found, 1.0, largest), largest)
    return np.asarray(rows / ((varying * found + _PRIOR * largest) / (varying + _PRIOR)))


def wilson_limits(mean: ArrayLike, rows: ArrayLike, quantile: ArrayLike) -> tuple[Float64, Float64]:
    """Return the limits of Wilson's interval, for arrays."""
    p, n = np.asarray(mean, float), np.asarray(rows, float)
    share = np.asarray(quantile) ** 2 / n
    middle = (p + share / 2) / (1 + share)
    reach = np.sqrt(share * (p * (1 - p) + share / 4)) / (1 + share)
    low, high = np.maximum(middle - reach, 0.0), np.minimum(middle + reach, 1.0)
    return np.where(p == 0, 0.0, low), np.where(p == 1, 1.0, high)


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
