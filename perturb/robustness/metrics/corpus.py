"""Measures of a corpus: one figure of all replies, and what each original adds to it.

Such a measure is no mean over replies. But how it changes without an original tells what that adds
(the jackknife): values of rows whose mean is the measure, so that two corpora of the same originals
are compared as scores are.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from perturb.values.arrays import Bool, Float64, Int32, Intp, distinct

# A row of numbers for each reply.
Table = Float64
# The most originals that are left out in turn where each time everything is computed again. Of 300
# groups, what none of them shows may still cost .01.
_MOST = 300


class Corpus(NamedTuple):
    """A measure of a corpus.

    Attributes:
        without: returns the measure of a table, and its values where the rows of each unit in turn
            are left out, or are those of another table. Takes the table, the number of the unit of
            each row, how many units there are, and the other table or None.
        right: returns a table as it is where all replies are right.
        wrong: the same where they are wrong.
        heavy: returns a table of other replies, where one original may weigh much more than the
            rest, by its class or for reasons that nobody knows; None where lengths alone matter.
        most: how many units are left out in turn; None for any number.
    """

    without: Callable[[Table, Int32, int, Table | None], tuple[float, Float64]]
    right: Callable[[Table], Table]
    wrong: Callable[[Table], Table]
    heavy: Callable[[Table], Table] | None = None
    most: int | None = None


def shares(corpus: Corpus, table: Table, unit: Int32) -> Float64:
    """Return a value for each row, whose mean is the measure.

    Of a unit u of `n_u` of n rows they sum to `n_u T + (n - n_u) (T - T_u)`, T_u being the measure
    without it, less the excess of their mean over T. Where T is a mean, they are the means of
    the units.

    Args:
        corpus: the measure.
        table: its numbers.
        unit: what each row belongs to.

    Source: Tukey (1958), Bias and confidence in not quite large samples, the pseudo-values of the
    jackknife; of clusters, Busing, Meijer and van der Leeden (1999), Delete-m jackknife for unequal
    m.
    """
    at, sizes = _units(unit)
    whole, rest = corpus.without(table, at, sizes.size, None)
    pull = (at.size - sizes) * (whole - rest) / sizes
    return (whole + pull - (pull @ sizes) / at.size)[at]


def reach(corpus: Corpus, table: Table, unit: Int32, size: float = 1.0) -> float:
    """Return how much further a unit that was not seen may move the measure than one a mean.

    Of counts, the root of the mean square of what units move it by, in their mean: with 1 alone,
    the simulation in `benchmarks/corpus_coverage.py` covers .92 of whole losses of texts of all
    lengths. Where a unit may be heavy, what the heaviest moves it by: of macro F1 a loss in a rare
    class may not have been seen, and with 1 half of such losses are covered.

    Args:
        corpus: the measure.
        table: its numbers.
        unit: what each row belongs to.
        size: the range of the measure.
    """
    at, sizes = _units(unit)
    best, worst = (
        corpus.without(table, at, sizes.size, by(table))[1]
        for by in (corpus.right, corpus.heavy or corpus.wrong)
    )
    moved = np.abs(best - worst)
    if corpus.heavy is not None:
        return max(1.0, float((moved / sizes).max()) * at.size / size)  # of mean size
    return float(np.sqrt(np.mean(moved**2)) / moved.mean()) if moved.any() else 1.0


def _units(unit: Int32) -> tuple[Int32, Float64]:
    at = np.searchsorted(distinct(unit), unit).astype(np.int32)
    return at, np.bincount(at).astype(float)


def by_counts(
    measure: Callable[[Float64], Float64],
    right: Callable[[Table], Table],
    wrong: Callable[[Table], Table],
) -> Corpus:
    """Return a measure of counts that are added up over rows.

    Args:
        measure: from sums along the last axis to the measure.
        right: as for `Corpus`.
        wrong: as for `Corpus`.
    """

    def without(table: Table, unit: Int32, count: int, other: Table | None) -> Any:
        total, less = table.sum(axis=0), table if other is None else table - other
        sums = np.stack([np.bincount(unit, column, count) for column in less.T], axis=1)
        return float(measure(total)), measure(total - sums)

    return Corpus(without, right, wrong)


def macro_f1() -> Corpus:
    """Return macro F1, of a table with the number of the label of each reply, and of the right one.

    It is the mean of F1 over the labels of right answers. A reply that has none of these is missing
    from its class, and makes no class.

    Source: Opitz and Burst (2019), Macro F1 and Macro F1, the mean of F1.
    """

    def without(table: Table, unit: Int32, count: int, other: Table | None) -> Any:
        labels = distinct(table[:, 1])
        many = labels.size + 1
        places, hit = _of_labels(table, labels)
        hits, sizes = (
            np.bincount(each, minlength=many) for each in (places[hit, 1], places.ravel())
        )
        each = 2 * hits[:-1] / sizes[:-1]
        # Of the units and labels that belong together, by how much their counts change.
        rows = table if other is None else np.concatenate([table, other])
        places, hit = _of_labels(rows, labels)
        sign = np.where(np.arange(len(rows)) < len(table), -1.0, 1.0)
        keys = np.resize(unit, len(rows))[:, None] * np.int64(many) + places
        pairs, index = np.unique(keys, return_inverse=True)
        index = index.reshape(keys.shape)
        more = np.bincount(index.ravel(), np.repeat(sign, 2))
        more_hits = np.bincount(index[hit, 1], sign[hit], pairs.size)
        of, label = np.divmod(pairs, many)
        known = (label < labels.size) & (sizes[label] + more > 0)  # a label without rows stays
        of, label = of[known], label[known]
        now = 2 * (hits[label] + more_hits[known]) / (sizes[label] + more[known])
        whole = each.mean()
        return whole, whole + np.bincount(of, now - each[label], count) / labels.size

    def wrong(table: Table) -> Table:
        return np.stack([np.full(len(table), -1.0), table[:, 1]], axis=1)

    return Corpus(without, lambda table: table[:, [1, 1]], wrong, wrong)


def _of_labels(table: Table, labels: Float64) -> tuple[Intp, Bool]:
    """Return the places of both labels of each row, beyond the last for another; and the hits."""
    places = np.searchsorted(labels, table)
    places[labels[np.minimum(places, labels.size - 1)] != table] = labels.size
    return places, table[:, 0] == table[:, 1]


def by_calls(function: Callable[[Table], float]) -> Corpus:
    """Return a measure that a function computes of a table with numbers of replies and of answers.

    Args:
        function: the function. The number 0 is that of the empty text, which a lost reply is.
    """
    known: dict[bytes, tuple[float, Float64]] = {}

    def without(table: Table, unit: Int32, count: int, other: Table | None) -> Any:
        parts = (table, unit, *(() if other is None else (other,)))
        key = blake2b(b"".join(part.tobytes() for part in parts)).digest()
        if key not in known:
            values = np.zeros(count)
            for at in range(count):
                out = unit == at
                left = table[~out] if other is None else np.where(out[:, None], other, table)
                values[at] = function(left) if len(left) else 0.0
            known[key] = function(table), values
        return known[key]

    def wrong(table: Table) -> Table:
        return np.stack([np.zeros(len(table)), table[:, 1]], axis=1)

    def others(table: Table) -> Table:
        # Those of the rows before: a function may not read just any text.
        return np.stack([np.roll(table[:, 0], 1), table[:, 1]], axis=1)

    return Corpus(without, lambda table: table[:, [1, 1]], wrong, others, _MOST)
