"""The reaction: how much oftener answers change where they should than where they should not.

Where nobody can know the answer, it is the share of replies that say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.grading.reply_state import MISSING, READ
from perturb.robustness.linking.conditions import ABSTAIN, KEPT, Condition
from perturb.robustness.measures.unanswered import Bounded
from perturb.robustness.metrics.bounded import CHANGES
from perturb.robustness.pairs.columns import NO_ANSWER
from perturb.values.arrays import Int32, Rows, distinct

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.pairs.join import Pairs

# A control has as many edits, but for a tenth, since counts are drawn; and at least half of the
# originals, or the reaction would be about a part of them that nobody chose.
AS_MANY, _SHARED = 0.9, 0.5


class Reaction(NamedTuple):
    """How often the answers to edited rows change, beside those of a control on the same originals.

    Lost replies are no change, but that the limits hold whatever they were. Every measure is
    None where there are not two originals, and all is empty where the answers are to stay.

    Attributes:
        reaction: the mean over originals of the share that changes less that of the control; or of
            the share that abstains, where nobody can know the answer.
        reaction_low: the low limit of its 95 % interval; see `bounded_interval`.
        reaction_high: as `reaction_low`.
        answers_changed: the share that changes or abstains, a mean over originals.
        control_changed: that of the control.
        control: its name: a condition that keeps the answer and has as many edits or more, of these
            the one with the fewest; else one that perturbs nothing; "" where there is neither, and
            answers count as if they never changed by themselves.
        edits: the mean number in a row.
        control_edits: that of the control; 0 where it perturbs nothing.
        reacting: how many originals both have.
        reaction_least: the reaction with all lost replies unchanged under this condition and
            changed under the control; None if none is lost.
        reaction_most: the reverse.
    """

    reaction: float | None = None
    reaction_low: float | None = None
    reaction_high: float | None = None
    answers_changed: float | None = None
    control_changed: float | None = None
    control: str = ""
    edits: float = 0.0
    control_edits: float = 0.0
    reacting: int = 0
    reaction_least: float | None = None
    reaction_most: float | None = None


NO_REACTION = Reaction()


class Reacting(NamedTuple):
    """The reactions of originals, and what each of them belongs to."""

    each: Bounded
    unit: Int32


_NO_VALUES = np.zeros(0)
_NONE = Reacting(Bounded(_NO_VALUES, _NO_VALUES, np.zeros(0, bool)), np.zeros(0, np.int32))


def reaction_of(
    pairs: Pairs, group: tuple[Condition, Rows], groups: Sequence[tuple[Condition, Rows]]
) -> tuple[Reaction, Reacting]:
    """Return the reaction to a condition under which the answers should change, and by original.

    Args:
        pairs: joined rows.
        group: the condition, with its rows.
        groups: all conditions with their rows, the control among them.
    """
    abstains, rows = group[0].expect == ABSTAIN, group[1][pairs.take(group[1]).changed]
    if not rows.size:
        return NO_REACTION, _NONE
    edits, control, others, beside = _edits(pairs, rows), "", rows[:0], 0.0
    for condition, others in [] if abstains else _controls(pairs, rows, edits, groups)[:1]:
        control = condition.name
        beside = 0.0 if condition.control else _edits(pairs, others)
    changed = _reacting(pairs, rows, abstains)
    none = np.zeros_like(changed.least)
    again = _reacting(pairs, others, abstains) if control else Bounded(none, none, changed.known)
    there = ~np.isnan(changed.least) & ~np.isnan(again.least)
    cluster, beyond = pairs.columns.cluster, changed - again
    unit = (np.arange(there.size, dtype=np.int32) if cluster is None else cluster)[there]
    each = Bounded(beyond.least[there], beyond.most[there], beyond.known[there])
    known = there & changed.known & again.known
    if distinct(unit[each.known]).size < 2:
        return NO_REACTION, _NONE
    # A share without another one to subtract can't be negative.
    low, high = each.interval(unit, pairs.look.level, (0.0, 1.0) if abstains else CHANGES)
    lost = not each.known.all()
    return Reaction(
        reaction=float(each.least[each.known].mean()),
        reaction_low=low,
        reaction_high=high,
        answers_changed=float(changed.least[known].mean()),
        control_changed=float(again.least[known].mean()),
        control=control,
        edits=edits,
        control_edits=beside,
        reacting=int(known.sum()),
        reaction_least=float(each.least.mean()) if lost else None,
        reaction_most=float(each.most.mean()) if lost else None,
    ), Reacting(each, unit)


def _edits(pairs: Pairs, rows: Rows) -> float:
    """Return the mean number of edits in rows, of those that are there; 0 for none."""
    pairs = pairs.take(rows)
    edits = pairs.edits[pairs.state != MISSING]
    return float(edits.mean()) if edits.size else 0.0


def _controls(
    pairs: Pairs, rows: Rows, edits: float, groups: Sequence[tuple[Condition, Rows]]
) -> list[tuple[Condition, Rows]]:
    """Return the controls there are, with those of their rows that count, the best first."""
    originals, ranked = distinct(pairs.take(rows).original), []
    for condition, every in groups:
        members = every if condition.control else every[pairs.take(every).changed]
        members = members[np.isin(pairs.take(members).original, originals)]
        shared = distinct(pairs.take(members).original).size >= max(2, _SHARED * originals.size)
        count = _edits(pairs, members)
        if shared and condition.expect == KEPT and (condition.control or count >= AS_MANY * edits):
            ranked.append(((condition.control, count, condition.name), (condition, members)))
    return [each for _, each in sorted(ranked, key=lambda one: one[0])]


def _reacting(pairs: Pairs, rows: Rows, abstains: bool) -> Bounded:
    """Return the share of each original's rows whose answer is another one; NaN without rows.

    Args:
        pairs: joined rows.
        rows: those of a condition.
        abstains: whether to count replies that abstain in place of these.
    """
    pairs, count = pairs.take(rows), pairs.columns.originals.size
    (answers, clean), original = pairs.readings, pairs.original
    read, there = pairs.state == READ, pairs.there
    if abstains:
        reacts, there = read & (pairs.perturbed[:, 0] == 1), there | read
    else:
        reacts = read & (pairs.clean_state == READ) & (answers != clean)
        reacts &= (answers != NO_ANSWER) & (clean != NO_ANSWER)
    sums, lost = (np.bincount(original, each, count) for each in (reacts, ~there))
    with np.errstate(invalid="ignore"):
        least, most = (
            each / np.bincount(original, minlength=count) for each in (sums, sums + lost)
        )
    return Bounded(least, most, lost == 0)
