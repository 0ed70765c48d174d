"""Why a verdict can't be given, in words; and how many more originals would decide one."""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING

from perturb.robustness.grading.reply_state import NAMES
from perturb.robustness.measures.metric import AGREEMENT, Metric, to_original
from perturb.robustness.metrics.bounded import NEVER_SEEN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.measures.comparison import Comparison

# If fewer of the originals are right, there is hardly anything to lose, and every system is robust:
# to lose all of one in 20 is little more than the usual margin of .02. Chosen by hand.
_LEAST_CLEAN = 0.05
# So many standard errors from 0, 1.96 + .84, an effect is found in 4 of 5 such datasets.
_POWER = 2.8


def too_few(margin: float, *comparisons: Comparison, systems: Sequence[str] = ()) -> str:
    """Return why too few rows were changed to judge by; "" where enough were.

    With so few, all of them could turn and the mean would stay within the margin.

    Args:
        margin: differences within it are robust.
        comparisons: the comparisons of the same rows, for each system.
        systems: the names of two.
    """
    first = comparisons[0]
    why = f" ({first.quality.unedited_why})" if first.quality.unedited_why else ""
    if not first.changed:
        return f"no row was changed{why}"
    reach = first.changed * first.score_range / first.rows
    if first.changed == first.rows or not 0 < reach <= margin:
        return ""
    names = [""] if len(comparisons) == 1 else [f" of {one}" for one in systems]
    means = [
        f"{comparison.quality.edited_difference:+.3f}{name}"
        for comparison, name in zip(comparisons, names, strict=True)
    ]
    return (
        f"only {first.changed:,} of {first.rows:,} rows were changed{why}, "
        f"these by {' and '.join(means)}"
    )


def lost(comparison: Comparison, least: float = 0.0) -> tuple[str, int, float] | None:
    """Return which replies are lost most: "clean" or "perturbed", the state, the percent.

    Args:
        comparison: of the rows.
        least: so many in percent, or more, else None.
    """
    quality = comparison.quality
    kinds = [
        (kind, state, share)
        for kind, shares in (("clean", quality[5:10]), ("perturbed", quality[:5]))
        for state, share in enumerate(shares, 1)
        if share > least
    ]
    return max(kinds, key=itemgetter(2), default=None)


def lost_replies(comparison: Comparison) -> str:
    """Return which replies are lost most, in words; "" of none."""
    if (largest := lost(comparison)) is None:
        return ""
    kind, state, percent = largest
    return f"{percent:.{percent < 10:d}f} % of the {kind} replies are {NAMES[state]}"


def open_of_one(
    comparison: Comparison, difference: float, least: float, most: float, rising: bool
) -> str:
    """Return that it hangs on what lost replies would have said, in words."""
    wrong, right = (least, most) if rising else (most, least)
    alone = comparison.effect.flips_to_bad == 0 and wrong != difference
    rest = ", and none of the rest breaks" if alone else ""
    return (
        f"{lost_replies(comparison)}: the difference is {wrong:+.3f} if all that are lost are "
        f"wrong, {right:+.3f} if they are right and {difference:+.3f} without them{rest}"
    )


def open_between(
    systems: Sequence[str],
    comparisons: Sequence[Comparison],
    difference: float,
    least: float,
    most: float,
) -> str:
    """Return the same of two systems: wrong answers of one help the other."""
    both = zip(systems, map(lost_replies, comparisons), strict=True)
    losses = " and ".join(f"of {system}, {words}" for system, words in both if words)
    return (
        f"{losses}: the difference is from {least:+.3f} to {most:+.3f}, whatever those that are "
        f"lost are, and {difference:+.3f} without them"
    )


def nothing_to_lose(comparison: Comparison, name: str, metric: Metric, known: bool) -> str:
    """Return that no pair is known, or that there was nothing to lose; "" where neither is so.

    Args:
        comparison: of the rows.
        name: that of the metric.
        metric: its direction and range.
        known: whether all scores lie between 0 and 1, where no range is stated.
    """
    if comparison.quality.lost and comparison.uncertainty.low is None and comparison.originals > 1:
        return lost_replies(comparison)
    if to_original(name)[0] == AGREEMENT and comparison.clean_mean < _LEAST_CLEAN:
        return "the system does not agree with itself about the originals"
    # Of a negated error rate 0 is the best score, and not the least.
    least = metric.range[0] if metric.range else 0 if known else None
    counted = comparison.effect.cohens_h is not None and metric.higher_is_better
    if counted and least == 0 and comparison.clean_mean < _LEAST_CLEAN:
        return (
            f"the originals score {comparison.clean_mean:.3f}: there is nothing left to lose"
            if comparison.clean_mean
            else "no original is answered correctly: there is nothing to lose"
        )
    return ""


def more_originals(
    ends: tuple[float, float],
    limits: tuple[float, float],
    counts: tuple[int, int],
    margin: float,
    size: float = 1.0,
) -> int | None:
    """Return about how many more originals would decide.

    Of half an interval a part falls as the root of their number, and the allowance for those that
    were not seen, `3 size / n` where nothing moves, as the number itself.

    Args:
        ends: the difference as it is now, twice, or with all lost replies at either end: no number
            of originals brings these closer.
        limits: of its interval.
        counts: how many originals there are, and of how many clusters.
        margin: differences within it are robust.
        size: the range of the scores.
    """
    (least, most), (originals, units), unseen = ends, counts, NEVER_SEEN * size
    reach = (limits[1] - most + least - limits[0]) / 2
    nearest, farthest = max(least, -most, 0.0), max(-least, most)
    varied = units * max(reach**2 - (unseen / units) ** 2, 0.0)
    targets = margin - farthest, nearest * 1.96 / _POWER
    needed = [
        (varied + math.sqrt(varied**2 + (2 * unseen * target) ** 2)) / (2 * target**2)
        for target in targets
        if target > 0
    ]
    if not needed:
        return None
    more = max(originals * (min(needed) / units - 1), 1.0)
    # Rounded up to two digits.
    step = int(10 ** max(0, math.floor(math.log10(more)) - 1))
    return math.ceil(more / step) * step
