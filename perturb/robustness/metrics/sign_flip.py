"""The sign-flip test of paired scores, exact where scores are whole numbers."""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import EPSILON, cluster_index, paired_differences
from perturb.robustness.metrics.distributions import bisected, normal_two_sided
from perturb.values.arrays import Float64, Int64

# Up to so many sums all signs are tried; beyond so many the distribution is taken as normal.
_FEW, _MANY = 16, 250
# Sums that are not whole are rounded to steps of this share of their root mean square, which
# moves a p-value by less than 0.0005.
_STEPS = 128
# Whole numbers that sum up to more than this are drawn to scale, as others are.
_LARGEST = 1 << 24
_SMALLEST = 1e-12  # what the transform can tell from 0


def sign_flip_test(original: ArrayLike, perturbed: ArrayLike, clusters: ArrayLike) -> float:
    """Return the two-sided p-value of the paired scores, flipping the sign of whole originals.

    Each original has a sum `s_g` of its differences `perturbed - original`. If perturbing does
    nothing, `s_g` is as likely as `-s_g`, so `p = Pr[|sum e_g s_g| >= |sum s_g|]` where the `e_g`
    are fair signs. With one binary row an original this is McNemar's exact test.

    No random numbers are drawn. Whole sums, those of binary scores, give the exact distribution
    by the inverse Fourier transform of `prod ((1 + exp(i t |s_g|)) / 2)`. Of others, at most 16
    that are not zero are tried with all signs; up to 250 are rounded to 1/128 of their root mean
    square first; more are normal, with the variance `sum s_g**2`.

    Args:
        original: for each perturbed row, the score of its original.
        perturbed: the score of each perturbed row.
        clusters: for each row, which original it comes from.

    Returns:
        In [1e-12, 1], to an absolute error below 1e-12 where it is exact; 1 where no sum differs
        from 0. What is smaller is given as 1e-12.

    Raises:
        ValueError: unequal numbers of scores and labels, none, or NaN.

    Source: Fisher (1935), The Design of Experiments, section 21; the clusters as in Rosenbaum
    (2002), Observational Studies, section 2.4.

    Examples:
        >>> round(sign_flip_test([1] * 6, [0] * 6, [1, 2, 3, 4, 5, 6]), 5)
        0.03125
        >>> sign_flip_test([1, 1, 0], [1, 1, 0], [1, 2, 3])
        1.0
    """
    differences = paired_differences(original, perturbed)
    sums = np.bincount(cluster_index(differences, clusters)[0], differences).astype(np.float64)
    size = max(float(np.abs(side).max()) for side in (original, perturbed))
    sums = sums[np.abs(sums) > EPSILON * size]
    if not sums.size:
        return 1.0
    return min(1.0, max(_tail(sums), _SMALLEST))


def _tail(sums: Float64) -> float:
    if np.abs(sums).sum() <= _LARGEST and (sums == np.rint(sums)).all():
        return exact_tail(sums.astype(np.int64))
    if sums.size <= _FEW:
        return _enumerated(sums)
    spread = math.sqrt(float(sums @ sums))
    if sums.size <= _MANY:
        return exact_tail(np.rint(sums / spread * math.sqrt(sums.size) * _STEPS).astype(np.int64))
    return normal_two_sided(float(sums.sum()) / spread)


def exact_tail(sums: Int64) -> float:
    """Return the chance of so extreme a sum, by way of X, the sum of |s_g| that coins take."""
    if not sums.size:
        return 1.0
    magnitudes, counts = np.unique(np.abs(sums), return_counts=True)
    total, observed = int(magnitudes @ counts), abs(int(sums.sum()))
    angle = np.pi / (total + 1) * np.arange((total + 1) // 2 + 1)
    size = np.ones(angle.size)
    for magnitude, count in zip(magnitudes.tolist(), counts.tolist(), strict=True):
        size *= np.cos(angle * magnitude) ** count
    chances = np.fft.irfft(size * np.exp(-1j * angle * total), total + 1)
    return 2 * float(chances[(total + observed) // 2 :].sum())


def _enumerated(sums: Float64) -> float:
    signs = np.array(list(product((-1.0, 1.0), repeat=sums.size - 1)))
    reached = np.abs(sums[0] + signs @ sums[1:])
    observed = abs(float(sums.sum()))
    tolerance = 1e-9 * float(np.abs(sums).sum())
    return float(np.mean(reached >= observed - tolerance))


class Fewest(NamedTuple):
    """The fewest originals that must flip, and how many must be expected to."""

    flips: int
    expected: float


def fewest_flips(alpha: float, power: float) -> Fewest:
    """Return how many originals must flip, all one way, before the test can reject.

    Args:
        alpha: m equal signs have `p = 2**(1 - m)`, which must be below it.
        power: flips that are rare follow Poisson's law, so that so many must be expected for m of
            them, or more, to happen this often.

    Examples:
        >>> fewest = fewest_flips(0.05, 0.8)
        >>> fewest.flips, round(fewest.expected, 1)
        (6, 7.9)
    """
    flips = math.floor(1 - math.log2(alpha)) + 1

    def is_rare(expected: float) -> bool:
        terms = [expected**k / math.factorial(k) for k in range(flips)]
        return 1 - math.exp(-expected) * math.fsum(terms) < power

    return Fewest(flips, bisected(0.0, 10.0 * flips, is_rare, 60))
