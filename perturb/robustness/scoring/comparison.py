"""One comparison: some perturbed rows against the clean rows of their originals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.rng import UInt64, key64, mix64
from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
    performance_drop_rate,
)
from perturb.robustness.metrics.inference import (
    cluster_bootstrap,
    clustered_mean,
    mcnemar_exact,
    minimum_detectable_drop,
    paired_difference,
    worst_of_k,
)
from perturb.robustness.scoring.columns import NO_ANSWER

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from perturb.robustness.metrics.checks import Floats
    from perturb.robustness.scoring.join import Index, Pairs


class Uncertainty(NamedTuple):
    """The uncertainty of the perturbed mean and the difference; 95 %, clustered by original."""

    perturbed_low: float | None = None
    perturbed_high: float | None = None
    low: float | None = None
    high: float | None = None
    bootstrap_low: float | None = None
    bootstrap_high: float | None = None
    minimum_detectable_drop: float | None = None
    test: str | None = None
    p_value: float | None = None


class Effect(NamedTuple):
    """The size of the difference; h has the sign of the difference, d that of the drop."""

    drop_rate: float | None
    cohens_h: float | None
    cohens_h_words: str | None
    cohens_d: float | None
    cohens_d_words: str | None
    flips_to_bad: int | None
    flips_to_good: int | None


class Comparison(NamedTuple):
    """The perturbed rows of one condition against the clean rows of their originals.

    A measure that does not exist for the data is None: intervals and p-values of one original,
    Cohen's h outside [0, 1], flips of scores other than 0 and 1, the drop rate of a clean mean of
    0, d of one row, the detectable drop where no difference varies.
    """

    originals: int
    rows: int
    clean_mean: float
    perturbed_mean: float
    difference: float
    uncertainty: Uncertainty
    effect: Effect
    worst_of_k: float
    consistency: float
    no_answer: float


def compare(pairs: Pairs, rows: Index, seed: int) -> Comparison:
    """Compare these rows of the pairs (at least one), by their first measure.

    `worst_of_k` is the mean over originals of the worst of its rows. `consistency` is the percent
    of agreeing pairs among the answers to one original, its clean one included; `no_answer` the
    percent of perturbed rows without an answer.
    """
    original, clean, perturbed = _scores(pairs, rows)
    several = original.min() < original.max()
    return Comparison(
        originals=np.unique(original).size,
        rows=rows.size,
        clean_mean=float(clean.mean()),
        perturbed_mean=float(perturbed.mean()),
        difference=float((perturbed - clean).mean()),
        uncertainty=_uncertainty(pairs, rows, seed) if several else Uncertainty(),
        effect=_effect(clean, perturbed),
        worst_of_k=worst_of_k(perturbed, original),
        consistency=_consistency(original, pairs.answer[rows], pairs.clean_answer[rows]),
        no_answer=100 * float(np.mean(pairs.answer[rows] == NO_ANSWER)),
    )


def _scores(pairs: Pairs, rows: Index) -> tuple[Index, Floats, Floats]:
    return pairs.original[rows], pairs.clean[rows, 0], pairs.perturbed[rows, 0]


def _uncertainty(pairs: Pairs, rows: Index, seed: int) -> Uncertainty:
    original, clean, perturbed = _scores(pairs, rows)
    score = clustered_mean(perturbed, original)
    estimate = paired_difference(clean, perturbed, original)
    bootstrap = cluster_bootstrap(perturbed - clean, original, seed=seed)
    error = estimate.standard_error
    test, p_value = "clustered t", estimate.p_value
    if _is_binary(clean) and _is_binary(perturbed):
        one = _one_each(original, pairs.key[rows], seed)
        to_bad, to_good = _flips(clean[one], perturbed[one])
        test, p_value = "McNemar", mcnemar_exact(to_bad, to_good)
    return Uncertainty(
        perturbed_low=score.low,
        perturbed_high=score.high,
        low=estimate.low,
        high=estimate.high,
        bootstrap_low=bootstrap[0],
        bootstrap_high=bootstrap[1],
        minimum_detectable_drop=minimum_detectable_drop(error) if error > 0 else None,
        test=test,
        p_value=p_value,
    )


def _one_each(original: Index, keys: UInt64, seed: int) -> Index:
    """Draw one row of each original: McNemar's pairs must be independent."""
    ranks = mix64(keys, key64("one row each", seed))
    order = np.lexsort((ranks, original))
    return order[np.flatnonzero(np.diff(original[order], prepend=-1))]


def _is_binary(scores: Floats) -> bool:
    return bool(((scores == 0) | (scores == 1)).all())


def _flips(clean: Floats, perturbed: Floats) -> tuple[int, int]:
    return int((clean > perturbed).sum()), int((clean < perturbed).sum())


def _effect(clean: Floats, perturbed: Floats) -> Effect:
    proportions = min(clean.min(), perturbed.min()) >= 0 and max(clean.max(), perturbed.max()) <= 1
    h = cohens_h(clean, perturbed) if proportions else None
    d = cohens_d(clean, perturbed) if clean.size > 1 else None
    binary = _is_binary(clean) and _is_binary(perturbed)
    return Effect(
        performance_drop_rate(clean, perturbed) if clean.mean() > 0 else None,
        h,
        None if h is None else interpret_cohens_h(abs(h) / math.pi),
        d,
        None if d is None else interpret_cohens_d(d),
        *(_flips(clean, perturbed) if binary else (None, None)),
    )


def _consistency(original: Index, answers: UInt64, clean_answers: UInt64) -> float:
    names, first, index = np.unique(original, return_index=True, return_inverse=True)
    group = np.concatenate([index, np.arange(names.size)])
    answer = np.concatenate([answers, clean_answers[first]])
    pairs = _pairs(np.bincount(group))
    given = answer != NO_ANSWER
    group, answer = group[given], answer[given]
    order = np.lexsort((answer, group))
    new = np.diff(group[order], prepend=-1) > 0
    new[1:] |= answer[order][1:] != answer[order][:-1]
    return 100 * _pairs(np.bincount(np.cumsum(new))) / pairs


def _pairs(counts: NDArray[np.intp]) -> float:
    return float((counts * (counts - 1) // 2).sum())
