"""Rates that differ from text to text, drawn around the rate of the step as their mean."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from perturb.engine.sites import FIRST_WRITE
from perturb.rng import hash32
from perturb.values.arrays import Float64, UInt64

# The draw of a text's rate; lower lanes are for replacements.
_RATE = FIRST_WRITE + 33
# The bits of a draw that select a rate. A table of 4,096 rates has the share as its exact mean;
# fewer would cut off the tail, and more only fill the cache. Chosen by hand.
_BITS = 12


@lru_cache(maxsize=16)
def rates(share: float, spread: float) -> Float64:
    """Return the rates that texts may have, all of them equally likely.

    They follow a Weibull distribution, capped at 1 and scaled so that their mean is the share. Each
    rate grows with the share, so that edits stay nested.

    Args:
        share: the share of the units to edit, in [0, 1].
        spread: the standard deviation of the rates in units of their mean, above 0; less if many
            rates are capped at 1.

    Returns:
        Shape (4096,), increasing, in [0, 1].
    """
    size = 1 << _BITS
    if share == 1:
        return np.ones(size)
    times = with_spread((np.arange(size) + 0.5) / size, spread)
    # With the n largest at 1, the others share the rest of the sum.
    scales = (share * size - np.arange(size)) / np.cumsum(times)[::-1]
    at_1 = int(np.argmax(scales * times[::-1] <= 1))
    of_texts: Float64 = np.minimum(scales[at_1] * times, 1.0)
    return of_texts


def with_spread(draws: Float64, spread: float) -> Float64:
    """Turn uniform draws into increasing factors of mean 1 and of that standard deviation."""
    exponent = _exponent(spread)
    return (-np.log1p(-draws)) ** exponent / math.gamma(1 + exponent)


@lru_cache(maxsize=16)
def _exponent(spread: float) -> float:
    """Return the power that gives exponential times that spread: 1 for 1, and near 0 for 0."""
    # 60 halvings of 16 reach the precision of a float; a power of 16 is a spread of some 20,000.
    low, high = 0.0, 16.0
    for _ in range(60):
        middle = (low + high) / 2
        moments = math.lgamma(1 + 2 * middle) - 2 * math.lgamma(1 + middle)
        low, high = (middle, high) if moments < math.log1p(spread**2) else (low, middle)
    return low


def drawn_rates(keys: UInt64, share: float, spread: float) -> Float64:
    """Return the rate of each text."""
    draws = hash32(keys, np.zeros(len(keys), np.intp), _RATE)
    of_texts: Float64 = rates(share, spread)[draws >> np.uint32(32 - _BITS)]
    return of_texts
