"""The loss over the strength of a step, and the strength from which so much is lost."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from perturb.robustness.metrics.crossing import crossing, crossing_interval, curve_of
from perturb.robustness.scoring.conditions import KEPT
from perturb.robustness.scoring.findings import ALL, Finding
from perturb.robustness.scoring.judgement import LOSES, TOLERATES, UNDECIDED, too_few
from perturb.robustness.scoring.ladders import Ladder, ladders
from perturb.robustness.scoring.tolerances import Rung, Tolerance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.metric import Metric
    from perturb.robustness.scoring.verdict import Verdict


def steps_of(pairs: Pairs) -> list[Ladder]:
    """Return the steps of joined rows, each with its strengths."""
    return ladders({at: pairs.conditions[at] for at in np.unique(pairs.condition).tolist()})


def curves(result: Verdict, pairs: Pairs, lose: float) -> Iterator[Tolerance]:
    """Yield the tolerance of each metric and step, from the findings of a verdict.

    Args:
        result: the verdict.
        pairs: the rows that it judges.
        lose: the loss.
    """
    names = pairs.named
    for (name, metric), ladder in product(result.metrics.items(), steps_of(pairs)):
        every = (one for one in result.conditions if (one.metric, one.scope) == (name, ALL))
        by_name = {one.name: one for one in every}
        findings = [by_name[names[place].name] for _, place in ladder.rungs]
        yield _tolerance(ladder, findings, metric, lose, result.margin)


def _tolerance(
    ladder: Ladder, findings: Sequence[Finding], metric: Metric, lose: float, margin: float
) -> Tolerance:
    """Return the tolerance of one step by one metric.

    Args:
        ladder: the strengths.
        findings: those at each.
        metric: their direction.
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
    clean = findings[0].comparison.clean_mean
    left = clean if metric.higher_is_better else 1 - clean
    if left < lose and all(finding.comparison.score_range == 1 for finding in findings):
        return f"the originals score {clean:.3f}: they cannot lose {lose:g}"
    return ""
