"""Bisection: which strengths of a step to ask, so that the interval of its tolerance is known.

An interval ends at strengths that were asked. So all originals are asked at the strongest and in
the middle, and then, strength by strength, where one of its two ends may still move. The interval
is that of asking all strengths wherever the loss only grows; nothing is inferred, so that a system
may answer at random or in other words each time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from perturb.errors import DataError
from perturb.evaluation.questions import Row
from perturb.robustness.linking.conditions import KEPT, Condition, link
from perturb.robustness.metrics.crossing import asked_next
from perturb.robustness.scoring.ladders import ladders
from perturb.robustness.scoring.tolerances import Tolerances


class Strength(NamedTuple):
    """One strength of a step, which a tolerance calls by its name and the unit."""

    step: tuple[str, str]
    strength: float
    condition: Condition


def strengths_of(rows: Iterable[Row]) -> tuple[list[list[Strength]], set[Condition]]:
    """Return the strengths of each step that has several, and the conditions to ask later, if ever.

    Those asked first are the strongest and the one in the middle of each step, and all conditions
    that have no strength.

    Raises:
        DataError: no step has several strengths.
    """
    every = [*dict.fromkeys(one.condition for one in map(link, rows) if one.condition is not None)]
    steps = [
        [Strength((ladder.name, ladder.unit), strength, every[place]) for strength, place in rungs]
        for ladder in ladders(dict(enumerate(every)))
        if len(rungs := ladder.rungs) > 1 and ladder.expect == KEPT
    ]
    if not steps:
        raise DataError(
            "no step has several strengths to bisect: perturb with some, as in perturb apply "
            "keyboard_typos --grid -p 0.01,0.02,0.05,0.1 --with-original"
        )
    first = {step[at].condition for step in steps for at in (len(step) // 2, -1)}
    return steps, {one.condition for step in steps for one in step} - first


def next_strengths(
    steps: Sequence[Sequence[Strength]], left: Collection[Condition], tolerances: Tolerances
) -> set[Condition]:
    """Return the conditions to ask next, so that intervals of tolerances narrow; none if none can.

    Args:
        steps: the strengths of each step.
        left: the conditions that weren't asked.
        tolerances: those of the conditions that were.
    """
    limits = {(one.step, one.unit): (one.low, one.high) for one in tolerances.steps}
    wanted = set()
    for step in steps:
        low, high = limits.get(step[0].step, (None, None))
        if low is not None:
            asked = [one.strength for one in step if one.condition not in left]
            next_ = asked_next([one.strength for one in step], asked, low, high)
            wanted |= {one.condition for one in step if one.strength in next_}
    return wanted
