"""The verdict: the effect of each way of perturbing on the scores, and its uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.metrics.inference import benjamini_hochberg
from perturb.robustness.scoring.comparison import Comparison, compare
from perturb.robustness.scoring.conditions import order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.join import Pairs

_FALSE_DISCOVERIES = 0.05


class Finding(NamedTuple):
    """The effect of one condition, on all of its rows or on the changed ones ("all", "changed").

    `p_adjusted` is the p-value adjusted for the number of conditions (Benjamini and Hochberg); that
    over all conditions stands alone. `verdict` is "worse" or "better", by the sign of the
    difference, where it is below 0.05, else "not shown". `severity` is that which `p` was given as.
    """

    perturbator: str
    p: float | None
    scope: str
    comparison: Comparison
    p_adjusted: float | None
    verdict: str
    severity: int | None = None


class Verdict(NamedTuple):
    """The findings by perturbator and strength, and those over all conditions together."""

    conditions: list[Finding]
    overall: list[Finding]


def verdict(pairs: Pairs, seed: int = 0) -> Verdict:
    """Compare each condition's rows, and all rows together, with their clean rows.

    Every comparison is made on all rows and on the changed rows alone; they differ where a
    perturbator found nothing to change, and there is none where nothing changed.

    Args:
        pairs: joined rows; their first measure is compared.
        seed: decides the bootstrap's resamples, and which one row of each original McNemar's test
            takes.
    """
    rows = np.lexsort((pairs.key, pairs.original))  # so that no sum depends on the file's order
    places = sorted(range(len(pairs.conditions)), key=lambda at: order(pairs.conditions[at]))
    compared: dict[tuple[int | None, int], Comparison] = {}
    conditions: list[Finding] = []
    overall: list[Finding] = []
    for scope, inside in (("all", rows), ("changed", rows[pairs.changed[rows]])):
        found: dict[int | None, Comparison] = {}
        for at in (*places, None):
            own = inside if at is None else inside[pairs.condition[inside] == at]
            known = (at, own.size)  # as many changed rows as rows: they are the same rows
            if own.size and known not in compared:
                compared[known] = compare(pairs, own, seed)
            if own.size:
                found[at] = compared[known]
        of_conditions = [at for at in places if at in found]
        taken = [pairs.conditions[at] for at in of_conditions]
        names = [
            (pairs.labels[at], one.p, one.severity)
            for at, one in zip(of_conditions, taken, strict=True)
        ]
        conditions += _findings(names, scope, [found[at] for at in of_conditions])
        if None in found:
            overall += _findings([("overall", None, None)], scope, [found[None]])
    return Verdict(conditions, overall)


class Slice(NamedTuple):
    """The effect of all conditions together on the rows with one value of a field.

    `p_adjusted` is adjusted for the number of values, and `verdict` as in a finding.
    """

    value: str
    comparison: Comparison
    p_adjusted: float | None
    verdict: str


def by_slice(
    pairs: Pairs, values: Sequence[str], names: Sequence[str], seed: int = 0
) -> list[Slice]:
    """Compare the rows of each value of a field with their clean rows.

    Args:
        pairs: joined rows; their first measure is compared.
        values: of each of the pairs, the value.
        names: the values to compare, each of them that of some pair.
        seed: as for `verdict`.

    Returns:
        One slice a name, in their order.
    """
    column = np.array(values, dtype=object)
    rows = np.lexsort((pairs.key, pairs.original))
    comparisons = [compare(pairs, rows[column[rows] == name], seed) for name in names]
    judged = zip(names, comparisons, _judged(comparisons), strict=True)
    return [Slice(name, comparison, *found) for name, comparison, found in judged]


def _findings(
    names: list[tuple[str, float | None, int | None]], scope: str, comparisons: list[Comparison]
) -> list[Finding]:
    judged = zip(names, comparisons, _judged(comparisons), strict=True)
    return [
        Finding(name, p, scope, comparison, *found, severity)
        for (name, p, severity), comparison, found in judged
    ]


def _judged(comparisons: list[Comparison]) -> list[tuple[float | None, str]]:
    """Return the adjusted p-value of each comparison, and the word for it."""
    p_values = [comparison.uncertainty.p_value for comparison in comparisons]
    known = [p_value for p_value in p_values if p_value is not None]
    adjusted = iter(benjamini_hochberg(known).tolist() if known else [])
    judged = []
    for comparison, p_value in zip(comparisons, p_values, strict=True):
        own = None if p_value is None else next(adjusted)
        judged.append((own, _word(comparison.difference, own)))
    return judged


def _word(difference: float, p_adjusted: float | None) -> str:
    if p_adjusted is None or p_adjusted >= _FALSE_DISCOVERIES or difference == 0:
        return "not shown"
    return "worse" if difference < 0 else "better"
