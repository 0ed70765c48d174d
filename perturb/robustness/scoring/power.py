"""Plans: how many originals it takes, before they are asked, and what those at hand can show."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import UsageError
from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.linking.conditions import OVERALL
from perturb.robustness.measures.metric import ROUNDED
from perturb.robustness.metrics.bounded import bounded_limits
from perturb.robustness.metrics.designs import (
    CLUSTERING,
    MANY,
    ROBUST,
    TOLERANCE,
    WORSE,
    Design,
    Goal,
    chance,
    guess,
    smallest,
)
from perturb.robustness.scoring.pilot import designs_of, steps_of
from perturb.robustness.tables.formats import Shown, Table, number
from perturb.values.fields import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.scoring.verdict import Verdict

# The fewest originals and the most that are tried: no verdict comes of fewer, and nobody asks
# a plan for more.
_FEWEST, _MOST = 4, 100_000
_VERSIONS = 100  # the most that are tried: beyond, versions of an original hardly add anything
_COLUMNS = {
    "condition": "",
    "loss": ".3f",
    "verdict": "",
    "originals": ",",
    "calls": ",",
    "tokens": ",.0f",
    "cost": ",.2f",
    "minutes": ",.1f",
    "chance": ".2f",
    "versions": ",",
    "detectable": ".3f",
}


class Need(NamedTuple):
    """The effort that one goal takes.

    Attributes:
        condition: its name; "each condition" or "overall" if it is assumed; the step of a
            pilot, for "tolerance".
        verdict: "robust", "worse", or "tolerance", for an interval that is narrow enough.
        loss: the true one that is assumed.
        originals: the fewest that reach the goal with the power; None where 100,000 don't.
        calls: the number of calls of the system for them, under all conditions and without any.
        expenses: the expenses of the calls, by name.
        chance: how often the originals at hand reach the goal; None if there are none.
        versions: the fewest versions of each with which they do, with the power; None where 100 are
            too few, for all conditions together, and of scores that are not 0 or 1.
        detectable: for "worse", the smallest drop that they find with the power; None for none.
    """

    condition: str
    verdict: str
    loss: float
    originals: int | None
    calls: int | None
    expenses: Mapping[str, float]
    chance: float | None = None
    versions: int | None = None
    detectable: float | None = None


@dataclass(frozen=True)
class Power(Shown):
    """The effort that an experiment takes, and the effects that it can show.

    Attributes:
        summary: the most important of it, the sentence.
        needs: the needs of each condition and goal.
        designs: the assumptions about each condition.
        hints: the grounds of the figures, each in one sentence.
    """

    summary: str
    needs: list[Need]
    designs: list[Design]
    hints: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What the hardest condition takes, and what the originals at hand find."""
        return self.summary

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        designs = [design._asdict() for design in self.designs]
        return {**super().to_dict(), "designs": designs, "needs": self._rows()}

    def _rows(self) -> list[dict[str, Any]]:
        rows = ({**need._asdict(), **need.expenses} for need in self.needs)
        return [{name: row.get(name) for name in _COLUMNS} for row in rows]

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        rows = self._rows()
        header = tuple(name for name in _COLUMNS if any(row[name] is not None for row in rows))
        cells = [tuple(number(row[name], _COLUMNS[name]) for name in header) for row in rows]
        return Table(self.sentence, header, cells, [""] * len(cells), set(), self.hints)


def power(
    pilot: Verdict | None = None,
    *,
    accuracy: float | None = None,
    flips: float | None = None,
    changed: float = 1.0,
    clustering: float = CLUSTERING,
    versions: int = 1,
    conditions: int = 1,
    originals: int | None = None,
    margin: float = MARGIN,
    drop: float | None = None,
    lose: float | None = None,
    width: float = 0.5,
    power: float = 0.8,
    expense: Callable[[int], Mapping[str, float]] | None = None,
) -> Power:
    """Plan an experiment: how many originals a verdict takes, and what those at hand can show.

    A condition is assumed to lose nothing, for "robust", and `drop`, for "worse". The loss is
    taken to be straight in the strength up to the tolerance; of a pilot, the strength of each step
    that loses nearly so much tells how many answers flip there.

    Args:
        pilot: what `score` says of answers that are there, by the first metric; it gives the five
            numbers that follow, and the calls that an original takes.
        accuracy: without a pilot, the share of the originals that is answered correctly, in (0, 1).
        flips: the share of versions whose answer flips, either way, in [0, 1]; without it
            `accuracy * (1 - accuracy)` of those that changed, half as many as if answers had
            nothing in common. Without a loss it is at most twice the rarer kind of answer.
        changed: the share of versions that differ from their originals, as texts may stay; the
            answers of the others don't flip.
        clustering: how alike the versions of one original are in that: from 0 for not at all to 1
            if all flip or none.
        versions: the number of versions of each original under each condition.
        conditions: how many there are.
        originals: how many are at hand; without it those of the pilot.
        margin: differences within it are robust; 0 for no such verdict.
        drop: the loss to find, beyond the margin; without it 0.05, or twice the margin if more.
        lose: also plan the interval of the tolerance of this loss.
        width: that of this interval, as a share of the tolerance.
        power: the share of datasets that must find each, in (0, 1).
        expense: returns what so many calls take, as `tokens`, `cost` and `minutes`.

    Raises:
        UsageError: a number can't be; the drop lies within the margin; or there is neither a pilot
            of two originals, whose answers changed or not, nor an accuracy.

    Examples:
        >>> plan = power(accuracy=0.8, flips=0.1, drop=0.1)
        >>> [(need.verdict, need.originals) for need in plan.needs]
        [('robust', 2663), ('worse', 67)]
    """
    accuracy, flips, lose, originals = map(plain, (accuracy, flips, lose, originals))
    margin, drop, width, power, changed = map(plain, (margin, drop, width, power, changed))
    clustering, versions, conditions = map(plain, (clustering, versions, conditions))
    # As for a tolerance, and beyond the margin whatever that is.
    drop = max(0.05, 2 * margin) if drop is None else drop
    shares = {"flips": flips, "changed": changed, "clustering": clustering, "drop": drop}
    ends = {"accuracy": accuracy, "power": power, "lose": lose}
    for name, share in (*shares.items(), *ends.items()):
        if share is not None and not (0 < share < 1 if name in ends else 0 <= share <= 1):
            hint = f"; {share:g} % is {share / 100:g}" if share > 1 else ""
            raise UsageError(f"{name} must lie between 0 and 1; got {share!r}{hint}")
    if min(versions, conditions) < 1 or versions * conditions > MANY:
        raise UsageError(
            f"versions and conditions are whole numbers from 1, and at most {MANY:,} versions of "
            f"an original in all; got {versions!r} under each of {conditions!r}"
        )
    if not 0 <= margin < drop:
        what = f"a drop of {drop:g} and a margin of {margin:g}"
        raise UsageError(f"a drop lies beyond the margin, within which it is robust; got {what}")
    if not width > 0:
        raise UsageError(f"a width is above 0; got {width:g}")
    if originals is not None and originals < 2:
        raise UsageError(f"originals must be at least 2; got {originals!r}")
    goals = [Goal(ROBUST, 0.0, margin)] * (margin > 0) + [Goal(WORSE, drop, margin)]
    if pilot is not None:
        designs, had = designs_of(pilot)
        steps, calls = [] if lose is None else steps_of(pilot, lose), pilot.asked
        originals = had if originals is None else originals
        hints = [*_metric_hint([*pilot.metrics]), *_hints(designs, had)]
    elif accuracy is not None:
        rate = accuracy * (1 - accuracy) * changed if flips is None else flips
        _refuse_more(rate, accuracy, changed, [*(goal.loss for goal in goals), lose or drop])
        first = Design("each condition", accuracy, rate, clustering, versions, conditions)
        whole = first._replace(condition="overall", versions=versions * conditions, tests=1)
        designs, calls = [first, whole][: min(conditions, 2)], 1.0 + versions * conditions
        steps, hints = designs[:1], [*_hints(designs, None)]
    else:
        raise UsageError(
            "give the accuracy to expect (--accuracy, in Python accuracy=), or a pilot: rows with "
            "answers; those without tell only how many they are"
        )
    pairs = [*product(designs, goals)]
    pairs += [] if lose is None else [(step, Goal(TOLERANCE, lose, width)) for step in steps]
    needs = [_need(design, goal, power, originals, calls, expense) for design, goal in pairs]
    return Power(_sentence(needs, originals, power, margin, width), needs, designs, tuple(hints))


def _refuse_more(flips: float, accuracy: float, changed: float, losses: Sequence[float]) -> None:
    """Raise if more versions should flip than can, under one of the losses.

    For each answer that turns right another one turns wrong, besides those that are the loss.
    """
    most = {changed: "as the others don't differ from their originals"}
    for loss in losses:
        if loss <= accuracy:  # a larger one has an error of its own
            why = f"where {accuracy:g} of the originals are right and {loss:g} is lost"
            most.setdefault(loss + 2 * min(1 - accuracy, accuracy - loss), why)
    if flips > (share := min(most)) + ROUNDED:
        raise UsageError(f"flips must be at most {share:g}, {most[share]}; got {flips:g}")


def _need(
    design: Design,
    goal: Goal,
    power: float,
    originals: int | None,
    calls: float,
    expense: Callable[[int], Mapping[str, float]] | None,
) -> Need:
    name, design = design.condition, design._replace(condition="")  # equal ones are tried once

    def reached(count: float, versions: float = design.versions) -> bool:
        tried = design._replace(versions=math.ceil(versions))
        return chance(tried, goal, math.ceil(count)) >= power

    share = least = fewest = None
    if originals is not None:
        share = chance(design, goal, originals)
        if name != OVERALL and design.deviation is None:
            fewest = smallest(partial(reached, originals), _VERSIONS, 0.5, _VERSIONS)
        if goal.verdict == WORSE:
            least = _detectable(design, goal, power, originals)
    enough = smallest(reached, guess(design, goal), _FEWEST, _MOST)
    count, versions = (None if each is None else math.ceil(each) for each in (enough, fewest))
    total = None if count is None else round(count * calls)
    expenses = {} if expense is None or total is None else expense(total)
    effort = count, total, expenses, share, versions, least
    return Need(name, goal.verdict, goal.loss, *effort)


def _detectable(design: Design, goal: Goal, power: float, originals: int) -> float | None:
    """Return the smallest drop that so many originals find with the power; None for none."""
    # No score of 0 or 1 falls below 0; of others, a few originals show 64 standard deviations.
    most = design.accuracy if design.deviation is None else 64 * design.deviation
    at_hand = partial(chance, design, originals=originals)
    # Without a margin the reach is 0, and a search that halves would never get there.
    ends = 2 * goal.loss, max(goal.reach, 0.001), most
    return smallest(lambda drop: at_hand(goal._replace(loss=drop)) >= power, *ends)


def smallest_loss(originals: int, conditions: int, accuracy: float, power: float) -> float | None:
    """Return the smallest loss under one of the conditions that so many originals find, or None."""
    assumed = accuracy, accuracy * (1 - accuracy), CLUSTERING, 1, conditions
    return _detectable(Design("", *assumed), Goal(WORSE, 2 * MARGIN, MARGIN), power, originals)


def _sentence(
    needs: Sequence[Need], originals: int | None, power: float, margin: float, width: float
) -> str:
    """Return what the hardest condition takes, and what the originals at hand find."""
    parts = []
    for verdict in dict.fromkeys(need.verdict for need in needs):
        of_verdict = [need for need in needs if need.verdict == verdict]
        need = max(of_verdict, key=lambda need: need.calls or math.inf)
        count = f"more than {_MOST:,} originals"
        if need.originals is not None:
            count = f"{need.originals:,} originals ({need.calls:,} calls)"
        finding = {
            ROBUST: f"{need.condition} to be robust within {margin:g} if it loses nothing",
            WORSE: f"{need.condition} to be worse if it loses {need.loss:g}",
            TOLERANCE: f"the strength at which {need.condition} loses {need.loss:g} to "
            f"{100 * width:g} % of it",
        }
        parts.append(f"{count} show {finding[verdict]}")
    text = f"With a power of {power:g}, {'; '.join(parts)}."
    drops = [need.detectable for need in needs if need.verdict == WORSE]
    if originals is None:
        return text
    least = "not every drop" if None in drops else f"a drop of {max(filter(None, drops)):.3f}"
    return f"{text} The {originals:,} at hand find {least}."


def _metric_hint(metrics: Sequence[str]) -> Iterator[str]:
    """Yield which of several metrics is planned, and how to plan another."""
    if len(metrics) > 1:
        first, *others = metrics
        yield (
            f"This plans {first} alone, the first metric of the pilot; for {' or '.join(others)}, "
            "name it first in --metrics (metrics= in Python)."
        )


def _hints(designs: Sequence[Design], pilot: int | None) -> Iterator[str]:
    """Yield the assumptions about all conditions together, and how well a pilot supports them."""
    design = designs[-1]
    if design.deviation is not None:
        return
    rests = (
        f"{design.condition}: {design.accuracy:.3f} of the originals right, {design.flips:.3f} of "
        f"the versions flip, with a clustering of {design.clustering:.2f}"
    )
    if pilot is None:
        yield f"Assumed of {rests}."
        return
    rows = pilot * design.versions / (1 + (design.versions - 1) * design.clustering)
    flipped = np.array([design.flips, 1 - design.flips]) * rows
    low, high = bounded_limits(np.array([1.0, 0.0]), counts=flipped, ends=(0.0, 1.0))
    yield (
        f"The pilot says of {rests}. With its {pilot:,} originals the versions that flip may be "
        f"{low:.3f} to {high:.3f}, and the number for a margin grows with them."
    )
