"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from perturb.robustness.grading.plan import LOSE, MARGIN
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import rows_at
from perturb.robustness.measures.changes import holds
from perturb.robustness.measures.findings import Contrast
from perturb.robustness.measures.human import agreement_hint
from perturb.robustness.measures.judgement import (
    FALSE_DISCOVERIES,
    OF_TWO,
    SYSTEMS,
    UNDECIDED,
    of_systems,
)
from perturb.robustness.measures.measured import contrast_of, each_measure, measured, widest_look
from perturb.robustness.measures.metric import Metric
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.pairs.alignment import aligned
from perturb.robustness.pairs.join import Pairs
from perturb.robustness.scoring.hints import design_hints, range_hint
from perturb.robustness.scoring.ladders import steps_of
from perturb.robustness.scoring.tolerance import tolerances
from perturb.robustness.scoring.tolerances import Tolerance, Tolerances
from perturb.robustness.scoring.verdict import checked_margin
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.gate import Gated, gated
from perturb.robustness.tables.headline import footnote
from perturb.robustness.tables.results import Results
from perturb.robustness.tables.tables import by_metric, contrast_table, flat


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

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        held, steps = [list(one) for one in self.a_holds], self.tolerances
        more = {"lose": self.lose, "tolerances": [step.to_dict() for step in steps]}
        return {**super().to_dict(), "systems": [*self.systems], **more, "a_holds": held}

    def gated(self) -> list[Gated]:
        """Return what rules may ask of: a condition, or the ratio of the tolerances of a step."""
        return [*gated(self), *Tolerances([*self.tolerances], self.lose or LOSE).gated()]

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
    lose: float | None = None,
) -> Contrasts:
    """Compare two systems from joined rows; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
        systems: their names.
        lose: the loss for which the tolerances of steps with a curve are told; None to tell none.
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
    if lose is not None and all(len(step.rungs) > 1 for step in steps_of(both[0])[:1]):
        borne = tolerances(both, metrics, lose, systems).steps
    told = tuple(hints), metrics, systems, borne, lose
    return Contrasts(conditions, overall, held, margin, *told)


def _names(pairs: Pairs, places: Iterable[int]) -> list[tuple[str, str]]:
    """Return the originals and conditions of the rows at some places, in order of these."""
    names, places = [condition.name for condition in pairs.named], sorted(places)
    conditions = pairs.columns.condition[places].tolist()
    rows = rows_at(pairs.sources, places)
    return [
        (link(row).original_id, names[at]) for (*_, row), at in zip(rows, conditions, strict=True)
    ]


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
