"""Lost replies and missing rows of the plan, and their possible effect on a difference."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.robustness.grading.plan import BOUNDS, OUT, WRONG
from perturb.robustness.grading.reply_state import MISSING, NAMES, READ, TRUNCATED
from perturb.robustness.linking.conditions import order
from perturb.robustness.measures.metric import ROUNDED, Metric
from perturb.robustness.metrics.bounded import Interval, bounded_interval, bounded_test
from perturb.robustness.metrics.corpus import Corpus, reach, shares
from perturb.robustness.pairs.columns import CLEAN, Columns
from perturb.values.arrays import Bool, Float64, Int32, Int64, distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.metrics.looks import Look
    from perturb.robustness.pairs.join import Pairs

# A version that at least half of the originals have was planned for all, so rows without it are
# missing; one that fewer have was asked of some on purpose.
_PLANNED = 0.5
_DONE = {
    BOUNDS: "Means leave them out, and intervals hold whatever they were, right or wrong; with "
    "--unanswered wrong they are wrong, and with out they are left out.",
    OUT: "They are left out, as if they were no worse than the rest.",
    WRONG: "They count as wrong.",
}


class Bounded(NamedTuple):
    """Values; some are only known to lie between two ends.

    Attributes:
        least: the values, those that are not known at the low end.
        most: the same, at the high end.
        known: which are known.
        reach: by how much further than its ends a unit that was not seen may lie; see `reach` of
            a corpus.
    """

    least: Float64
    most: Float64
    known: Bool
    reach: float = 1.0

    def __sub__(self, other: Bounded) -> Bounded:
        known, reach = self.known & other.known, max(self.reach, other.reach)
        least = self.least - other.most
        same = self.least is self.most and other.least is other.most
        return Bounded(least, least if same else self.most - other.least, known, reach)

    def interval(self, unit: Int32, level: float, ends: tuple[float, float]) -> Interval:
        """Return the interval that holds whatever the others are, left out among these.

        Args:
            unit: what each value belongs to.
            level: as for `bounded_interval`.
            ends: as for `bounded_interval`.
        """
        wide = self._wide(ends)
        each = [bounded_interval(one, at, level, wide) for one, at in self._cases(unit)]
        low, high = min(one.low for one in each), max(one.high for one in each)
        if wide != ends:  # no measure of a corpus lies beyond its range, whatever originals weigh
            low, high = np.clip([low, high], *ends).tolist()
        return Interval(low, high)

    def p_value(self, unit: Int32, ends: tuple[float, float]) -> float:
        """Return the largest p-value of all cases; see `interval`."""
        wide = self._wide(ends)
        return max(bounded_test(one, at, wide) for one, at in self._cases(unit))

    def _wide(self, ends: tuple[float, float]) -> tuple[float, float]:
        middle, half = sum(ends) / 2, (ends[1] - ends[0]) / 2 * self.reach
        return ends if self.reach == 1 else (middle - half, middle + half)

    def sure(
        self, unit: Int32, look: Look, ends: tuple[float, float]
    ) -> tuple[float, float, float, float | None, float | None]:
        """Return the interval and the p-value, and the mean with all that are lost at either end.

        These means are None if none is lost.

        Args:
            unit: as for `interval`.
            look: at which asking stopped.
            ends: as for `interval`.
        """
        low, high = self.interval(unit, look.level, ends)
        p_value = look.p_value(self.p_value(unit, ends))
        if self.known.all():
            return low, high, p_value, None, None
        return low, high, p_value, float(self.least.mean()), float(self.most.mean())

    def _cases(self, unit: Int32) -> Iterator[tuple[Float64, Int32]]:
        if self.known.all():
            if distinct(unit).size > 1:
                yield self.least, unit
            return
        yield self.least, unit
        yield self.most, unit
        if distinct(unit[self.known]).size > 1:
            yield self.least[self.known], unit[self.known]


def scores(pairs: Pairs, measure: int, metric: Metric) -> tuple[Bounded, Bounded]:
    """Return the perturbed scores and those that each is compared with.

    Replies that are lost may be anything from one end of the scores to the other, unless they are
    left out or count as wrong. Of a measure of a corpus they are the shares of the rows in it, of
    each condition by itself.

    Args:
        pairs: joined rows.
        measure: the column of the scores.
        metric: their range.
    """
    columns = pairs.columns
    if columns.corpus is not None and columns.statistics is not None:
        return _shares(pairs, columns.corpus, columns.statistics, metric)
    noisy, clean, known = pairs.perturbed[:, measure], pairs.baseline[:, measure], pairs.there
    if known.all():
        return Bounded(noisy, noisy, known), Bounded(clean, clean, known)
    ends = metric.ends(columns.scores[:, measure])

    def between(values: Float64, lost: Bool) -> Bounded:
        least, most = (np.where(lost, end, values) for end in ends)
        return Bounded(least, most, known)

    return between(noisy, pairs.state != READ), between(clean, pairs.clean_state != READ)


def _shares(
    pairs: Pairs, corpus: Corpus, table: Float64, metric: Metric
) -> tuple[Bounded, Bounded]:
    """Return the shares of rows in a measure, where lost replies are wrong, and where right."""
    unit, known = pairs.unit, pairs.there
    clean = table[pairs.clean_place]
    # A missing row has the right answer of its clean one.
    noisy = np.where((pairs.state == MISSING)[:, None], clean, table[pairs.place])
    groups = [np.flatnonzero(pairs.condition == at) for at in distinct(pairs.condition)]
    low, high = metric.ends(pairs.columns.scores[:, 0])
    sides = []
    for each, state in ((noisy, pairs.state), (clean, pairs.clean_state)):
        ends = []
        for as_if in (corpus.wrong, corpus.right):
            values = np.empty(unit.size)
            counted = np.where((state != READ)[:, None], as_if(each), each)
            for rows in groups:
                values[rows] = shares(corpus, counted[rows], unit[rows])
                if not low - ROUNDED <= (whole := values[rows].mean()) <= high + ROUNDED:
                    raise DataError(
                        f"the measure of all replies is {whole:.4g}, and its range {low:g} to "
                        f"{high:g}: state it (--range LOW,HIGH, or range= in Python)"
                    )
            ends.append(values)
            if (state == READ).all():
                break
        ends = ends if metric.higher_is_better else ends[::-1]
        sides.append((ends[0], ends[-1]))
    by = max(reach(corpus, clean[rows], unit[rows], high - low) for rows in groups)
    return Bounded(*sides[0], known, by), Bounded(*sides[1], known, by)


def settled(
    columns: Columns, metrics: Mapping[str, Metric], clusters: Sequence[str], unanswered: str
) -> Columns:
    """Add the rows that are missing, and say what belongs together and what lost replies count as.

    Args:
        columns: the rows.
        metrics: one for each column of the scores; a person's stand behind them.
        clusters: fields; originals that share any of them are of one cluster.
        unanswered: one of `UNANSWERED`; where lost replies are wrong, they get such a score.

    Raises:
        DataError: all originals are of one cluster.
    """
    columns = _completed(columns, len(metrics))
    lost, gaps = columns.state != READ, columns.gaps
    if unanswered == WRONG and (gaps is not None or lost.any()):
        table = columns.scores.copy()
        for measure, metric in enumerate(metrics.values()):
            low, high = metric.ends(columns.scores[:, measure])
            wrong = lost if gaps is None else lost | gaps[:, measure]
            table[wrong, measure] = low if metric.higher_is_better else high
        table[lost, len(metrics) :] = 0  # by a person too
        columns = columns._replace(scores=table)
    if clusters:
        cluster = together([columns.texts[name] for name in clusters])
        columns = columns._replace(cluster=cluster, clusters=tuple(clusters))
        if cluster.max() == 0:
            raise DataError(
                f"all originals share {' or '.join(clusters)}, so they are one cluster, and an "
                "interval takes two: name a field that parts them"
            )
    most = None if columns.corpus is None else columns.corpus.most
    number = columns.cluster
    if number is None:  # in the order of keys, which are random numbers
        number = np.arange(columns.originals.size, dtype=np.int32)
    if most is not None and (count := int(number.max()) + 1) > most:
        columns = columns._replace(
            cluster=(number.astype(np.int64) * most // count).astype(np.int32)
        )
    return columns._replace(unanswered=unanswered)


def together(fields: Sequence[Int32]) -> Int32:
    """Number what belongs together: whatever shares the number in some field, in any steps."""
    label = fields[0]
    for field in fields[1:]:
        while True:  # the least label of each value spreads to all that have it
            least = np.full(int(field.max()) + 1, label.size)
            np.minimum.at(least, field, label)
            old = np.full(int(label.max()) + 1, label.size)
            np.minimum.at(old, label, least[field])
            if (old[label] == label).all():
                break
            label = old[label]
    return np.unique(label, return_inverse=True)[1].astype(np.int32)


def _completed(columns: Columns, measures: int) -> Columns:
    """Add the rows that the plan has and the file lacks, as such without a reply.

    An original that has some version should have each that half of the originals have, of those
    that were asked with the same seed of the system.
    """
    perturbs = np.array([not each.control for each in columns.conditions], bool)
    noisy = np.flatnonzero(columns.condition != CLEAN)
    noisy = noisy[perturbs[columns.condition[noisy]]]
    rows, sample = columns.original[noisy], columns.samples[columns.version[noisy]]
    asked = {at: distinct(rows[sample == at]) for at in distinct(sample).tolist()}
    cells = np.int64(columns.versions.size)
    cell = columns.condition[noisy] * cells + columns.version[noisy]
    numbers, counts = np.unique(cell, return_counts=True)
    every = [asked[at] for at in columns.samples[numbers % cells].tolist()]
    planned = list[tuple[Int32, Int64, Int64]]()
    for at, count, originals in zip(numbers.tolist(), counts.tolist(), every, strict=True):
        if _PLANNED * originals.size <= count < originals.size:
            there = noisy[cell == at]
            lacking = np.setdiff1d(originals, columns.original[there])
            # Nobody knows the edits of these: as many have some as among those that are there.
            there = there[np.lexsort((columns.damage[there], columns.reason[there]))]
            alike = there[np.arange(lacking.size) * count // lacking.size]
            planned.append((lacking, np.full(lacking.size, at), alike))
    if not planned:
        return columns
    clean = np.flatnonzero(columns.condition == CLEAN)
    proof = np.zeros(columns.originals.size, np.uint64)
    proof[columns.original[clean]] = columns.proof[clean]
    original, number, alike = map(np.concatenate, zip(*planned, strict=True))
    added = {
        "original": original,
        "version": number % cells,
        "condition": number // cells,
        "scores": [*columns.scores[0, :measures], *[np.nan] * (columns.scores.shape[1] - measures)],
        "state": MISSING,
        **dict.fromkeys(("answer", "edits", "right"), 0),
        "reason": columns.reason[alike],
        "damage": columns.damage[alike],
        "proof": proof[original],
    }
    for name in ("statistics", "gaps"):
        if getattr(columns, name) is not None:
            added[name] = 0
    longer: dict[str, Any] = {}
    for name, values in added.items():
        column = getattr(columns, name)
        more = np.broadcast_to(np.asarray(values, column.dtype), (original.size, *column.shape[1:]))
        longer[name] = np.concatenate([column, more])
    return columns._replace(**longer)


def lost_hint(pairs: Pairs, metrics: Iterable[str], of: str = "") -> Iterator[str]:
    """Yield which replies are lost, condition by condition, or by one measure, and how they count.

    Args:
        pairs: joined rows.
        metrics: the names of the measures.
        of: the name of the system, where there are several.
    """
    columns = pairs.columns
    lost = columns.state != READ
    gaps: Iterable[Bool] = () if columns.gaps is None else columns.gaps.T
    for name, missing in zip(metrics, gaps, strict=False):
        if count := int(np.count_nonzero(missing & ~lost)):
            yield (
                f"{name} is null in {count:,} of {lost.size:,} rows{of} that have another score: "
                f"by {name} alone their replies are lost. {_DONE[columns.unanswered]}"
            )
    # In an order that doesn't depend on that of the rows.
    named = sorted(enumerate(pairs.named), key=lambda each: order(each[1]))
    names = {CLEAN: "originals"} | {at: condition.name for at, condition in named}
    size = np.int64(columns.originals.size)
    each = distinct(pairs.condition * size + pairs.original) // size
    asked = distinct(pairs.original[~pairs.control]).size
    few_of = Counter(each.tolist())
    few = [
        f"{count:,} have rows under {names[at]}"
        for at in names
        if 0 < (count := few_of[at]) < _PLANNED * asked and not columns.conditions[at].control
    ]
    if few:
        yield (
            f"Of {asked:,} originals{of} {', '.join(few)}: the others count as never planned, not "
            "as missing."
        )
    if not lost.any():
        return
    every, told = Counter(columns.condition.tolist()), []
    counts = Counter(
        zip(columns.condition[lost].tolist(), columns.state[lost].tolist(), strict=True)
    )
    for at, name in names.items():
        kinds = [
            f"{count:,} {NAMES[state] if count > 1 else NAMES[state].removesuffix('s')}"
            for (place, state), count in sorted(counts.items())
            if place == at
        ]
        if kinds:
            told.append(f"{name}: {', '.join(kinds)} of {every[at]:,}")
    again = (
        " perturb run --again truncated asks those that were cut off once more, with a larger "
        "--max-tokens."
    )
    cut = again if (columns.state == TRUNCATED).any() else ""
    known = distinct(pairs.condition[pairs.there]).size == distinct(pairs.condition).size
    none = "" if known else " If a condition has no others, its means count them as wrong."
    yield f"Lost replies{of}, {'; '.join(told)}. {_DONE[columns.unanswered]}{none}{cut}"
