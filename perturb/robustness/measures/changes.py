"""What perturbing changes in two systems beside each other, and the rows that one of them keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.linking.conditions import REACTING
from perturb.robustness.measures.metric import SCORE, Metric
from perturb.robustness.measures.reaction import Reaction, reaction_of
from perturb.robustness.measures.unanswered import Bounded, scores
from perturb.robustness.metrics.bounded import CHANGES
from perturb.values.arrays import Bool, Int32, distinct

if TYPE_CHECKING:
    from perturb.robustness.metrics.looks import Look
    from perturb.robustness.pairs.join import Group, Pairs


class Changes(NamedTuple):
    """What perturbing changes in two systems, row by row, or original by original of reactions.

    Attributes:
        a: the changes of scores in one, or its reactions.
        b: those in the other.
        unit: what each belongs to.
        ends: between which an original may change that was not seen.
        ranged: whether these ends are known, and not only what scores reach.
        reactions: the reactions of both; none where the right answer is kept.
    """

    a: Bounded
    b: Bounded
    unit: Int32
    ends: tuple[float, float]
    ranged: bool = True
    reactions: Sequence[Reaction] = ()

    @property
    def beyond(self) -> Bounded:
        """By how much those in B differ from those in A."""
        return self.b - self.a

    @property
    def known(self) -> Bool:
        """The values that are known of both systems; all, if none are."""
        both = self.a.known & self.b.known
        return both if both.any() else ~both

    def measured(self, look: Look) -> tuple[Sequence[float], tuple[float | None, ...]]:
        """Return the means of a, of b and of b - a; and the uncertainty of the last.

        That is its limits, the p-value, and where replies are lost its value with all of these for
        the worse or for the better; None if none are.
        """
        beyond, known = self.beyond, self.known
        means = [float(each.least[known].mean()) for each in (self.a, self.b, beyond)]
        if not beyond.known.any() or distinct(self.unit[known]).size < 2:
            return means, (None,) * 5
        return means, beyond.sure(self.unit, look, self.ends)


def changes_of(
    sides: Sequence[Pairs],
    group: Group,
    groups: Sequence[Group],
    measure: int,
    metric: Metric = SCORE,
) -> Changes:
    """Return the changes of two systems.

    Args:
        sides: the same rows of both, in one order.
        group: the condition, and its rows.
        groups: all of them, among which are controls.
        measure: the column of the scores.
        metric: their range.
    """
    condition, rows = group
    every = [pairs.columns.scores[:, measure] for pairs in sides]
    (low, high), known = metric.ends(*every), metric.is_known(*every)
    metric = metric._replace(range=(low, high))
    some = [pairs.take(rows) for pairs in sides]
    a, b = (noisy - clean for noisy, clean in (scores(each, measure, metric) for each in some))
    found = Changes(a, b, some[0].unit, (low - high, high - low), known)
    if condition.expect not in REACTING:
        return found
    reactions, parts = zip(*(reaction_of(pairs, group, groups) for pairs in sides), strict=True)
    found = found._replace(reactions=reactions)
    if not all(part.unit.size for part in parts):  # of the same originals in both
        return found
    return Changes(parts[0].each, parts[1].each, parts[0].unit, CHANGES, True, reactions)


def holds(sides: Sequence[Pairs], measure: int, metric: Metric) -> tuple[Bool, Bool]:
    """Return which rows A keeps right and B does not, and the reverse.

    Args:
        sides: the same rows of both, in one order.
        measure: the column of the scores.
        metric: when scores are good.
    """
    sign = 1 if metric.higher_is_better else -1
    # Who has the worst score of either has nothing to lose.
    worst = min(float((sign * pairs.columns.scores[:, measure]).min()) for pairs in sides)
    breaks, keeps = [], []
    for pairs in sides:
        clean = sign * pairs.clean[:, measure]
        moved = sign * pairs.perturbed[:, measure] - clean
        breaks.append((moved < 0) & pairs.there)
        keeps.append((clean > worst) & (moved >= 0) & pairs.there)
    return breaks[1] & keeps[0], breaks[0] & keeps[1]
