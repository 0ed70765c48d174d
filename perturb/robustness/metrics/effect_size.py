"""Effect sizes: how much a score changed, on a scale with words for small and huge."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from perturb.robustness.metrics.checks import EPSILON, as_proportions, as_scores, is_constant

# The bands of Weave's scorer, so that both use the same word for an effect: Cohen's h of .5 and 1.2
# divided by pi, and Cohen's own .2 and .8 of d.
_H_MEDIUM, _H_HUGE = 0.1592, 0.3820
_D_MEDIUM, _D_HUGE = 0.2, 0.8


def cohens_h(original: ArrayLike, perturbed: ArrayLike) -> float:
    """Return Cohen's h between two proportions, signed and not normalised.

    `h = psi(mean perturbed) - psi(mean original)` with `psi(s) = 2 asin(sqrt(s))`. It is for
    binary outcomes: an equal difference counts for more near 0 and 1. Divide its magnitude by pi
    for the normalised h in [0, 1] that `RobustnessScorer` reports and `interpret_cohens_h` reads.

    Args:
        original: the scores on the original, or their mean; in [0, 1].
        perturbed: the scores on the perturbed, or their mean; in [0, 1].

    Returns:
        A number in [-pi, pi]; negative where the perturbed score is lower.

    Raises:
        ValueError: a score is missing, NaN or outside [0, 1].

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), section "Cohen's h".

    Examples:
        >>> round(abs(cohens_h(1.0, 0.8)) / math.pi, 3)
        0.295
        >>> round(abs(cohens_h([1, 1, 1, 1, 0], [1, 1, 1, 0, 0])) / math.pi, 3)
        0.141
    """
    return _psi(as_proportions(perturbed, "perturbed").mean()) - _psi(
        as_proportions(original, "original").mean()
    )


def _psi(proportion: float) -> float:
    return 2 * math.asin(math.sqrt(min(1.0, proportion)))


def cohens_d(original: ArrayLike, perturbed: ArrayLike, sd_floor: float = 0.0) -> float:
    """Return Cohen's d of paired scores, signed: positive is a drop.

    `d = mean(original - perturbed) / sd(original - perturbed)`, the sample standard deviation
    (ddof 1). It is for continuous scores. Scores that differ by a constant have sd 0: d is then
    0.0 if the constant is 0, else infinite, since a drop on every item is not no effect.

    Args:
        original: the score of the original, for all perturbed scores, or one for each.
        perturbed: at least two scores.
        sd_floor: where the standard deviation is below this, d is 0.0. Weave's scorer takes 0.01.

    Returns:
        A number in [-inf, inf].

    Raises:
        ValueError: fewer than two perturbed scores, unequal numbers of scores, NaN, or a negative
            `sd_floor`.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), section "Cohen's d".

    Examples:
        >>> round(cohens_d(1.0, [0.9, 0.8, 0.7]), 6)
        2.0
        >>> cohens_d(1.0, [0.9, 0.9])
        inf
    """
    before, after = as_scores(original, "original"), as_scores(perturbed, "perturbed")
    if after.size < 2:
        raise ValueError("perturbed holds 1 score: a standard deviation needs at least 2")
    if before.size not in (1, after.size):
        raise ValueError(
            f"original holds {before.size} scores and perturbed {after.size}: "
            "give one original score, or one for each perturbed score"
        )
    if not sd_floor >= 0:
        raise ValueError(f"sd_floor must be at least 0, got {sd_floor}")
    drop = before - after
    magnitude = float(max(np.abs(before).max(), np.abs(after).max()))
    mean = float(drop.mean())
    deviation = 0.0 if is_constant(drop, magnitude) else float(drop.std(ddof=1))
    if deviation < sd_floor:
        return 0.0
    if deviation == 0.0:
        return 0.0 if abs(mean) <= EPSILON * magnitude else math.copysign(math.inf, mean)
    return mean / deviation


def interpret_cohens_h(h: float) -> str:
    """Name a normalised Cohen's h: Small below 0.1592, Medium below 0.3820, else Huge.

    Args:
        h: |h| / pi, in [0, 1].

    Raises:
        ValueError: `h` is not in [0, 1].

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), the table of Cohen's h.

    Examples:
        >>> interpret_cohens_h(0.295)
        'Medium effect'
    """
    if not 0 <= h <= 1:
        raise ValueError(f"h must be normalised, |h| / pi in [0, 1], got {h}")
    return _name(h, _H_MEDIUM, _H_HUGE)


def interpret_cohens_d(d: float) -> str:
    """Name a Cohen's d by its magnitude: Small below 0.2, Medium below 0.8, else Huge.

    Raises:
        ValueError: `d` is NaN.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), the table of Cohen's d.

    Examples:
        >>> interpret_cohens_d(-1.5)
        'Huge effect'
    """
    if math.isnan(d):
        raise ValueError("d is NaN: it was computed from scores that are not numbers")
    return _name(abs(d), _D_MEDIUM, _D_HUGE)


def _name(size: float, medium: float, huge: float) -> str:
    return ("Small effect", "Medium effect", "Huge effect")[int(size >= medium) + int(size >= huge)]


def performance_drop_rate(original: ArrayLike, perturbed: ArrayLike) -> float:
    """Return the drop as a percentage of the original score.

    `PDR = (o - mean p) / o * 100`. It is asymmetric (0.8 to 0.4 is a drop of 50 %, 0.4 to 0.8 a
    rise of 100 %) and undefined at o = 0; use Cohen's h or d there.

    Args:
        original: the scores on the original, or their mean; the mean must be above 0.
        perturbed: the scores on the perturbed, or their mean.

    Returns:
        Percent; negative where the perturbed score is higher.

    Raises:
        ValueError: the mean original score is not above 0, or a score is missing or NaN.

    Source: "AI guardrails: Robustness scorers" (Weights & Biases), the formula of PDR.

    Examples:
        >>> performance_drop_rate(0.8, 0.4)
        50.0
    """
    before = float(as_scores(original, "original").mean())
    if before <= 0:
        raise ValueError(
            f"a drop rate needs an original score above 0, got {before:g}: use cohens_h or cohens_d"
        )
    return (before - float(as_scores(perturbed, "perturbed").mean())) / before * 100
