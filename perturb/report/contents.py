"""Everything the page shows, as plain values; the numbers are those of the verdict."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.report import charts
from perturb.report.flips import Flip, chosen, flips
from perturb.report.row_texts import notes
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.join import join
from perturb.robustness.scoring.metric import SCORE
from perturb.robustness.scoring.verdict import UNDAMAGED, Finding, Slice, by_slice, verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.grade import Grade
    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.sources import RowSource

# Together the conditions list about so many flips, and one condition at most and at least so many.
_LISTED, _MOST, _FEWEST = 1000, 50, 2
_SLICES = 100
_METRICS = {"score": SCORE}


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
    grade: Grade,
    *,
    slices: Sequence[str] = (),
    prediction: str | None = None,
    target: str | None = None,
    seed: int = 0,
) -> Data:
    """Judge scored rows, and read again what the page shows of them.

    Args:
        sources: the rows, with their originals.
        grade: how a row is graded.
        slices: fields to break the overall difference down by.
        prediction: the field with the answer, to show.
        target: the field with the right answer, to show.
        seed: as for `verdict`.

    Raises:
        DataError: rows can't be read, linked, joined or graded, or lack a field (named).
    """
    pairs = join(collect(sources, grade, prediction), sources)
    found = verdict(pairs, _METRICS, seed=seed)
    noted = notes(sources, pairs, slices)
    whole = [finding for finding in found.conditions if finding.scope == "all"]
    most = min(max(_LISTED // (2 * len(whole)), _FEWEST), _MOST)
    listed, changed = chosen(pairs, noted, most)
    points = charts.points(whole)
    panels = _panels(whole)
    return Data(
        overall=found.overall[0],
        findings=_shown([one for one in found.conditions if one.scope != UNDAMAGED]),
        worst=min(whole, key=lambda finding: finding.comparison.difference),
        binary=found.overall[0].comparison.effect.flips_to_bad is not None,
        heat=charts.heat(points) if points else None,
        curves=charts.curves(points, found.overall[0].comparison.clean_mean) if panels else None,
        panels=panels,
        slices=[_sliced(field, values, pairs, seed) for field, values in noted.values.items()],
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


def _sliced(field: str, values: Sequence[str], pairs: Pairs, seed: int) -> Sliced:
    counts = Counter(values)
    names = sorted(name for name, _ in sorted(counts.items(), key=_rarity)[:_SLICES])
    return Sliced(
        field, by_slice(pairs, values, names, _METRICS, seed=seed), len(counts) - len(names)
    )


def _rarity(counted: tuple[str, int]) -> tuple[int, str]:
    name, rows = counted
    return -rows, name
