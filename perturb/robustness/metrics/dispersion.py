"""Dispersion: how consistent a system's scores are over test sets or samples; and rankings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import EPSILON, as_scores, is_constant
from perturb.values.arrays import Float64


def variance(scores: ArrayLike) -> float:
    """Return the population variance, `mean((x - mean x)**2)`.

    Args:
        scores: at least one score. A single score has variance 0.

    Returns:
        At least 0, in the square of the scores' unit; the `Var` column of Tables 1 to 6.

    Raises:
        ValueError: `scores` is empty or holds NaN.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Algorithm 2.

    Examples:
        >>> variance([20, 30, 40, 50, 60])
        200.0
    """
    return _variance(as_scores(scores, "scores"), 0)


def _variance(values: Float64, ddof: int) -> float:
    if ddof not in (0, 1):
        raise ValueError(f"ddof must be 0 (population) or 1 (sample), got {ddof}")
    if values.size <= ddof:
        raise ValueError("scores holds 1 score: a sample variance (ddof=1) needs at least 2")
    if is_constant(values, float(np.abs(values).max())):
        return 0.0
    return float(values.var(ddof=ddof))


def checked_mean(mean: float) -> float:
    """Return a mean that a dispersion can be relative to.

    Raises:
        ValueError: it is 0 or less.
    """
    if mean <= 0:
        raise ValueError(
            f"the mean score is {mean:g}: a dispersion relative to it needs a mean score above 0"
        )
    return mean


def coefficient_of_variation(scores: ArrayLike, ddof: int = 0) -> float:
    """Return the standard deviation as a share of the mean, `sd / mean`.

    This is the `COR` column of Tables 1, 3 and 5; Tables 2, 4 and 6 print
    `100 * index_of_dispersion(scores)` under the same heading.

    Args:
        scores: at least one score, with a mean above 0.
        ddof: 0 for the population's standard deviation, 1 for the sample's.

    Returns:
        At least 0, without unit; lower is more consistent.

    Raises:
        ValueError: `scores` is empty, holds NaN, has a mean of 0 or less, or is too short for
            `ddof`.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, section 2.2 and
    Tables 1, 3, 5.

    Examples:
        >>> coefficient_of_variation([20, 60])
        0.5
    """
    values = as_scores(scores, "scores")
    return math.sqrt(_variance(values, ddof)) / checked_mean(float(values.mean()))


def index_of_dispersion(scores: ArrayLike) -> float:
    """Return the population variance divided by the mean, `var / mean`.

    Algorithm 3 prints this formula under the name of coefficient of variation, and Tables 2, 4 and
    6 show it times 100.

    Args:
        scores: at least one score, with a mean above 0.

    Returns:
        At least 0, in the scores' unit; lower is more consistent.

    Raises:
        ValueError: `scores` is empty, holds NaN or has a mean of 0 or less.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Algorithm 3 and
    Tables 2, 4, 6.

    Examples:
        >>> index_of_dispersion([20, 60])
        10.0
    """
    values = as_scores(scores, "scores")
    return _variance(values, 0) / checked_mean(float(values.mean()))


def eps_gamma(scores: ArrayLike, eps: float, ddof: int = 0) -> float:
    """Return gamma, the share of Chebyshev's bound that the scores use up at `eps`.

    `gamma = (1 - Pr[|X - mean| < eps]) * eps**2 / var`. A score exactly `eps` from the mean, to
    within rounding, is outside. Scores without variance are perfectly consistent: gamma is 0.

    Args:
        scores: at least one score.
        eps: the tolerated distance from the mean, above 0, in the scores' unit.
        ddof: 0 for the population's variance, with which gamma lies in [0, 1]; 1 for the sample's,
            as Algorithm 4 prints it.

    Returns:
        At least 0; lower is more robust.

    Raises:
        ValueError: `scores` is empty, holds NaN or is too short for `ddof`; `eps` is not above 0.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, equation 1 and
    Algorithm 4.

    Examples:
        >>> [eps_gamma([20, 30, 40, 50, 60], eps) for eps in (5, 10, 20)]
        [0.1, 0.4, 0.8]
    """
    return eps_gamma_curve(scores, (eps,), ddof)[0][1]


def eps_gamma_curve(
    scores: ArrayLike, eps: Iterable[float] = range(1, 101), ddof: int = 0
) -> list[tuple[float, float]]:
    """Return the pairs (eps, gamma) to plot, for scores in percent by default.

    Args:
        scores: at least one score.
        eps: the distances from the mean to evaluate, each above 0, in the scores' unit.
        ddof: as for `eps_gamma`.

    Raises:
        ValueError: as for `eps_gamma`.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Algorithm 1.

    Examples:
        >>> eps_gamma_curve([20, 30, 40, 50, 60], eps=(5, 10, 20))
        [(5.0, 0.1), (10.0, 0.4), (20.0, 0.8)]
    """
    values = as_scores(scores, "scores")
    radii = as_scores(list(eps), "eps")
    if (radii <= 0).any():
        raise ValueError(f"eps must be above 0, got {radii.min():g}")
    spread = _variance(values, ddof)
    if spread == 0.0:
        return [(float(radius), 0.0) for radius in radii]
    distances = np.sort(np.abs(values - values.mean()))
    rounding = EPSILON * float(np.abs(values).max())
    inside = np.searchsorted(distances, radii - rounding)
    gammas = (values.size - inside) * radii**2 / (values.size * spread)
    return list(zip(radii.tolist(), gammas.tolist(), strict=True))


class RankedSystem(NamedTuple):
    """A system's place by (eps, gamma)-robustness."""

    system: str
    gamma: float
    rank: int


def rank_systems(scores_by_system: Mapping[str, ArrayLike], eps: float) -> list[RankedSystem]:
    """Rank systems by gamma, the most robust (lowest gamma) first.

    Systems of equal gamma share the better rank and keep their order.

    Args:
        scores_by_system: each system's scores.
        eps: the tolerated distance from each system's own mean, above 0.

    Raises:
        ValueError: there is no system, or `eps_gamma` refuses a system's scores (named).

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Table 7.

    Examples:
        >>> [(r.system, r.gamma) for r in rank_systems({"A": [10, 90], "B": [50, 51, 90]}, eps=30)]
        [('B', 0.0), ('A', 0.5625)]
    """
    if not scores_by_system:
        raise ValueError("scores_by_system is empty: give at least one system")
    gammas = {}
    for name, scores in scores_by_system.items():
        try:
            gammas[name] = eps_gamma(scores, eps)
        except ValueError as error:
            raise ValueError(f"system {name!r}: {error}") from None
    return ranked(gammas)


def ranked(gammas: Mapping[str, float]) -> list[RankedSystem]:
    """Rank systems by the gamma of each, as `rank_systems` does; equal to rounding is equal."""
    return [
        RankedSystem(name, gamma, 1 + sum(_is_below(other, gamma) for other in gammas.values()))
        for name, gamma in sorted(gammas.items(), key=lambda item: item[1])
    ]


def _is_below(one: float, other: float) -> bool:
    return one < other and not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


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
    places = [{name: rank for name, _, rank in ranked(each)} for each in (ours, theirs)]
    ranks = np.array([[place[system] for system in ours] for place in places])
    one, other = np.triu_indices(len(ours), 1)
    order = np.sign(ranks[:, one] - ranks[:, other])
    return float(np.mean(order[0] == order[1]))
