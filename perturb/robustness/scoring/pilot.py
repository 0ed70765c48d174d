"""Pilots: what a verdict on answers that are there says of the conditions of an experiment."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from perturb.errors import UsageError
from perturb.robustness.linking.conditions import KEPT
from perturb.robustness.measures.judgement import CONTROL
from perturb.robustness.metrics.bounded import NEVER_SEEN
from perturb.robustness.metrics.designs import CLUSTERING, MANY, Design, smallest, sum_shares
from perturb.robustness.metrics.distributions import normal_quantile

if TYPE_CHECKING:
    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.scoring.verdict import Verdict

_ADDED = 2.0  # prior versions that flip, so that one of a pilot doesn't decide the clustering


def designs_of(pilot: Verdict) -> tuple[list[Design], int]:
    """Return the designs of a pilot's conditions, and how many originals it has.

    Raises:
        UsageError: there is one original, or no condition changed a row.
    """
    counted, higher = _counted(pilot), next(iter(pilot.metrics.values())).higher_is_better
    originals = pilot.overall[0].comparison.originals
    if not counted or originals < 2:
        raise UsageError("a pilot has two originals at least, and a row that an edit changed")
    designs = [_design(one, len(counted), higher) for one in counted]
    if len(counted) > 1:
        designs.append(_design(pilot.overall[0], 1, higher))
    return designs, originals


def _counted(pilot: Verdict) -> list[Finding]:
    """Return the findings of the conditions that may have an effect."""
    return [
        one
        for one in pilot.whole(next(iter(pilot.metrics)))[0]
        if one.expect == KEPT and one.verdict != CONTROL and one.comparison.changed
    ]


def steps_of(pilot: Verdict, lose: float) -> list[Design]:
    """Return the design of each step with a curve, at the strength that loses nearly so much.

    Raises:
        UsageError: there is no such step.
    """
    (metric, how), *_ = pilot.metrics.items()
    counted, designs = {one.name: one for one in _counted(pilot)}, []
    for step in pilot.tolerances:
        rungs = [rung for rung in step.curve if rung.condition in counted]
        if step.metric == metric and rungs:
            nearest = min(rungs, key=lambda rung: abs(rung.loss - lose))
            design = _design(counted[nearest.condition], 1, how.higher_is_better)
            designs.append(design._replace(condition=step.step))
    if not designs:
        raise UsageError(
            f"no step of the pilot has several strengths, so none tells where {lose:g} is lost: "
            "ask some, as by --grid -p 0.01,0.02,0.05,0.1, or leave out --lose (lose= in Python)"
        )
    return designs


def _design(finding: Finding, tests: int, higher_is_better: bool) -> Design:
    """Return what a pilot says of a condition.

    That versions flip together shows in how many originals keep all of them right.
    """
    compared, effect = finding.comparison, finding.comparison.effect
    count = compared.originals
    versions = min(max(1, round(compared.rows / count)), MANY)
    design = Design(finding.name, 0.5, 0.0, CLUSTERING, versions, tests)
    bad, good = effect.flips_to_bad, effect.flips_to_good
    worst, is_right = compared.worst_of_k, effect.cohens_h is not None
    if not is_right or worst is None or bad is None or good is None or compared.units < count:
        units, size, sure = compared.units, compared.score_range, compared.uncertainty
        # What an interval holds beyond what varied is for those that were not seen.
        # So far apart lost replies hold the limits, and more originals bring them no nearer.
        apart = (sure.most or 0.0) - (sure.least or 0.0)
        reach = ((finding.high or 0.0) - (finding.low or 0.0) - apart) / 2
        varied = max(reach**2 - (NEVER_SEEN * size / units) ** 2, 0.0)
        deviation = math.sqrt(units * varied) / normal_quantile(0.975)
        return design._replace(deviation=deviation, size=size, alike=count / units)
    flipped, right, loss = bad + good, compared.clean_mean, -finding.difference
    if not higher_is_better:
        right, worst, loss = 1 - right, 1 - worst, -loss
    # Shares of the right and of the wrong are divided by, and neither may be 0.
    flips, inside = flipped / compared.rows, min(max(right, 1e-6), 1 - 1e-6)

    def keep(correlation: float) -> bool:
        alike = design._replace(accuracy=inside, flips=flips, clustering=correlation)
        shares = sum_shares(alike, min(loss, inside))
        return bool(inside - shares[:versions].sum() + shares[-1] >= worst)

    clustering = CLUSTERING if versions == 1 else smallest(keep, 0.5, 0.01, 1.0) or 1.0
    # Few answers that flip say little about those that didn't.
    clustering = (flipped * clustering + _ADDED * CLUSTERING) / (flipped + _ADDED)
    # One more original, half right and half flipped: what a pilot never shows may still happen.
    accuracy, flips = ((share * count + 0.5) / (count + 1) for share in (right, flips))
    return design._replace(accuracy=accuracy, flips=flips, clustering=clustering)
