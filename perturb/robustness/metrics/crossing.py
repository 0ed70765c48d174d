"""The strength at which a curve of losses reaches a loss: its point, and its interval.

Between two strengths that were asked, a rising curve is only known to lie between its values there:
whether it is straight, bends or jumps, nobody has seen. So an interval ends at
strengths that were asked, at 0, or nowhere; the point alone takes the curve to be straight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.values.arrays import Float64

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import ArrayLike


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
    """Return two strengths between which the loss is reached, for good.

    Returns:
        The last strength at which surely less is lost, 0 if there is none; and the first beyond it
        at which surely so much or more is, None if there is none.

    Examples:
        >>> curve = curve_of([0.1, 0.2, 0.4], [0.01, 0.06, 0.2], [0.0, 0.03, 0.1], [0.03, 0.1, 0.3])
        >>> crossing_interval(curve, 0.05)
        (0.1, 0.4)
    """
    strengths, _, low, high = curve
    below = int(np.flatnonzero(high < loss)[-1]) if (high < loss).any() else 0
    above = below + np.flatnonzero(low[below:] >= loss)
    return float(strengths[below]), float(strengths[above[0]]) if above.size else None


def asked_next(
    strengths: Sequence[float], asked: Collection[float], low: float, high: float | None
) -> set[float]:
    """Return the strengths to ask next, so that the interval narrows; none if it can't.

    The low limit rises if the loss is surely less at a strength between it and the next that was
    asked, and the high limit falls likewise; of both gaps it is the middle that is asked.

    Args:
        strengths: those that can be asked, ascending.
        asked: those that were.
        low: the low limit of the interval.
        high: its high limit.

    Examples:
        >>> asked_next([0.1, 0.2, 0.3, 0.4, 0.5], [0.3, 0.5], 0.0, 0.5)
        {0.2, 0.4}
    """
    known = [0.0, *sorted(asked)]
    gaps = [(low, at) for at in known if at > low][:1]
    gaps += [(at, high) for at in known if high is not None and at < high][-1:]
    between = [[each for each in strengths if first < each < last] for first, last in gaps]
    return {gap[len(gap) // 2] for gap in between if gap}


def ratio_interval(
    a: tuple[float, float | None], b: tuple[float, float | None]
) -> tuple[float | None, float | None]:
    """Return the limits of a strength of B over one of A, from the intervals of both.

    A difference of two estimates varies at most as much as both together, however they depend on
    each other, so that the limits of both, set against each other, hold it as often as each.

    Returns:
        The low limit and the high one, None for none.
    """
    low = None if a[1] is None or not b[0] else b[0] / a[1]
    return low, None if b[1] is None or not a[0] else b[1] / a[0]
