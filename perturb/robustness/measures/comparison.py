"""One comparison: some perturbed rows against the clean rows of their originals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.grading.reply_state import (
    MISSING,
    NO_REPLY,
    READ,
    REFUSED,
    TRUNCATED,
    UNREAD,
)
from perturb.robustness.linking.damage import KINDS, UNKNOWN, WRITES_DIGITS
from perturb.robustness.measures.metric import Metric, crossings
from perturb.robustness.measures.unanswered import scores
from perturb.robustness.metrics.bounded import EXPECTED
from perturb.robustness.metrics.checks import cluster_index
from perturb.robustness.metrics.distributions import normal_quantile
from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
)
from perturb.robustness.metrics.inference import (
    cluster_bootstrap,
    minimum_detectable_drop,
    worst_of_k,
)
from perturb.robustness.pairs.columns import CHANGED, NO_ANSWER
from perturb.values.arrays import Float64, Int32, Rows, distinct

if TYPE_CHECKING:
    from perturb.robustness.pairs.join import Pairs


# Originals whose answers are compared with each other at once.
_TOGETHER = 1 << 15


class Uncertainty(NamedTuple):
    """The uncertainty of the perturbed mean and the difference; 95 %, clustered by original.

    Where asking stopped at one of several looks, of all of these together; see `Look`.

    They are those of `bounded_interval`, or of `prediction_powered` where a person graded so many
    originals too, with the weight of the judge. Where replies are lost, the limits hold whatever
    they were; `least` and `most` are the differences with all of them for the worse, or for the
    better, and None if none is lost. The bootstrap's, which covers too rarely where little varies,
    is None unless a seed asks for it.
    """

    perturbed_low: float | None = None
    perturbed_high: float | None = None
    low: float | None = None
    high: float | None = None
    bootstrap_low: float | None = None
    bootstrap_high: float | None = None
    minimum_detectable_drop: float | None = None
    test: str | None = None
    p_value: float | None = None
    graded: int | None = None
    weight: float | None = None
    least: float | None = None
    most: float | None = None


# Where limits are not asked for, they exclude nothing.
_NOT_ASKED = Uncertainty(low=-math.inf, high=math.inf)


class Effect(NamedTuple):
    """The size of the difference; every measure has the sign of the difference.

    `relative_change` is in percent of the clean mean, `cohens_h` divided by pi, for binary scores;
    `cohens_d` for the others.
    """

    relative_change: float | None
    cohens_h: float | None
    cohens_h_words: str | None
    cohens_d: float | None
    cohens_d_words: str | None
    flips_to_bad: int | None
    flips_to_good: int | None


class Quality(NamedTuple):
    """The worth of the rows as evidence.

    Replies that could not be read, were refusals, were cut off or never came, and rows that are
    missing, in percent of the perturbed rows and of the clean ones; and how many pairs are lost by
    that. Of the rows without an edit, which show how much the system varies by itself, how many
    there are, why, and how many changed sides. Of the rows with edits, the mean of
    their differences (None for no such row), and in how many one touches a number, a negation
    or the label of an option of the original, or writes a digit into a word; and of how many that
    is not known, as the text is not in the row.
    """

    unread: float
    refused: float
    truncated: float
    no_reply: float
    missing: float
    clean_unread: float
    clean_refused: float
    clean_truncated: float
    clean_no_reply: float
    clean_missing: float
    lost: int
    unedited: int
    unedited_why: str
    unedited_flips: int
    edited_difference: float | None
    touching_numbers: int
    touching_negations: int
    touching_options: int
    writing_digits: int
    damage_unknown: int

    @property
    def all_lost(self) -> float:
        """The percent of the perturbed replies that are lost in any way."""
        return sum(self[:5])

    @property
    def touching(self) -> tuple[int, int, int]:
        """The rows with an edit that touches each of `damage.KINDS`."""
        return self.touching_numbers, self.touching_negations, self.touching_options


class Comparison(NamedTuple):
    """The perturbed rows of one condition against the clean rows of their originals.

    A measure that does not exist for the data is None: intervals and p-values of one original,
    Cohen's h of scores other than 0 and 1 and d of these, the flips of scores that have no
    threshold, the relative change of a clean mean of 0, d of one row. Of a measure of a corpus, the
    means and the difference are its own; it has no h, no d and no worst of k, and flips are of the
    scores of rows. `worst_of_k` is the mean over originals of the worst of its rows,
    `clean_worst_of_k` that of their clean rows, one for each seed the original was answered with.
    `consistency` is the percent of agreeing pairs among the answers to one original, its clean one
    included; `no_answer` the percent of perturbed rows without an answer. `score_range` is that of
    the values that scores can take, as far as these tell; of a corpus, times how much more than
    others an original may weigh. `units` counts the clusters, which are the originals if none are
    named. Pairs with a lost reply are in no other measure.
    """

    originals: int
    units: int
    rows: int
    clean_mean: float
    perturbed_mean: float
    difference: float
    uncertainty: Uncertainty
    effect: Effect
    worst_of_k: float | None
    clean_worst_of_k: float | None
    consistency: float
    no_answer: float
    score_range: float
    quality: Quality

    @property
    def changed(self) -> int:
        """How many of the rows have an edit."""
        return self.rows - self.quality.unedited


def is_binary(*scores: Float64) -> bool:
    """Return true if all scores are 0 or 1."""
    return all(bool(((each == 0) | (each == 1)).all()) for each in scores)


def compare_rows(
    pairs: Pairs,
    rows: Rows,
    measure: int,
    metric: Metric,
    seed: int | None = None,
    *,
    limits: bool = True,
) -> Comparison:
    """Compare these rows of the pairs (at least one).

    Args:
        pairs: joined rows.
        rows: those to compare.
        measure: the column of the scores.
        metric: when its values are good.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
        limits: whether to find intervals and p-values, where there are some.
    """
    every = pairs.take(rows)
    there = every.there
    pairs = every.take(np.flatnonzero(there)) if there.any() else every
    sure, units = Uncertainty(), distinct(pairs.unit).size
    if units > 1 and there.any():  # before the columns of all rows are taken, for memory
        sure = _uncertainty(every, measure, metric) if limits else _NOT_ASKED
    written = every.take(np.flatnonzero(every.state != MISSING))
    consistency = _consistency(written.original, *written.readings)
    clean, perturbed = pairs.clean[:, measure], pairs.perturbed[:, measure]
    baseline = pairs.baseline[:, measure] if (pairs.answers > 1).any() else clean
    # The values whose means are shown: of a corpus no scores of rows, but their shares in it; and
    # where no reply is there, as if all were wrong.
    noisy, before, reach, is_mean = perturbed, baseline, 1.0, pairs.columns.corpus is None
    if not (is_mean and there.any()):
        sides = scores(pairs, measure, metric)
        noisy, before = (side.least if metric.higher_is_better else side.most for side in sides)
        reach = sides[0].reach
    binary = is_binary(clean, perturbed if there.any() else noisy)
    if math.isnan(metric.threshold) and binary:
        metric = metric._replace(threshold=0.5)
    if seed is not None and sure.low is not None:
        low, high = cluster_bootstrap(noisy - before, pairs.unit, seed=seed, level=pairs.look.level)
        sure = sure._replace(bootstrap_low=low, bootstrap_high=high)
    ends, change = metric.ends(pairs.columns.scores[:, measure]), noisy - before
    quality, difference = _quality(every, pairs, clean, perturbed, metric, change), change.mean()
    del change  # before the clusters are counted, for memory
    original = pairs.original
    return Comparison(
        originals=distinct(original).size,
        units=units,
        rows=pairs.place.size,
        clean_mean=float(before.mean()),
        perturbed_mean=float(noisy.mean()),
        difference=float(difference),
        uncertainty=sure,
        effect=_effect(before, noisy, binary if is_mean else None, clean, perturbed, metric),
        worst_of_k=_worst_of_k(perturbed, original, metric) if is_mean else None,
        clean_worst_of_k=_worst_of_k(clean, original, metric) if is_mean else None,
        consistency=consistency,
        no_answer=100 * float(np.mean(written.answer == NO_ANSWER)),
        score_range=(ends[1] - ends[0]) * reach,
        quality=quality,
    )


def _worst_of_k(scores: Float64, original: Int32, metric: Metric) -> float:
    if metric.higher_is_better:
        return worst_of_k(scores, original)
    return -worst_of_k(-scores, original)


def _uncertainty(pairs: Pairs, measure: int, metric: Metric) -> Uncertainty:
    (noisy, clean), unit, look = scores(pairs, measure, metric), pairs.unit, pairs.look
    ends = metric.ends(pairs.columns.scores[:, measure])
    span = ends[1] - ends[0]
    mean = noisy.interval(unit, look.level, ends)
    change = noisy - clean
    del noisy, clean  # before the test, which takes the most memory
    low, high, p_value, least, most = change.sure(unit, look, (-span, span))
    error = (high - low) / 2 / normal_quantile((1 + look.level) / 2)
    fewest = EXPECTED * span * change.reach / distinct(unit).size
    drop = max(minimum_detectable_drop(error, look.level), fewest)
    sure = Uncertainty(*mean, low, high, minimum_detectable_drop=drop if drop <= span else None)
    return sure._replace(test="empirical likelihood", p_value=p_value, least=least, most=most)


def _effect(
    baseline: Float64,
    perturbed: Float64,
    binary: bool | None,
    clean: Float64,
    noisy: Float64,
    metric: Metric,
) -> Effect:
    """Return the size of the difference.

    Args:
        baseline: the values that others are compared with.
        perturbed: these.
        binary: whether they are 0 and 1; None if they are no scores of rows.
        clean: the scores of clean rows.
        noisy: those of perturbed ones.
        metric: on which side of its threshold they are.
    """
    change = h = d = h_words = d_words = None
    flips: tuple[int | None, int | None] = (None, None)
    if baseline.mean() > 0:
        change = 100 * float(perturbed.mean() / baseline.mean() - 1)
    if binary:
        h = cohens_h(baseline, perturbed) / math.pi
        h_words = interpret_cohens_h(min(abs(h), 1.0))
    elif binary is not None and baseline.size > 1:
        d = -cohens_d(baseline, perturbed)
        d_words = interpret_cohens_d(d)
    if not math.isnan(metric.threshold):
        to_bad, to_good = crossings(clean, noisy, metric)
        flips = int(to_bad.sum()), int(to_good.sum())
    return Effect(change, h, h_words, d, d_words, *flips)


def _quality(
    every: Pairs,
    pairs: Pairs,
    clean: Float64,
    perturbed: Float64,
    metric: Metric,
    differences: Float64,
) -> Quality:
    """Return the worth of all pairs, and of those whose replies are not lost."""
    shares = [
        100 * float(np.mean(states == state))
        for states in (every.state, every.clean_state)
        for state in (UNREAD, REFUSED, TRUNCATED, NO_REPLY, MISSING)
    ]
    reasons, damage = pairs.reason, pairs.damage
    unedited, answered = reasons != CHANGED, (pairs.state == READ) & (pairs.clean_state == READ)
    crossed = np.logical_or(*crossings(clean, perturbed, metric)) & answered
    counts = zip(pairs.columns.reasons, np.bincount(reasons).tolist(), strict=False)
    most_first = sorted((-count, reason) for reason, count in counts if reason and count)
    why = ", ".join(f"{reason} {-count:,}" for count, reason in most_first)
    noise = int(unedited.sum()), why, int((unedited & crossed).sum())
    edited = None if unedited.all() else float(differences[~unedited].mean())
    kinds = (*(1 << bit for bit in range(len(KINDS))), WRITES_DIGITS, UNKNOWN)
    touching = [int((damage & kind > 0).sum()) for kind in kinds]
    lost = int(np.count_nonzero(~every.there))
    return Quality._make((*shares, lost, *noise, edited, *touching))


def _consistency(original: Int32, answers: Int32, clean_answers: Int32) -> float:
    """Return the percent of agreeing pairs; some originals at a time, as they take much memory."""
    part = (original // _TOGETHER).astype(np.uint16)  # which are sorted in linear time
    some = np.split(part.argsort(kind="stable"), np.cumsum(np.bincount(part))[:-1])
    counts = [_agreeing(original[at], answers[at], clean_answers[at]) for at in some if at.size]
    return 100 * sum(agree for agree, _ in counts) / sum(pairs for _, pairs in counts)


def _agreeing(original: Int32, answers: Int32, clean_answers: Int32) -> tuple[float, float]:
    """Return how many pairs of answers to one original agree, and how many there are."""
    index, count = cluster_index(answers, original)
    clean = np.zeros(count, answers.dtype)
    clean[index[::-1]] = clean_answers[::-1]  # of the first row of each
    group, answer = np.append(index, np.arange(count)), np.append(answers, clean)
    pairs, known = _pairs(np.bincount(group)), answer != NO_ANSWER
    group *= int(answer.max()) + 1  # one number for an original and an answer
    group += answer
    return _pairs(np.unique(group[known], return_counts=True)[1]), pairs


def _pairs(counts: Rows) -> float:
    return float((counts * (counts - 1) // 2).sum())


def size_of(comparisons: Iterable[Comparison], rows: str = "rows") -> str:
    """Return of how many originals and rows the comparisons of systems are, in words.

    A lost reply leaves its row out of the means of its own system alone, so they may differ.
    """
    every = zip(*((each.originals, each.rows) for each in comparisons), strict=True)
    ends = (sorted({min(counts), max(counts)}) for counts in every)
    originals, spans = (" to ".join(f"{end:,}" for end in each) for each in ends)
    return f"{originals} originals, {spans} {rows} of each"
