"""The reaction: how much oftener answers change where they should than where they should not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.grading.reply_state import READ
from perturb.robustness.metrics.score_intervals import padded_interval
from perturb.robustness.scoring.columns import NO_ANSWER
from perturb.robustness.scoring.conditions import KEPT, Condition
from perturb.values.arrays import Float64, Rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.join import Pairs

# A control has as many edits, but for a tenth; and at least half of the originals.
AS_MANY, _SHARED = 0.9, 0.5


class Reaction(NamedTuple):
    """How often the answers to edited rows change, beside those of a control on the same originals.

    Refusals, replies that are cut off and those that can't be read are no change. Every measure is
    None where there are not two originals, and all is empty where the answers are to stay.

    Attributes:
        reaction: the mean over originals of the share that changes less that of the control.
        reaction_low: the low limit of its 95 % interval; see `padded_interval`.
        reaction_high: as `reaction_low`.
        answers_changed: the share, a mean over originals.
        control_changed: that of the control.
        control: its name: a condition that keeps the answer and has as many edits or more, of these
            the one with the fewest; else one that perturbs nothing; "" where there is neither, and
            answers count as if they never changed by themselves.
        edits: the mean number in a row.
        control_edits: that of the control; 0 where it perturbs nothing.
        reacting: how many originals both have.
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


NO_REACTION = Reaction()


def reaction_of(
    pairs: Pairs, rows: Rows, groups: Sequence[tuple[Condition, Rows]]
) -> tuple[Reaction, Float64]:
    """Return the reaction to a condition under which the answers should change, and by original.

    Args:
        pairs: joined rows.
        rows: those of the condition.
        groups: all conditions with their rows, of which one is the control.
    """
    rows = rows[pairs.take(rows).changed]
    if not rows.size:
        return NO_REACTION, np.zeros(0)
    edits, control, others, beside = float(pairs.take(rows).edits.mean()), "", rows[:0], 0.0
    for condition, others in _controls(pairs, rows, edits, groups)[:1]:
        control = condition.name
        beside = 0.0 if condition.control else float(pairs.take(others).edits.mean())
    changed, again = (_changed_by_original(pairs, each) for each in (rows, others))
    there = ~np.isnan(changed) & (~np.isnan(again) | (not control))
    if np.count_nonzero(there) < 2:
        return NO_REACTION, np.zeros(0)
    changed, again = changed[there], np.nan_to_num(again[there])
    each = changed - again
    low, high = padded_interval(each, np.arange(each.size), pairs.look.level).within(-1.0, 1.0)
    return Reaction(
        reaction=float(each.mean()),
        reaction_low=low,
        reaction_high=high,
        answers_changed=float(changed.mean()),
        control_changed=float(again.mean()),
        control=control,
        edits=edits,
        control_edits=beside,
        reacting=changed.size,
    ), each


def _controls(
    pairs: Pairs, rows: Rows, edits: float, groups: Sequence[tuple[Condition, Rows]]
) -> list[tuple[Condition, Rows]]:
    """Return the controls there are, with those of their rows that count, the best first."""
    originals, ranked = np.unique(pairs.take(rows).original), []
    for condition, every in groups:
        members = every if condition.control else every[pairs.take(every).changed]
        members = members[np.isin(pairs.take(members).original, originals)]
        beside = pairs.take(members)
        shared = np.unique(beside.original).size >= max(2, _SHARED * originals.size)
        count = float(beside.edits.mean()) if members.size else 0.0
        if shared and condition.expect == KEPT and (condition.control or count >= AS_MANY * edits):
            ranked.append(((condition.control, count, condition.name), (condition, members)))
    return [each for _, each in sorted(ranked, key=lambda one: one[0])]


def _changed_by_original(pairs: Pairs, rows: Rows) -> Float64:
    """Return the share of each original's rows whose answer is another one; NaN without rows."""
    pairs, count = pairs.take(rows), pairs.columns.originals.size
    (answers, clean), original = pairs.readings, pairs.original
    read = (pairs.state == READ) & (pairs.clean_state == READ)
    changed = read & (answers != clean) & (answers != NO_ANSWER) & (clean != NO_ANSWER)
    sums = np.bincount(original, changed, count)
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / np.bincount(original, minlength=count))
