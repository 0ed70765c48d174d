"""Places on the axes of the charts, in percent of their length."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.verdict import Finding

# A label takes so much of the width, in percent.
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
        lines: of each series, its points.
    """

    perturbator: str
    unit: str
    ticks: list[tuple[str, float]]
    lines: list[list[Point]]


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
        series: of each system, the findings on all rows.
        y: the axis of the scores.
    """
    names = list(dict.fromkeys(finding.perturbator for finding in series[0]))
    made = [
        _panel(name, [[one for one in found if one.perturbator == name] for found in series], y)
        for name in names
    ]
    return [panel for panel in made if panel is not None]


def _panel(name: str, series: list[list[Finding]], y: Axis) -> Panel | None:
    strengths = sorted({one.p: one.severity for one in series[0] if one.p is not None}.items())
    if len(strengths) < 2:
        return None
    severe = all(severity is not None for _, severity in strengths)
    place = {p: float(severity) if severe and severity else p for p, severity in strengths}
    low, high = place[strengths[0][0]], place[strengths[-1][0]]
    x = Axis(low - 0.06 * (high - low), high + 0.06 * (high - low), [])
    lines = [
        [
            Point(
                one,
                x.at(place[one.p]),
                y.at(one.comparison.perturbed_mean),
                y.at(_or(one.comparison.uncertainty.perturbed_low, one)),
                y.at(_or(one.comparison.uncertainty.perturbed_high, one)),
            )
            for one in sorted(found, key=lambda one: one.p or 0)
            if one.p in place
        ]
        for found in series
    ]
    ticks = [(f"{severity}" if severe else f"{p:g}", x.at(place[p])) for p, severity in strengths]
    return Panel(name, "severity" if severe else "p", apart(ticks), lines)


def apart(ticks: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """Leave out the ticks whose labels would stand on those of others; the last one stays.

    Examples:
        >>> apart([("0.02", 5), ("0.05", 8), ("0.1", 19), ("0.5", 90), ("0.6", 95)])
        [('0.02', 5), ('0.1', 19), ('0.6', 95)]
    """
    kept = [ticks[-1]]
    for tick in ticks[:-1]:
        near = [other for other in kept if abs(other[1] - tick[1]) < _LABEL]
        if not near:
            kept.insert(-1, tick)
    return kept


def _or(value: float | None, finding: Finding) -> float:
    return finding.comparison.perturbed_mean if value is None else value
