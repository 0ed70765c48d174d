"""Many systems under the same noise: the loss of each, its rank, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from string import ascii_uppercase
from typing import Any, NamedTuple, Unpack, overload

from perturb.errors import UsageError, door
from perturb.robustness.grading.plan import LOSE, MARGIN, Grading, Judging, spelled_out
from perturb.robustness.linking.conditions import REACTING
from perturb.robustness.linking.sources import Row, listed_source
from perturb.robustness.measures.changes import changes_of
from perturb.robustness.measures.comparison import size_of
from perturb.robustness.measures.findings import Finding
from perturb.robustness.measures.human import corrected_changes
from perturb.robustness.measures.judgement import CANNOT_JUDGE, CONTROL
from perturb.robustness.measures.measured import each_measure, finding_of, measured, widest_look
from perturb.robustness.measures.metric import SCORE, Metric
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.dispersion import ranked
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.metrics.rank_limits import limits_of
from perturb.robustness.pairs.alignment import aligned
from perturb.robustness.pairs.join import Group, Pairs
from perturb.robustness.scoring.contrast import (
    Change,
    Contrasts,
    contrast_pairs,
    trend_of,
)
from perturb.robustness.scoring.hints import design_hints, range_hint
from perturb.robustness.scoring.score import grader, paired
from perturb.robustness.scoring.tolerance import tolerances
from perturb.robustness.scoring.tolerances import Tolerance
from perturb.robustness.scoring.verdict import checked_margin
from perturb.robustness.tables.formats import Table, place
from perturb.robustness.tables.gate import Gated, gated_finding
from perturb.robustness.tables.headline import footnote
from perturb.robustness.tables.results import Shown
from perturb.robustness.tables.tables import flat, paper_table, standing_table
from perturb.values.fields import plain

Rows = Iterable[Row]


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
            "sentence": self.sentence,
            "hints": list(self.hints),
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
        return standing_table(self)

    def _paper(self, wide: bool = False) -> Table:  # noqa: ARG002
        return paper_table(self)


class How(Judging, total=False):
    """The options of `compare`, for type checkers."""

    lose: float | None


@overload
def compare(a: Rows, b: Rows, /, **how: Unpack[How]) -> Contrasts: ...


@overload
def compare(systems: Mapping[str, Rows], /, **how: Unpack[How]) -> Standings: ...


@overload
def compare(a: Rows, b: Rows, c: Rows, /, *more: Rows, **how: Unpack[How]) -> Standings: ...


@door
@spelled_out(Judging)
def compare(
    systems: Rows | Mapping[str, Rows],
    /,
    *others: Rows,
    lose: float | None = None,
    **how: Unpack[Judging],
) -> Contrasts | Standings:
    """Compare what the same perturbed rows did to two systems, or to many.

    Args:
        systems: scored rows of one system, with records, the originals among them; or those of
            all systems, by their names.
        *others: those of the other systems; A, B, C and so on are their names. Rows that not all of
            them have are left out, which a hint says.
        lose: the loss whose strength is looked for: of two, where steps have curves; of more, only
            if it is given.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        cluster: as for `score`.
        range: as for `score`.
        unanswered: as for `score`.
        against: as for `score`; the answers of each are compared with its own.
        embed: as for `score`.
        margin: differences of two systems within it are none to speak of; one system is robust
            within it.
        human: as for `score`; originals count if a person graded their rows of both systems.

    Returns:
        Of two the contrasts, of more the standings: both with `sentence`, `conditions`, `overall`,
        `to_dict()` and `to_pandas()`.

    Raises:
        DataError: rows cannot be linked, joined or scored, or the systems share none.
        UsageError: there is one system, or more than there are letters.

    Examples:
        >>> import perturb
        >>> rows = [{"id": at, "text": f"Is {at} odd?", "answer": str(at % 2)} for at in range(50)]
        >>> noisy = list(perturb.augment(rows, "char_delete", p=0.2, with_original=True))
        >>> def answers(say):
        ...     return [{**row, "prediction": say(row["text"])} for row in noisy]
        >>> def last_digit(text):
        ...     return str(int("0" + "".join(filter(str.isdigit, text))) % 2)
        >>> def literal(text):
        ...     return last_digit(text) if text.endswith(" odd?") else "?"
        >>> found = compare({"digits": answers(last_digit), "literal": answers(literal)})
        >>> [(one.system, one.rank) for one in found.overall]
        [('digits', 1), ('literal', 2)]
    """
    if not isinstance(systems, Mapping):
        systems = dict(zip(ascii_uppercase, (systems, *others), strict=False))
    if not max(2, len(others) + 1) <= len(systems):
        raise UsageError("compare takes 2 systems to 26, or a dictionary of 2 or more by name")
    grading = Grading.of(lose=lose, **how)
    sources = {
        name: [listed_source(rows, grading.given).reading(*grading.paths)]
        for name, rows in systems.items()
    }
    graders = {name: grader(source, grading) for name, source in sources.items()}
    sides = {name: paired(sources[name], grading, by) for name, by in graders.items()}
    metrics = next(iter(graders.values())).metrics
    if len(others) == 1:
        lose = LOSE if lose is None else lose
        return contrast_pairs(sides["A"], sides["B"], metrics, margin=grading.margin, lose=lose)
    return standings(sides, metrics, margin=grading.margin, lose=lose)


def standings(
    sides: Mapping[str, Pairs],
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
    lose: float | None = None,
    successions: Sequence[tuple[str, str]] = (),
) -> Standings:
    """Rank systems from joined rows, by what perturbing takes from them; see `compare`.

    One system is before another where the interval of the difference of their differences excludes
    0. The intervals of all pairs of a condition hold together (Bonferroni), and with them all of
    its ranks, ties included, where quantiles of resampled ranks do not.

    Args:
        sides: the rows of each system, two at least.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
        lose: where the strength is looked for from which so much is lost, how much.
        successions: pairs of systems; the second is the first on a later date.

    Source: Mogstad, Romano, Shaikh and Wilhelm (2024), Inference for ranks with applications to
    mobility across neighbourhoods and academic achievement across countries.
    """
    shared, hints = aligned(sides)
    margin = checked_margin(margin, *shared)
    lose = plain(lose)
    conditions: list[Standing] = []
    overall: list[Standing] = []
    for at, metric, every, groups, whole in each_measure(shared, metrics):
        by, alone = partial(finding_of, measure=at, metric=metric), [[pairs] for pairs in every]
        for part, some in ((conditions, groups), (overall, [whole])):
            of_each = measured(alone, some, by, metric, margin)
            for group, *by_system in zip(some, *of_each, strict=True):
                found = dict(zip(sides, by_system, strict=True))
                part += _ranked(found, every, group, groups, at, metric[1])
    tolerated, by_name = list[Tolerance](), dict(zip(sides, shared, strict=True))
    if lose is not None:
        for name, pairs in by_name.items():
            steps = tolerances([pairs], metrics, lose).steps
            tolerated += [step._replace(system=name) for step in steps]
        tolerated.sort(key=lambda step: (step.metric, step.step))
    trend = trend_of(by_name, successions, metrics, margin)
    named = (
        one.finding._replace(perturbator=f"{one.system}: {one.finding.perturbator}")
        for one in (*conditions, *overall)
    )
    hints += [
        *footnote([*named]),
        *map(str, trend),
        *look_hint(widest_look(shared)),
        *design_hints(*shared, names=[*sides]),
    ]
    hints += range_hint(metrics, margin, *shared)
    for name, pairs in by_name.items():
        hints += lost_hint(pairs, metrics, f" of {name}")
    return Standings(
        tuple(sides), conditions, overall, metrics, margin, tolerated, lose, trend, tuple(hints)
    )


def _ranked(
    findings: Mapping[str, Finding],
    sides: Sequence[Pairs],
    group: Group,
    groups: Sequence[Group],
    measure: int,
    metric: Metric,
) -> list[Standing]:
    """Return the standings of all systems under one condition, by rank; the unranked come last."""
    judged = {
        name: pairs
        for (name, finding), pairs in zip(findings.items(), sides, strict=True)
        if finding.verdict not in (CONTROL, CANNOT_JUDGE)
    }
    sign = 1 if metric.higher_is_better or group[0].expect in REACTING else -1
    losses = {name: -sign * findings[name].difference for name in judged}
    ranks = {one.system: one.rank for one in ranked(losses)}
    limits = rank_limits(judged, group, groups, measure, metric)
    standings = []
    for name, finding in findings.items():
        low, high = limits.get(name) or (None, None)
        standings.append(Standing(name, finding.name, ranks.get(name), low, high, finding))
    return sorted(standings, key=lambda one: (one.rank is None, one.rank or 0))


def rank_limits(
    sides: Mapping[str, Pairs],
    group: Group,
    groups: Sequence[Group] = (),
    measure: int = 0,
    metric: Metric = SCORE,
) -> dict[str, tuple[int, int]]:
    """Return intervals of the ranks of systems that hold together; see `standings`.

    Args:
        sides: the same rows of each, in one order.
        group: the condition to compare under, and its rows.
        groups: all of them, among which are controls.
        measure: the column of the scores.
        metric: their range, and when they are good.
    """
    sign = 1 if metric.higher_is_better or group[0].expect in REACTING else -1
    pairs = [*combinations(sides, 2)]
    if not pairs:
        return dict.fromkeys(sides, (1, 1))
    level = widest_look(sides.values())._replace(together=len(pairs)).level
    decided: list[tuple[str, str]] = []
    for first, second in pairs:
        both = sides[first], sides[second]
        found = changes_of(both, group, groups, measure, metric)
        low, high = found.beyond.interval(found.unit, level, found.ends)
        if both[0].human is not None:
            corrected, few = corrected_changes(both, group[1], measure, level)
            low, high = (-1.0, 1.0) if few else (corrected[2].low, corrected[2].high)
        if low > 0 or high < 0:
            decided.append((second, first) if sign * (low + high) > 0 else (first, second))
    return limits_of([*sides], decided)
