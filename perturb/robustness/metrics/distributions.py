"""Tails and quantiles of the three distributions that the intervals and tests need.

They are written out here so that the measures cost no more than NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

import numpy as np

# The quantile of the standard normal distribution at a probability.
normal_quantile = NormalDist().inv_cdf
# From here on the expansion of the quantile errs by less than 1e-10.
_MANY = 200


def normal_two_sided(z: float) -> float:
    """Return Pr[|Z| >= |z|] for a standard normal Z."""
    return math.erfc(abs(z) / math.sqrt(2))


def student_t_two_sided(t: float, df: int) -> float:
    """Return Pr[|T| >= |t|] for Student's t with an integer number of degrees of freedom.

    The finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4. They end in `1 - sum`, so the
    absolute error is below 1e-12, and far tails end at 0.
    """
    angle, odd = math.atan2(abs(t), math.sqrt(df)), df % 2
    sine, cosine = math.sin(angle), math.cos(angle)
    steps = 2 * np.arange(1, (df - odd) // 2) + odd
    total = float(np.cumprod(np.append(1.0, cosine**2 * (steps - 1) / steps)).sum())
    inside = sine * total
    if odd:
        inside = 2 / math.pi * (angle + (sine * cosine * total if df > 1 else 0.0))
    return min(1.0, max(0.0, 1 - inside))


@lru_cache(maxsize=1024)
def student_t_quantile(probability: float, df: int) -> float:
    """Return the quantile of Student's t at a probability above 1/2, for an integer df.

    Bisection of the distribution for small df; from there on the expansion about the normal
    quantile of Abramowitz and Stegun, 26.7.5.
    """
    if df >= _MANY:
        return _expanded_quantile(normal_quantile(probability), df)
    tail = 2 * (1 - probability)
    low, high = 0.0, 1.0
    while student_t_two_sided(high, df) > tail:
        high *= 2
    # More than the bits of a double, so that both ends are neighbours.
    return bisected(low, high, lambda t: student_t_two_sided(t, df) > tail, 100)


def bisected(low: float, high: float, is_low: Callable[[float], bool], halvings: int) -> float:
    """Return the high end of an interval after so many halvings; the low end is always too low."""
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return high


def _expanded_quantile(z: float, df: int) -> float:
    corrections = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + math.fsum(term / float(df) ** power for power, term in enumerate(corrections, 1))
