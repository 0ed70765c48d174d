"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.robustness.grading.grade import Compare, by_fields, by_match
from perturb.robustness.metrics.inference import paired_difference
from perturb.robustness.metrics.score_intervals import Interval, padded_interval, t_interval
from perturb.robustness.metrics.sign_flip import sign_flip_test
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.comparison import compare_rows, is_binary, value_range, within_one
from perturb.robustness.scoring.conditions import KEPT, Condition, condition_name, link, order
from perturb.robustness.scoring.headline import footnote
from perturb.robustness.scoring.join import Pairs, join
from perturb.robustness.scoring.judgement import OF_TWO, Evidence, judged, obstacle, too_few
from perturb.robustness.scoring.metric import SCORE, Metric, metrics_of
from perturb.robustness.scoring.sources import Row, RowSource, listed_source
from perturb.robustness.scoring.verdict import MARGIN, OVERALL
from perturb.values.arrays import Bool, Float64, Intp

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


_OVERALL = Condition(OVERALL, None, "")


class Contrast(NamedTuple):
    """The effect of one condition on B beside that on A, over the rows that both have.

    Attributes:
        condition: the perturbator with its strength; "overall" for all together.
        rows: how many both have.
        changed: how many of them have an edit.
        originals: how many they come from.
        change_a: perturbed minus clean, of A.
        change_b: the same of B.
        difference: `change_b - change_a`: negative where B loses more.
        low: of its 95 % interval: `padded_interval` of scores of 0 and 1, else Student's t over
            originals; None of one original.
        high: as `low`.
        p_adjusted: of the sign-flip test, adjusted for the number of conditions; that over all
            stands alone.
        verdict: "same" where the interval lies within the margin; else "B loses more" or "A loses
            more" where `p_adjusted` is below 0.05 and the interval excludes 0; else "undecided"; or
            "cannot judge"; or "control", as in a finding.
        a_holds: rows that A keeps right and B does not.
        b_holds: rows that B keeps right and A does not.
        reason: why it cannot be judged; "" where it can.
        more_originals: about how many more would decide; None where it is decided.
        metric: the name of the score.
        expect: as in a finding.
    """

    condition: str
    rows: int
    changed: int
    originals: int
    change_a: float
    change_b: float
    difference: float
    low: float | None
    high: float | None
    p_adjusted: float | None
    verdict: str
    a_holds: int
    b_holds: int
    reason: str = ""
    more_originals: int | None = None
    metric: str = "score"
    expect: str = KEPT


@dataclass(frozen=True)
class Contrasts:
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

    @property
    def sentence(self) -> str:
        """The comparison in words; where conditions disagree, of each."""
        from perturb.robustness.scoring.headline import headlines

        return " ".join(map(str, headlines(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {
            "sentence": self.sentence,
            "hints": list(self.hints),
            "margin": self.margin,
            "conditions": [one._asdict() for one in self.conditions],
            "overall": [one._asdict() for one in self.overall],
            "a_holds": [list(one) for one in self.a_holds],
        }

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each contrast; needs pandas."""
        import pandas

        return pandas.DataFrame([*self.conditions, *self.overall])

    def _repr_html_(self) -> str:
        from perturb.robustness.tables.contrast_tables import to_html

        return to_html(self)

    def __str__(self) -> str:
        from perturb.robustness.tables.contrast_tables import to_table

        return to_table(self)


def compare(
    a: Iterable[Row],
    b: Iterable[Row],
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
    margin: float = MARGIN,
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

    Returns:
        The contrasts, with `sentence`, `conditions`, `overall`, `to_dict()` and `to_pandas()`.

    Raises:
        DataError: rows cannot be linked, joined or scored, or the two share none.
    """
    if metrics is None:
        grade, said, known = by_match(match, prediction, target), prediction, {"score": SCORE}
    else:
        grade, said, known = by_fields(list(metrics)), None, metrics_of(metrics)
    sources = [listed_source(a)], [listed_source(b)]
    first, second = (join(collect(one, grade, said), one) for one in sources)
    return contrast_pairs(first, second, sources[0], known, margin=margin)


def contrast_pairs(
    first: Pairs,
    second: Pairs,
    a: Sequence[RowSource],
    metrics: Mapping[str, Metric],
    *,
    margin: float = MARGIN,
) -> Contrasts:
    """Compare two systems from joined rows; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        a: the rows of A, to name them.
        metrics: one for each column of the scores, in order.
        margin: as for `compare`.
    """
    _, at_a, at_b = np.intersect1d(first.key, second.key, return_indices=True)
    if not at_a.size:
        raise DataError("the two share no perturbed row: perturb once, and ask both systems")
    places = sorted(range(len(first.conditions)), key=lambda at: order(first.conditions[at]))
    rows = {place: np.flatnonzero(first.condition[at_a] == place) for place in places}
    rows = {place: each for place, each in rows.items() if each.size}
    counted = np.flatnonzero(first.counted[at_a])
    together = counted if counted.size else np.arange(at_a.size)
    conditions, overall = [], []
    both = [
        _Both(first, at_a, second, at_b, measure, name, metric, margin)
        for measure, (name, metric) in enumerate(metrics.items())
    ]
    for one in both:
        known = [first.conditions[place] for place in rows]
        conditions += one.contrasts([_name(first, place) for place in rows], rows.values(), known)
        overall += one.contrasts([OVERALL], [together], [_OVERALL])
    left = {"A": first.key.size - at_a.size, "B": second.key.size - at_b.size}
    hints = tuple(
        f"Left out: {count:,} perturbed {'row' if count == 1 else 'rows'} that {name} alone has."
        for name, count in left.items()
        if count
    )
    hints += tuple(footnote([*conditions, *overall]))
    return Contrasts(conditions, overall, both[0].held(a), margin, hints, metrics)


def _name(pairs: Pairs, place: int) -> str:
    condition = pairs.conditions[place]
    return condition_name(pairs.labels[place], condition.p, condition.severity, condition.expect)


class _Both(NamedTuple):
    """The rows of two systems side by side, by one metric."""

    a: Pairs
    at_a: Intp
    b: Pairs
    at_b: Intp
    measure: int
    name: str
    metric: Metric
    margin: float

    @property
    def sign(self) -> int:
        return 1 if self.metric.higher_is_better else -1

    def contrasts(
        self, names: Iterable[str], rows: Iterable[Intp], conditions: Iterable[Condition]
    ) -> list[Contrast]:
        found = [
            self._contrast(name, each, condition)
            for name, each, condition in zip(names, rows, conditions, strict=True)
        ]
        said = judged([evidence for _, evidence in found], OF_TWO, self.metric, self.margin)
        return [
            contrast._replace(**one._asdict())
            for (contrast, _), one in zip(found, said, strict=True)
        ]

    def _contrast(self, name: str, rows: Intp, condition: Condition) -> tuple[Contrast, Evidence]:
        a, b = self.at_a[rows], self.at_b[rows]
        original = self.a.original[a]
        change_a, change_b = self._change(self.a, a), self._change(self.b, b)
        keeps_a, keeps_b = self._keeps(self.a, a), self._keeps(self.b, b)
        breaks_a, breaks_b = self.sign * change_a < 0, self.sign * change_b < 0
        changed = int(self.a.changed[a].sum())
        low = high = p_value = None
        if original.min() < original.max():
            low, high = self._interval(a, b)
            if changed and not condition.control and not self.a.unjudged(a):
                p_value = sign_flip_test(change_a, change_b, original)
        reason = self.a.unjudged(a) or self._obstacle(a, b)
        difference, originals = float((change_b - change_a).mean()), np.unique(original).size
        contrast = Contrast(
            condition=name,
            rows=rows.size,
            changed=changed,
            originals=originals,
            change_a=float(change_a.mean()),
            change_b=float(change_b.mean()),
            difference=difference,
            low=low,
            high=high,
            p_adjusted=None,
            verdict="",
            a_holds=int((breaks_b & keeps_a).sum()),
            b_holds=int((breaks_a & keeps_b).sum()),
            metric=self.name,
            expect=condition.expect,
        )
        return contrast, Evidence(
            difference, low, high, p_value, originals, condition.control, reason
        )

    def _obstacle(self, a: Intp, b: Intp) -> str:
        compared = [
            compare_rows(pairs, rows, self.measure, self.metric)
            for pairs, rows in ((self.a, a), (self.b, b))
        ]
        # The differences of both may lie on either side of the margin's middle.
        reasons = [too_few(self.margin / 2, *compared)]
        for name, comparison in zip("AB", compared, strict=True):
            reason = obstacle(comparison, self.metric)
            reasons.append(reason and f"of {name}, {reason}")
        return next(filter(None, reasons), "")

    def _interval(self, a: Intp, b: Intp) -> Interval:
        original = self.a.original[a]
        scores = [*self._scores(self.a, a), *self._scores(self.b, b)]
        change_a, change_b = self._change(self.a, a), self._change(self.b, b)
        if is_binary(*scores):
            return padded_interval(change_b - change_a, original).within(-2.0, 2.0)
        estimate = paired_difference(change_a, change_b, original)
        found = t_interval(estimate, 4 * value_range(*scores))
        return found.within(-2.0, 2.0) if within_one(*scores) else found

    def _scores(self, pairs: Pairs, rows: Intp) -> tuple[Float64, Float64]:
        return pairs.clean[rows, self.measure], pairs.perturbed[rows, self.measure]

    def _change(self, pairs: Pairs, rows: Intp) -> Float64:
        clean, perturbed = self._scores(pairs, rows)
        return perturbed - clean

    def _keeps(self, pairs: Pairs, rows: Intp) -> Bool:
        """Rows that lose nothing, and had something to lose: more than the worst of both."""
        every = [
            half[:, self.measure] for one in (self.a, self.b) for half in (one.clean, one.perturbed)
        ]
        worst = (self.sign * np.concatenate(every)).min()
        had = self.sign * pairs.clean[rows, self.measure] > worst
        return np.asarray(had & (self.sign * self._change(pairs, rows) >= 0))

    def held(self, sources: Sequence[RowSource]) -> list[tuple[str, str]]:
        """The originals and conditions that A keeps right and B does not, by the rows of A."""
        breaks_b = self.sign * self._change(self.b, self.at_b) < 0
        kept = breaks_b & self._keeps(self.a, self.at_a) & self.a.counted[self.at_a]
        wanted = {
            int(self.a.place[at]): _name(self.a, int(self.a.condition[at]))
            for at in self.at_a[kept].tolist()
        }
        rows = (row for source in sources for _, row in source.rows)
        return [
            (link(row).original_id, wanted[place])
            for place, row in enumerate(rows)
            if place in wanted
        ]
