"""One comparison: some perturbed rows against the clean rows of their originals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.grading.reply_state import REFUSED, TRUNCATED, UNREAD
from perturb.robustness.metrics.checks import cluster_index
from perturb.robustness.metrics.distributions import normal_quantile, student_t_quantile
from perturb.robustness.metrics.effect_size import (
    cohens_d,
    cohens_h,
    interpret_cohens_d,
    interpret_cohens_h,
)
from perturb.robustness.metrics.exchange import exchange_test
from perturb.robustness.metrics.inference import (
    cluster_bootstrap,
    clustered_mean,
    minimum_detectable_drop,
    paired_difference,
    worst_of_k,
)
from perturb.robustness.metrics.score_intervals import (
    Interval,
    agresti_coull_interval,
    t_interval,
    tango_interval,
)
from perturb.robustness.metrics.sign_flip import fewest_flips, sign_flip_test
from perturb.robustness.scoring.columns import CHANGED, NO_ANSWER
from perturb.robustness.scoring.damage import KINDS, UNKNOWN, WRITES_DIGITS
from perturb.robustness.scoring.metric import Metric, crossings
from perturb.values.arrays import Float64, Int32, Rows

if TYPE_CHECKING:
    from perturb.robustness.scoring.join import Pairs


class Uncertainty(NamedTuple):
    """The uncertainty of the perturbed mean and the difference; 95 %, clustered by original.

    Where asking stopped at one of several looks, of all of these together; see `Look`.

    Of binary scores they are Agresti and Coull's and Tango's, with a design effect, else those of
    Student's t, or those of `prediction_powered` where a person graded so many originals too, with
    the weight of the judge. The bootstrap's, which covers too rarely where little varies, is None
    unless a seed asks for it.
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

    Replies that could not be read, were refusals or were cut off, in percent of the perturbed rows
    and of the clean ones. Of the rows without an edit, which show how much the system varies by
    itself, how many there are, why, and how many changed sides. Of the rows with edits, the mean of
    their differences (None where there is none), and in how many one touches a number, a negation
    or the label of an option of the original, or writes a digit into a word; and of how many that
    is not known, as the text is not in the row.
    """

    unread: float
    refused: float
    truncated: float
    clean_unread: float
    clean_refused: float
    clean_truncated: float
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
    def touching(self) -> tuple[int, int, int]:
        """The rows with an edit that touches each of `damage.KINDS`."""
        return self.touching_numbers, self.touching_negations, self.touching_options


class Comparison(NamedTuple):
    """The perturbed rows of one condition against the clean rows of their originals.

    A measure that does not exist for the data is None: intervals and p-values of one original,
    Cohen's h of scores other than 0 and 1 and d of these, the flips of scores that have no
    threshold, the relative change of a clean mean of 0, d of one row. `worst_of_k` is the mean
    over originals of the worst of its rows, `clean_worst_of_k` that of their clean rows, one for
    each seed the original was answered with. `consistency` is the percent of agreeing pairs among
    the answers to one original, its clean one included; `no_answer` the percent of perturbed rows
    without an answer. `score_range` is that of the values that scores can take, as far as these
    tell.
    """

    originals: int
    rows: int
    clean_mean: float
    perturbed_mean: float
    difference: float
    uncertainty: Uncertainty
    effect: Effect
    worst_of_k: float
    clean_worst_of_k: float
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
    pairs: Pairs, rows: Rows, measure: int, metric: Metric, seed: int | None = None
) -> Comparison:
    """Compare these rows of the pairs (at least one).

    Args:
        pairs: joined rows.
        rows: those to compare.
        measure: the column of the scores.
        metric: when its values are good.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    pairs = pairs.take(rows)
    original = pairs.original
    consistency = _consistency(original, *pairs.readings)
    baseline = pairs.baseline[:, measure]
    clean, perturbed = pairs.clean[:, measure], pairs.perturbed[:, measure]
    binary = is_binary(clean, perturbed)
    if math.isnan(metric.threshold) and binary:
        metric = metric._replace(threshold=0.5)
    count, sure = cluster_index(clean, original)[1], Uncertainty()
    if count > 1:
        sure = _uncertainty(pairs, original, baseline, perturbed, binary, count)
        if seed is not None:
            limits = cluster_bootstrap(
                perturbed - baseline, original, seed=seed, level=pairs.look.level
            )
            sure = sure._replace(bootstrap_low=limits[0], bootstrap_high=limits[1])
    worst = 1 if metric.higher_is_better else -1
    return Comparison(
        originals=count,
        rows=rows.size,
        clean_mean=float(baseline.mean()),
        perturbed_mean=float(perturbed.mean()),
        difference=float((perturbed - baseline).mean()),
        uncertainty=sure,
        effect=_effect(clean, baseline, perturbed, metric, binary),
        worst_of_k=worst * worst_of_k(worst * perturbed, original),
        clean_worst_of_k=worst * worst_of_k(worst * clean, original),
        consistency=consistency,
        no_answer=100 * float(np.mean(pairs.answer == NO_ANSWER)),
        score_range=value_range(clean, perturbed),
        quality=_quality(pairs, clean, perturbed, metric, perturbed - baseline),
    )


def _uncertainty(
    pairs: Pairs, original: Int32, baseline: Float64, perturbed: Float64, binary: bool, count: int
) -> Uncertainty:
    level = pairs.look.level
    if binary:
        mean = agresti_coull_interval(perturbed, original, level)
        difference = tango_interval(baseline, perturbed, original, level)
    else:
        size = value_range(baseline, perturbed)
        estimate = paired_difference(baseline, perturbed, original, level)
        mean = t_interval(clustered_mean(perturbed, original, level), size, level)
        difference = t_interval(estimate, 2 * size, level)
    detectable = _detectable(difference, binary, count, baseline.size, level)
    if within_one(baseline, perturbed):
        mean, difference = mean.within(0.0, 1.0), difference.within(-1.0, 1.0)
    test, p_value = "sign-flip", sign_flip_test(baseline, perturbed, original)
    if binary:
        test, p_value = _tested(pairs, baseline, perturbed, count, p_value)
    p_value = pairs.look.p_value(p_value)
    return Uncertainty(*mean, *difference, None, None, detectable, test, p_value)


def _tested(
    pairs: Pairs, baseline: Float64, perturbed: Float64, count: int, p_value: float
) -> tuple[str, float]:
    """Return the name of the test of scores of 0 and 1, and the larger of two p-values.

    Each is exact where perturbing does nothing, of a system that never varies or of one that does.
    """
    partner, asked = pairs.partner, pairs.asked
    if count == partner.size and (asked == 1).all():
        return "McNemar", p_value
    versions = np.bincount(partner)
    there, answers, means = versions > 0, np.zeros(versions.size), np.zeros(versions.size)
    # The first row of each, if they differ.
    answers[partner[::-1]], means[partner[::-1]] = asked[::-1], baseline[::-1]
    right = np.rint(means * answers)
    each = right, answers, np.bincount(partner, perturbed), versions
    exchange = exchange_test(*(one[there] for one in each))
    return "sign-flip and exchange", max(p_value, exchange)


def value_range(*scores: Float64) -> float:
    """Return the range of the values that scores can take.

    It is 1 where all of them lie in [0, 1], else that of the data.
    """
    if within_one(*scores):
        return 1.0
    return float(max(each.max() for each in scores) - min(each.min() for each in scores))


def within_one(*scores: Float64) -> bool:
    """Return true if all scores lie in [0, 1]."""
    return all(each.min() >= 0 and each.max() <= 1 for each in scores)


def _detectable(
    interval: Interval, binary: bool, count: int, rows: int, level: float
) -> float | None:
    """Return the smallest true drop that the test would find in 4 of 5 such data sets."""
    needed = fewest_flips(0.05, 0.8)
    if count < needed.flips:
        return None
    share = (1 + level) / 2
    quantile = normal_quantile(share) if binary else student_t_quantile(share, count - 1)
    error = (interval.high - interval.low) / (2 * quantile)
    drop = minimum_detectable_drop(error, level) if error > 0 else 0.0
    return max(drop, needed.expected / rows) if binary else drop or None


def _effect(
    clean: Float64, baseline: Float64, perturbed: Float64, metric: Metric, binary: bool
) -> Effect:
    change = h = d = h_words = d_words = None
    flips: tuple[int | None, int | None] = (None, None)
    if baseline.mean() > 0:
        change = 100 * float(perturbed.mean() / baseline.mean() - 1)
    if binary:
        h = cohens_h(baseline, perturbed) / math.pi
        h_words = interpret_cohens_h(min(abs(h), 1.0))
    elif clean.size > 1:
        d = -cohens_d(baseline, perturbed)
        d_words = interpret_cohens_d(d)
    if not math.isnan(metric.threshold):
        to_bad, to_good = crossings(clean, perturbed, metric)
        flips = int(to_bad.sum()), int(to_good.sum())
    return Effect(change, h, h_words, d, d_words, *flips)


def _quality(
    pairs: Pairs, clean: Float64, perturbed: Float64, metric: Metric, differences: Float64
) -> Quality:
    shares = [
        100 * float(np.mean(states == state))
        for states in (pairs.state, pairs.clean_state)
        for state in (UNREAD, REFUSED, TRUNCATED)
    ]
    reasons, damage = pairs.reason, pairs.damage
    unedited = reasons != CHANGED
    crossed = np.logical_or(*crossings(clean, perturbed, metric))
    counts = zip(pairs.columns.reasons, np.bincount(reasons).tolist(), strict=False)
    most_first = sorted((-count, reason) for reason, count in counts if reason and count)
    why = ", ".join(f"{reason} {-count:,}" for count, reason in most_first)
    noise = int(unedited.sum()), why, int((unedited & crossed).sum())
    edited = None if unedited.all() else float(differences[~unedited].mean())
    kinds = (*(1 << bit for bit in range(len(KINDS))), WRITES_DIGITS, UNKNOWN)
    touching = [int((damage & kind > 0).sum()) for kind in kinds]
    return Quality._make((*shares, *noise, edited, *touching))


def _consistency(original: Int32, answers: Int32, clean_answers: Int32) -> float:
    index, count = cluster_index(answers, original)
    clean = np.zeros(count, answers.dtype)
    clean[index[::-1]] = clean_answers[::-1]  # of the first row of each
    group, answer = np.append(index, np.arange(count)), np.append(answers, clean)
    del index
    pairs, known = _pairs(np.bincount(group)), answer != NO_ANSWER
    group *= int(answer.max()) + 1  # one number for an original and an answer
    group += answer
    return 100 * _pairs(np.unique(group[known], return_counts=True)[1]) / pairs


def _pairs(counts: Rows) -> float:
    return float((counts * (counts - 1) // 2).sum())
