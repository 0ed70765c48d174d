"""The verdict: the effect of each way of perturbing on the scores, and its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.robustness.scoring.comparison import Comparison, compare_rows
from perturb.robustness.scoring.conditions import KEPT, condition_name, order
from perturb.robustness.scoring.damage import DAMAGED, UNKNOWN
from perturb.robustness.scoring.judgement import OF_ONE, evidence_of, judged
from perturb.robustness.scoring.metric import Metric
from perturb.values.arrays import Intp

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.scoring.join import Pairs

ALL, CHANGED, UNDAMAGED = "all", "changed", "undamaged"
OVERALL = "overall"
MARGIN = 0.02


class Finding(NamedTuple):
    """The effect of one condition on one metric.

    Attributes:
        perturbator: with its parameters where several differ in them; "overall" for all together.
        p: the strength; None for several steps in a row.
        scope: "all" rows, the "changed" ones, or the "undamaged" ones, of which no edit touches a
            number, a negation or the label of an option of the original.
        comparison: the measures.
        p_adjusted: the p-value adjusted for the number of conditions; that over all stands alone.
        verdict: "robust", "worse", "better", "undecided" or "cannot judge"; "control" where nothing
            was perturbed on purpose, by `identity` or a strength of 0.
        severity: that `p` was given as.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
        metric: the name of the score.
        expect: "same" where the right answer is known; else "other" or "unknown", and the rows
            can't be judged.
    """

    perturbator: str
    p: float | None
    scope: str
    comparison: Comparison
    p_adjusted: float | None
    verdict: str
    severity: int | None = None
    reason: str = ""
    more_originals: int | None = None
    metric: str = "score"
    expect: str = KEPT

    @property
    def name(self) -> str:
        """The perturbator with its strength, as a severity where it was given as one."""
        return condition_name(self.perturbator, self.p, self.severity, self.expect)


@dataclass(frozen=True)
class Verdict:
    """The findings by perturbator and strength, and those over all conditions together.

    Attributes:
        conditions: on all rows, then on the changed and on the undamaged ones.
        overall: the same over all conditions that are judged and in which a row was changed,
            without controls; over all, if there is none.
        metrics: by name, when the values of each are good.
        margin: differences within it are robust.
        hints: what to do next, each in one sentence.
    """

    conditions: list[Finding]
    overall: list[Finding]
    metrics: dict[str, Metric]
    margin: float = MARGIN
    hints: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The verdict in words, the most important first; where conditions disagree, of each."""
        from perturb.robustness.scoring.headline import headlines

        return " ".join(map(str, headlines(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return all measures under their own names, ready for JSON."""
        from perturb.robustness.tables.score_tables import to_dict

        return to_dict(self)

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each finding; needs pandas."""
        import pandas

        found = self.to_dict()
        return pandas.DataFrame([*found["conditions"], *found["overall"]])

    def _repr_html_(self) -> str:
        from perturb.robustness.tables.score_tables import to_html

        return to_html(self)

    def __str__(self) -> str:
        from perturb.robustness.tables.score_tables import to_table

        return to_table(self)


def verdict(
    pairs: Pairs,
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
    seed: int | None = None,
) -> Verdict:
    """Compare each condition's rows, and all rows together, with their clean rows.

    Args:
        pairs: joined rows.
        metrics: one for each column of the scores, in order.
        margin: differences within it are robust.
        seed: asks for the interval of the bootstrap and decides its resamples, and nothing else.
    """
    conditions: list[Finding] = []
    overall: list[Finding] = []
    rows = np.lexsort((pairs.key, pairs.original))  # so that no sum depends on the file's order
    changed, counted = pairs.changed, pairs.counted
    scopes = {ALL: rows, CHANGED: rows[changed[rows]]}
    damaged = pairs.damage & DAMAGED > 0
    if damaged.any():
        scopes[UNDAMAGED] = rows[(pairs.damage & (DAMAGED | UNKNOWN) == 0)[rows]]
    for scope, inside in scopes.items():
        together = inside[counted[inside]] if counted.any() else inside
        for measure, name in enumerate(metrics):
            judge = _Judge(pairs, measure, name, metrics[name], margin, seed)
            conditions += judge.conditions(scope, inside)
            overall += judge.overall(scope, together)
    return Verdict(conditions, overall, dict(metrics), margin)


def noise(found: Verdict, metric: str) -> tuple[int, int]:
    """Return how many rows without an edit changed sides, and how many there are.

    Those of controls are among them, so that this tells how much a system varies by itself.
    """
    told = [one for one in found.conditions if (one.scope, one.metric) == (ALL, metric)]
    flips, rows = zip(
        *[(one.comparison.quality.unedited_flips, one.comparison.quality.unedited) for one in told],
        strict=True,
    )
    return sum(flips), sum(rows)


class _Judge(NamedTuple):
    """All that judging rows by one metric takes."""

    pairs: Pairs
    measure: int
    name: str
    metric: Metric
    margin: float
    seed: int | None

    def compare(self, rows: Intp) -> Comparison:
        return compare_rows(self.pairs, rows, self.measure, self.metric, self.seed)

    def conditions(self, scope: str, inside: Intp) -> list[Finding]:
        pairs = self.pairs
        places = sorted(range(len(pairs.conditions)), key=lambda at: order(pairs.conditions[at]))
        rows = {at: inside[pairs.condition[inside] == at] for at in places}
        taken = [at for at in places if rows[at].size]
        known = [pairs.conditions[at] for at in taken]
        names = [
            (pairs.labels[at], one.p, one.severity, one.expect)
            for at, one in zip(taken, known, strict=True)
        ]
        controls = [one.control for one in known]
        return self.findings(names, scope, [rows[at] for at in taken], controls)

    def overall(self, scope: str, inside: Intp) -> list[Finding]:
        if not inside.size:
            return []
        return self.findings([(OVERALL, None, None, KEPT)], scope, [inside], [False])

    def findings(
        self,
        names: Sequence[tuple[str, float | None, int | None, str]],
        scope: str,
        rows: Sequence[Intp],
        controls: Sequence[bool],
    ) -> list[Finding]:
        comparisons = [self.compare(each) for each in rows]
        evidence = [
            evidence_of(comparison, self.metric, self.margin, control, self.pairs.unjudged(each))
            for comparison, control, each in zip(comparisons, controls, rows, strict=True)
        ]
        found = judged(evidence, OF_ONE, self.metric, self.margin)
        return [
            Finding(
                perturbator,
                p,
                scope,
                comparison,
                one.p_adjusted,
                one.verdict,
                severity,
                one.reason,
                one.more_originals,
                self.name,
                expect,
            )
            for (perturbator, p, severity, expect), comparison, one in zip(
                names, comparisons, found, strict=True
            )
        ]


class Slice(NamedTuple):
    """The effect of all conditions together, as over all, on the rows with one value of a field.

    `p_adjusted` is adjusted for the number of values, and `verdict` as in a finding.
    """

    value: str
    comparison: Comparison
    p_adjusted: float | None
    verdict: str


def by_slice(
    pairs: Pairs,
    values: Sequence[str],
    names: Sequence[str],
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
) -> list[Slice]:
    """Compare the rows of each value of a field with their clean rows, by the first metric.

    Args:
        pairs: joined rows.
        values: of each of the pairs, the value.
        names: the values to compare, each of them that of some pair.
        metrics: as for `verdict`.
        margin: as for `verdict`.

    Returns:
        One slice a name, in their order.
    """
    column = np.array(values, dtype=object)
    rows = np.lexsort((pairs.key, pairs.original))
    metric = next(iter(metrics.values()))
    counted, comparisons, evidence = pairs.counted, [], []
    for name in names:
        own = rows[column[rows] == name]
        some = own[counted[own]]
        own = some if some.size else own
        comparisons.append(compare_rows(pairs, own, 0, metric))
        evidence.append(evidence_of(comparisons[-1], metric, margin, False, pairs.unjudged(own)))
    found = judged(evidence, OF_ONE, metric, margin)
    return [
        Slice(name, comparison, one.p_adjusted, one.verdict)
        for name, comparison, one in zip(names, comparisons, found, strict=True)
    ]
