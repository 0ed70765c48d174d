"""Two systems or many under the same noise: the loss of each, its rank, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from string import ascii_uppercase
from typing import Unpack, overload

from perturb.errors import UsageError, door
from perturb.robustness.grading.plan import MARGIN, Grading, Judging, spelled_out
from perturb.robustness.linking.conditions import REACTING
from perturb.robustness.linking.sources import Row
from perturb.robustness.measures.changes import changes_of
from perturb.robustness.measures.findings import Finding
from perturb.robustness.measures.human import corrected_changes
from perturb.robustness.measures.judgement import (
    CANNOT_JUDGE,
    CONTROL,
    FALSE_DISCOVERIES,
    OF_TWO,
    UNDECIDED,
    adjusted_of,
)
from perturb.robustness.measures.measured import each_measure, finding_of, measured, widest_look
from perturb.robustness.measures.metric import SCORE, Metric
from perturb.robustness.measures.unanswered import lost_hint
from perturb.robustness.metrics.dispersion import ranked
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.metrics.rank_limits import limits_of
from perturb.robustness.pairs.alignment import aligned
from perturb.robustness.pairs.join import Group, Pairs
from perturb.robustness.scoring.contrast import Contrasts, contrast_pairs
from perturb.robustness.scoring.hints import design_hints, range_hint
from perturb.robustness.scoring.score import grader, listed, paired
from perturb.robustness.scoring.standings import Change, Standing, Standings
from perturb.robustness.scoring.tolerance import tolerances
from perturb.robustness.scoring.tolerances import Tolerance
from perturb.robustness.scoring.verdict import checked_margin
from perturb.robustness.tables.headline import footnote
from perturb.values.fields import plain

Rows = Iterable[Row]


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
    sources = {name: listed(rows, grading) for name, rows in systems.items()}
    graders = {name: grader(source, grading) for name, source in sources.items()}
    sides = {name: paired(sources[name], grading, by) for name, by in graders.items()}
    metrics, margin = next(iter(graders.values())).metrics, grading.margin
    if len(others) == 1:
        return contrast_pairs(sides["A"], sides["B"], metrics, margin=margin, lose=grading.loss)
    return standings(sides, metrics, margin=margin, lose=lose)


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
    p_values = {at: each.contrast.p_adjusted for at, each in enumerate(every)}
    for at, p_value in adjusted_of(p_values).items():
        contrast = every[at].contrast._replace(p_adjusted=p_value)
        if contrast.verdict in (OF_TWO.loss, OF_TWO.gain) and p_value >= FALSE_DISCOVERIES:
            contrast = contrast._replace(verdict=UNDECIDED)
        every[at] = every[at]._replace(contrast=contrast)
    return every
