"""Two systems under the same noise: the difference of their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np

from perturb.robustness.grading.plan import LOSE, MARGIN
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import rows_at
from perturb.robustness.measures.changes import holds
from perturb.robustness.measures.findings import Contrast, Result
from perturb.robustness.measures.human import agreement_hint
from perturb.robustness.measures.judgement import SYSTEMS, of_systems
from perturb.robustness.measures.measured import contrast_of, each_measure, measured, widest_look
from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.pairs.alignment import aligned
from perturb.robustness.pairs.join import Pairs
from perturb.robustness.scoring.hints import design_hints, range_hint
from perturb.robustness.scoring.ladders import steps_of
from perturb.robustness.scoring.tolerance import tolerances
from perturb.robustness.scoring.tolerances import Tolerance, Tolerances
from perturb.robustness.scoring.verdict import checked_margin
from perturb.robustness.tables.formats import Table, VerdictWord
from perturb.robustness.tables.gate import Gated, gated
from perturb.robustness.tables.headline import footnote
from perturb.robustness.tables.results import Results
from perturb.robustness.tables.tables import flat, interval_cell, named, table_of


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
        tolerances: of each step with a curve the tolerance of A, of B, and the ratio of both.
        lose: the loss that they are about; None if none was asked for.
        held: the rows of A that it keeps right and B does not, by the first metric.
    """

    conditions: list[Contrast]
    overall: list[Contrast]
    held: Pairs = field(repr=False, compare=False)
    margin: float = MARGIN
    hints: tuple[str, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    systems: tuple[str, str] = SYSTEMS
    tolerances: Sequence[Tolerance] = ()
    lose: float | None = None

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

    def held_lines(self, most: int) -> list[str]:
        """Return the lines of originals that A keeps right and B does not, with the condition.

        Args:
            most: how many originals to list, those with the most versions first; 0 for all.
        """
        counts = self.most_held(most)
        if not counts:
            return []
        lines = [
            f"  {original}, {condition}{f', {times} versions' * (times > 1)}"
            for (original, condition), times in counts
        ]
        left = self.held.place.size - sum(times for _, times in counts)
        rest = [f"  rows left: {left:,}; -n 0 lists all"] if left else []
        return ["", "{} holds and {} breaks:".format(*self.systems), *lines, *rest]

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON; verdicts name the systems."""
        steps = [step.of(self.systems).to_dict() for step in self.tolerances]
        return {
            **super().to_dict(),
            "systems": [*self.systems],
            "lose": self.lose,
            "tolerances": steps,
            "a_holds": [list(one) for one in self.a_holds],
        }

    def gated(self) -> list[Gated]:
        """Return what rules may ask of: a condition, or the ratio of the tolerances of a step."""
        return [*gated(self), *Tolerances([*self.tolerances], self.lose or LOSE).gated()]

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        every, several, names = self._by_metric(), len(self.overall) > 1, self.systems
        cells: list[tuple[str, ...]] = [
            (
                named(contrast, several),
                f"{contrast.change_a:+.3f}",
                f"{contrast.change_b:+.3f}",
                interval_cell(contrast),
                VerdictWord(of_systems(contrast.verdict, names), contrast.verdict),
            )
            for contrast in every
        ]
        reasons = [contrast.reason for contrast in every]
        steps = [step.of(names) for step in self.tolerances]
        for a, b, ratio in zip(steps[::3], steps[1::3], steps[2::3], strict=True):
            name = f"{ratio.metric}: " * several + ratio.loses(self.lose or 0)
            cells.append((name, a.span, b.span, ratio._replace(unit="times").stated, ratio.verdict))
            reasons.append(ratio.reason)
        header = "condition", *names, "{1} - {0} [95 %]".format(*names), "verdict"
        return table_of(self, self.sentence, header, cells, reasons)

    def _rows(self) -> list[dict[str, Any]]:
        return [*map(self._flat, self._by_metric())]

    def _flat(self, result: Result) -> dict[str, Any]:
        return {**flat(result), "verdict": of_systems(result.verdict, self.systems)}

    def _by_metric(self) -> list[Contrast]:
        """Return the contrasts by metric, that over all conditions last."""
        metrics = [contrast.metric for contrast in self.overall]
        every = [*self.conditions, *self.overall]
        return sorted(every, key=lambda contrast: metrics.index(contrast.metric))


def contrast_pairs(
    first: Pairs,
    second: Pairs,
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
    systems: tuple[str, str] = SYSTEMS,
    lose: float | None = None,
) -> Contrasts:
    """Compare two systems from joined rows; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
        systems: their names.
        lose: the loss for which the tolerances of steps with a curve are found; None to find none.
    """
    both, hints = aligned(dict(zip(systems, (first, second), strict=True)))
    margin = checked_margin(margin, *both)
    conditions, overall = list[Contrast](), list[Contrast]()
    held = both[0].take(np.arange(0))
    for at, metric, sides, groups, whole in each_measure(both, metrics):
        by = partial(contrast_of, measure=at, metric=metric, systems=systems)
        conditions += measured([sides], groups, by, metric, margin)[0]
        overall += measured([sides], [whole], by, metric, margin)[0]
        if not at:
            kept = holds(sides, at, metric[1])[0] & sides[0].counted
            held = sides[0].take(np.flatnonzero(kept))
    hints += [*footnote([*conditions, *overall]), *look_hint(widest_look(both))]
    hints += [*design_hints(*both), *range_hint(metrics, margin, *both)]
    for name, pairs in zip(systems, both, strict=True):
        hints += [*agreement_hint(pairs, f" of {name}"), *lost_hint(pairs, metrics, f" of {name}")]
    borne: Sequence[Tolerance] = ()
    if lose is not None and any(len(step.rungs) > 1 for step in steps_of(both[0])):
        steps = tolerances(both, metrics, lose, systems).steps
        threes = zip(steps[::3], steps[1::3], steps[2::3], strict=True)
        curved = (each for each in threes if min(len(step.curve) for step in each[:2]) > 1)
        borne = [*chain.from_iterable(curved)]
    rest = tuple(hints), metrics, systems, borne, lose
    return Contrasts(conditions, overall, held, margin, *rest)


def _names(pairs: Pairs, places: Iterable[int]) -> list[tuple[str, str]]:
    """Return the originals and conditions of the rows at some places, in order of these."""
    names, places = [condition.name for condition in pairs.named], sorted(places)
    conditions = pairs.columns.condition[places].tolist()
    rows = rows_at(pairs.sources, places)
    return [
        (link(row).original_id, names[at]) for (*_, row), at in zip(rows, conditions, strict=True)
    ]
