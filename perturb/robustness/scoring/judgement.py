"""The word for a comparison: robust, worse, better, undecided, or that it cannot be judged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.scoring.reply_state import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.comparison import Comparison
    from perturb.robustness.scoring.metric import Metric

ROBUST, WORSE, BETTER = "robust", "worse", "better"
UNDECIDED, CANNOT_JUDGE = "undecided", "cannot judge"
WORDS = (WORSE, CANNOT_JUDGE, UNDECIDED, BETTER, ROBUST)

FALSE_DISCOVERIES = 0.05
# So much of the replies may be lost, in percent; and so much of the originals must be right.
_MOST_LOST = 5.0
_LEAST_CLEAN = 0.05
_POWER = 2.8  # standard errors, found in 4 of 5 such data sets


class Judgement(NamedTuple):
    """The word for a comparison.

    Attributes:
        p_adjusted: the p-value adjusted for how many comparisons there are (Benjamini and
            Hochberg); None where there is none.
        verdict: `robust` where the interval lies within the margin; else `worse` or `better` where
            `p_adjusted` is below 0.05 and the interval excludes 0; else `undecided`; or
            `cannot judge`.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
    """

    p_adjusted: float | None
    verdict: str
    reason: str
    more_originals: int | None


def judged(comparisons: Sequence[Comparison], metric: Metric, margin: float) -> list[Judgement]:
    """Judge comparisons that stand side by side."""
    p_values = [comparison.uncertainty.p_value for comparison in comparisons]
    known = [p_value for p_value in p_values if p_value is not None]
    adjusted = iter(benjamini_hochberg(known).tolist() if known else [])
    return [
        _judged(comparison, None if p_value is None else next(adjusted), metric, margin)
        for comparison, p_value in zip(comparisons, p_values, strict=True)
    ]


def _judged(
    comparison: Comparison, p_adjusted: float | None, metric: Metric, margin: float
) -> Judgement:
    reason = obstacle(comparison, metric)
    low, high = comparison.uncertainty.low, comparison.uncertainty.high
    if reason or p_adjusted is None or low is None or high is None:
        return Judgement(p_adjusted, CANNOT_JUDGE, reason or "there is one original", None)
    if -margin <= low and high <= margin:
        return Judgement(p_adjusted, ROBUST, "", None)
    if p_adjusted < FALSE_DISCOVERIES and (low > 0 or high < 0):
        word = BETTER if (comparison.difference > 0) == metric.higher_is_better else WORSE
        return Judgement(p_adjusted, word, "", None)
    more = more_originals(comparison.difference, (high - low) / 2, comparison.originals, margin)
    return Judgement(p_adjusted, UNDECIDED, "", more)


def obstacle(comparison: Comparison, metric: Metric) -> str:
    """Return why rows can't be judged, whatever their scores say; "" where they can."""
    quality = comparison.quality
    for kind, shares in (("clean", quality[3:6]), ("perturbed", quality[:3])):
        largest = max(shares)
        if largest > _MOST_LOST:
            name = NAMES[1 + shares.index(largest)]
            return f"{largest:.{largest < 10:d}f} % of the {kind} replies are {name}"
    counted = comparison.effect.cohens_h is not None and metric.higher_is_better
    if counted and comparison.clean_mean < _LEAST_CLEAN:
        return (
            f"the originals score {comparison.clean_mean:.3f}: there is nothing left to lose"
            if comparison.clean_mean
            else "no original is answered rightly: there is nothing to lose"
        )
    return ""


def more_originals(difference: float, reach: float, originals: int, margin: float) -> int | None:
    """Return about how many more originals would decide.

    Args:
        difference: as it is now.
        reach: half the width of its interval.
        originals: how many there are.
        margin: differences within it are robust.
    """
    size, ways = abs(difference), []
    if size < margin:
        ways.append(reach / (margin - size))
    if size > 0:
        ways.append(reach / 1.96 * _POWER / size)
    if not ways:
        return None
    more = originals * (min(ways) ** 2 - 1)
    if more < 1:
        return 1
    step = int(10 ** max(0, math.floor(math.log10(more)) - 1))
    return math.ceil(more / step) * step
