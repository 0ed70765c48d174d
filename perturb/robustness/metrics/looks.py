"""Looks at data that are still coming in: what intervals and p-values must be, to allow for them.

Whoever looks several times and stops when it suits finds something too often. O'Brien and Fleming's
boundary spends hardly any error on early looks, so that data which are asked to the end are judged
almost as if nobody had looked: the last of five intervals is 4 % wider, where Pocock's is 23 %.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.robustness.metrics.distributions import bisected, normal_quantile, normal_two_sided
from perturb.values.arrays import Float64

_LEVEL = 0.95
# Nodes of the integral: boundaries of 2, 5 and 10 looks are the same to 8 decimals with 32 nodes
# and with 512. And the largest sum, at which a p-value is below 1e-12.
_NODES, _LARGEST = 128, 7.5


class Look(NamedTuple):
    """One of several looks, planned beforehand, each after as many more originals.

    Attributes:
        number: counted from 1.
        planned: how many looks there may be; 1 for data that are looked at once.
        together: how many intervals must hold at once (Bonferroni), so that any may be chosen.

    Source: O'Brien and Fleming (1979), A multiple testing procedure for clinical trials; that an
    interval at such a level holds the truth at all looks together, whatever the rule to stop by,
    Jennison and Turnbull (1989), Interim analyses: the repeated confidence interval approach.

    Examples:
        >>> [round(1 - Look(number, 5).level, 4) for number in range(1, 6)]
        [0.0, 0.0013, 0.0084, 0.0226, 0.0413]
        >>> round(Look(3, 5).p_value(0.0084), 3), Look().p_value(0.03)
        (0.05, 0.03)
    """

    number: int = 1
    planned: int = 1
    together: int = 1

    def __str__(self) -> str:
        return f"{self.number}/{self.planned}"

    @property
    def level(self) -> float:
        """The level of an interval, so that those of all looks hold the truth in 95 %."""
        error = 1 - _LEVEL
        if self.planned > 1:
            last = _boundary(self.planned)
            error = normal_two_sided(last * math.sqrt(self.planned / self.number))
        return 1 - error / self.together

    def p_value(self, p_value: float) -> float:
        """Return how likely some look shows as much as this one, if there is nothing to see."""
        if self.planned > 1:
            z = normal_quantile(1 - p_value / 2)
            p_value = _reached(z * math.sqrt(self.number / self.planned), self.planned)
        return min(1.0, self.together * p_value)


def look_of(texts: Collection[str]) -> Look:
    """Read the look at which rows were stopped, as 2/5 in all of them, or "" in all.

    Raises:
        DataError: it is written otherwise, or rows were stopped at several.
    """
    if not {*texts} - {""}:
        return Look()
    number, _, planned = next(iter(texts)).partition("/") if len(texts) == 1 else ("", "", "")
    # More than nine looks are never planned, and a digit can't be too long for int().
    if not (number.isdecimal() and planned.isdecimal() and 1 <= int(number) <= int(planned) <= 9):
        raise DataError(
            "asking stopped at one look for all rows, as 2/5 in response.look; here there are "
            f"{', '.join(map(repr, sorted(texts)))}: score the rows of each run by themselves"
        )
    return Look(int(number), int(planned))


def look_hint(look: Look) -> list[str]:
    """Return how several looks are allowed for, if there were several."""
    if look.planned == 1:
        return []
    event = f"Asking stopped at look {look.number} of {look.planned}"
    if look.number == look.planned:
        event = f"Answers were looked at {look.planned} times"
    return [
        f"{event}: intervals and p-values allow for all "
        "of them (O'Brien and Fleming). More originals than were planned would not be covered."
    ]


def _reached(boundary: float, looks: int) -> float:
    """Return how likely a normal walk is outside at some look, if its last sum has the variance 1.

    The density of the walks that were inside so far, from look to look, by Gauss and Legendre's
    quadrature (Armitage, McPherson and Rowe, 1969).
    """
    edge = min(boundary, _LARGEST) * math.sqrt(looks)
    nodes, weights = _rule()
    places = edge * nodes
    steps = np.exp(-((places[:, None] - places) ** 2) / 2) / math.sqrt(2 * math.pi)
    inside = np.exp(-(places**2) / 2) / math.sqrt(2 * math.pi)
    for _ in range(looks - 1):
        inside = steps @ (edge * weights * inside)
    return min(1.0, max(1e-12, 1 - float(edge * weights @ inside)))


@lru_cache(1)
def _rule() -> tuple[Float64, Float64]:
    """Return the places and the weights of the quadrature within -1 and 1."""
    return np.polynomial.legendre.leggauss(_NODES)


@lru_cache
def _boundary(looks: int) -> float:
    """Return the boundary that is reached in 5 % of the cases in which there is nothing to see."""
    # The boundaries of 2 to 9 looks lie between 1.97 and 2.08; 40 halvings leave an error of 1e-12.
    return bisected(1.9, 3.0, lambda boundary: _reached(boundary, looks) > 1 - _LEVEL, 40)
