"""Experiments that are not done yet: how often the verdict would find an effect.

Whole datasets are drawn and go through the interval and the test of a verdict, so that the promised
power holds where few answers flip and no formula does.
"""

from __future__ import annotations

import math
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import UsageError
from perturb.rng import halves, hash32_halves, key64
from perturb.robustness.metrics.bounded import NEVER_SEEN, bounded_limits
from perturb.robustness.metrics.distributions import normal_quantile, normal_two_sided

if TYPE_CHECKING:
    from collections.abc import Callable

    from perturb.values.arrays import Float64, Int64, UInt32

# 1,000 datasets give a power of .8 a standard error of .013; four times as many would halve it.
_SETS = 1000
# So many units of each set are drawn at once, since their draws fit the caches of a processor.
_PART = 256
# A plan promises what a verdict does: intervals of 95 %, and p-values below .05.
_ALPHA = 0.05
# Graded scores are drawn from so many values of a normal distribution: counts of few values are
# much faster to judge than single values, and 81 are near enough to each other to be smooth.
_NODES = 81
# With a larger correlation the parameters of the beta distribution get so small that a draw is all
# or none anyway.
_MOST_ALIKE = 0.999
# How alike the versions of an original flip, without a pilot: halfway between versions that flip
# by themselves, which would promise too much, and all together, where versions add nothing.
CLUSTERING = 0.5
# The most versions of an original in a design, which bounds the memory of a draw.
MANY = 1000
# A search ends within 3 %, which is nearer than the power is known.
_NEAR = 0.03
ROBUST, WORSE, TOLERANCE = "robust", "worse", "tolerance"


class Design(NamedTuple):
    """One condition of an experiment.

    Attributes:
        condition: its name.
        accuracy: the share of the originals that are answered correctly, in (0, 1).
        flips: the share of the versions whose answer flips, either way, in [0, 1].
        clustering: how alike the versions of one original are in that, as an intraclass
            correlation: 0 for not at all, 1 if all flip or none.
        versions: the number of versions of each original.
        tests: how many conditions are tested beside each other.
        deviation: for scores that are not 0 or 1, the standard deviation between originals, or
            clusters of them, of their mean difference; None for scores that are.
        size: the range of the scores.
        alike: how many originals a cluster has, on average.
    """

    condition: str
    accuracy: float
    flips: float
    clustering: float
    versions: int = 1
    tests: int = 1
    deviation: float | None = None
    size: float = 1.0
    alike: float = 1.0


class Goal(NamedTuple):
    """The finding that is looked for, and the loss that there is in truth.

    Attributes:
        verdict: "robust"; "worse"; or "tolerance", for an interval that is narrow enough.
        loss: the true one; for "tolerance" that whose strength is looked for.
        reach: the margin; for "tolerance" the greatest width, as a share of the strength.
    """

    verdict: str
    loss: float
    reach: float


@cache
def chance(design: Design, goal: Goal, originals: int) -> float:
    """Return how often a dataset of so many originals reaches the goal, in [0, 1].

    A condition counts as worse where its p-value times the number of tests is below .05: as if all
    others did nothing, the hardest case of Benjamini and Hochberg's adjustment.

    Raises:
        UsageError: so much can't be lost at this accuracy.
    """
    values, shares = _outcomes(design, goal.loss)
    units = max(2, round(originals / design.alike))
    counts = _counts(shares, units)
    limits = partial(_limits, values, ends=(-design.size, design.size))
    low, high = limits(counts)
    if goal.verdict == TOLERANCE:
        means = (counts * values).sum(axis=1) / units
        return _narrow(goal, float(np.mean(means - low)), float(np.mean(high - means)))
    robust = (-goal.reach <= low) & (high <= goal.reach)
    if goal.verdict == ROBUST:
        return float(np.mean(robust))
    worse = ~robust & (high < 0)
    if design.tests > 1 and worse.any():
        level = 1 - _ALPHA / design.tests  # the p-value is one less the level that ends at 0
        _, high = limits(counts[worse], level=level)
        worse = high < 0
    return int(worse.sum()) / _SETS


def _limits(values: Float64, counts: Int64, **how: Any) -> list[Float64]:
    """Return the low and the high limits of datasets, with as little work as they take.

    Where few answers flip, many datasets are equal, and of 201 outcomes each shows ten.
    """
    known: dict[bytes, int] = {}
    place = [known.setdefault(each.tobytes(), len(known)) for each in counts]
    counts = np.frombuffer(b"".join(known), np.int64).reshape(len(known), -1)
    shown = np.argsort(counts == 0, kind="stable")[:, : np.count_nonzero(counts, axis=1).max()]
    found = bounded_limits(values[shown], counts=np.take_along_axis(counts, shown, 1), **how)
    return [limits[place] for limits in found]


def _counts(shares: Float64, units: int) -> Int64:
    """Return how many units of each dataset show each outcome, in shape (datasets, outcomes).

    Only the draws outside the largest share, which most often is that of no difference, are looked
    for among the others.
    """
    low, high = _keys(_SETS)
    edges, largest = np.cumsum(shares)[:-1], int(shares.argmax())
    # A draw is a whole number: so many lie below each edge.
    limits = np.ceil(np.append(0.0, edges) * 2.0**32).clip(max=2**32).astype(np.int64)
    first, end = np.append(limits, 2**32)[largest : largest + 2].tolist()
    first, width = np.uint32(first), np.uint32(end - first - 1)
    counts = np.zeros(_SETS * shares.size, np.int64)
    for start in range(0, units, _PART):
        counters: UInt32 = np.arange(start, min(start + _PART, units), dtype=np.uint32)
        draws = hash32_halves(low, high, np.tile(counters, (_SETS, 1)))
        others = (draws - first > width).ravel().nonzero()[0]
        places = np.searchsorted(limits, draws.ravel()[others], "right") - 1
        sets = others // len(counters)
        counts += np.bincount(sets * shares.size + places, None, counts.size)
    shown: Int64 = counts.reshape(_SETS, -1)
    shown[:, largest] = units - shown.sum(axis=1)
    return shown


@cache
def _keys(sets: int) -> tuple[UInt32, UInt32]:
    """Return the halves of the key of each dataset, in shape (datasets, 1)."""
    keys = [key64("power", place) for place in range(sets)]
    low, high = halves(np.array(keys, np.uint64)[:, None])
    return low, high


def smallest(
    reached: Callable[[float], bool], guess: float, least: float, most: float
) -> float | None:
    """Return the smallest number that is enough, to 3 %; None where the greatest is not."""
    enough = min(max(guess, least), most)
    few = enough / 2
    while few > least and reached(few):
        few, enough = few / 2, few
    while not reached(enough):
        if enough >= most:
            return None
        few, enough = enough, min(2 * enough, most)
    while enough - few > _NEAR * enough:
        middle = (few + enough) / 2
        few, enough = (few, middle) if reached(middle) else (middle, enough)
    return enough


def _outcomes(design: Design, loss: float) -> tuple[Float64, Float64]:
    """Return the mean differences that an original may show, and how likely each is."""
    if design.deviation is None:
        shares = sum_shares(design, loss)
        return np.arange(-design.versions, design.versions + 1) / design.versions, shares
    nodes = np.array([normal_quantile((at + 0.5) / _NODES) for at in range(_NODES)])
    values = design.deviation * nodes / nodes.std() - loss
    return values.clip(-design.size, design.size), np.full(_NODES, 1 / _NODES)


def guess(design: Design, goal: Goal) -> float:
    """Return about how many originals reach a goal in four of five datasets, by the normal."""
    alike = 1 + (design.versions - 1) * design.clustering
    variance = max(design.flips, goal.loss) * alike / design.versions - goal.loss**2
    if design.deviation is not None:
        variance = design.deviation**2
    # In standard errors: 2.8 is 1.96 + .84, and 3.2 is 1.96 + 1.28, since both limits have to lie
    # within the margin. A tolerance needs two such findings, a loss at one strength and none at
    # another: 4.4 is chosen by hand, and so is 1.3, since intervals here are wider than those of
    # the normal. A search begins here and ends within 3 % wherever it begins, so a bad guess only
    # costs draws.
    quantiles, size = {
        ROBUST: (3.2, goal.reach),
        WORSE: (2.8, goal.loss),
        TOLERANCE: (4.4, goal.loss * goal.reach),
    }[goal.verdict]
    units = 1.3 * variance * (quantiles / size) ** 2 + NEVER_SEEN * design.size / size
    return units * design.alike


def _narrow(goal: Goal, above: float, below: float) -> float:
    """Return how often the interval of a tolerance is narrow enough.

    Losses are taken to come one by one, evenly up to the tolerance, which is 1, and beyond it. So
    the limits of a loss lie apart as its root, and the interval ends at two losses; it is as wide
    as the strengths over which those between are lost.

    Args:
        goal: for "tolerance".
        above: how far the high limit of the loss at the tolerance lies from it.
        below: the same of the low one.
    """
    first, last = (
        ((math.sqrt(reach**2 + 4 * goal.loss**2) - reach) / (2 * goal.loss)) ** 2
        for reach in (above, -below)
    )
    error = (above + below) / 2 / normal_quantile(1 - _ALPHA / 2) * math.sqrt(goal.reach)
    return _below((goal.reach - (last - first)) * goal.loss / error)


def _below(z: float) -> float:
    """Return Pr[Z < z] for a standard normal Z."""
    tail = normal_two_sided(z) / 2
    return 1 - tail if z > 0 else tail


def sum_shares(design: Design, loss: float) -> Float64:
    """Return how likely an original has each sum of differences, from all worse to all better.

    So many answers flip as the design says, and more of them from right to wrong by the loss.

    Raises:
        UsageError: so much can't be lost at this accuracy.
    """
    right = design.accuracy
    if loss > right:
        raise UsageError(f"{loss:.3g} can't be lost where {right:.3g} of the answers are right")
    to_good = min(max(0.0, (design.flips - loss) / 2), 1 - right, right - loss)
    to_bad = to_good + loss
    bad, good = (
        state * _beta_binomial(design.versions, share / state, design.clustering)
        for state, share in ((right, to_bad), (1 - right, to_good))
    )
    return np.concatenate([bad[:0:-1], [bad[0] + good[0]], good[1:]])


def _beta_binomial(count: int, share: float, correlation: float) -> Float64:
    """Return how likely each number of `count` alike things happens, from none to all."""
    spread, steps = min(correlation, _MOST_ALIKE), np.arange(count)

    def rising(start: float, spread: float) -> Float64:
        with np.errstate(divide="ignore"):
            return np.append(0.0, np.cumsum(np.log(start * (1 - spread) + steps * spread)))

    ways = np.append(0.0, np.cumsum(np.log(1 + steps)))
    flip, stay = rising(share, spread), rising(1 - min(share, 1.0), spread)
    logarithms = ways[-1] - ways - ways[::-1] + flip + stay[::-1] - rising(1.0, spread)[-1]
    return np.asarray(np.exp(logarithms))
