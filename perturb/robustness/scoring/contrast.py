"""Two systems, or one on two dates, under the same noise: the difference of their differences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.robustness.metrics.checks import cluster_index
from perturb.robustness.metrics.inference import paired_difference
from perturb.robustness.metrics.looks import look_hint
from perturb.robustness.metrics.score_intervals import Interval, padded_interval, t_interval
from perturb.robustness.metrics.sign_flip import sign_flip_test
from perturb.robustness.scoring.comparison import compare_rows, is_binary, value_range, within_one
from perturb.robustness.scoring.conditions import OTHER, link
from perturb.robustness.scoring.findings import MARGIN, Contrast
from perturb.robustness.scoring.headline import footnote
from perturb.robustness.scoring.human import agreement_hint, corrected_changes
from perturb.robustness.scoring.join import Pairs, aligned
from perturb.robustness.scoring.judgement import Evidence, judged
from perturb.robustness.scoring.metric import Metric
from perturb.robustness.scoring.reaction import reaction_of
from perturb.robustness.scoring.results import Results
from perturb.robustness.scoring.sources import RowSource, all_rows
from perturb.robustness.scoring.verdict import checked_margin
from perturb.robustness.tables.formats import Table
from perturb.robustness.tables.tables import by_metric, contrast_table, flat
from perturb.values.arrays import Bool, Float64, Int32

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.metrics.looks import Look
    from perturb.robustness.scoring.join import Group
    from perturb.robustness.scoring.reaction import Reaction


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
    both, hints = aligned({"A": first, "B": second})
    margin = checked_margin(margin, *both)
    groups, whole = both[0].groups()
    conditions, overall, held = [], [], []
    for measure, metric in enumerate(metrics.items()):
        holds = _holds(both, measure, 1 if metric[1].higher_is_better else -1)
        by = both, measure, metric, margin, holds
        conditions += _contrasts(*by, groups)
        overall += _contrasts(*by, [whole])
        if not measure:
            held = _names(both[0].take(np.flatnonzero(holds[0] & both[0].counted)), rows)
    hints += [*footnote([*conditions, *overall]), *look_hint(widest_look(both))]
    for name, pairs in zip("AB", both, strict=True):
        hints += agreement_hint(pairs, f" of {name}")
    return Contrasts(conditions, overall, held, margin, tuple(hints), metrics)


def widest_look(sides: Sequence[Pairs]) -> Look:
    """Return the look at which the intervals of all sides hold."""
    return max((pairs.look for pairs in sides), key=lambda look: look.level)


class Changes(NamedTuple):
    """What perturbing changes in two systems, row by row, or original by original of reactions.

    Attributes:
        a: the changes of scores in one, or its reactions.
        b: those in the other.
        original: that each is of.
        limits: the limits of the scores, the least and the largest.
        binary: whether all scores are 0 or 1, or these are reactions.
        reactions: the reactions of both; none where the right answer is kept.
    """

    a: Float64
    b: Float64
    original: Int32
    limits: Float64
    binary: bool
    reactions: Sequence[Reaction] = ()

    def interval(self, level: float) -> Interval:
        """Return the interval of the mean of b - a, of two originals at least."""
        if self.binary:
            return padded_interval(self.b - self.a, self.original, level).within(-2.0, 2.0)
        estimate = paired_difference(self.a, self.b, self.original, level)
        interval = t_interval(estimate, 4 * value_range(self.limits), level)
        return interval.within(-2.0, 2.0) if within_one(self.limits) else interval


def changes_of(
    sides: Sequence[Pairs], group: Group, groups: Sequence[Group], measure: int
) -> Changes:
    """Return the changes of two systems.

    Args:
        sides: the same rows of both, in one order.
        group: the condition, and its rows.
        groups: all of them, among which are controls.
        measure: the column of the scores.
    """
    condition, rows = group
    parts, limits, binary = [], [], True
    for pairs in (each.take(rows) for each in sides):
        clean, perturbed = pairs.clean[:, measure], pairs.perturbed[:, measure]
        limits += [float(end(each)) for each in (clean, perturbed) for end in (np.min, np.max)]
        binary = binary and is_binary(clean, perturbed)
        parts.append(perturbed - pairs.baseline[:, measure])
    a, b = parts
    changes = Changes(a, b, sides[0].take(rows).original, np.array(limits), binary)
    if condition.expect != OTHER:
        return changes
    reactions, (a, b) = zip(*(reaction_of(pairs, rows, groups) for pairs in sides), strict=True)
    changes = changes._replace(reactions=reactions)
    if not a.size:  # of the same originals in both
        return changes
    return changes._replace(a=a, b=b, original=np.arange(a.size, dtype=np.int32), binary=True)


def _holds(sides: Sequence[Pairs], measure: int, sign: int) -> tuple[Bool, Bool]:
    """Return which rows A keeps right and B does not, and the reverse.

    Args:
        sides: the same rows of both, in one order.
        measure: the column of the scores.
        sign: -1 where less is better.
    """
    # Who has the worst score of either has nothing to lose.
    worst = min(float((sign * pairs.columns.scores[:, measure]).min()) for pairs in sides)
    breaks, keeps = [], []
    for pairs in sides:
        clean = sign * pairs.clean[:, measure]
        moved = sign * pairs.perturbed[:, measure] - clean
        breaks.append(moved < 0)
        keeps.append((clean > worst) & (moved >= 0))
    return breaks[1] & keeps[0], breaks[0] & keeps[1]


def _names(pairs: Pairs, sources: Sequence[RowSource]) -> list[tuple[str, str]]:
    """Return the originals and conditions of some pairs, in the order of the rows."""
    names = [condition.name for condition in pairs.named]
    held = dict(zip(pairs.place.tolist(), pairs.condition.tolist(), strict=True))
    return [
        (link(row).original_id, names[held[place]])
        for place, row in enumerate(all_rows(sources))
        if place in held
    ]


def _contrasts(
    sides: Sequence[Pairs],
    measure: int,
    metric: tuple[str, Metric],
    margin: float,
    holds: tuple[Bool, Bool],
    groups: Sequence[Group],
) -> list[Contrast]:
    """Judge groups of rows that stand side by side, of two systems.

    Args:
        sides: the same rows of both, in one order.
        measure: the column of the scores.
        metric: its name, and when scores are good.
        margin: differences within it are none to speak of.
        holds: of all rows; see `_holds`.
        groups: the conditions, each with its rows.
    """
    look, contrasts, evidence = widest_look(sides), [], []
    for condition, rows in groups:
        compared = [compare_rows(pairs, rows, measure, metric[1]) for pairs in sides]
        changes = changes_of(sides, (condition, rows), groups, measure)
        a, b, original, *_, reactions = changes
        change_a, change_b, difference = (float(each.mean()) for each in (a, b, b - a))
        count, low, high, p_value = cluster_index(a, original)[1], None, None, None
        if count > 1:
            low, high = changes.interval(look.level)
            p_value = look.p_value(sign_flip_test(a, b, original))
        unjudged = "" if reactions else sides[0].take(rows).unjudged()
        if sides[0].columns.human is not None and not (reactions or condition.control):
            # What a person says of the changes takes the place of what the judge does.
            by_person, few = corrected_changes(sides, rows, measure, look.level)
            unjudged = unjudged or few
            if not few:
                change_a, change_b, difference = (each.mean for each in by_person)
                low, high = Interval(by_person[2].low, by_person[2].high).within(-2.0, 2.0)
                p_value = look.p_value(by_person[2].p_value)
        contrast = Contrast(
            condition=condition.name,
            rows=rows.size,
            changed=compared[0].changed,
            originals=count,
            change_a=change_a,
            change_b=change_b,
            difference=difference,
            low=low,
            high=high,
            p_adjusted=None,
            verdict="",
            a_holds=None if reactions else int(holds[0][rows].sum()),
            b_holds=None if reactions else int(holds[1][rows].sum()),
            metric=metric[0],
            expect=condition.expect,
            control=reactions[0].control if reactions else "",
        )
        contrasts.append(contrast)
        evidence.append(
            Evidence(
                *(difference, low, high, p_value, compared, condition.control, unjudged),
                reactions=reactions,
            )
        )
    judgements = judged(evidence, metric, margin, look)
    return [
        contrast._replace(**judgement._asdict())
        for contrast, judgement in zip(contrasts, judgements, strict=True)
    ]
