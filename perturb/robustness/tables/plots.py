"""Plots of a verdict: the scores over p, the gamma curve, the flips."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from perturb.errors import UsageError, installing
from perturb.robustness.linking.conditions import KEPT
from perturb.robustness.measures.findings import ALL
from perturb.robustness.metrics.dispersion import eps_gamma_curve

try:
    from matplotlib import rc_context
    from matplotlib.figure import Figure
except ImportError:
    raise ImportError(f"plots need matplotlib: {installing('report')}") from None

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from perturb.robustness.measures.findings import Finding, Findings


_ENDINGS = (".png", ".svg")
_SIZE = 5, 3.6  # inches: its letters can still be read when a page is as wide as a phone


def write_plots(verdict: Findings[Finding], directory: Path) -> list[Path]:
    """Write `score_over_p`, `gamma_curve` and `flips`, each as PNG and SVG.

    The gamma curve takes the clean mean and each condition's mean as the system's scores on so many
    test sets, in percent; it is left out where a mean is outside [0, 1], and the flips where scores
    are not 0 and 1. Conditions without a strength are not on the score's curve, and those whose
    right answer may be another one are on none.

    Args:
        verdict: what `perturb.robustness.scoring.verdict.verdict` returns.
        directory: where to write; made if it does not exist.

    Returns:
        The files written.
    """
    findings = [
        finding for finding in verdict.conditions if finding.scope == ALL and finding.expect == KEPT
    ]
    clean = verdict.overall[0].comparison.clean_mean
    directory.mkdir(parents=True, exist_ok=True)
    files: list[Path] = []
    for name, draw in (("score_over_p", _scores), ("gamma_curve", _gamma), ("flips", _flips)):
        figure = Figure(figsize=_SIZE, layout="constrained")
        if draw(figure.add_subplot(), findings, clean):
            files += [_saved(figure, directory / f"{name}{ending}") for ending in _ENDINGS]
    return files


def write_gamma_curves(scores_by_system: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw gamma over eps 1 to 100 for the samples of each system, in one plot.

    Args:
        scores_by_system: the scores of each system's samples, in points from 0 to 100.
        path: a name that ends in .png or .svg.

    Raises:
        UsageError: the name ends otherwise.

    Source: the paper of coefficient of variation and (eps, gamma)-robustness, Algorithm 1 and
    Figure 4.
    """
    if path.suffix not in _ENDINGS:
        raise UsageError(f"a plot's name ends in .png or .svg; got {str(path)!r}")
    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    _draw_gamma(axes, scores_by_system, "points", "samples")
    axes.legend()
    _saved(figure, path)


def _saved(figure: Figure, path: Path) -> Path:
    with rc_context({"svg.hashsalt": "perturb"}):  # the same bytes on every run
        figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return path


def _scores(axes: Axes, findings: list[Finding], clean: float) -> bool:
    curves = defaultdict(list)
    for finding in findings:
        if finding.p is not None:
            curves[finding.perturbator].append(finding)
    for perturbator, points in curves.items():
        means = [point.comparison.perturbed_mean for point in points]
        strengths = [point.p for point in points if point.p is not None]
        below, above = zip(*map(_reach, points), strict=True)
        axes.errorbar(
            strengths, means, yerr=(below, above), marker="o", capsize=3, label=perturbator
        )
    axes.axhline(clean, color="grey", linestyle="--", label="clean")
    axes.set(xlabel="p", ylabel="mean score, with 95 % interval", title="Score over strength")
    axes.legend()
    return bool(curves)


def _reach(point: Finding) -> tuple[float, float]:
    mean, sure = point.comparison.perturbed_mean, point.comparison.uncertainty
    if sure.perturbed_low is None or sure.perturbed_high is None:
        return 0.0, 0.0
    return mean - sure.perturbed_low, sure.perturbed_high - mean


def _gamma(axes: Axes, findings: list[Finding], clean: float) -> bool:
    means = [clean, *(finding.comparison.perturbed_mean for finding in findings)]
    if min(means) < 0 or max(means) > 1:
        return False
    percent = {"": [100 * mean for mean in means]}
    _draw_gamma(axes, percent, "percentage points", f"{len(means)} conditions")
    return True


def _draw_gamma(axes: Axes, scores: Mapping[str, Sequence[float]], unit: str, over: str) -> None:
    for name, points in scores.items():
        eps, gammas = zip(*eps_gamma_curve(points), strict=True)
        axes.plot(eps, gammas, label=name)
    axes.set(
        xlabel=f"eps ({unit})",
        ylabel="gamma (lower is more robust)",
        title=f"(eps, gamma)-robustness over {over}",
        # So that curves at 0 and 1 don't lie on the frame.
        ylim=(-0.02, 1.02),
    )


def _flips(axes: Axes, findings: list[Finding], _: float) -> bool:
    sizes = [finding.comparison.effect for finding in findings]
    if any(size.flips_to_bad is None for size in sizes):
        return False
    names = [finding.name for finding in findings]
    rows = range(len(names))
    axes.barh(rows, [-(size.flips_to_bad or 0) for size in sizes], label="good to bad")
    axes.barh(rows, [size.flips_to_good or 0 for size in sizes], label="bad to good")
    axes.set_yticks(rows, names)
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.xaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set(xlabel="flipped rows", title="Flips")
    axes.legend()
    return True
