"""The verdict: the effect of each way of perturbing on the scores, and its uncertainty."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.robustness.scoring.comparison import Comparison, compare_rows
from perturb.robustness.scoring.conditions import condition_name, order
from perturb.robustness.scoring.judgement import (
    BETTER,
    CANNOT_JUDGE,
    ROBUST,
    UNDECIDED,
    WORDS,
    WORSE,
    judged,
)
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
            number, a negation or the label of an option.
        comparison: the measures.
        p_adjusted: the p-value adjusted for the number of conditions; that over all stands alone.
        verdict: "robust", "worse", "better", "undecided" or "cannot judge".
        severity: that `p` was given as.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
        metric: the name of the score.
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

    @property
    def name(self) -> str:
        """The perturbator with its strength, as a severity where it was given as one."""
        return condition_name(self.perturbator, self.p, self.severity)


@dataclass(frozen=True)
class Verdict:
    """The findings by perturbator and strength, and those over all conditions together.

    Attributes:
        conditions: on all rows, then on the changed and on the undamaged ones.
        overall: the same over all conditions.
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
        """The verdict in words, the most important first."""
        return " ".join(
            _sentence(finding, self, len(self.metrics) > 1)
            for finding in self.overall
            if finding.scope == ALL
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all measures under their own names, ready for JSON."""
        from perturb.robustness.scoring.tables import to_dict

        return to_dict(self)

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each finding; needs pandas."""
        import pandas

        found = self.to_dict()
        return pandas.DataFrame([*found["conditions"], *found["overall"]])

    def _repr_html_(self) -> str:
        from perturb.robustness.scoring.tables import to_html

        return to_html(self)

    def __str__(self) -> str:
        from perturb.robustness.scoring.tables import to_table

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
    changed = rows[pairs.changed[rows]]
    scopes = {ALL: rows, CHANGED: changed}
    if pairs.damage.any():
        scopes[UNDAMAGED] = rows[pairs.damage[rows] == 0]
    for scope, inside in scopes.items():
        for measure, name in enumerate(metrics):
            judge = _Judge(pairs, measure, name, metrics[name], margin, seed)
            conditions += judge.conditions(scope, inside)
            overall += judge.overall(scope, inside)
    return Verdict(conditions, overall, dict(metrics), margin)


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
        comparisons = [self.compare(rows[at]) for at in taken]
        names = [
            (pairs.labels[at], pairs.conditions[at].p, pairs.conditions[at].severity)
            for at in taken
        ]
        return self.findings(names, scope, comparisons)

    def overall(self, scope: str, inside: Intp) -> list[Finding]:
        if not inside.size:
            return []
        return self.findings([(OVERALL, None, None)], scope, [self.compare(inside)])

    def findings(
        self,
        names: Sequence[tuple[str, float | None, int | None]],
        scope: str,
        comparisons: Sequence[Comparison],
    ) -> list[Finding]:
        found = judged(comparisons, self.metric, self.margin)
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
            )
            for (perturbator, p, severity), comparison, one in zip(
                names, comparisons, found, strict=True
            )
        ]


class Slice(NamedTuple):
    """The effect of all conditions together on the rows with one value of a field.

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
    comparisons = [compare_rows(pairs, rows[column[rows] == name], 0, metric) for name in names]
    found = judged(comparisons, metric, margin)
    return [
        Slice(name, comparison, one.p_adjusted, one.verdict)
        for name, comparison, one in zip(names, comparisons, found, strict=True)
    ]


def _sentence(finding: Finding, verdict: Verdict, several: bool) -> str:
    compared, sure = finding.comparison, finding.comparison.uncertainty
    name = f"{finding.metric}: " if several else ""
    if finding.verdict == CANNOT_JUDGE:
        return f"{name}Cannot judge: {finding.reason}. {_tally(finding.metric, verdict)}".rstrip()
    said = {
        WORSE: "Worse: perturbing lowers the score",
        BETTER: "Better: perturbing raises the score",
        ROBUST: f"Robust: perturbing changes the score by less than {verdict.margin:g}",
        UNDECIDED: "Undecided: perturbing may or may not change the score",
    }[finding.verdict]
    if not verdict.metrics[finding.metric].higher_is_better:
        said = said.replace("lowers", "raises", 1) if finding.verdict == WORSE else said
        said = said.replace("raises", "lowers", 1) if finding.verdict == BETTER else said
    more = ""
    if finding.more_originals is not None:
        more = f"; about {finding.more_originals:,} more originals would decide"
    said = (
        f"{name}{said}, from {compared.clean_mean:.3f} to {compared.perturbed_mean:.3f} "
        f"({compared.difference:+.3f}, 95 % interval {sure.low:+.3f} to {sure.high:+.3f}; "
        f"{compared.originals:,} originals){more}."
    )
    return f"{said} {_tally(finding.metric, verdict)}".rstrip()


def _tally(metric: str, verdict: Verdict) -> str:
    """Count the verdicts of the conditions; nothing where none can be judged."""
    found = [one for one in verdict.conditions if one.scope == ALL and one.metric == metric]
    counts = Counter(one.verdict for one in found)
    words = [
        f"{counts[word]} {'cannot be judged' if word == CANNOT_JUDGE else word}"
        for word in WORDS
        if counts[word]
    ]
    if not any(counts[word] for word in WORDS if word != CANNOT_JUDGE):
        return ""
    of = "condition" if len(found) == 1 else "conditions"
    return f"Of {len(found)} {of}: {', '.join(words)}."
