"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.arrays import Intp
from perturb.errors import DataError
from perturb.robustness.metrics.inference import benjamini_hochberg, paired_difference
from perturb.robustness.metrics.sign_flip import sign_flip_test
from perturb.robustness.scoring.columns import collect
from perturb.robustness.scoring.conditions import condition_name, order
from perturb.robustness.scoring.grade import Compare, Grade, by_fields, by_match
from perturb.robustness.scoring.join import Pairs, join
from perturb.robustness.scoring.metric import metrics_of
from perturb.robustness.scoring.sources import Row, RowSource, listed_source
from perturb.robustness.scoring.verdict import OVERALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from perturb.arrays import Intp

_FALSE_DISCOVERIES = 0.05


class Contrast(NamedTuple):
    """The effect of one condition on B beside that on A, over the rows that both have.

    Attributes:
        condition: the perturbator with its strength; "overall" for all together.
        rows: how many both have.
        originals: how many they come from.
        change_a: perturbed minus clean, of A.
        change_b: the same of B.
        difference: `change_b - change_a`: negative where B loses more.
        low: of its 95 % interval, Student's t over originals; None of one original.
        high: as `low`.
        p_adjusted: of the sign-flip test, adjusted for the number of conditions.
        verdict: "B loses more", "A loses more" or "no difference shown".
        a_holds: rows that A keeps right and B does not.
        b_holds: rows that B keeps right and A does not.
    """

    condition: str
    rows: int
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


@dataclass(frozen=True)
class Contrasts:
    """The comparison of two systems, by condition and over all.

    Attributes:
        conditions: one each, by perturbator and strength.
        overall: over all conditions.
        a_holds: the ids of the originals, with the conditions, that A keeps right and B does not.
    """

    conditions: list[Contrast]
    overall: Contrast
    a_holds: list[tuple[str, str]]

    @property
    def sentence(self) -> str:
        """The comparison in words."""
        one = self.overall
        interval = "" if one.low is None else f", 95 % interval {one.low:+.3f} to {one.high:+.3f}"
        return (
            f"{one.verdict[0].upper()}{one.verdict[1:]}: perturbing changes A by "
            f"{one.change_a:+.3f} and B by {one.change_b:+.3f} ({one.difference:+.3f}{interval}; "
            f"{one.originals:,} originals). A holds where B breaks in {one.a_holds:,} of "
            f"{one.rows:,} rows, B where A breaks in {one.b_holds:,}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it under its own names, ready for JSON."""
        return {
            "sentence": self.sentence,
            "conditions": [one._asdict() for one in self.conditions],
            "overall": self.overall._asdict(),
            "a_holds": [list(one) for one in self.a_holds],
        }


def compare(
    a: Iterable[Row],
    b: Iterable[Row],
    *,
    target: str = "answer",
    prediction: str = "prediction",
    match: str | Compare = "exact",
    metrics: Mapping[str, Mapping[str, Any]] | None = None,
) -> Contrasts:
    """Compare what the same perturbed rows did to two systems.

    Args:
        a: scored rows of one system, with records, the originals among them.
        b: those of the other; rows that only one of them has are left out.
        target: as for `score`.
        prediction: as for `score`.
        match: as for `score`.
        metrics: as for `score`; the first is compared.

    Raises:
        DataError: rows cannot be linked, joined or scored, or the two share none.
    """
    if metrics is None:
        grade = by_match(match, prediction, target)
        return contrast([listed_source(a)], [listed_source(b)], grade)
    better = next(iter(metrics_of(metrics).values())).higher_is_better
    grade = by_fields(list(metrics)[:1])
    return contrast([listed_source(a)], [listed_source(b)], grade, higher_is_better=better)


def contrast(
    a: Sequence[RowSource], b: Sequence[RowSource], grade: Grade, *, higher_is_better: bool = True
) -> Contrasts:
    """Compare two systems from sources; see `compare`."""
    first, second = join(collect(a, grade), a), join(collect(b, grade), b)
    return contrast_pairs(first, second, a, higher_is_better=higher_is_better)


def contrast_pairs(
    first: Pairs, second: Pairs, a: Sequence[RowSource], *, higher_is_better: bool = True
) -> Contrasts:
    """Compare two systems from joined rows, by the first metric; see `compare`.

    Args:
        first: those of A.
        second: those of B.
        a: the rows of A, to name them.
        higher_is_better: whether larger scores are the better ones.
    """
    _, at_a, at_b = np.intersect1d(first.key, second.key, return_indices=True)
    if not at_a.size:
        raise DataError("the two share no perturbed row: perturb once, and ask both systems")
    both = _Both(first, at_a, second, at_b, 1.0 if higher_is_better else -1.0)
    places = sorted(range(len(first.conditions)), key=lambda at: order(first.conditions[at]))
    names, chosen = [], []
    for place in places:
        rows = np.flatnonzero(first.condition[at_a] == place)
        if rows.size:
            names.append(_name(first, place))
            chosen.append(rows)
    conditions = both.contrasts(names, chosen)
    (overall,) = both.contrasts([OVERALL], [np.arange(at_a.size)])
    return Contrasts(conditions, overall, both.held(a))


def _name(pairs: Pairs, place: int) -> str:
    condition = pairs.conditions[place]
    return condition_name(pairs.labels[place], condition.p, condition.severity)


class _Both(NamedTuple):
    """The rows of two systems side by side."""

    a: Pairs
    at_a: Intp
    b: Pairs
    at_b: Intp
    sign: float

    def contrasts(self, names: Sequence[str], chosen: Sequence[Intp]) -> list[Contrast]:
        made = [self._contrast(name, rows) for name, rows in zip(names, chosen, strict=True)]
        known = [one.p_adjusted for one in made if one.p_adjusted is not None]
        adjusted = iter(benjamini_hochberg(known).tolist() if known else [])
        return [
            one if one.p_adjusted is None else self._judged(one, next(adjusted)) for one in made
        ]

    def _judged(self, one: Contrast, p_adjusted: float) -> Contrast:
        outside = one.low is not None and one.high is not None and (one.low > 0 or one.high < 0)
        word = "no difference shown"
        if p_adjusted < _FALSE_DISCOVERIES and outside:
            word = f"{'B' if self.sign * one.difference < 0 else 'A'} loses more"
        return one._replace(p_adjusted=p_adjusted, verdict=word)

    def _contrast(self, name: str, rows: Intp) -> Contrast:
        a, b = self.at_a[rows], self.at_b[rows]
        original = self.a.original[a]
        change_a = self.a.perturbed[a, 0] - self.a.clean[a, 0]
        change_b = self.b.perturbed[b, 0] - self.b.clean[b, 0]
        breaks_a, breaks_b = self.sign * change_a < 0, self.sign * change_b < 0
        low = high = p_value = None
        if original.min() < original.max():
            estimate = paired_difference(change_a, change_b, original)
            if estimate.standard_error > 0:
                low, high = estimate.low, estimate.high
            p_value = sign_flip_test(change_a, change_b, original)
        right_a, right_b = self._right(self.a, a), self._right(self.b, b)
        return Contrast(
            condition=name,
            rows=rows.size,
            originals=np.unique(original).size,
            change_a=float(change_a.mean()),
            change_b=float(change_b.mean()),
            difference=float((change_b - change_a).mean()),
            low=low,
            high=high,
            p_adjusted=p_value,
            verdict="no difference shown",
            a_holds=int((breaks_b & ~breaks_a & right_a).sum()),
            b_holds=int((breaks_a & ~breaks_b & right_b).sum()),
        )

    def _right(self, pairs: Pairs, rows: Intp) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Rows whose clean score is better than the worst of both systems: it could fall."""
        scores = self.sign * pairs.clean[rows, 0]
        known = [half[:, 0] for one in (self.a, self.b) for half in (one.clean, one.perturbed)]
        return np.asarray(scores > (self.sign * np.concatenate(known)).min())

    def held(self, sources: Sequence[RowSource]) -> list[tuple[str, str]]:
        """The originals and conditions that A keeps right and B does not, by the rows of A."""
        from perturb.robustness.scoring.conditions import link

        change_a = self.a.perturbed[self.at_a, 0] - self.a.clean[self.at_a, 0]
        change_b = self.b.perturbed[self.at_b, 0] - self.b.clean[self.at_b, 0]
        kept = (
            (self.sign * change_b < 0)
            & ~(self.sign * change_a < 0)
            & self._right(self.a, self.at_a)
        )
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
