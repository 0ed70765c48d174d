"""The exchange test: whether answers to originals are like those to their versions."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.distributions import normal_two_sided
from perturb.values.arrays import Float64, Int64

# With more originals, or more steps of the exact distribution times kinds of originals, it is taken
# as normal.
_MANY, _LARGEST = 1 << 15, 1 << 23


def exchange_test(
    right: ArrayLike, asked: ArrayLike, right_versions: ArrayLike, versions: ArrayLike
) -> float:
    """Return the two-sided p-value of answers to originals beside those to their versions.

    If perturbing does nothing to a system that is right by chance, all answers of one original
    are alike, whichever text they answer. Given how many of its n answers are right, t, those of
    the c answers to the original itself are then `X ~ Hypergeometric(n, t, c)`. The statistic is
    `sum n / c (X - c t / n)` over originals: the difference of the means, row by row. Its
    distribution is exact, by the inverse Fourier transform of the product of those of the
    originals, or normal where there are many. With one answer to each, it is McNemar's test.

    The sign-flip test is exact under another assumption, that a sum is as likely as its negative,
    which a single answer to the original beside many versions is not.

    Args:
        right: for each original, the right answers to itself.
        asked: all answers to it, at least one.
        right_versions: the right answers to its versions.
        versions: all of them, at least one.

    Returns:
        In [0, 1]; 1 where no original has both right and wrong answers.

    Source: Fisher (1935), The Design of Experiments; stratified as in Mantel and Haenszel (1959),
    Statistical aspects of the analysis of data from retrospective studies of disease.

    Examples:
        >>> round(exchange_test([1] * 6, [1] * 6, [0] * 6, [1] * 6), 5)
        0.03125
        >>> round(exchange_test([1] * 6, [1] * 6, [9] * 6, [10] * 6), 5)
        0.66132
    """
    x, c, more, k = (
        np.asarray(each, np.int64) for each in (right, asked, right_versions, versions)
    )
    total, count = x + more, c + k
    varied = (total > 0) & (total < count)
    if not varied.any():
        return 1.0
    x, c, total, count = x[varied], c[varied], total[varied], count[varied]
    scale = int(np.lcm.reduce(np.unique(c)))
    weight = count * scale // c
    weight //= (step := int(np.gcd.reduce(weight)))
    # The mean of n / c X is t, so that the statistic is whole but for the step.
    observed = float((weight * x).sum()) - float(scale * total.sum()) / step
    if x.size > _MANY:
        return _normal_tail(observed, np.stack([count, total, c, weight]), np.ones_like(x))
    kinds, repeats = np.unique(np.stack([count, total, c, weight]), axis=1, return_counts=True)
    least = np.maximum(0, kinds[2] - kinds[0] + kinds[1])
    most = np.minimum(kinds[1], kinds[2])
    reach = int((repeats * kinds[3] * (most - least)).sum())
    if reach * kinds.shape[1] > _LARGEST:
        return _normal_tail(observed, kinds, repeats)
    chances = _distribution(kinds, repeats, least, most, reach)
    values = np.arange(reach + 1) + float((repeats * kinds[3] * least).sum())
    off = np.abs(values - float(scale * total.sum()) / step)
    return min(1.0, float(chances[off >= abs(observed) - 1e-6].sum()))


def _normal_tail(observed: float, kinds: Int64, repeats: Int64) -> float:
    """Return the two-sided p-value by the variance of the statistic; `kinds` as below."""
    n, t, c, weight = kinds.astype(float)
    variance = weight**2 * c * (t / n) * (1 - t / n) * (n - c) / (n - 1)
    return normal_two_sided(observed / math.sqrt(float(repeats @ variance)))


def _distribution(kinds: Int64, repeats: Int64, least: Int64, most: Int64, reach: int) -> Float64:
    """Return the chances of each sum of weighted counts above the least.

    Args:
        kinds: in columns: all answers of an original, the right ones, those to itself, the weight.
        repeats: how many originals are of each kind.
        least: right answers to itself that there can be.
        most: as `least`.
        reach: the reach of the sums.
    """
    angle = -2j * np.pi / (reach + 1) * np.arange((reach + 1) // 2 + 1)
    product = np.ones(angle.size, complex)
    for (n, t, c, weight), times, low, high in zip(
        kinds.T.tolist(), repeats.tolist(), least.tolist(), most.tolist(), strict=True
    ):
        parts = (
            math.comb(t, x) * math.comb(n - t, c - x) / math.comb(n, c)
            * np.exp(angle * (weight * (x - low)))
            for x in range(low, high + 1)
        )  # fmt: skip
        product *= sum(parts) ** times
    return np.asarray(np.fft.irfft(product, reach + 1).clip(0.0))
