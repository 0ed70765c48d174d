"""The strengths of each step, the loss over them, and the strength from which so much is lost."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.registry.described import built_in
from perturb.robustness.linking.conditions import KEPT, Condition, order
from perturb.robustness.measures.findings import ALL, Finding
from perturb.robustness.measures.judgement import LOSES, TOLERATES, UNDECIDED
from perturb.robustness.measures.obstacles import too_few
from perturb.robustness.metrics.crossing import crossing, crossing_interval, curve_of
from perturb.robustness.scoring.tolerances import Rung, Tolerance
from perturb.values.arrays import distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.robustness.measures.metric import Metric
    from perturb.robustness.pairs.join import Pairs
    from perturb.robustness.scoring.verdict import Verdict

# Strengths in the label of a condition: of a step with a name of the user's, or of
# several steps, as a grid labels them.
_LABELLED = re.compile(r":?\b(p|severity|count)=([\d.]+)")
# Strengths that stand among the parameters of a condition.
_STRENGTH = re.compile(r"(?:^|(?<=,))(count|intensity)=(\w+)(?:,|$)")
_PER_WORD = "per=word"
_SHARE = "share"


class Ladder(NamedTuple):
    """The strengths of one step.

    Attributes:
        name: the name of its perturbator, with its parameters, if it has any.
        unit: that of its strengths: a share, such as "share of characters", or "edits"; "severity"
            where the `p` of one is not known.
        severities: the `p` of each, for this step; empty where they are not known.
        expect: as for a condition.
        rungs: each strength, ascending, with the place of its condition.
    """

    name: str
    unit: str
    severities: Mapping[int, float]
    expect: str
    rungs: list[tuple[float, int]]

    def severity(self, p: float | None) -> float | None:
        """Return the severity of a share; None for none.

        Below the least it is in proportion; elsewhere each doubling between two adds the same.
        """
        if p is None or not self.severities:
            return None
        (least, first), *_ = known = sorted(self.severities.items())
        if p <= first or len(known) == 1:
            return least * p / first
        pairs = list(pairwise(known))
        (level, start), (after, end) = next((pair for pair in pairs if p <= pair[1][1]), pairs[-1])
        return level + (after - level) * math.log(p / start) / math.log(end / start)


def ladders(conditions: Mapping[int, Condition]) -> list[Ladder]:
    """Return the ladders of conditions, by their places; those of one strength are among them.

    They come by their names, as conditions do in all tables. Controls are on none, nor is a
    condition without a strength of its own.
    """
    rungs: dict[tuple[Any, ...], dict[float, int]] = {}
    for place, condition in sorted(conditions.items(), key=lambda each: order(each[1])):
        rung = None if condition.control else _rung(condition)
        if rung is not None:
            key, strength = rung
            rungs.setdefault(key, {}).setdefault(strength, place)
    return [_ladder(key, sorted(each.items())) for key, each in rungs.items()]


def _rung(condition: Condition) -> tuple[tuple[Any, ...], float] | None:
    """Return the perturbator, parameters, kind of strength and expectation; and the strength."""
    if labelled := {*_LABELLED.findall(condition.perturbator)}:
        if len(labelled) > 1:
            return None
        ((name, number),) = labelled
        kind = {"p": _SHARE}.get(name, name)
        label = _LABELLED.sub("", condition.perturbator)
        return (label, "", kind, name, condition.expect), float(number)
    strength = _STRENGTH.search(condition.params)
    key = condition.perturbator, _STRENGTH.sub("", condition.params).rstrip(",")
    if condition.severity is not None:
        known = _severities(*key)
        level = condition.severity
        kind, value = (_SHARE, known[level]) if level in known else ("severity", float(level))
    elif condition.p is not None:
        kind, value = _SHARE, condition.p
    elif strength is not None and strength[1] == "count":
        kind, value = "count", float(strength[2])
    elif strength is not None and condition.perturbator in built_in():
        kind, value = _SHARE, built_in()[condition.perturbator]["intensities"][strength[2]]
    else:
        return None
    typed = condition.severity is not None, strength and strength[1]
    return (*key, kind, typed, condition.expect), value


def _ladder(key: tuple[Any, ...], rungs: list[tuple[float, int]]) -> Ladder:
    name, params, kind, _, expect = key
    unit = {"count": "edits"}.get(kind, kind)
    if kind == _SHARE:
        word = "word" if _PER_WORD in params.split(",") else built_in().get(name, {}).get("unit")
        unit = f"share of {word or 'unit'}s"
    label = f"{name} {params}".rstrip() + ("" if expect == KEPT else f" (expect {expect})")
    severities = _severities(name, params) if kind == _SHARE else {}
    return Ladder(label, unit, severities, expect, rungs)


@cache
def _severities(name: str, params: str) -> Mapping[int, float]:
    """Return the `p` of each severity of a step without parameters; empty where not known."""
    known: Mapping[int, float] = {} if params else built_in().get(name, {}).get("severities", {})
    return known


def steps_of(pairs: Pairs) -> list[Ladder]:
    """Return the steps of joined rows, each with its strengths."""
    return ladders({at: pairs.conditions[at] for at in distinct(pairs.condition).tolist()})


def curves(result: Verdict, pairs: Pairs, lose: float) -> Iterator[Tolerance]:
    """Yield the tolerance of each metric and step, from the findings of a verdict.

    Args:
        result: the verdict.
        pairs: the rows that it judges.
        lose: the loss.
    """
    names = pairs.named
    for (at, (name, metric)), ladder in product(enumerate(result.metrics.items()), steps_of(pairs)):
        scores = pairs.columns.scores[:, at]
        known = metric._replace(range=metric.ends(scores) if metric.is_known(scores) else None)
        every = (one for one in result.conditions if (one.metric, one.scope) == (name, ALL))
        by_name = {one.name: one for one in every}
        findings = [by_name[names[place].name] for _, place in ladder.rungs]
        yield _tolerance(ladder, findings, known, lose, result.margin)


def _tolerance(
    ladder: Ladder, findings: Sequence[Finding], metric: Metric, lose: float, margin: float
) -> Tolerance:
    """Return the tolerance of one step by one metric.

    Args:
        ladder: the strengths.
        findings: those at each.
        metric: their direction, and their range where that is known.
        lose: the loss.
        margin: that of the findings.
    """
    rungs, sign = [], 1 if metric.higher_is_better else -1
    for (strength, _), finding in zip(ladder.rungs, findings, strict=True):
        change = finding.difference, finding.low or 0.0, finding.high or 0.0
        loss, *limits = (-sign * each for each in change)
        least, most = sorted(limits)
        rungs.append(Rung(strength, finding.name, loss, least, most, finding.comparison.rows))
    step = Tolerance(
        step=ladder.name,
        unit=ladder.unit,
        metric=findings[0].metric,
        expect=ladder.expect,
        strongest=rungs[-1].strength,
        originals=max(finding.comparison.originals for finding in findings),
        reason=_obstacle(findings, ladder, metric, lose, margin),
        curve=tuple(rungs),
    )
    if step.reason:
        return step
    curve = curve_of(*([rung[at] for rung in rungs] for at in (0, 2, 3, 4)))
    low, high = crossing_interval(curve, lose)
    point = crossing(curve, lose)
    if point is not None:  # the rising curve may run beside the interval where the losses fall
        point = min(max(point, low), rungs[-1].strength if high is None else high)
        point = None if point < rungs[0].strength else point  # where nothing was asked
    word = LOSES if high is not None else TOLERATES if (curve.high < lose).all() else UNDECIDED
    return step._replace(
        verdict=word,
        strength=point,
        low=low,
        high=high,
        severity=ladder.severity(point),
        severity_low=ladder.severity(low),
        severity_high=ladder.severity(high),
    )


def _obstacle(
    findings: Sequence[Finding], ladder: Ladder, metric: Metric, lose: float, margin: float
) -> str:
    """Return why a step cannot be judged; "" where it can."""
    if findings[0].expect != KEPT:
        return f"the right answer may be another one (expect {findings[0].expect})"
    if len(findings) < 2:
        return "there is one strength: a curve takes several, as by --grid -p 0.01,0.02,0.05,0.1"
    for (strength, _), finding in zip(ladder.rungs, findings, strict=True):
        few = too_few(lose, finding.comparison)
        reason = few or finding.reason
        weak = finding is not findings[-1] and reason in (few, too_few(margin, finding.comparison))
        # Where little is changed, little is lost; and limits hold whatever lost replies were.
        if reason and not (weak or finding.comparison.uncertainty.least is not None):
            return f"{reason} (at {strength:g})"
    clean, (low, high) = findings[0].comparison.clean_mean, metric.range or (-math.inf, math.inf)
    left = clean - low if metric.higher_is_better else high - clean
    if left < lose and all(each.comparison.score_range == high - low for each in findings):
        return f"the originals score {clean:.3f}: they cannot lose {lose:g}"
    return ""
