"""Tolerance: the strength of a step from which so much is lost; of two systems, its ratio."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Unpack

import numpy as np

from perturb.errors import DataError, door
from perturb.robustness.grading.plan import LOSE, Answered, Grading, spelled_out
from perturb.robustness.linking.sources import Row
from perturb.robustness.measures.findings import ALL
from perturb.robustness.measures.judgement import A_TOLERATES, B_TOLERATES, SYSTEMS, UNDECIDED
from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.crossing import ratio_interval
from perturb.robustness.pairs.alignment import aligned, joined_by_id
from perturb.robustness.pairs.join import Pairs
from perturb.robustness.scoring.hints import control_hints, design_hints
from perturb.robustness.scoring.ladders import curves, steps_of
from perturb.robustness.scoring.score import grader, listed, paired
from perturb.robustness.scoring.tolerances import RATIO, TIMES, Tolerance, Tolerances
from perturb.robustness.scoring.verdict import verdict
from perturb.values.arrays import distinct
from perturb.values.fields import FINITE, TINY, checked_real


@door
@spelled_out(Answered)
def tolerance(
    rows: Iterable[Row],
    other: Iterable[Row] | None = None,
    *,
    lose: float = LOSE,
    **how: Unpack[Answered],
) -> Tolerances:
    """Return how much noise a system tolerates: the strength of each step that loses so much.

    Args:
        rows: scored rows with their records, the originals among them, at several strengths of a
            step, such as `perturb apply STEP --grid -p 0.01,0.02,0.05 --with-original` makes.
        other: those of another system, B, that was asked the same; rows that only one of them has
            are left out, which a hint says.
        lose: the loss, in the unit of the score, above 0.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        cluster: as for `score`.
        range: as for `score`.
        unanswered: as for `score`.
        against: as for `score`.
        embed: as for `score`.

    Returns:
        The tolerances, with `sentence`, `steps`, `to_dict()` and `to_pandas()`; of two systems
        that of A, of B, and how many times as much B tolerates as A.

    Raises:
        UsageError: `lose` is no loss.
        DataError: rows cannot be linked, joined or scored, or no condition has a strength.

    Source: the estimate is that of isotonic regression; the interval is what a curve that rises
    leaves open between the strengths that were asked.

    Examples:
        >>> import perturb
        >>> texts = [f"The quick brown fox number {at} jumps." for at in range(100)]
        >>> rows = [{"id": at, "text": text, "answer": "fox"} for at, text in enumerate(texts)]
        >>> p = (0.01, 0.02, 0.05, 0.1)
        >>> noisy = perturb.augment(rows, perturb.grid(["keyboard_typos"], p=p), with_original=True)
        >>> fox = lambda text: "fox" if "fox" in text else "dog"
        >>> found = tolerance(perturb.evaluation.evaluate(fox, noisy), lose=0.1)
        >>> found.steps[0].verdict, found.steps[0].unit
        ('loses', 'share of characters')
    """
    grading = Grading.of(**how)
    sources = [listed(each, grading) for each in (rows, other) if each is not None]
    graders = [grader(source, grading) for source in sources]
    sides = [paired(each, grading, by) for each, by in zip(sources, graders, strict=True)]
    return tolerances(sides, graders[0].metrics, lose)


def tolerances(
    sides: Sequence[Pairs],
    metrics: Mapping[str, Metric],
    lose: float,
    systems: Sequence[str] = SYSTEMS,
) -> Tolerances:
    """Return the tolerances of one system or of two from joined rows; see `tolerance`."""
    lose = checked_real("lose", lose, "a number above 0, a loss of score", TINY, FINITE)
    hints: list[str] = []
    if len(sides) == 2:
        sides, hints = _of_same_originals(sides[0], sides[1], systems)
    found = [_of_one(pairs, metrics, lose) for pairs in sides]
    results = list(found[0][0].values())
    if len(sides) == 2:
        (first, _), (second, _) = found
        results = [
            step
            for a, b in ((first[key], second[key]) for key in first if key in second)
            for step in (a._replace(system="A"), b._replace(system="B"), _ratio(a, b))
        ]
        if alone := sorted({name for _, name, *_ in first.keys() ^ second.keys()}):
            hints.append(f"Left out, since one system alone has it: {', '.join(alone)}.")
    hints += filter(None, (step.of(systems).gap() for step in results))
    hints += chain.from_iterable(told for _, told in found)
    of = [f" of {name}" for name in systems] if len(sides) == 2 else [""]
    for pairs, name in zip(sides, of, strict=True):
        hints += lost_hint(pairs, metrics, name)
    hints += [*design_hints(sides[0]), *joined_by_id(*sides)]
    return Tolerances(results, lose, tuple(dict.fromkeys(hints)), systems)


def _of_same_originals(
    first: Pairs, second: Pairs, systems: Sequence[str]
) -> tuple[list[Pairs], list[str]]:
    """Return the rows of originals that two systems share, at whatever strengths each was asked.

    Raises:
        DataError: they share no row, or rows of one id are of other originals.
    """
    aligned(dict(zip(systems, (first, second), strict=True)))  # which refuses others
    names = [pairs.columns.originals[pairs.original] for pairs in (first, second)]
    shared, hints, sides = np.intersect1d(names[0], names[1]), list[str](), []
    for name, pairs, each in zip(systems, (first, second), names, strict=True):
        sides.append(pairs.take(np.flatnonzero(np.isin(each, shared)).astype(np.int32)))
        if alone := pairs.place.size - sides[-1].place.size:
            hints.append(f"Left out: {alone:,} rows of originals that {name} alone has.")
    return sides, hints


def _of_one(
    pairs: Pairs, metrics: Mapping[str, Metric], lose: float
) -> tuple[dict[tuple[str, str, str, str], Tolerance], list[str]]:
    """Return the tolerances of one system by metric and step, and what to know beside them.

    Raises:
        DataError: no condition has a strength.
    """
    names, steps = pairs.named, steps_of(pairs)
    if not steps:
        raise DataError(
            "no condition has a strength of its own, so there is no curve: perturb with one step "
            "at several strengths, as in perturb apply keyboard_typos --grid -p 0.01,0.02,0.05,0.1"
        )
    through = {place for ladder in steps for _, place in ladder.rungs}
    present = distinct(pairs.condition).tolist()
    rest = [names[at].name for at in present if at not in through and not names[at].control]
    hints = [f"Left out, since they have no strength of their own: {', '.join(rest)}."] * bool(rest)
    result = verdict(pairs, metrics, margin=lose, scopes=[ALL])
    found = {
        (one.metric, one.step, one.unit, one.expect): one for one in curves(result, pairs, lose)
    }
    return found, [*hints, *control_hints(result, pairs)]


def _ratio(a: Tolerance, b: Tolerance) -> Tolerance:
    """Return the tolerance of B over that of A."""
    blank = Tolerance(a.step, TIMES, RATIO, a.metric, a.expect)
    if a.reason or b.reason:
        return blank._replace(reason=f"of A, {a.reason}" if a.reason else f"of B, {b.reason}")
    low, high = ratio_interval(*((one.low or 0.0, one.high) for one in (a, b)))
    ratio = b.strength / a.strength if a.strength and b.strength else None
    word = UNDECIDED
    # B's lies beyond its low limit, and A's at its high one at most.
    if low is not None and low >= 1:
        word = B_TOLERATES
    elif high is not None and high <= 1:
        word = A_TOLERATES
    return blank._replace(strength=ratio, low=low, high=high, verdict=word)
