"""How many more originals would decide."""

from __future__ import annotations

import math

from perturb.robustness.metrics.bounded import NEVER_SEEN

# So many standard errors from 0, 1.96 + .84, an effect is found in 4 of 5 such datasets.
_POWER = 2.8


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
