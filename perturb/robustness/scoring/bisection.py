"""Bisection: which versions of an original need an answer, where edits are nested in strength."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.robustness.metrics.distributions import student_t_quantile
from perturb.robustness.scoring.columns import SAMPLED
from perturb.values.arrays import Bool, Float64, Intp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.ladders import Ladder
    from perturb.robustness.scoring.metric import Metric

# The share of originals that are asked at all strengths. They show how far bisection errs, and
# cost most of its calls: with fewer the interval is wider, with more little is saved.
SAMPLE = 0.2
# The number of added originals for which bisection errs by the whole range of scores: few that were
# drawn say little about those that were not. With fewer, intervals of the
# simulation in `benchmarks/tolerance_coverage.py` cover too rarely.
_ERRED_WHOLE = 1.0


class Bisected(NamedTuple):
    """The scores of chains, as bisection sees them; one row a chain, one column a strength.

    Attributes:
        values: those that are asked for, and in between the score of both neighbours; NaN where
            these are not known yet.
        asked: the strengths that bisection asks, as far as the scores tell.
        source: for each strength, the column whose answer is taken for it.
    """

    values: Float64
    asked: Bool
    source: Intp


def bisect(scores: Float64) -> Bisected:
    """Bisect the scores of chains, each a text under less and more of the same noise.

    The ends are asked; where two neighbours have one score, what lies between is taken to have it
    too, and elsewhere the middle is asked.

    Args:
        scores: of shape (chains, strengths), the original first; NaN for unknown ones.

    Examples:
        >>> found = bisect(np.array([[1.0, 1.0, 1.0, 0.0, 1.0, 0.0]]))
        >>> found.values.tolist(), found.asked.tolist()
        ([[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]], [[True, False, True, True, False, True]])
    """
    last = scores.shape[1] - 1
    asked = np.zeros(scores.shape, bool)
    asked[:, [0, last]] = True
    source = np.tile(np.arange(last + 1), (len(scores), 1))
    spans = [(0, last, np.ones(len(scores), bool))]
    while spans:
        start, end, within = spans.pop()
        if end - start < 2:
            continue
        known = within & ~np.isnan(scores[:, start] + scores[:, end])
        same = known & (scores[:, start] == scores[:, end])
        source[same, start + 1 : end] = start
        middle, turns = (start + end) // 2, known & ~same
        asked[:, middle] |= turns
        spans += [(start, middle, turns), (middle, end, turns)]
    return Bisected(np.take_along_axis(scores, source, 1), asked, source)


def correction(errors: Float64, share: float, size: float) -> tuple[Float64, Float64]:
    """Return how much bisection errs on average, and half the width of its 95 % interval.

    Args:
        errors: the errors of the originals that were drawn and asked at all strengths, along the
            last axis.
        share: of all originals, those that were drawn; of these nothing is left to guess.
        size: the range of the scores.

    Source: the difference estimator of survey sampling, as in Angelopoulos and others (2023),
    Prediction-powered inference.
    """
    count = errors.shape[-1]
    mean = np.asarray(errors.mean(axis=-1))
    squares = ((errors - mean[..., None]) ** 2).sum(axis=-1) + _ERRED_WHOLE * size**2
    reach = student_t_quantile(0.975, count - 1) * np.sqrt((1 - share) * squares) / count
    return mean, np.asarray(reach)


def bisected(pairs: Pairs, steps: Sequence[Ladder]) -> Pairs:
    """Return pairs with the scores that bisection finds, also where all strengths were asked.

    They are the same where no answer was found by bisection.

    Raises:
        DataError: an original lacks a strength.
    """
    if not pairs.bisected.any():
        return pairs
    original, version, condition = pairs.original, pairs.version, pairs.condition
    clean, perturbed = pairs.clean, pairs.perturbed
    for ladder in steps:
        columns = []
        for _, place in ladder.rungs:
            rows = np.flatnonzero(condition == place)
            columns.append(rows[np.lexsort((version[rows], original[rows]))])
        names = {(original[each].tobytes(), version[each].tobytes()) for each in columns}
        if len(names) > 1:
            raise DataError(
                f"some originals lack a strength of {ladder.name}; answers that bisection finds "
                "need all: keep all rows of perturb run --bisect"
            )
        chains = np.column_stack(columns)
        for measure in range(perturbed.shape[1]):
            known = np.hstack([clean[chains[:, :1], measure], perturbed[chains, measure]])
            perturbed[chains, measure] = bisect(known).values[:, 1:]
    scores = pairs.columns.scores.copy()
    scores[pairs.place] = perturbed
    return replace(pairs, columns=pairs.columns._replace(scores=scores))


def corrected(
    change: tuple[float, float, float],
    pairs: Pairs,
    seen: Pairs,
    rows: Intp,
    measure: int,
    metric: Metric,
) -> tuple[float, float, float]:
    """Correct a difference by originals that were asked at all strengths; the limits carry both.

    Args:
        change: as bisection finds it, with the limits of its interval.
        pairs: joined rows.
        seen: the same with the scores that bisection finds.
        rows: the rows of one condition.
        measure: the column of the scores.
        metric: their range.

    Raises:
        DataError: there are fewer than two such originals, or clusters of them.
    """
    drawn = rows[pairs.bisected[rows] == SAMPLED]
    names, index = np.unique(pairs.unit[drawn], return_inverse=True)
    if names.size < 2:
        raise DataError(
            "fewer than two originals were asked at all strengths, so nothing tells how much "
            "bisection errs: keep all rows of perturb run --bisect"
        )
    errors = (pairs.perturbed - seen.perturbed)[drawn, measure]
    # Of a cluster some originals were drawn, so that something is left to guess of each.
    alone = pairs.columns.cluster is None
    share = names.size / np.unique(pairs.original[rows]).size if alone else 0.0
    low, high = metric.ends(pairs.columns.scores[:, measure])
    errors = np.bincount(index, errors) * names.size / drawn.size
    mean, reach = correction(errors, share, high - low)
    estimate, low, high = change
    new = estimate + float(mean)
    return new, new - math.hypot(estimate - low, reach), new + math.hypot(high - estimate, reach)
