"""The findings of one system and the contrasts of two, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from perturb.robustness.linking.conditions import KEPT, condition_name
from perturb.robustness.measures.reaction import NO_REACTION, Reaction

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.measures.comparison import Comparison
    from perturb.robustness.measures.metric import Metric

ALL, CHANGED, UNDAMAGED = "all", "changed", "undamaged"


class Finding(NamedTuple):
    """The effect of one condition on one metric.

    Attributes:
        perturbator: with its parameters where several differ in them; "overall" for all together.
        p: the strength; None for several steps in a row.
        scope: "all" rows, the "changed" ones, or the "undamaged" ones, whose edits touch no
            number, a negation or the label of an option of the original.
        comparison: the measures.
        p_adjusted: the p-value adjusted for the number of conditions; that over all stands alone.
        verdict: "robust", "no worse", "worse", "better", "undecided" or "cannot judge"; "control"
            where nothing was perturbed on purpose, by `identity` or a strength of 0; where the
            answers should change "sensitive", "insensitive", "undecided" or "cannot judge"; where
            nobody can know them "abstains" or "invents" in place of the first two.
        severity: that `p` was given as.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
        metric: the name of the score.
        expect: "same" where the right answer is known; "other" where it should be another one;
            "abstain" where nobody can know it; "unknown", and the rows can't be judged.
        reaction: how often the answers change or abstain, where they should.
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
    reaction: Reaction = NO_REACTION

    @property
    def name(self) -> str:
        """The perturbator with its strength, as a severity where it was given as one."""
        return condition_name(self.perturbator, self.p, self.severity, self.expect)

    @property
    def p_value(self) -> float | None:
        """The p-value before it is adjusted."""
        return self.comparison.uncertainty.p_value

    @property
    def difference(self) -> float:
        """Perturbed minus clean; the reaction, where the answers should change."""
        size = self.reaction.reaction
        return self.comparison.difference if size is None else size

    @property
    def low(self) -> float | None:
        """The low limit of the difference's 95 % interval; None of one original."""
        there = self.reaction.reaction is not None
        return self.reaction.reaction_low if there else self.comparison.uncertainty.low

    @property
    def high(self) -> float | None:
        """The high limit."""
        there = self.reaction.reaction is not None
        return self.reaction.reaction_high if there else self.comparison.uncertainty.high

    def __str__(self) -> str:
        return _in_short(self)


class Contrast(NamedTuple):
    """The effect of one condition on B beside that on A, over the rows that both have.

    Attributes:
        condition: the perturbator with its strength; "overall" for all together.
        a: the name of A.
        b: the name of B.
        rows: how many both have.
        changed: how many of them have an edit.
        originals: how many they come from.
        change_a: perturbed minus clean, of A; its reaction, where the answers should change and a
            control tells it.
        change_b: the same of B.
        difference: `change_b - change_a`: negative where B loses more.
        low: the low limit of its 95 % interval, that of `bounded_interval`; None of one original.
        high: as `low`.
        p_value: the p-value of `bounded_test`; None of one original.
        p_adjusted: the same, adjusted for the number of conditions; that over all stands alone.
        verdict: "same" where the interval lies within the margin; else "B loses more" or "A loses
            more" where `p_adjusted` is below 0.05 and the interval excludes 0; else "B loses no
            more" where it loses at most the margin more; else "undecided"; or "cannot judge"; or
            "control", as in a finding. Of reactions, "same reaction", "A reacts more", "B reacts
            more" and "B reacts no less"; where nobody can know the answer, with "abstains".
        a_holds: rows that A keeps right and B does not; None where the answers should change.
        b_holds: rows that B keeps right and A does not.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
        metric: the name of the score.
        expect: as in a finding.
        control: the condition that both reactions are beside; "" for none.
        units: how many clusters the originals are of; as many, if none are named.
        perturbator: as in a finding, as `p` and `severity`.
        p: the strength.
        severity: that `p` was given as.
    """

    condition: str
    a: str
    b: str
    rows: int
    changed: int
    originals: int
    change_a: float
    change_b: float
    difference: float
    low: float | None
    high: float | None
    p_value: float | None
    p_adjusted: float | None
    verdict: str
    a_holds: int | None
    b_holds: int | None
    reason: str = ""
    more_originals: int | None = None
    metric: str = "score"
    expect: str = KEPT
    control: str = ""
    units: int = 0
    perturbator: str = ""
    p: float | None = None
    severity: int | None = None

    @property
    def name(self) -> str:
        """The condition."""
        return self.condition

    @property
    def scope(self) -> str:
        """All rows that both have: "all"."""
        return ALL

    def __str__(self) -> str:
        return _in_short(self)


Result = Finding | Contrast


def _in_short(one: Result) -> str:
    """Return a line with the condition, its difference with the interval, and the verdict."""
    metric = "" if one.metric == "score" else f"{one.metric}: "
    rows = "" if one.scope == ALL else f" ({one.scope} rows)"
    ends = "" if one.low is None else f" [{one.low:+.3f}, {one.high:+.3f}]"
    return f"{metric}{one.name}{rows}: {one.difference:+.3f}{ends}, {one.verdict}"


One = TypeVar("One", bound=Result, covariant=True)


class Findings(Generic[One]):
    """The findings of one system, or the contrasts of two.

    Attributes:
        conditions: by metric, perturbator and strength.
        overall: over all conditions.
        metrics: by name, when the values of each are good.
        margin: differences within it are none to speak of.
        hints: what to do next, each in one sentence.
    """

    conditions: Sequence[One]
    overall: Sequence[One]
    metrics: Mapping[str, Metric]
    margin: float
    hints: tuple[str, ...]

    def whole(self, metric: str) -> tuple[list[One], One]:
        """Return the findings by a metric on all rows: of each condition, and over all."""
        conditions, overall = (
            [one for one in part if (one.metric, one.scope) == (metric, ALL)]
            for part in (self.conditions, self.overall)
        )
        return conditions, overall[0]
