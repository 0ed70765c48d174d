"""How sure the ranks of systems are, by mean scores and by measures of their dispersion."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import as_scores
from perturb.robustness.metrics.dispersion import eps_gamma, variance
from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.values.arrays import Float64

MEASURES = "mean variance coefficient_of_variation index_of_dispersion gamma".split()
# Groups of originals that are left out in turn: gamma jumps where the mean moves past scores, which
# leaving out single originals of many doesn't show, and Student's t of few groups is wide.
_GROUPS = 40
_LEVEL = 0.95  # of all ranks by one measure
_LEAST_MEAN = 1e-9  # a measure relative to a smaller one is as good as infinite


def limits_of(
    systems: Sequence[str], decided: Iterable[tuple[str, str]]
) -> dict[str, tuple[int, int]]:
    """Return the least rank of each system and the largest.

    Args:
        systems: their names.
        decided: pairs, the better system first.

    Examples:
        >>> limits_of("ABC", [("A", "C")])
        {'A': (1, 2), 'B': (1, 3), 'C': (2, 3)}
    """
    pairs = list(decided)
    above, below = (Counter(pair[at] for pair in pairs) for at in (1, 0))
    return {name: (1 + above[name], len(systems) - below[name]) for name in systems}


class Sample(NamedTuple):
    """The scores of one system.

    Attributes:
        scores: one a row.
        units: for each its original, or whatever may be alike, also between systems.
        eps: the tolerated distance from the mean, for gamma.
    """

    scores: ArrayLike
    units: Sequence[str]
    eps: float


def dispersion_limits(
    samples: Mapping[str, Sample], ends: tuple[float, float]
) -> list[dict[str, tuple[int, int]]]:
    """Return intervals of the ranks of systems by each of `MEASURES`, the largest mean first.

    Two systems differ where the interval of the difference of their measures excludes 0. Those of
    all pairs hold together (Bonferroni), and with them all ranks by one measure. The variance of a
    difference is the jackknife's over groups of units, which systems may share; to it is added the
    squared change of each measure with one more score, at the worse end.

    Args:
        samples: by system.
        ends: between which a score may lie that was not seen.

    Raises:
        ValueError: scores are empty or hold NaN, or `eps` is not above 0.

    Source: Shao and Wu (1989), A general theory for jackknife variance estimation; Mogstad, Romano,
    Shaikh and Wilhelm (2024), Inference for ranks.
    """
    units = sorted({unit for sample in samples.values() for unit in sample.units})
    count = min(len(units), _GROUPS)
    group = {unit: at % count for at, unit in enumerate(units)}
    pairs, decided = [*combinations(samples, 2)], [list[tuple[str, str]]() for _ in MEASURES]
    if min(len({*sample.units}) for sample in samples.values()) < 2:
        pairs = []  # nothing shows how far one score varies
    parts = {name: _parts(sample, group, count, ends) for name, sample in samples.items() if pairs}
    for one, other in pairs:
        (here, without, doubt), (there, others, more) = parts[one], parts[other]
        apart = here - there
        spread = (count - 1) * np.var(without - others, axis=0) + doubt + more
        reach = student_t_quantile(1 - (1 - _LEVEL) / len(pairs) / 2, count - 1) * np.sqrt(spread)
        for at in np.flatnonzero(np.abs(apart) > reach).tolist():
            decided[at].append((one, other) if apart[at] < 0 else (other, one))
    return [limits_of([*samples], each) for each in decided]


def _parts(
    sample: Sample, group: Mapping[str, int], count: int, ends: tuple[float, float]
) -> tuple[Float64, Float64, Float64]:
    """Return the measures, those without each group, and the squared change by one more score."""
    scores, of = as_scores(sample.scores, "scores"), np.array([group[one] for one in sample.units])
    pools = [scores, *(np.append(scores, end) for end in ends)]
    pools += [scores[of != at] for at in range(count)]
    whole, *more = (_measured(pool, sample.eps) for pool in pools)
    return whole, np.array(more[2:]), np.square(np.array(more[:2]) - whole).max(axis=0)


def _measured(scores: Float64, eps: float) -> Float64:
    """Return the measures, each so that less is better."""
    mean, spread = float(scores.mean()), variance(scores)
    relative = np.array([math.sqrt(spread), spread]) / max(mean, _LEAST_MEAN)
    return np.array([-mean, spread, *relative, eps_gamma(scores, eps)])
