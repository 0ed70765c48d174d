"""Everything the page shows, as plain values; the numbers are those of the verdict."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.report import charts
from perturb.report.flips import Flip, chosen, flips
from perturb.report.row_texts import notes
from perturb.robustness.scoring.verdict import UNDAMAGED, Finding, Slice, by_slice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource

# Together the conditions list about so many flips, and one condition at most and at least so many.
_LISTED, _MOST, _FEWEST = 1000, 50, 2
_SLICES = 100


class Sliced(NamedTuple):
    """Results by the values of a field: those with the most rows, and how many were left out."""

    field: str
    slices: list[Slice]
    left_out: int


class Data(NamedTuple):
    """The contents of the page.

    Attributes:
        overall: the finding over all conditions.
        findings: of each condition, on all rows; where only some changed, on those as well.
        worst: the condition with the largest drop.
        binary: whether all scores are 0 or 1, so that a change is a flip.
        heat: the specification of the heat map; None where no condition has a strength.
        curves: of the curves; None where no perturbator has two strengths.
        panels: the perturbators with two strengths or more, the largest drop first.
        slices: one for each field.
        flips: those listed.
        changed: how many rows scored otherwise than their original.
        most: how many flips are listed at most for a condition and a direction.
    """

    overall: Finding
    findings: list[Finding]
    worst: Finding
    binary: bool
    heat: dict[str, Any] | None
    curves: dict[str, Any] | None
    panels: list[str]
    slices: list[Sliced]
    flips: list[Flip]
    changed: int
    most: int


def gather(
    sources: Sequence[RowSource],
    judged: Judged,
    *,
    slices: Sequence[str] = (),
    prediction: str | None = None,
    target: str | None = None,
    seed: int = 0,
) -> Data:
    """Gather what the page shows of a verdict and of its rows, which are read again.

    Args:
        sources: the rows, with their originals.
        judged: what `judge_pairs` found in them; charts and slices show the first metric.
        slices: fields to break the overall difference down by.
        prediction: the field with the answer, to show.
        target: the field with the right answer, to show.
        seed: as for `verdict`.

    Raises:
        DataError: rows can't be read, or lack a field (named).
    """
    found, pairs = judged
    noted = notes(sources, pairs, slices)
    first, metric = next(iter(found.metrics.items()))
    sign = 1 if metric.higher_is_better else -1
    conditions = [finding for finding in found.conditions if finding.metric == first]
    whole = [finding for finding in conditions if finding.scope == "all"]
    most = min(max(_LISTED // (2 * len(whole)), _FEWEST), _MOST)
    listed, changed = chosen(pairs, noted, most)
    points = charts.points(whole)
    panels = _panels(whole)
    return Data(
        overall=found.overall[0],
        findings=_shown([one for one in conditions if one.scope != UNDAMAGED]),
        worst=min(whole, key=lambda finding: sign * finding.comparison.difference),
        binary=found.overall[0].comparison.effect.flips_to_bad is not None,
        heat=charts.heat(points) if points else None,
        curves=charts.curves(points, found.overall[0].comparison.clean_mean) if panels else None,
        panels=panels,
        slices=[_sliced(field, values, judged, seed) for field, values in noted.values.items()],
        flips=flips(sources, pairs, listed, prediction, target),
        changed=changed,
        most=most,
    )


def _shown(findings: Sequence[Finding]) -> list[Finding]:
    """Return each condition's finding on all rows, and that on the changed ones, if fewer."""
    rows = {(f.perturbator, f.p): f.comparison.rows for f in findings if f.scope == "all"}
    at = {name: place for place, name in enumerate(rows)}
    kept = [f for f in findings if f.scope == "all" or f.comparison.rows < rows[f.perturbator, f.p]]
    return sorted(kept, key=lambda f: (at[f.perturbator, f.p], f.scope))


def _panels(findings: Sequence[Finding]) -> list[str]:
    drops: dict[str, list[float]] = {}
    for finding in findings:
        if finding.p is not None:
            drops.setdefault(finding.perturbator, []).append(finding.comparison.difference)
    return sorted((name for name in drops if len(drops[name]) > 1), key=lambda n: min(drops[n]))


def _sliced(field: str, values: Sequence[str], judged: Judged, seed: int) -> Sliced:
    found, pairs = judged
    counts = Counter(values)
    names = sorted(name for name, _ in sorted(counts.items(), key=_rarity)[:_SLICES])
    slices = by_slice(pairs, values, names, found.metrics, margin=found.margin, seed=seed)
    return Sliced(field, slices, len(counts) - len(names))


def _rarity(counted: tuple[str, int]) -> tuple[int, str]:
    name, rows = counted
    return -rows, name
