"""Differences that a judge saw, corrected by what a person says of some originals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from perturb.robustness.metrics.effect_size import cohens_h, interpret_cohens_h
from perturb.robustness.metrics.inference import minimum_detectable_drop
from perturb.robustness.metrics.prediction_powered import Corrected, prediction_powered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.scoring.comparison import Comparison
    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.verdict import Verdict
    from perturb.values.arrays import Float64, Int32, Rows

# With fewer graded originals nothing is known of how the judge errs.
LEAST_GRADED = 30
# The error of a judge in the example, where nothing is known of its errors.
_EXAMPLE = 0.1


def apart(pairs: Pairs, measures: int) -> Pairs:
    """Return pairs with a person's scores, which stand behind those of the measures, by themselves.

    Where there are none, these are the same pairs.
    """
    scores = pairs.columns.scores
    if scores.shape[1] == measures:
        return pairs
    columns = pairs.columns._replace(scores=scores[:, :measures], human=scores[:, measures])
    return replace(pairs, columns=columns, means=pairs.means[:, :measures])


def corrected(
    compared: Comparison, pairs: Pairs, rows: Rows, measure: int
) -> tuple[Comparison, str]:
    """Return a comparison as a person corrects it, and why that can't be; "" where it can.

    The means, the difference and their uncertainty are corrected; flips, the worst of k and
    consistency stay the judge's. Without a person, nothing is.

    Args:
        compared: the comparison of these rows, by the judge.
        pairs: joined rows.
        rows: those that are compared.
        measure: the column of the judge's scores.
    """
    pairs = pairs.take(rows)
    original, human = pairs.original, pairs.human
    if human is None:
        return compared, ""
    human[np.isnan(human).any(axis=1)] = math.nan
    judge = np.stack([pairs.clean[:, measure], pairs.perturbed[:, measure]], axis=1)
    by_judge, by_person = (one[:, 1] - one[:, 0] for one in (judge, human))
    if few := _too_few(by_person, original):
        return compared, few
    level, p_value = pairs.look.level, pairs.look.p_value
    change = prediction_powered(by_judge, by_person, original, level=level)
    clean, perturbed = (
        prediction_powered(judge[:, at], human[:, at], original, change.weight, level)
        for at in (0, 1)
    )
    uncertainty = compared.uncertainty._replace(
        perturbed_low=max(perturbed.low, 0.0),
        perturbed_high=min(perturbed.high, 1.0),
        low=max(change.low, -1.0),
        high=min(change.high, 1.0),
        bootstrap_low=None,
        bootstrap_high=None,
        minimum_detectable_drop=minimum_detectable_drop(change.standard_error, level),
        test="prediction-powered",
        p_value=p_value(change.p_value),
        graded=change.graded,
        weight=change.weight,
    )
    edited, quality = pairs.changed, compared.quality
    if edited.any() and not _too_few(by_person[edited], original[edited]):
        these = prediction_powered(by_judge[edited], by_person[edited], original[edited])
        quality = quality._replace(edited_difference=these.mean)
    effect = compared.effect
    if clean.mean > 0:
        effect = effect._replace(relative_change=100 * change.mean / clean.mean)
    if effect.cohens_h is not None:
        h = cohens_h(*([min(max(one.mean, 0.0), 1.0)] for one in (clean, perturbed))) / math.pi
        effect = effect._replace(cohens_h=h, cohens_h_words=interpret_cohens_h(min(abs(h), 1.0)))
    return compared._replace(
        clean_mean=clean.mean,
        perturbed_mean=perturbed.mean,
        difference=change.mean,
        uncertainty=uncertainty,
        effect=effect,
        quality=quality,
    ), ""


def _too_few(by_person: Float64, original: Int32) -> str:
    """Return that a person graded too few originals whole; "" of enough."""
    graded = np.unique(original).size - np.unique(original[np.isnan(by_person)]).size
    few = f"a person graded {graded} originals, and it takes {LEAST_GRADED} to correct the judge"
    return few if graded < LEAST_GRADED else ""


def corrected_changes(
    sides: Sequence[Pairs], rows: Rows, measure: int, level: float
) -> tuple[list[Corrected], str]:
    """Return what changes in A, in B, and in B beyond A, as a person corrects it; or why none does.

    Args:
        sides: joined rows of both systems, in one order; a person graded replies of both.
        rows: those that are compared.
        measure: the column of the judge's scores.
        level: the level of the intervals.
    """
    sides = [pairs.take(rows) for pairs in sides]
    original = sides[0].original
    judge = [(pairs.perturbed - pairs.clean)[:, measure] for pairs in sides]
    humans = [pairs.human for pairs in sides if pairs.human is not None]
    person = [human[:, 1] - human[:, 0] for human in humans]
    beyond = person[1] - person[0]
    if few := _too_few(beyond, original):
        return [], few.replace(" originals", " originals of both", 1)
    change = prediction_powered(judge[1] - judge[0], beyond, original, level=level)
    a, b = (
        prediction_powered(one, each + 0 * beyond, original, change.weight, level)
        for one, each in zip(judge, person, strict=True)  # of what is graded in both
    )
    return [a, b, change], ""


def agreement_hint(pairs: Pairs, of: str = "") -> Iterator[str]:
    """Yield how well the judge agrees with the person; nothing without one.

    Args:
        pairs: joined rows.
        of: the name of the system, where there are two.
    """
    human = pairs.human
    if human is None:
        return
    judge = pairs.clean[:, 0], pairs.perturbed[:, 0]
    _, first = np.unique(pairs.clean_place, return_index=True)
    clean, noisy = (judge[0][first], human[first, 0]), (judge[1], human[:, 1])
    both = np.concatenate([clean[0], noisy[0]]), np.concatenate([clean[1], noisy[1]])
    shares = []
    for right, word, name in ((1.0, "right", "sensitivity"), (0.0, "wrong", "specificity")):
        parts = [_agreement(one, person, right) for one, person in (both, clean, noisy)]
        shares.append(
            f"{word} {parts[0]} that are ({name}; originals {parts[1]}, perturbed {parts[2]})"
        )
    yield (
        f"A person graded {np.count_nonzero(~np.isnan(both[1])):,} replies{of}. The judge calls "
        f"{', and '.join(shares)}."
    )


def correction_hints(verdict: Verdict, pairs: Pairs) -> Iterator[str]:
    """Yield how well the judge agrees with the person, and what that changes."""
    yield from agreement_hint(pairs)
    weight = verdict.overall[0].comparison.uncertainty.weight
    if weight is not None:
        yield (
            "Means and differences are the person's, sharpened by the judge's over the other "
            f"originals (weight {weight:.2f}), with intervals that know of its errors; flips and "
            "consistency are the judge's alone. More originals means as many more graded ones."
        )


def _agreement(judge: Float64, human: Float64, right: float) -> str:
    """Return in how many replies the judge agrees that a person calls right, or wrong."""
    same = judge[human == right] == right
    return f"{same.mean():.0%} of {same.size:,}".replace("%", " %") if same.size else "none"


def error_hint(difference: float, systems: int = 1) -> str:
    """Return what an error of a judge would do of which nothing is known.

    Args:
        difference: over all conditions; of two systems, that of their differences.
        systems: how many the judge graded.
    """
    low, high = max(difference - _EXAMPLE, -systems), min(difference + _EXAMPLE, systems)
    reach = f"the difference could be anything from {low:+.3f} to {high:+.3f}"
    if systems > 2:
        reach = f"its difference could be off by {_EXAMPLE:g} either way, and its rank with it"
    return (
        f"The judge may err, which no interval knows of: were it wrong on {_EXAMPLE:.0%} of the "
        f"perturbed replies{' of one system' * (systems > 1)} alone, {reach}; were it wrong on "
        f"{_EXAMPLE:.0%} of all replies alike, {'it' if systems < 3 else 'every difference'} would "
        f"show {1 - 2 * _EXAMPLE:.0%} of what is there. With --human FIELD, and --draw 200 of "
        "perturb score, a person grades some."
    ).replace("%", " %")
