"""The verdict: the effect of each way of perturbing on the scores, and its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.errors import UsageError
from perturb.robustness.grading.plan import AT_LEAST, LOSE, MARGIN, OUT
from perturb.robustness.grading.reply_state import MISSING
from perturb.robustness.linking.conditions import WHOLE
from perturb.robustness.linking.damage import DAMAGED, UNKNOWN
from perturb.robustness.measures.findings import ALL, CHANGED, UNDAMAGED, Finding
from perturb.robustness.measures.judgement import CANNOT_JUDGE
from perturb.robustness.measures.measured import each_measure, finding_of, measured
from perturb.robustness.measures.metric import Metric
from perturb.robustness.scoring.tolerances import Tolerance
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.results import Results
from perturb.robustness.tables.tables import verdict_table
from perturb.values.arrays import Bool, NDArray
from perturb.values.fields import FINITE, checked_real, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from perturb.robustness.pairs.join import Group, Pairs


# Which rows of a condition a finding is of; None for all.
_SCOPES: Mapping[str, Callable[[Pairs], Bool] | None] = {
    ALL: None,
    CHANGED: attrgetter("changed"),
    UNDAMAGED: lambda some: some.damage & (DAMAGED | UNKNOWN) == 0,
}


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
    scopes: Iterable[str] = _SCOPES,
) -> Verdict:
    """Compare each condition's rows, and all rows together, with their clean rows.

    Args:
        pairs: joined rows.
        metrics: one for each column of the scores, in order.
        margin: differences within it are robust.
        at_least: the smallest reaction that counts, where the answers should change or abstain.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
        scopes: those to judge; undamaged rows only where there are others.
    """
    margin, at_least = checked_margin(margin, pairs), plain(at_least)
    conditions: list[Finding] = []
    overall: list[Finding] = []
    for scope in scopes:
        if scope == UNDAMAGED and not (pairs.damage & DAMAGED).any():
            continue
        for at, metric, some, groups, whole in each_measure([pairs], metrics, _SCOPES[scope]):
            by = partial(finding_of, measure=at, metric=metric, scope=scope, seed=seed)
            conditions += measured([some], groups, by, metric, margin, at_least)[0]
            overall += measured([some], [whole] * bool(whole[1].size), by, metric, margin)[0]
    asked = (pairs.columns.condition.size - pairs.repeats) / pairs.columns.originals.size
    return Verdict(conditions, overall, dict(metrics), margin, at_least=at_least, asked=asked)


def finding_over_all(pairs: Pairs, metrics: Mapping[str, Metric], *, margin: float) -> Finding:
    """Return the first finding over all conditions of a `verdict`, and no other."""
    margin = checked_margin(margin, pairs)
    _, _, some, _, whole = next(each_measure([pairs], metrics))
    return _by_first(some[0], metrics, margin, [whole])[0]


def _by_first(
    pairs: Pairs, metrics: Mapping[str, Metric], margin: float, groups: Sequence[Group]
) -> list[Finding]:
    """Return the findings of groups of rows by the first metric."""
    metric = next(iter(metrics.items()))
    by = partial(finding_of, measure=0, metric=metric)
    return measured([[pairs]], groups, by, metric, margin)[0]


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
    return _by_first(pairs, metrics, margin, groups)


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
