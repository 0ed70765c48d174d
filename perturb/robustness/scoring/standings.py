"""Many systems under the same noise as one result: by condition, by rank, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, NamedTuple

from perturb.robustness.grading.plan import MARGIN
from perturb.robustness.measures.comparison import size_of
from perturb.robustness.measures.findings import Contrast, Finding
from perturb.robustness.measures.judgement import CONTROL, of_systems
from perturb.robustness.measures.metric import Metric
from perturb.robustness.scoring.tolerances import Tolerance
from perturb.robustness.tables.formats import Shown, Table, place
from perturb.robustness.tables.gate import Gated, gated_finding
from perturb.robustness.tables.tables import flat, interval_cell


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


class Standing(NamedTuple):
    """The effect of one condition on one of several systems, and its place among them.

    Attributes:
        system: its name.
        condition: the perturbator with its strength; "overall" for all together.
        rank: 1 for the smallest loss, or the largest reaction where the answers should change;
            equal ones share the better. None where it cannot be judged, or nothing was perturbed
            on purpose.
        rank_low: the low limit of the interval of the rank; all of a condition hold together with
            95 %.
        rank_high: as `rank_low`.
        finding: the measures of the system alone.
    """

    system: str
    condition: str
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    finding: Finding

    @property
    def metric(self) -> str:
        """The name of the score."""
        return self.finding.metric

    @property
    def place(self) -> str:
        """The rank, with its interval where that holds more."""
        return place(self.rank, self.rank_low, self.rank_high)


@dataclass(frozen=True)
class Standings(Shown):
    """Systems by conditions, over the rows that all of them share.

    Attributes:
        systems: their names.
        conditions: by metric and condition, the systems of each by rank.
        overall: the same over all conditions in which a row was changed, without controls.
        metrics: by name, when the values of each are good.
        margin: differences within it are robust.
        tolerances: how much noise each system tolerates, if that was asked for.
        lose: the loss that they are about.
        trend: what became of systems from one date or version to the next.
        hints: what to know beside, each in one sentence.
    """

    systems: tuple[str, ...]
    conditions: list[Standing]
    overall: list[Standing]
    metrics: Mapping[str, Metric]
    margin: float = MARGIN
    tolerances: list[Tolerance] = field(default_factory=list)
    lose: float | None = None
    trend: list[Change] = field(default_factory=list)
    hints: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The order of the systems over all conditions, for each metric."""
        parts = []
        for metric in self.metrics:
            several = f"{metric}: " * (len(self.metrics) > 1)
            standings = [one for one in self.overall if one.metric == metric]
            places = [
                f"{one.system} ({one.finding.difference:+.3f}, rank {one.place})"
                for one in standings
                if one.rank is not None
            ]
            parts.append(f"{several}The smallest loss first: {', '.join(places) or 'none'}.")
            parts += [
                f"Cannot rank {one.system}: {one.finding.reason}."
                for one in standings
                if one.rank is None
            ]
        return f"{' '.join(parts)} {size_of([one.finding.comparison for one in self.overall])}."

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {
            **super().to_dict(),
            "margin": self.margin,
            "systems": list(self.systems),
            "conditions": list(map(flat, self.conditions)),
            "overall": list(map(flat, self.overall)),
            "lose": self.lose,
            "tolerances": [step.to_dict() for step in self.tolerances],
            "trend": [{**one._asdict(), "contrast": flat(one.contrast)} for one in self.trend],
        }

    def gated(self) -> list[Gated]:
        """Return what rules may ask of: a condition, a system, or both, as in "small: ocr@0.1"."""
        every = []
        for standing in (*self.conditions, *self.overall):
            metric, system = self.metrics[standing.metric], standing.system
            alone = gated_finding(standing.finding, metric.higher_is_better)
            both = (f"{system}: {name}" for name in alone.names)
            every.append(alone._replace(names=(*alone.names, system, *both)))
        return every

    def _rows(self) -> list[dict[str, Any]]:
        return [*map(flat, (*self.conditions, *self.overall))]

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        """Return the systems under each condition, by rank, and then the tolerance of each."""
        lines: list[tuple[tuple[str, ...], str]] = []  # each with why it can't be judged
        every, blank = [*self.conditions, *self.overall], ("",) * 4
        for (metric, condition), members in groupby(every, lambda one: (one.metric, one.condition)):
            name = f"{metric}: {condition}" if len(self.metrics) > 1 else condition
            lines.append(((name, *blank), ""))
            for standing in members:
                finding = standing.finding
                score = f"{finding.comparison.perturbed_mean:.3f}", interval_cell(finding)
                cells = f"  {standing.system}", *score, standing.place, finding.verdict
                lines.append((cells, finding.reason))
        for name, steps in groupby(self.tolerances, lambda step: step.loses(self.lose or 0)):
            lines.append(((name, *blank), ""))
            lines += [
                ((f"  {step.system}", "", step.span, "", step.verdict), step.reason)
                for step in steps
            ]
        header = ("condition", "score", "change [95 %]", "rank", "verdict")
        rows, reasons = map(list, zip(*lines, strict=True))
        return Table(self.sentence, header, rows, reasons, {""}, self.hints)

    def _paper(self, wide: bool = False) -> Table:  # noqa: ARG002
        """Return a row for each system, the best first, with its change under each condition.

        A cell that is decidedly the best of its column is bold.
        """
        cells = {(one.metric, one.system, one.condition): one for one in self.conditions}
        judged = (one for one in self.conditions if one.finding.verdict != CONTROL)
        conditions = list(dict.fromkeys(one.condition for one in judged))
        spans = {
            (step.metric, step.system, step.loses(self.lose or 0)): step.span
            for step in self.tolerances
        }
        steps = [*dict.fromkeys(name for *_, name in spans)]
        rows, bold = [], set()
        for at, one in enumerate(self.overall):
            of = one.metric, one.system
            each = [cells[*of, condition] for condition in conditions]
            bold |= {
                (at, 2 + place) for place, cell in enumerate([*each, one]) if cell.rank_high == 1
            }
            rows.append(
                (
                    f"{one.metric}: {one.system}" if len(self.metrics) > 1 else one.system,
                    f"{one.finding.comparison.clean_mean:.3f}",
                    *(
                        "-" if cell.rank is None else f"{cell.finding.difference:+.3f}"
                        for cell in each
                    ),
                    interval_cell(one.finding),
                    one.place,
                    *(spans[*of, step] for step in steps),
                )
            )
        header = ("system", "clean", *conditions, "overall [95 %]", "rank", *steps)
        return Table(
            self.sentence, header, rows, [""] * len(rows), {""}, self.hints, frozenset(bold)
        )
