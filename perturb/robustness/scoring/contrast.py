"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.linking.conditions import ABSTAIN, REACTING, link
from perturb.robustness.linking.sources import rows_at
from perturb.robustness.measures.comparison import compare_rows
from perturb.robustness.measures.findings import Contrast
from perturb.robustness.measures.human import agreement_hint, corrected_changes
from perturb.robustness.measures.judgement import (
    FALSE_DISCOVERIES,
    OF_TWO,
    SYSTEMS,
    UNDECIDED,
    Evidence,
    of_systems,
    with_judgements,
)
from perturb.robustness.measures.metric import SCORE, Metric
from perturb.robustness.measures.reaction import Reaction, reaction_of
from perturb.robustness.measures.unanswered import Bounded, changes, lost_hint
from perturb.robustness.metrics.bounded import CHANGES
from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.metrics.looks import Look, look_hint
from perturb.robustness.pairs.alignment import aligned, shared_by
from perturb.robustness.pairs.join import Group, Pairs
from perturb.robustness.scoring.hints import design_hints, range_hint
from perturb.robustness.scoring.verdict import checked_margin, widest_look
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.headline import footnote
from perturb.robustness.tables.results import Results
from perturb.robustness.tables.tables import by_metric, contrast_table, flat
from perturb.values.arrays import Bool, Int32, distinct


@dataclass(frozen=True)
class Contrasts(Results[Contrast]):
    """The comparison of two systems, by condition and over all.

    Attributes:
        conditions: one each, by metric, perturbator and strength.
        overall: over all conditions in which a row was changed, without controls, as in a verdict;
            one for each metric.
        margin: differences within it are none to speak of.
        hints: what to do next, each in one sentence.
        metrics: by name, when the values of each are good.
        systems: the names of A and of B.
        held: the rows of A that it keeps right and B does not, by the first metric.
    """

    conditions: list[Contrast]
    overall: list[Contrast]
    held: Pairs = field(repr=False, compare=False)
    margin: float = MARGIN
    hints: tuple[str, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    systems: tuple[str, str] = SYSTEMS

    @cached_property
    def a_holds(self) -> list[tuple[str, str]]:
        """The ids of the originals, with the conditions, that A keeps right and B does not."""
        return _names(self.held, self.held.place)

    def most_held(self, most: int) -> list[tuple[tuple[str, str], int]]:
        """Return those of them with the most versions, and how many; all for 0.

        The ids of no more than these are read again.
        """
        first, held = dict[tuple[int, int], int](), self.held
        held = held.take(np.argsort(held.place))
        pairs = [*zip(held.original.tolist(), held.condition.tolist(), strict=True)]
        for pair, place in zip(pairs, held.place.tolist(), strict=True):
            first.setdefault(pair, place)
        counts = Counter(pairs).most_common(most or None)
        places = [first[pair] for pair, _ in counts]
        names = dict(zip(sorted(places), _names(held, places), strict=True))
        return [(names[place], times) for place, (_, times) in zip(places, counts, strict=True)]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        held = [list(one) for one in self.a_holds]
        return {**super().to_dict(), "systems": list(self.systems), "a_holds": held}

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        return contrast_table(self, self.sentence)

    def _rows(self) -> list[dict[str, Any]]:
        return [*map(flat, by_metric(self))]


def contrast_pairs(
    first: Pairs,
    second: Pairs,
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
    systems: tuple[str, str] = SYSTEMS,
) -> Contrasts:
    """Compare two systems from joined rows; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
        systems: their names.
    """
    both, hints = aligned(dict(zip(systems, (first, second), strict=True)))
    margin = checked_margin(margin, *both)
    conditions, overall = [], []
    held = both[0].take(np.arange(0))
    for measure, metric in enumerate(metrics.items()):
        sides = shared_by(both, measure)
        groups, whole = sides[0].groups(beside=sides[1:])
        holds = _holds(sides, measure, 1 if metric[1].higher_is_better else -1)
        by = sides, measure, metric, margin, holds, systems
        conditions += _contrasts(*by, groups)
        overall += _contrasts(*by, [whole])
        if not measure:
            held = sides[0].take(np.flatnonzero(holds[0] & sides[0].counted))
    hints += [*footnote([*conditions, *overall]), *look_hint(widest_look(both))]
    hints += [*design_hints(*both), *range_hint(metrics, margin, *both)]
    for name, pairs in zip(systems, both, strict=True):
        hints += [*agreement_hint(pairs, f" of {name}"), *lost_hint(pairs, metrics, f" of {name}")]
    return Contrasts(conditions, overall, held, margin, tuple(hints), metrics, systems)


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
    scores = [pairs.columns.scores[:, measure] for pairs in sides]
    (low, high), known = metric.ends(*scores), metric.is_known(*scores)
    metric = metric._replace(range=(low, high))
    a, b = (changes(pairs.take(rows), measure, metric) for pairs in sides)
    found = Changes(a, b, sides[0].take(rows).unit, (low - high, high - low), known)
    if condition.expect not in REACTING:
        return found
    reactions, parts = zip(*(reaction_of(pairs, group, groups) for pairs in sides), strict=True)
    found = found._replace(reactions=reactions)
    if not all(part.unit.size for part in parts):  # of the same originals in both
        return found
    return Changes(parts[0].each, parts[1].each, parts[0].unit, CHANGES, True, reactions)


def _holds(sides: Sequence[Pairs], measure: int, sign: int) -> tuple[Bool, Bool]:
    """Return which rows A keeps right and B does not, and the reverse.

    Args:
        sides: the same rows of both, in one order.
        measure: the column of the scores.
        sign: -1 where less is better.
    """
    # Who has the worst score of either has nothing to lose.
    worst = min(float((sign * pairs.columns.scores[:, measure]).min()) for pairs in sides)
    breaks, keeps = [], []
    for pairs in sides:
        clean = sign * pairs.clean[:, measure]
        moved = sign * pairs.perturbed[:, measure] - clean
        breaks.append((moved < 0) & pairs.there)
        keeps.append((clean > worst) & (moved >= 0) & pairs.there)
    return breaks[1] & keeps[0], breaks[0] & keeps[1]


def _names(pairs: Pairs, places: Iterable[int]) -> list[tuple[str, str]]:
    """Return the originals and conditions of the rows at some places, in order of these."""
    names, places = [condition.name for condition in pairs.named], sorted(places)
    conditions = pairs.columns.condition[places].tolist()
    rows = rows_at(pairs.sources, places)
    return [
        (link(row).original_id, names[at]) for (*_, row), at in zip(rows, conditions, strict=True)
    ]


def _contrasts(
    sides: Sequence[Pairs],
    measure: int,
    metric: tuple[str, Metric],
    margin: float,
    holds: tuple[Bool, Bool],
    systems: tuple[str, str],
    groups: Sequence[Group],
) -> list[Contrast]:
    """Judge groups of rows that stand side by side, of two systems.

    Args:
        sides: the same rows of both, in one order.
        measure: the column of the scores.
        metric: its name, and when scores are good.
        margin: differences within it are none to speak of.
        holds: of all rows; see `_holds`.
        systems: their names.
        groups: the conditions, each with its rows.
    """
    look, every = widest_look(sides), list[tuple[Contrast, Evidence]]()
    for condition, rows in groups:
        compared = [compare_rows(side, rows, measure, metric[1], limits=False) for side in sides]
        found = changes_of(sides, (condition, rows), groups, measure, metric[1])
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
        contrast = Contrast(
            condition=condition.name,
            perturbator=condition.perturbator,
            p=condition.p,
            severity=condition.severity,
            rows=there.size,
            changed=int(sides[0].take(there).changed.sum()),
            originals=distinct(sides[0].take(there).original).size,
            units=distinct(found.unit[found.known]).size,
            change_a=change_a,
            change_b=change_b,
            difference=difference,
            low=sure[0],
            high=sure[1],
            p_value=sure[2],
            p_adjusted=None,
            verdict="",
            a_holds=None if reactions else int(holds[0][there].sum()),
            b_holds=None if reactions else int(holds[1][there].sum()),
            metric=metric[0],
            expect=condition.expect,
            control=reactions[0].control if reactions else "",
        )
        evidence = Evidence(
            *(difference, sure[0], sure[1], sure[2]),
            *(compared, condition.control, unjudged, reactions),
            *(sure[3], sure[4], found.ends[1], found.ranged),
            systems=systems,
            abstains=condition.expect == ABSTAIN,
        )
        every.append((contrast, evidence))
    return with_judgements(every, metric, margin, look)


class Change(NamedTuple):
    """What became of a system between two dates or versions.

    Attributes:
        earlier: the name of one of the systems.
        later: that of the next.
        contrast: over all conditions, with the earlier as A.
    """

    earlier: str
    later: str
    contrast: Contrast

    def __str__(self) -> str:
        words = of_systems(self.contrast.verdict, (self.earlier, self.later))
        change = f"{self.contrast.change_a:+.3f} and {self.contrast.change_b:+.3f}"
        return f"From {self.earlier} to {self.later}: {words} ({change})."


def trend_of(
    systems: Mapping[str, Pairs],
    successions: Sequence[tuple[str, str]],
    metrics: Mapping[str, Metric],
    margin: float,
) -> list[Change]:
    """Compare each system with its next version; p-values are adjusted for the number of steps.

    Args:
        systems: joined rows of each, the same rows in one order.
        successions: pairs of systems; the second is the first on a later date.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
    """
    every = []
    for earlier, later in successions:
        pair = systems[earlier], systems[later]
        contrasts = contrast_pairs(*pair, metrics, margin=margin, systems=(earlier, later))
        every += [Change(earlier, later, contrast) for contrast in contrasts.overall]
    known = ((at, each.contrast.p_adjusted) for at, each in enumerate(every))
    p_values = {at: p_value for at, p_value in known if p_value is not None}
    adjusted = benjamini_hochberg([*p_values.values()]).tolist() if p_values else []
    for at, p_value in zip(p_values, adjusted, strict=True):
        contrast = every[at].contrast._replace(p_adjusted=p_value)
        if contrast.verdict in (OF_TWO.loss, OF_TWO.gain) and p_value >= FALSE_DISCOVERIES:
            contrast = contrast._replace(verdict=UNDECIDED)
        every[at] = every[at]._replace(contrast=contrast)
    return every
