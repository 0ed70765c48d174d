"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.robustness.grading.grade import Compare
from perturb.robustness.metrics.inference import paired_difference
from perturb.robustness.metrics.looks import Look, look_hint
from perturb.robustness.metrics.score_intervals import Interval, padded_interval, t_interval
from perturb.robustness.metrics.sign_flip import sign_flip_test
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.comparison import compare_rows, is_binary, value_range, within_one
from perturb.robustness.scoring.conditions import OTHER, Condition, link
from perturb.robustness.scoring.correction import agreement_hint, apart, corrected_changes
from perturb.robustness.scoring.findings import MARGIN, WHOLE, Contrast
from perturb.robustness.scoring.headline import footnote
from perturb.robustness.scoring.join import Pairs, join, left_out, shared_rows
from perturb.robustness.scoring.judgement import Evidence, judged
from perturb.robustness.scoring.metric import AGREEMENT, Metric
from perturb.robustness.scoring.reaction import reaction_of
from perturb.robustness.scoring.results import Results
from perturb.robustness.scoring.score import grading
from perturb.robustness.scoring.sources import Row, RowSource, all_rows, listed_source
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.tables import by_metric, contrast_table, flat
from perturb.values.arrays import Bool, Float64, Int32, Intp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Contrasts(Results[Contrast]):
    """The comparison of two systems, by condition and over all.

    Attributes:
        conditions: one each, by metric, perturbator and strength.
        overall: over all conditions in which a row was changed, without controls, as in a verdict;
            one for each metric.
        a_holds: the ids of the originals, with the conditions, that A keeps right and B does not,
            by the first metric.
        margin: differences within it are none to speak of.
        hints: what to do next, each in one sentence.
        metrics: by name, when the values of each are good.
    """

    conditions: list[Contrast]
    overall: list[Contrast]
    a_holds: list[tuple[str, str]]
    margin: float = MARGIN
    hints: tuple[str, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {**super().to_dict(), "a_holds": [list(one) for one in self.a_holds]}

    def _table(self, wide: bool = False) -> Table:  # noqa: ARG002  there are no more measures
        return contrast_table(self, self.sentence)

    def _rows(self) -> list[dict[str, Any]]:
        return [*map(flat, by_metric(self))]


def compare(
    a: Iterable[Row],
    b: Iterable[Row],
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    margin: float = MARGIN,
    against: str | None = None,
    human: str | None = None,
) -> Contrasts:
    """Compare what the same perturbed rows did to two systems.

    Args:
        a: scored rows of one system, with records, the originals among them.
        b: those of the other; rows that only one of them has are left out, which a hint says.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`.
        margin: differences of the two within it are none to speak of.
        against: as for `score`; the answers of each are compared with its own.
        human: as for `score`; originals count of which a person graded the rows of both systems.

    Returns:
        The contrasts, with `sentence`, `conditions`, `overall`, `to_dict()` and `to_pandas()`.

    Raises:
        DataError: rows cannot be linked, joined or scored, or the two share none.
    """
    sources = [listed_source(a)], [listed_source(b)]
    grades = [
        grading(one, match, prediction, target, metrics, against=against, human=human)
        for one in sources
    ]
    first, second = (
        apart(join(collect(one, grade, reply), one), len(known))
        for one, (grade, reply, known) in zip(sources, grades, strict=True)
    )
    return contrast_pairs(first, second, sources[0], grades[0][2], margin=margin)


def contrast_pairs(
    first: Pairs,
    second: Pairs,
    rows: Sequence[RowSource],
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
) -> Contrasts:
    """Compare two systems from joined rows; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        rows: those of A, to name them.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
    """
    at_a, at_b = shared_rows(first, second)
    both, every = (first.take(at_a), second.take(at_b)), np.arange(at_a.size)
    counted = first.counted[at_a]
    look = max(first.look, second.look, key=lambda look: look.level)
    groups = both[0].groups(every)
    whole = [(WHOLE, every[counted] if counted.any() else every)]
    conditions, overall, held = [], [], []
    for measure, (name, metric) in enumerate(metrics.items()):
        sign = 1 if metric.higher_is_better else -1
        scores = first.clean, first.perturbed, second.clean, second.perturbed
        worst = min((sign * each[:, measure]).min() for each in scores)
        a, b = (_side(pairs, measure, sign, worst) for pairs in both)
        judge = _Judge(a, b, measure, name, metric, margin, look)
        conditions += judge.contrasts(groups)
        overall += judge.contrasts(whole)
        held.append(b.breaks & a.keeps & counted)
    hints = left_out((first, second), (at_a, at_b))
    hints += [*footnote([*conditions, *overall]), *look_hint(look)]
    for name, pairs in zip("AB", both, strict=True):
        hints += agreement_hint(pairs, f" of {name}")
    names = _held(both[0].take(np.flatnonzero(held[0])), rows)
    return Contrasts(conditions, overall, names, margin, tuple(hints), metrics)


def _held(pairs: Pairs, sources: Sequence[RowSource]) -> list[tuple[str, str]]:
    """Return the originals and conditions of some pairs, in the order of the rows."""
    names = [condition.name for condition in pairs.named]
    held = dict(zip(pairs.place.tolist(), pairs.condition.tolist(), strict=True))
    return [
        (link(row).original_id, names[held[place]])
        for place, row in enumerate(all_rows(sources))
        if place in held
    ]


class _Side(NamedTuple):
    """The scores of one system by one metric, and which rows lose, or had and keep something."""

    pairs: Pairs
    clean: Float64
    perturbed: Float64
    change: Float64
    breaks: Bool
    keeps: Bool


def _side(pairs: Pairs, measure: int, sign: int, worst: float) -> _Side:
    """Return one side.

    Args:
        pairs: those of both, in one order.
        measure: the column of the scores.
        sign: -1 where less is better.
        worst: the worst score of either system, times the sign; who has that has nothing to lose.
    """
    clean, perturbed = pairs.clean[:, measure], pairs.perturbed[:, measure]
    moved = sign * (perturbed - clean)
    keeps = (sign * clean > worst) & (moved >= 0)
    change = perturbed - pairs.baseline[:, measure]
    return _Side(pairs, clean, perturbed, change, moved < 0, keeps)


class _Judge(NamedTuple):
    """All that judging two systems by one metric takes."""

    a: _Side
    b: _Side
    measure: int
    name: str
    metric: Metric
    margin: float
    look: Look

    def contrasts(self, groups: Sequence[tuple[Condition, Intp]]) -> list[Contrast]:
        """Judge groups of rows that stand side by side."""
        found = (self._contrast(*group, groups) for group in groups)
        contrasts, evidence = zip(*found, strict=True)
        judgements = judged(evidence, self.metric, self.margin)
        return [
            contrast._replace(**judgement._asdict())
            for contrast, judgement in zip(contrasts, judgements, strict=True)
        ]

    def _contrast(
        self, condition: Condition, rows: Intp, groups: Sequence[tuple[Condition, Intp]]
    ) -> tuple[Contrast, Evidence]:
        sides = self.a, self.b
        compared = [compare_rows(side.pairs, rows, self.measure, self.metric) for side in sides]
        a, b, original = self.a.change[rows], self.b.change[rows], self.a.pairs.original[rows]
        scores = [half[rows] for side in sides for half in (side.clean, side.perturbed)]
        reacts, found = condition.expect == OTHER and not condition.control, []
        if reacts:
            found = [reaction_of(side.pairs, rows, groups) for side in sides]
            if found[0][1].size:  # of the same originals in both
                (_, a), (_, b) = found
                original, scores = np.arange(a.size, dtype=np.int32), []
        count, low, high, p_value = np.unique(original).size, None, None, None
        if count > 1:
            low, high = self._interval(a, b, original, scores)
            p_value = self.look.p_value(sign_flip_test(a, b, original))
        contrast = Contrast(
            condition=condition.name,
            rows=rows.size,
            changed=compared[0].changed,
            originals=count,
            change_a=float(a.mean()),
            change_b=float(b.mean()),
            difference=float((b - a).mean()),
            low=low,
            high=high,
            p_adjusted=None,
            verdict="",
            a_holds=None if reacts else int((self.b.breaks & self.a.keeps)[rows].sum()),
            b_holds=None if reacts else int((self.a.breaks & self.b.keeps)[rows].sum()),
            metric=self.name,
            expect=condition.expect,
            control=found[0][0].control if found else "",
        )
        evidence = Evidence(
            *(contrast.difference, low, high, p_value, compared, condition.control),
            unjudged="" if reacts else self.a.pairs.unjudged(rows),
            agreement=self.name == AGREEMENT,
            reactions=[reaction for reaction, _ in found],
        )
        if self.a.pairs.human is not None and not (reacts or condition.control):
            return self._corrected(contrast, evidence, rows)
        return contrast, evidence

    def _corrected(
        self, contrast: Contrast, evidence: Evidence, rows: Intp
    ) -> tuple[Contrast, Evidence]:
        """Put what a person says of the changes in place of what the judge does."""
        sides, level = (self.a.pairs, self.b.pairs), self.look.level
        changes, few = corrected_changes(sides, rows, self.measure, level)
        if few:
            return contrast, evidence._replace(unjudged=evidence.unjudged or few)
        a, b, beyond = changes
        interval = Interval(beyond.low, beyond.high).within(-2.0, 2.0)
        size = {"difference": beyond.mean, **interval._asdict()}
        contrast = contrast._replace(**size, change_a=a.mean, change_b=b.mean)
        return contrast, evidence._replace(**size, p_value=self.look.p_value(beyond.p_value))

    def _interval(
        self, a: Float64, b: Float64, original: Int32, scores: Sequence[Float64]
    ) -> Interval:
        """Return the interval of b - a: changes of scores, or reactions where there are none."""
        if is_binary(*scores):
            return padded_interval(b - a, original, self.look.level).within(-2.0, 2.0)
        estimate = paired_difference(a, b, original, self.look.level)
        interval = t_interval(estimate, 4 * value_range(*scores), self.look.level)
        return interval.within(-2.0, 2.0) if within_one(*scores) else interval
