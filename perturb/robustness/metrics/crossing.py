"""The strength at which a curve of losses reaches a loss: its point, its interval, a ratio of two.

A curve is linear between its strengths, and starts at a strength of 0 with a loss of 0. So are the
limits of its interval: the standard deviation of a weighted mean is at most the weighted mean of
the standard deviations, so limits that are joined by lines hold the joined curve at least as often
as they hold it at the strengths themselves.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.values.arrays import Float64

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Strengths that a ratio is looked for at; a limit of it errs by less than one part in 200.
_PLACES = 400
# A correlation beyond it would make an ellipse too thin for these places.
_MOST_ALIKE = 0.9


class Curve(NamedTuple):
    """Losses over strengths, each an array along the strengths; the first is 0, where all are 0.

    Attributes:
        strengths: ascending.
        losses: clean minus perturbed where more is better; negative for a gain.
        low: the low limit of the 95 % interval of each loss.
        high: as `low`.
    """

    strengths: Float64
    losses: Float64
    low: Float64
    high: Float64

    def reached(self, values: Float64, loss: float, after: int) -> float:
        """Return where the line that ends at one place of the values is at a loss."""
        before, strengths = after - 1, self.strengths
        share = (loss - values[before]) / (values[after] - values[before])
        return float(strengths[before] + share * (strengths[after] - strengths[before]))


def curve_of(*columns: ArrayLike) -> Curve:
    """Return the curve of strengths above 0, with their losses and the limits of these."""
    return Curve(*(np.append(0.0, column) for column in columns))


def isotonic(values: ArrayLike) -> Float64:
    """Return the rising values next to some, by least squares (adjacent violators pooled).

    Source: Ayer and others (1955), An empirical distribution function for sampling with incomplete
    information.

    Examples:
        >>> isotonic([1.0, 3.0, 2.0, 4.0]).tolist()
        [1.0, 2.5, 2.5, 4.0]
    """
    pools: list[tuple[float, int]] = []
    for value in np.asarray(values, float).tolist():
        mean, count = value, 1
        while pools and pools[-1][0] > mean:
            before, more = pools.pop()
            mean, count = (before * more + mean * count) / (count + more), count + more
        pools.append((mean, count))
    means, counts = zip(*pools, strict=True)
    return np.repeat(means, counts)


def crossing(curve: Curve, loss: float) -> float | None:
    """Return the strength from which the rising curve next to this one loses at least so much.

    Returns:
        None where it does not by the strongest.
    """
    losses = np.append(0.0, isotonic(curve.losses[1:]))
    if losses[-1] < loss:
        return None
    return curve.reached(losses, loss, int(np.argmax(losses >= loss)))


def crossing_interval(curve: Curve, loss: float) -> tuple[float, float | None]:
    """Return the limits of the strengths whose interval of the loss holds this loss.

    The true strength from which the loss stays at least so much is a strength at which it is just
    that, so the set holds it as often as the interval of a loss holds the loss.

    Returns:
        The low limit, the strongest where that much is lost at none; the high one, None where the
        interval at the strongest still holds it, so that none is known.

    Examples:
        >>> curve = curve_of([0.1, 0.2], [0.04, 0.08], [0.02, 0.06], [0.06, 0.1])
        >>> [round(limit, 3) for limit in crossing_interval(curve, 0.05)]
        [0.083, 0.175]
    """
    strengths, _, low, high = curve
    first = int(np.argmax(high >= loss))  # 0 where none is
    after = int(np.flatnonzero(low <= loss)[-1]) + 1
    return (
        curve.reached(high, loss, first) if first else float(strengths[-1]),
        curve.reached(low, loss, after) if after < strengths.size else None,
    )


def ratio_interval(
    a: Curve, b: Curve, loss: float, correlation: float = 0.0
) -> tuple[float, float]:
    """Return the limits of the strength of B over that of A at which each loses so much.

    A pair of strengths is as far from the data as the loss lies, at each of them, from the
    estimate, in halves of the interval; the ratios of all pairs that are at most 1 away, together,
    are the interval (profile likelihood). A strength beyond the strongest, of which nothing is
    known, is as far away as a loss of no more than that at the strongest.

    Args:
        a: the curve of A.
        b: that of B.
        loss: that is asked for.
        correlation: the correlation of the errors of both curves, in [-1, 1].

    Returns:
        The low limit, 0 where there is none; the high one, infinity where there is none.

    Source: on profile likelihood, Venzon and Moolgavkar (1988), A method for computing
    profile-likelihood-based confidence intervals.
    """
    r = min(max(correlation, -_MOST_ALIKE), _MOST_ALIKE)
    (from_a, to_a, off_a), (from_b, to_b, off_b) = _near(a, loss), _near(b, loss)
    u, v = np.broadcast_arrays(off_a[:, None], off_b[None, :])
    u, v = u.copy(), v.copy()
    last_a, last_b = off_a[-1], off_b[-1]
    u[-1] = np.maximum(last_a, r * off_b)  # the nearest that it can be beyond the strongest
    v[:, -1] = np.maximum(last_b, r * off_a)
    distance = u**2 - 2 * r * u * v + v**2
    # Where both are beyond, the nearest is no distance at all, or has one of them at its limit.
    ends = (last_a, max(last_b, r * last_a)), (max(last_a, r * last_b), last_b)
    distance[-1, -1] = 0 if max(last_a, last_b) <= 0 else min(
        x * x - 2 * r * x * y + y * y for x, y in ends
    )  # fmt: skip
    near = distance <= 1 - r**2
    low, high = from_b / to_a[:, None], to_b / from_a[:, None]
    return float(low[near].min()), float(high[near].max())


def _near(curve: Curve, loss: float) -> tuple[Float64, Float64, Float64]:
    """Return strengths that may be the one, and how far each is from the data.

    Returns:
        The limits of each strength, which differ for the last alone, all beyond the strongest; and
        the distances, negative where the estimate is less than the loss.
    """
    low, high = crossing_interval(curve, loss)
    strengths, estimates, *limits = curve
    strongest = strengths[-1]
    rises = np.flatnonzero((estimates[:-1] < loss) & (loss <= estimates[1:])) + 1
    places = [*np.linspace(low, strongest if high is None else high, _PLACES), *strengths[1:]]
    places += [curve.reached(estimates, loss, int(after)) for after in rises]
    at = np.append(np.unique(places), strongest)
    estimate, least, most = (np.interp(at, strengths, each) for each in (estimates, *limits))
    off = estimate - loss
    reach = np.where(off > 0, estimate - least, most - estimate)
    beyond = at.copy()
    beyond[-1] = math.inf
    return at, beyond, off / reach
