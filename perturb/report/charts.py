"""The charts, as specifications of Vega-Lite; colours are the page's own properties."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.verdict import Finding

_CONFIG = {
    "background": None,
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "domainColor": "var(--line)",
        "gridColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
    },
}
_SAID = {
    "description": {"field": "said"},
    "tooltip": [
        {"field": "perturbator"},
        {"field": "p"},
        {"field": "perturbed", "title": "score", "format": ".4f"},
        {"field": "interval", "title": "95 %"},
        {"field": "difference", "format": "+.4f"},
        {"field": "verdict"},
    ],
}


def points(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return the values that a chart shows, for each finding that has a strength."""
    return [_point(finding) for finding in findings if finding.p is not None]


def _point(finding: Finding) -> dict[str, Any]:
    compared, sure = finding.comparison, finding.comparison.uncertainty
    low, high = sure.perturbed_low, sure.perturbed_high
    known = low is not None and high is not None
    return {
        "perturbator": finding.perturbator,
        "p": finding.p,
        "strength": f"{finding.p:g}",
        "perturbed": compared.perturbed_mean,
        "low": low,
        "high": high,
        "interval": f"{low:.4f} to {high:.4f}" if known else "not known from one original",
        "difference": compared.difference,
        "verdict": finding.verdict,
        "said": f"{finding.perturbator} at p = {finding.p:g}: score {compared.perturbed_mean:.4f}, "
        f"difference {compared.difference:+.4f}, {finding.verdict}",
    }


def curves(shown: Sequence[dict[str, Any]], clean: float) -> dict[str, Any]:
    """Draw the score over p of the perturbator `focus`, above all others and the clean score."""
    seen = [point[key] for point in shown for key in ("low", "perturbed", "high")]
    known = [clean, *(value for value in seen if value is not None)]
    x = {
        "field": "p",
        "type": "quantitative",
        "axis": {"grid": False, "tickCount": 4},
        "scale": {"domainMin": 0},
    }
    y = {
        "type": "quantitative",
        "title": None,
        "axis": {"tickCount": 4},
        "scale": {"domain": [min(known), max(known)], "nice": True},
    }
    score = {"x": x, "y": {**y, "field": "perturbed"}}
    interval = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}}
    return {
        "description": "Mean score over p, with 95 % intervals",
        "width": "container",
        "height": 130,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": _CONFIG,
        "params": [{"name": "focus", "value": ""}],
        "data": {"values": list(shown)},
        "layer": [*_behind(score, clean), *_in_focus(score, interval)],
    }


def _behind(score: dict[str, Any], clean: float) -> list[dict[str, Any]]:
    """Draw the lines of all perturbators, and that of the clean score."""
    line = {"type": "line", "color": "var(--line-strong)", "strokeWidth": 1, "aria": False}
    return [
        {"mark": line, "encoding": {**score, "detail": {"field": "perturbator"}}},
        {
            "mark": {"type": "rule", "color": "var(--muted)", "strokeDash": [3, 3]},
            "encoding": {
                "y": {"datum": clean},
                "description": {"value": "score of the originals"},
            },
        },
    ]


def _in_focus(score: dict[str, Any], interval: dict[str, Any]) -> list[dict[str, Any]]:
    """Draw the perturbator in focus: its interval as an area and as rules, its line, its points."""
    layers = (
        ({"type": "area", "opacity": 0.14, "aria": False}, interval),
        ({"type": "rule", "strokeWidth": 1.5, "aria": False}, interval),
        ({"type": "line", "strokeWidth": 2, "aria": False}, score),
        ({"type": "point", "filled": True, "size": 45, "opacity": 1}, {**score, **_SAID}),
    )
    return [
        {
            "transform": [{"filter": "datum.perturbator === focus"}],
            "mark": {**mark, "color": "var(--accent)"},
            "encoding": encoding,
        }
        for mark, encoding in layers
    ]


def heat(shown: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Draw the difference by perturbator and p: its sign as colour, its size as intensity."""
    largest = max(abs(point["difference"]) for point in shown) or 1
    names = sorted(
        {point["perturbator"] for point in shown},
        key=lambda name: min(p["difference"] for p in shown if p["perturbator"] == name),
    )
    return {
        "description": "Difference from the originals by perturbator and p",
        "width": "container",
        "height": 30 * len(names),
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": _CONFIG,
        "data": {"values": list(shown)},
        "transform": [
            {"calculate": f"abs(datum.difference) / {largest!r}", "as": "size"},
            {
                "calculate": "datum.verdict === 'worse' || datum.verdict === 'better' ? ' *' : ''",
                "as": "star",
            },
            {"calculate": "format(datum.difference, '+.3f') + datum.star", "as": "label"},
        ],
        "encoding": {
            "x": {"field": "p", "type": "ordinal", "axis": {"labelAngle": 0, "orient": "top"}},
            "y": {"field": "perturbator", "type": "nominal", "sort": names, "title": None},
            **_SAID,
        },
        "layer": [
            {
                "mark": {"type": "rect", "cornerRadius": 3, "cursor": "pointer"},
                "encoding": {
                    "color": {
                        "condition": [
                            {"test": "datum.difference < 0", "value": "var(--worse)"},
                            {"test": "datum.difference > 0", "value": "var(--better)"},
                        ],
                        "value": "var(--muted)",
                    },
                    "opacity": {
                        "field": "size",
                        "type": "quantitative",
                        "scale": {"domain": [0, 1], "range": [0.08, 1]},
                        "legend": None,
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 11, "aria": False, "cursor": "pointer"},
                "encoding": {
                    "text": {"field": "label"},
                    "color": {
                        "condition": {"test": "datum.size > 0.55", "value": "var(--page)"},
                        "value": "var(--ink)",
                    },
                },
            },
        ],
    }
