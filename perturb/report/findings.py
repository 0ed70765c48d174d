"""The order of findings, and what tells them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perturb.robustness.scoring.conditions import KEPT
from perturb.robustness.scoring.findings import ALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.metric import Metric


def by_drop(findings: Sequence[Finding], name: str, metric: Metric) -> list[Finding]:
    """Return a metric's findings on all rows, the largest loss first."""
    sign = 1 if metric.higher_is_better else -1
    whole = [one for one in findings if one.metric == name and one.scope == ALL]
    return sorted(whole, key=lambda one: sign * one.comparison.difference)


def key_of(finding: Finding) -> tuple[str, float | None, int | None, str]:
    """Return what tells a condition from the others."""
    return finding.perturbator, finding.p, finding.severity, finding.expect


def strength(finding: Finding) -> str:
    """Return the strength of a finding in words; "" where it has none."""
    expect = "" if finding.expect == KEPT else f"expect {finding.expect}"
    severity = "" if finding.severity is None else f"severity {finding.severity}"
    p = "" if finding.p is None else f"p = {finding.p:g}"
    return ", ".join(filter(None, (severity or p, expect)))
