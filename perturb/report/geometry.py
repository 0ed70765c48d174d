"""Places on the axes of the charts, in percent of their length."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from perturb.robustness.linking.conditions import KEPT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.scoring.tolerances import Tolerance

# The width of a label in percent: labels nearer to each other than this would overlap.
_LABEL = 14.0


class Axis(NamedTuple):
    """An axis from `low` to `high` with round ticks."""

    low: float
    high: float
    ticks: list[float]

    def at(self, value: float) -> float:
        """Return the place of a value, in percent from the low end."""
        return round(100 * (value - self.low) / (self.high - self.low), 3)


def axis(values: Sequence[float], ticks: int = 5) -> Axis:
    """Return an axis that holds the values, with about so many round ticks.

    Examples:
        >>> axis([-0.31, 0.02]).ticks
        [-0.3, -0.2, -0.1, 0.0]
    """
    low, high = min(values), max(values)
    if high - low < 1e-9:
        low, high = low - 0.05, high + 0.05
    margin = 0.04 * (high - low)
    low, high = low - margin, high + margin
    rough = (high - low) / ticks
    scale = 10.0 ** math.floor(math.log10(rough))
    step = next(size * scale for size in (1, 2, 2.5, 5, 10) if size * scale >= rough * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    return Axis(low, high, [round(at * step, 10) for at in range(first, last + 1)])


class Panel(NamedTuple):
    """The score of one perturbator over its strength.

    Attributes:
        perturbator: its name.
        unit: "severity" where every strength was given as one, else "p".
        ticks: the strengths, each with its place.
        lines: for each series, its points.
        band: where so much is lost, if that was asked for.
    """

    perturbator: str
    unit: str
    ticks: list[tuple[str, float]]
    lines: list[list[Point]]
    bands: list[Band] = []  # noqa: RUF012  a tuple's default, which nothing changes


class Band(NamedTuple):
    """A tolerance on a panel, its interval in percent from the left.

    What lies beyond the strongest ends with the panel. A ratio has no place.
    """

    tolerance: Tolerance
    low: float
    high: float


class Point(NamedTuple):
    """A finding on a panel; places in percent from the left and from the bottom."""

    finding: Finding
    x: float
    y: float
    low: float
    high: float


def panels(series: Sequence[Sequence[Finding]], y: Axis) -> list[Panel]:
    """Draw each perturbator that has two strengths or more, in the order of the findings.

    Args:
        series: for each system, the findings on all rows.
        y: the axis of the scores.
    """
    names = dict.fromkeys(_name(finding) for finding in series[0])
    drawn = (_panel(name, severe, series, y) for name, severe in names)
    return [panel for panel in drawn if panel is not None]


def _name(finding: Finding) -> tuple[str, bool]:
    return finding.perturbator, finding.severity is not None


def _panel(name: str, severe: bool, series: Sequence[Sequence[Finding]], y: Axis) -> Panel | None:
    by_strength: list[dict[float, Finding]] = []
    for findings in series:
        points: dict[float, Finding] = {}
        for finding in findings:
            strength = finding.severity if severe else finding.p
            same = _name(finding) == (name, severe) and finding.expect == KEPT
            if same and strength is not None:
                points[strength] = finding
        by_strength.append(points)
    strengths = sorted(by_strength[0])
    if len(strengths) < 2:
        return None
    low, high = strengths[0], strengths[-1]
    x = Axis(low - 0.06 * (high - low), high + 0.06 * (high - low), [])
    lines = [
        [_point(each[at], x.at(at), y) for at in strengths if at in each] for each in by_strength
    ]
    ticks = [(f"{at:g}", x.at(at)) for at in strengths]
    return Panel(name, "severity" if severe else "p", apart(ticks), lines)


def with_bands(panels: Sequence[Panel], tolerances: Sequence[Tolerance]) -> list[Panel]:
    """Draw each tolerance on the panel whose points it is read from; a ratio follows its two."""
    drawn = []
    for panel in panels:
        bands: list[Band] = []
        at = {(point.finding.metric, point.finding.name): point.x for point in panel.lines[0]}
        for tolerance in tolerances:
            places = [at.get((tolerance.metric, rung.condition)) for rung in tolerance.curve]
            known = [place for place in places if place is not None]
            if not places:
                shown = [(band.tolerance.metric, band.tolerance.step) for band in bands]
                if (tolerance.metric, tolerance.step) in shown:
                    bands.append(Band(tolerance, 0.0, 0.0))
            elif tolerance.low is not None and len(known) == len(places):
                strengths = [rung.strength for rung in tolerance.curve]
                slope = (known[1] - known[0]) / (strengths[1] - strengths[0])
                # Intervals of tolerances end at 0, at strengths that were asked, or nowhere.
                ends = {0.0: max(0.0, known[0] - slope * strengths[0]), None: 100.0}
                ends |= zip(strengths, known, strict=True)
                low, high = ends[tolerance.low], ends[tolerance.high]
                bands.append(Band(tolerance, low, high))
        drawn.append(panel._replace(bands=bands))
    return drawn


def _point(finding: Finding, x: float, y: Axis) -> Point:
    mean, sure = finding.comparison.perturbed_mean, finding.comparison.uncertainty
    limits = (mean if one is None else one for one in (sure.perturbed_low, sure.perturbed_high))
    return Point(finding, x, y.at(mean), *map(y.at, limits))


def apart(ticks: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Leave out the ticks whose labels would stand on those of others; the last one stays.

    Examples:
        >>> apart([("0.02", 5), ("0.05", 8), ("0.1", 19), ("0.5", 90), ("0.6", 95)])
        [('0.02', 5), ('0.1', 19), ('0.6', 95)]
    """
    shown = [ticks[-1]]
    for tick in ticks[:-1]:
        if all(abs(other[1] - tick[1]) >= _LABEL for other in shown):
            shown.insert(-1, tick)
    return shown
