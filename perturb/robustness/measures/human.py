"""The grades of a person: the rows to grade, and how they correct what a judge sees."""

from __future__ import annotations

import math
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from perturb.errors import DataError
from perturb.rng import key64
from perturb.robustness.grading.grade import Grade, Graded, answer_of
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import Row, RowSource, all_rows
from perturb.robustness.metrics.effect_size import cohens_h, interpret_cohens_h
from perturb.robustness.metrics.inference import minimum_detectable_drop
from perturb.robustness.metrics.prediction_powered import Corrected, prediction_powered
from perturb.values.arrays import Float64, Int32, Rows, distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perturb.robustness.measures.comparison import Comparison
    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.pairs.join import Pairs

# A reply to an original, with the answer that is right, is graded once; each row, where scores are
# read and no reply.
Reply = tuple[str, str, str]
# The field of a drawn row with the place of its original in the draw, from 1.
DRAWN = "drawn"
_WORDS = {"right": 1.0, "wrong": 0.0, "correct": 1.0, "incorrect": 0.0, "yes": 1.0, "no": 0.0}
_WORDS |= {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}
# Fewer graded originals say too little about the judge's errors: a share of .1 among 30 has a
# standard error of .055, and Student's t with the two added clusters covers from there on in the
# simulation in `benchmarks/verdicts.py`.
LEAST_GRADED = 30
# The error of a judge in the example. No estimate: one in ten shows how a small share matters.
_EXAMPLE = 0.1


def _reply(row: Row, prediction: str | None, target: str | None) -> Reply:
    origin = link(row)
    said = origin.condition, origin.instance, origin.sample
    if prediction is not None:
        said = answer_of(row, prediction, "prediction")
    right = "" if target is None else answer_of(row, target, "target")
    return origin.original_id, str(said), str(right)


def draw_of(sources: Iterable[RowSource]) -> dict[str, int]:
    """Return the place in the draw of each original that was drawn to be graded."""
    return {
        link(row).original_id: row[DRAWN]
        for row in all_rows(sources)
        if type(row.get(DRAWN)) is int
    }


def human_grades(
    sources: Iterable[RowSource], field: str, prediction: str | None, target: str | None
) -> dict[Reply, float]:
    """Return what a person says of replies: 1 for right, 0 for wrong.

    Args:
        sources: rows; some are graded in the field: true or false, 1 or 0, or a word such
            as right or wrong. Null, the empty string and no field at all are no grade.
        field: that of the grade.
        prediction: the field of the reply; None where rows hold scores and perhaps no reply.
        target: the field of the right answer; None for none.

    Raises:
        DataError: a grade is none of these, or a reply is graded in two ways; the row is named.
    """
    grades: dict[Reply, float] = {}
    for source in sources:
        for number, row in source.rows:
            value = row.get(field)
            if value is None or value == "":
                continue
            with source.naming(number):
                grade = _WORDS.get(str(value).strip().lower(), math.nan)
                if math.isnan(grade):
                    raise DataError(f"{field} must be right or wrong; got {value!r:.60}")
                if grades.setdefault(_reply(row, prediction, target), grade) != grade:
                    raise DataError(f"{field} is {value!r} here, but the same reply to the same "
                                    "original is graded otherwise before")  # fmt: skip
    return grades


def with_human(
    grade: Grade, grades: dict[Reply, float], prediction: str | None, target: str | None
) -> Grade:
    """Return a way to grade that gives a person's score behind that of another; NaN for none."""

    def both(rows: Sequence[Row]) -> Iterator[Graded]:
        for row, (scores, answer) in zip(rows, grade(rows), strict=True):
            human = grades.get(_reply(row, prediction, target), math.nan)
            yield (*scores, human), answer

    return both


def rows_to_grade(
    sources: Sequence[RowSource],
    field: str,
    prediction: str | None,
    target: str | None,
    *,
    count: int,
    seed: int,
    grades: dict[Reply, float],
) -> list[Row]:
    """Return the rows of originals drawn at random, each different reply to an original once.

    Args:
        sources: the answered rows, with their originals.
        field: for the grade; first in each row. Last is the place in the draw.
        prediction: as for `human_grades`.
        target: as for `human_grades`.
        count: the number of originals, all of whose versions are drawn; of a larger count those of
            a smaller one are the first, so that a file graded from its beginning is a random draw
            too. More, where those that follow are graded already.
        seed: any integer.
        grades: those that are known are filled in, and no original that has one is left out. No
            reply at all is wrong.
    """
    originals = {link(row).original_id for row in all_rows(sources)}
    order = sorted(originals, key=lambda name: (key64("graded", seed, name), name))
    graded = {name for name, _, _ in grades}
    # Those that follow and are graded are of a larger draw before.
    drawn = [*order[:count], *takewhile(graded.__contains__, order[count:])]
    before = sorted(graded - {*drawn})
    replies: dict[str, dict[Reply, Row]] = {name: {} for name in (*drawn, *before)}
    places = {name: place for place, name in enumerate(drawn, 1)}
    for source in sources:
        for number, row in source.rows:
            with source.naming(number):
                reply = _reply(row, prediction, target)
            if reply[0] in replies:
                silent = prediction is not None and row[prediction] is None
                known = grades.get(reply, 0.0 if silent else None)
                word = known if known is None else "right" if known else "wrong"
                told = {field: word, DRAWN: places.get(reply[0])}
                replies[reply[0]].setdefault(reply, {field: None, **row} | told)
    return [row for each in replies.values() for row in each.values()]


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
    pairs = pairs.take(np.flatnonzero(pairs.there))
    original, human, sure = pairs.unit, pairs.human, compared.uncertainty
    if human is None:
        return compared, ""
    if reason := pairs.columns.selection.reason:
        return compared, reason
    # What lost replies may change, beside what the person says of those that came.
    least = 0.0 if sure.least is None else min(sure.least - compared.difference, 0.0)
    most = 0.0 if sure.most is None else max(sure.most - compared.difference, 0.0)
    level, p_value = pairs.look.level, pairs.look.p_value
    judge, person = (
        (pairs.baseline[:, measure], pairs.perturbed[:, measure]),
        (human[:, 0], human[:, 1]),
    )
    found, few = _both_corrected(judge, person, original, level)
    if few:
        return compared, few
    clean, perturbed, change = found
    by_judge, by_person = (one[1] - one[0] for one in (judge, person))
    uncertainty = sure._replace(
        perturbed_low=max(perturbed.low, 0.0),
        perturbed_high=min(perturbed.high, 1.0),
        low=max(change.low + least, -1.0),
        high=min(change.high + most, 1.0),
        bootstrap_low=None,
        bootstrap_high=None,
        minimum_detectable_drop=minimum_detectable_drop(change.standard_error, level),
        test="prediction-powered",
        p_value=p_value(change.p_value),
        graded=change.graded,
        weight=change.weight,
        least=None if sure.least is None else change.mean + least,
        most=None if sure.most is None else change.mean + most,
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
        score_range=1.0,
        uncertainty=uncertainty,
        effect=effect,
        quality=quality,
    ), ""


def _too_few(by_person: Float64, original: Int32) -> str:
    """Return that a person graded too few originals whole; "" of enough."""
    graded = distinct(original).size - distinct(original[np.isnan(by_person)]).size
    few = f"a person graded {graded} originals, and it takes {LEAST_GRADED} to correct the judge"
    return few if graded < LEAST_GRADED else ""


def _both_corrected(
    judge: Sequence[Float64], person: Sequence[Float64], original: Int32, level: float
) -> tuple[list[Corrected], str]:
    """Return two means and the second less the first, as a person corrects them; or why none does.

    Args:
        judge: the judge's values of both.
        person: the person's; NaN for none.
        original: the original of each value.
        level: the level of the intervals.
    """
    beyond = person[1] - person[0]
    if few := _too_few(beyond, original):
        return [], few
    change = prediction_powered(judge[1] - judge[0], beyond, original, level=level)
    first, second = (
        prediction_powered(one, each + 0 * beyond, original, change.weight, level)
        for one, each in zip(judge, person, strict=True)  # of the originals that are graded in both
    )
    return [first, second, change], ""


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
    for pairs in sides:
        if reason := pairs.columns.selection.reason:
            return [], reason
    sides = [pairs.take(rows) for pairs in sides]
    known = np.flatnonzero(np.all([pairs.there for pairs in sides], axis=0))
    sides = [pairs.take(known) for pairs in sides]
    original = sides[0].unit
    judge = [(pairs.perturbed - pairs.baseline)[:, measure] for pairs in sides]
    humans = [pairs.human for pairs in sides if pairs.human is not None]
    person = [human[:, 1] - human[:, 0] for human in humans]
    found, few = _both_corrected(judge, person, original, level)
    return found, few.replace(" originals", " originals of both", 1)


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
    clean, noisy = (judge[0][first], human[first, 2]), (judge[1], human[:, 1])
    both = np.concatenate([clean[0], noisy[0]]), np.concatenate([clean[1], noisy[1]])
    count = np.count_nonzero(~np.isnan(both[1]))
    graded = f"A person's grades cover {count:,} rows{of}; equal replies to an original share one."
    note = f" {pairs.columns.selection.note}".rstrip()
    if not np.isin(both[0], (0, 1)).all():
        sides = ((word, both[0][both[1] == right]) for right, word in ((1, "right"), (0, "wrong")))
        words = (f"{some.mean():.3f} where {word}" for word, some in sides if some.size)
        yield f"{graded} Their mean score is {' and '.join(words)}.{note}"
        return
    shares = []
    for right, word, name in ((1.0, "right", "sensitivity"), (0.0, "wrong", "specificity")):
        parts = [_agreement(one, person, right) for one, person in (both, clean, noisy)]
        shares.append(
            f"{word} {parts[0]} that are ({name}; originals {parts[1]}, perturbed {parts[2]})"
        )
    yield f"{graded} The judge calls {', and '.join(shares)}.{note}"


def correction_hints(overall: Finding, pairs: Pairs) -> Iterator[str]:
    """Yield how well the judge agrees with the person, and what that changes."""
    yield from agreement_hint(pairs)
    weight = overall.comparison.uncertainty.weight
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
    """Return the effect that an unknown error of a judge would have.

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
        f"show {1 - 2 * _EXAMPLE:.0%} of the true one. With --human FIELD, and --draw 200 of "
        "perturb score, a person grades some."
    ).replace("%", " %")
