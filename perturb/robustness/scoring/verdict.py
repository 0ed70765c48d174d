"""The verdict: the effect of each way of perturbing on the scores, and its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.errors import UsageError
from perturb.robustness.grading.plan import AT_LEAST, LOSE, MARGIN, OUT
from perturb.robustness.grading.reply_state import MISSING
from perturb.robustness.linking.conditions import ABSTAIN, REACTING, WHOLE
from perturb.robustness.linking.damage import DAMAGED, UNKNOWN
from perturb.robustness.measures.comparison import compare_rows
from perturb.robustness.measures.findings import ALL, CHANGED, UNDAMAGED, Finding
from perturb.robustness.measures.human import corrected
from perturb.robustness.measures.judgement import CANNOT_JUDGE, Evidence, with_judgements
from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.reaction import NO_REACTION, Reaction, reaction_of
from perturb.robustness.scoring.tolerances import Tolerance
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.results import Results
from perturb.robustness.tables.tables import verdict_table
from perturb.values.arrays import Bool, NDArray
from perturb.values.fields import FINITE, checked_real, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from perturb.robustness.metrics.looks import Look
    from perturb.robustness.pairs.join import Group, Pairs


@dataclass(frozen=True)
class Verdict(Results[Finding]):
    """The findings by perturbator and strength, and those over all conditions together.

    Attributes:
        conditions: on all rows, then on the changed and on the undamaged ones.
        overall: the same over all conditions that are judged and in which a row was changed,
            without controls; over all, if there is none.
        metrics: by name, when the values of each are good.
        margin: differences within it are robust.
        hints: what to do next, each in one sentence.
        at_least: the smallest reaction that counts, where the answers should change or abstain.
        tolerances: the strength of each step with a curve at which `lose` is lost.
        lose: the loss that they are about.
        asked: how many rows an original has on average, with its own.
    """

    conditions: list[Finding]
    overall: list[Finding]
    metrics: dict[str, Metric]
    margin: float = MARGIN
    hints: tuple[str, ...] = ()
    at_least: float = AT_LEAST
    tolerances: Sequence[Tolerance] = ()
    lose: float = LOSE
    asked: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        steps = [step.to_dict() for step in self.tolerances]
        more = {"at_least": self.at_least, "lose": self.lose, "tolerances": steps}
        return {**super().to_dict(), **more}

    def _table(self, wide: bool = False) -> Table:
        return verdict_table(self, self.sentence, wide)


def verdict(
    pairs: Pairs,
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
    at_least: float = AT_LEAST,
    seed: int | None = None,
) -> Verdict:
    """Compare each condition's rows, and all rows together, with their clean rows.

    Args:
        pairs: joined rows.
        metrics: one for each column of the scores, in order.
        margin: differences within it are robust.
        at_least: the smallest reaction that counts, where the answers should change or abstain.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    margin, at_least = checked_margin(margin, pairs), plain(at_least)
    conditions: list[Finding] = []
    overall: list[Finding] = []
    scopes: dict[str, Callable[[Pairs], Bool]] = {
        ALL: lambda some: np.ones(some.place.size, bool),
        CHANGED: lambda some: some.changed,
    }
    if (pairs.damage & DAMAGED).any():
        scopes[UNDAMAGED] = lambda some: some.damage & (DAMAGED | UNKNOWN) == 0
    for scope, included in scopes.items():
        for measure, metric in enumerate(metrics.items()):
            some = pairs.by(measure).kept
            groups, whole = some.groups(np.flatnonzero(included(some)).astype(np.int32))
            by = [some], measure, metric, margin
            conditions += findings(*by, groups, scope=scope, at_least=at_least, seed=seed)[0]
            if whole[1].size:
                overall += findings(*by, [whole], scope=scope, seed=seed)[0]
    asked = (pairs.columns.condition.size - pairs.repeats) / pairs.columns.originals.size
    return Verdict(conditions, overall, dict(metrics), margin, at_least=at_least, asked=asked)


def finding_over_all(pairs: Pairs, metrics: Mapping[str, Metric], *, margin: float) -> Finding:
    """Return the first finding over all conditions of a `verdict`, and no other."""
    margin, pairs = checked_margin(margin, pairs), pairs.by(0).kept
    _, every = pairs.groups()
    return findings([pairs], 0, next(iter(metrics.items())), margin, [every])[0][0]


def checked_margin(given: float, *sides: Pairs) -> float:
    """Return a margin that is less than scores can differ by."""
    margin = checked_real("margin", given, "a number of at least 0", 0, FINITE)
    scores = (each for pairs in sides for each in (pairs.clean, pairs.perturbed))
    of_rows = all(pairs.columns.corpus is None for pairs in sides)
    if margin > 1 and of_rows and not any((np.abs(each) > 1).any() for each in scores):
        raise UsageError(
            f"all scores lie between 0 and 1, so none can fall by {margin:g}; 5 points are 0.05"
        )
    return margin


def findings(
    sides: Sequence[Pairs],
    measure: int,
    metric: tuple[str, Metric],
    margin: float,
    groups: Sequence[Group],
    *,
    scope: str = ALL,
    at_least: float = AT_LEAST,
    seed: int | None = None,
) -> list[list[Finding]]:
    """Compare groups of rows that stand side by side with their clean rows, and judge them.

    Where the answers should change, how often they do is judged. P-values are adjusted for all
    groups of all systems.

    Args:
        sides: the same rows of each system, in one order.
        measure: the column of the scores.
        metric: its name, and when scores are good.
        margin: as for `verdict`.
        groups: the conditions, each with its rows.
        scope: which of the rows of a condition these are.
        at_least: as for `verdict`.
        seed: as for `verdict`.

    Returns:
        The findings of each system.
    """
    found = []
    for pairs, (condition, rows) in product(sides, groups):
        comparison = compare_rows(pairs, rows, measure, metric[1], seed)
        comparison, uncorrected = corrected(comparison, pairs, rows, measure)
        sure, reactions = comparison.uncertainty, list[Reaction]()
        if condition.expect in REACTING and not condition.control:
            reactions = [reaction_of(pairs, (condition, rows), groups)[0]]
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
        evidence = Evidence(
            *(comparison.difference, sure.low, sure.high, sure.p_value),
            *([comparison], condition.control, pairs.take(rows).unjudged() or uncorrected),
            reactions,
            *(sure.least, sure.most),
            size=comparison.score_range,
            known=metric[1].is_known(pairs.columns.scores[:, measure]),
            abstains=condition.expect == ABSTAIN,
        )
        found.append((finding, evidence))
    every = with_judgements(found, metric, margin, widest_look(sides), at_least)
    return [every[at * len(groups) :][: len(groups)] for at in range(len(sides))]


def widest_look(sides: Iterable[Pairs]) -> Look:
    """Return the look at which the intervals of all sides hold."""
    return max((pairs.look for pairs in sides), key=lambda look: look.level)


def noise(verdict: Verdict, metric: str) -> tuple[int, int]:
    """Return how many rows without an edit changed sides, and how many there are.

    Those of controls are among them, so that this tells how much a system varies by itself.
    """
    qualities = [finding.comparison.quality for finding in verdict.whole(metric)[0]]
    flips = sum(quality.unedited_flips for quality in qualities)
    return flips, sum(quality.unedited for quality in qualities)


def edited_flips(verdict: Verdict, metric: str) -> tuple[int, int]:
    """Return how many rows with an edit changed sides, over all conditions, and how many there are.

    Those whose right answer may be another one are not among them.
    """
    whole = verdict.whole(metric)[1].comparison
    flips = (whole.effect.flips_to_bad or 0) + (whole.effect.flips_to_good or 0)
    return flips - whole.quality.unedited_flips, whole.changed


def by_slice(
    pairs: Pairs,
    values: NDArray[Any],
    names: Mapping[str, int],
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
) -> list[Finding]:
    """Compare the rows of each value of a field with their clean rows, by the first metric.

    The p-values are adjusted for the number of values.

    Args:
        pairs: joined rows.
        values: for each of the pairs, the number of its value.
        names: the values to compare, each of them that of some pair, with their numbers.
        metrics: as for `verdict`.
        margin: as for `verdict`.

    Returns:
        One finding a name, which it has as its perturbator, in their order.
    """
    groups: list[Group] = []
    pairs = pairs.by(0)
    there = pairs.there if pairs.columns.unanswered == OUT else pairs.state != MISSING
    for name, number in names.items():
        every = np.flatnonzero(values == number)
        every = every[there[every]] if there[every].any() else every
        some = every[pairs.take(every).counted]  # where its noise changed a row of these
        groups.append((WHOLE._replace(perturbator=name), some if some.size else every))
    return findings([pairs], 0, next(iter(metrics.items())), margin, groups)[0]


def worst_slice(
    pairs: Pairs, values: NDArray[Any], names: Mapping[str, int], metrics: Mapping[str, Metric]
) -> Finding | None:
    """Return the value of a field with the largest loss that is sure, by the first metric.

    The intervals of all values hold together (Bonferroni), so that this one holds although the
    value was chosen for it.

    Args:
        pairs: as for `by_slice`.
        values: as for `by_slice`.
        names: as for `by_slice`.
        metrics: as for `verdict`.

    Returns:
        Its finding; None if fewer than two values can be judged.
    """
    look = pairs.look._replace(together=len(names))
    pairs = replace(pairs, columns=pairs.columns._replace(look=look))
    rising = next(iter(metrics.values())).higher_is_better
    losses = [
        (one.high if rising else -one.low, at, one)
        for at, one in enumerate(by_slice(pairs, values, names, metrics))
        if one.verdict != CANNOT_JUDGE and one.low is not None and one.high is not None
    ]
    return min(losses)[2] if len(losses) > 1 else None
