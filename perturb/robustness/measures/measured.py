"""The one loop over conditions: what each does to one system, or to two beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np

from perturb.robustness.grading.plan import AT_LEAST
from perturb.robustness.linking.conditions import ABSTAIN, REACTING
from perturb.robustness.measures.changes import changes_of, holds
from perturb.robustness.measures.comparison import compare_rows
from perturb.robustness.measures.findings import ALL, Contrast, Finding
from perturb.robustness.measures.human import corrected, corrected_changes
from perturb.robustness.measures.judgement import SYSTEMS, Evidence, judged
from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.reaction import NO_REACTION, Reaction, reaction_of
from perturb.robustness.metrics.looks import Look
from perturb.robustness.pairs.alignment import shared_by
from perturb.robustness.pairs.join import Group, Pairs
from perturb.values.arrays import Bool, distinct

One = TypeVar("One", Finding, Contrast)
# Measures one system or two in a condition among others.
Measured = Callable[[Sequence[Pairs], Group, Sequence[Group]], tuple[One, Evidence]]


def measured(
    of: Sequence[Sequence[Pairs]],
    groups: Sequence[Group],
    by: Measured[One],
    metric: tuple[str, Metric],
    margin: float,
    at_least: float = AT_LEAST,
) -> list[list[One]]:
    """Measure groups of rows that stand side by side, and judge them.

    Where the answers should change, how often they do is judged. P-values are adjusted for all
    groups of all systems.

    Args:
        of: the rows of each system by itself, or of two together; the same rows, in one order.
        groups: the conditions, each with its rows.
        by: `finding_of` or `contrast_of`, for one metric.
        metric: its name, and when scores are good.
        margin: differences within it are robust.
        at_least: the smallest reaction that counts.

    Returns:
        The findings or contrasts of each.
    """
    every = [[by(sides, group, groups) for group in groups] for sides in of]
    evidence = [item for each in every for _, item in each]
    look = widest_look(pairs for sides in of for pairs in sides)
    words = iter(judged(evidence, metric, margin, look, at_least))
    return [[each._replace(**next(words)._asdict()) for each, _ in some] for some in every]


def each_measure(
    sides: Sequence[Pairs],
    metrics: Mapping[str, Metric],
    included: Callable[[Pairs], Bool] | None = None,
) -> Iterator[tuple[int, tuple[str, Metric], list[Pairs], list[Group], Group]]:
    """Yield each measure with its rows.

    Args:
        sides: the same rows of each system, in one order.
        metrics: one for each column of the scores, in order.
        included: returns which rows of the first are taken; None for all.

    Yields:
        The column, the metric with its name, the rows that it knows of each system, the
        conditions with their rows, and all that are judged.
    """
    for measure, metric in enumerate(metrics.items()):
        some = shared_by(sides, measure)
        rows = None if included is None else np.flatnonzero(included(some[0])).astype(np.int32)
        groups, whole = some[0].groups(rows, beside=some[1:])
        yield measure, metric, some, groups, whole


def widest_look(sides: Iterable[Pairs]) -> Look:
    """Return the look at which the intervals of all sides hold."""
    return max((pairs.look for pairs in sides), key=lambda look: look.level)


def finding_of(
    sides: Sequence[Pairs],
    group: Group,
    groups: Sequence[Group],
    *,
    measure: int,
    metric: tuple[str, Metric],
    scope: str = ALL,
    seed: int | None = None,
) -> tuple[Finding, Evidence]:
    """Compare the rows of a condition with their clean rows.

    Args:
        sides: the rows of one system.
        group: the condition, and its rows.
        groups: all of them, among which are controls.
        measure: the column of the scores.
        metric: its name, and when scores are good.
        scope: which of the rows of a condition these are.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    (pairs,), (condition, rows) = sides, group
    comparison = compare_rows(pairs, rows, measure, metric[1], seed)
    comparison, uncorrected = corrected(comparison, pairs, rows, measure)
    sure, reactions = comparison.uncertainty, list[Reaction]()
    if condition.expect in REACTING and not condition.control:
        reactions = [reaction_of(pairs, group, groups)[0]]
    finding = Finding(
        perturbator=condition.perturbator,
        p=condition.p,
        scope=scope,
        comparison=comparison,
        p_adjusted=None,
        verdict="",
        severity=condition.severity,
        metric=metric[0],
        expect=condition.expect,
        reaction=reactions[0] if reactions else NO_REACTION,
    )
    return finding, Evidence(
        *(comparison.difference, sure.low, sure.high, sure.p_value),
        *([comparison], condition.control, pairs.take(rows).unjudged() or uncorrected),
        reactions,
        *(sure.least, sure.most),
        size=comparison.score_range,
        known=metric[1].is_known(pairs.columns.scores[:, measure]),
        abstains=condition.expect == ABSTAIN,
    )


def contrast_of(
    sides: Sequence[Pairs],
    group: Group,
    groups: Sequence[Group],
    *,
    measure: int,
    metric: tuple[str, Metric],
    systems: tuple[str, str] = SYSTEMS,
) -> tuple[Contrast, Evidence]:
    """Compare what a condition does to two systems.

    Args:
        sides: the same rows of both, in one order.
        group: as for `finding_of`.
        groups: as for `finding_of`.
        measure: as for `finding_of`.
        metric: as for `finding_of`.
        systems: their names.
    """
    condition, rows = group
    compared = [compare_rows(side, rows, measure, metric[1], limits=False) for side in sides]
    found, look = changes_of(sides, group, groups, measure, metric[1]), widest_look(sides)
    reactions, there = found.reactions, rows if found.reactions else rows[found.known]
    (change_a, change_b, difference), sure = found.measured(look)
    unjudged = "" if reactions else sides[0].take(rows).unjudged()
    if sides[0].columns.human is not None and not (reactions or condition.control):
        # What a person says of the changes takes the place of what the judge does.
        by_person, few = corrected_changes(sides, rows, measure, look.level)
        unjudged = unjudged or few
        if not few:
            change_a, change_b, difference = (each.mean for each in by_person)
            low, high = max(by_person[2].low, -2.0), min(by_person[2].high, 2.0)
            sure = low, high, look.p_value(by_person[2].p_value), None, None
    some = [pairs.take(there) for pairs in sides]
    held = [None if reactions else int(kept.sum()) for kept in holds(some, measure, metric[1])]
    contrast = Contrast(
        condition=condition.name,
        a=systems[0],
        b=systems[1],
        perturbator=condition.perturbator,
        p=condition.p,
        severity=condition.severity,
        rows=there.size,
        changed=int(some[0].changed.sum()),
        originals=distinct(some[0].original).size,
        units=distinct(found.unit[found.known]).size,
        change_a=change_a,
        change_b=change_b,
        difference=difference,
        low=sure[0],
        high=sure[1],
        p_value=sure[2],
        p_adjusted=None,
        verdict="",
        a_holds=held[0],
        b_holds=held[1],
        metric=metric[0],
        expect=condition.expect,
        control=reactions[0].control if reactions else "",
    )
    return contrast, Evidence(
        *(difference, sure[0], sure[1], sure[2]),
        *(compared, condition.control, unjudged, reactions),
        *(sure[3], sure[4], found.ends[1], found.ranged),
        systems=systems,
        abstains=condition.expect == ABSTAIN,
    )
