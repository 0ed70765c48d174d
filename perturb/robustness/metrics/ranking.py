"""Compare orders of systems, and choose a distance by the spread of scores."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING

from perturb.robustness.metrics.dispersion import coefficient_of_variation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike


def relative_eps(scores: ArrayLike, eps_prime: float) -> float:
    """Return the distance `eps = eps' * sd / mean` that ties gamma to the coefficient of variation.

    Args:
        scores: at least one score, with a mean above 0.
        eps_prime: above 0.

    Raises:
        ValueError: `eps_prime` is not above 0, or the scores have no coefficient of variation.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, section 2.4.

    Examples:
        >>> relative_eps([20, 60], eps_prime=40)
        20.0
    """
    if not 0 < eps_prime < math.inf:
        raise ValueError(f"eps_prime must be above 0, got {eps_prime}")
    return eps_prime * coefficient_of_variation(scores)


def pairwise_agreement(ours: Mapping[str, float], theirs: Mapping[str, float]) -> float:
    """Return the share of pairs of systems that two rankings put in the same order.

    A pair that is tied in one ranking agrees only where it is tied in the other.

    Args:
        ours: the rank, or any score, of each system.
        theirs: the same for another ranking, as of human judges; lower means the same in both.

    Returns:
        Between 0 and 1.

    Raises:
        ValueError: the two rank different systems, or fewer than two.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Table 8.

    Examples:
        >>> human = {"A": 4, "B": 1, "C": 3, "D": 2}
        >>> bleu = {"A": 4, "B": 2, "C": 3, "D": 1}
        >>> round(pairwise_agreement(bleu, human), 4)
        0.8333
    """
    if ours.keys() != theirs.keys():
        raise ValueError(f"the rankings are of different systems: {[*ours]} and {[*theirs]}")
    if len(ours) < 2:
        raise ValueError(f"a ranking of {len(ours)} systems has no pairs: give at least 2")
    pairs = list(combinations(ours, 2))
    alike = [
        _sign(ours[one] - ours[other]) == _sign(theirs[one] - theirs[other]) for one, other in pairs
    ]
    return sum(alike) / len(pairs)


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)
