"""The join: every perturbed row beside the clean row of its original."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

import numpy as np

from perturb.errors import DataError
from perturb.records.ids import row_in
from perturb.rng import key64
from perturb.robustness.grading.plan import OUT, WRONG
from perturb.robustness.grading.reply_state import MISSING, NO_REPLY, READ
from perturb.robustness.linking.conditions import KEPT, WHOLE, Condition, labels, link, order
from perturb.robustness.linking.sources import RowSource, rows_at
from perturb.robustness.metrics.looks import Look
from perturb.robustness.pairs.columns import CHANGED, CLEAN, NO_ANSWER, Columns
from perturb.robustness.pairs.originals import compared
from perturb.values.arrays import (
    Bool,
    Float64,
    Int32,
    Int64,
    NDArray,
    Rows,
    UInt8,
    UInt16,
    UInt64,
    distinct,
)

# A condition, with its rows.
Group = tuple[Condition, Rows]
Numbers = TypeVar("Numbers", bound=NDArray[Any], covariant=True)
_UNJUDGED = {
    "unknown": "what becomes of the right answer is not known: say it where it is perturbed, with "
    "--expect LABEL=same, mapped, other or abstain",
    "other": "the right answer should be another one",
    "abstain": "nobody can know the right answer",
}


class _Column(Generic[Numbers]):
    """A column of the rows of pairs, or of their clean rows."""

    def __init__(self, name: str, of: str = "place") -> None:
        self._name, self._of = name, of

    def __get__(self, pairs: Pairs, _: type) -> Numbers:
        numbers: Numbers = getattr(pairs.columns, self._name)[getattr(pairs, self._of)]
        return numbers


@dataclass(frozen=True)
class Pairs:
    """One entry a perturbed row, in the order of their originals and keys; not that of the files.

    Facts about a row are taken from its columns when they are asked for: for some rows alone call
    `take` first. `clean`, `baseline` and `perturbed` have one column a measure; `baseline` is
    the mean of the clean row and of the controls that ask it again; of a control, of the clean row
    alone. `key` is its key for draws.

    Attributes:
        columns: all rows.
        place: the row of each among them.
        partner: the number of its clean row among the clean rows.
        clean_rows: where these stand among the columns.
        means: the means of the answers to each clean row, one column a measure.
        answers: how many these are.
        labels: the names of the conditions.
        sources: what the rows were read from.
        repeats: how many rows were left out, since their original is another one again.
    """

    columns: Columns
    place: Int32
    partner: Int32
    clean_rows: Int32
    means: Float64
    answers: UInt16
    labels: list[str]
    sources: Sequence[RowSource]
    repeats: int

    original = _Column[Int32]("original")
    condition = _Column[Rows]("condition")
    reason = _Column[UInt8]("reason")
    perturbed = _Column[Float64]("scores")
    clean = _Column[Float64]("scores", "clean_place")
    answer = _Column[Int32]("answer")
    clean_answer = _Column[Int32]("answer", "clean_place")
    state = _Column[UInt8]("state")
    clean_state = _Column[UInt8]("state", "clean_place")
    damage = _Column[UInt8]("damage")
    edits = _Column[UInt16]("edits")
    compared = _Column[Bool]("compared")

    @property
    def clean_place(self) -> Int32:
        """Where the clean row of each stands among the columns."""
        return self.clean_rows[self.partner]

    @property
    def conditions(self) -> list[Condition]:
        """The conditions."""
        return self.columns.conditions

    @property
    def unit(self) -> Int32:
        """What each belongs to that may be alike: its cluster, or else its original."""
        cluster, original = self.columns.cluster, self.original
        return original if cluster is None else cluster[original]

    @property
    def there(self) -> Bool:
        """Whether each has a score to go by, and so has its clean row."""
        if self.columns.unanswered == WRONG:
            return np.ones(self.place.size, bool)
        return np.asarray((self.state == READ) & (self.clean_state == READ))

    @property
    def look(self) -> Look:
        """The look at which asking stopped."""
        return self.columns.look

    @property
    def key(self) -> UInt64:
        """The key of each for draws, which all systems share that were asked the same."""
        return _keys(self.columns, self.place)

    @property
    def control(self) -> Bool:
        """Whether each asks the original again."""
        return np.array([each.control for each in self.conditions], bool)[self.condition]

    @property
    def baseline(self) -> Float64:
        """The mean of the answers that each is compared with."""
        means = self.means[self.partner]
        if (self.answers > 1).any():
            control = self.control
            means[control] = self.take(np.flatnonzero(control)).clean
        return means

    @property
    def human(self) -> Float64 | None:
        """What a person gives the baseline, the perturbed row, the clean one; NaN for nothing."""
        grades = self.columns.human
        if grades is None:
            return None
        own, pooled = grades[self.clean_place].T
        baseline = np.where(self.control, own, pooled)
        return np.stack([baseline, grades[self.place, 0], own], axis=1)

    @property
    def changed(self) -> Bool:
        """Whether the text of each was changed."""
        return np.asarray(self.reason == CHANGED)

    @property
    def counted(self) -> Bool:
        """Whether each is of a condition that is judged: it perturbs, and keeps the answer."""
        judged = [not each.control and each.expect == KEPT for each in self.conditions]
        condition = self.condition
        some = distinct(condition[self.changed & (self.state != MISSING)])
        return np.asarray(np.array(judged, bool)[condition] & np.isin(condition, some))

    @property
    def readings(self) -> tuple[Int32, Int32]:
        """The answers and those to the originals; all that are right are one, however written."""
        same, sides = self.columns.answer.size + 1, []  # more than there are answers
        for answer, scores in ((self.answer, self.perturbed), (self.clean_answer, self.clean)):
            sides.append(np.where((answer != NO_ANSWER) & (scores[:, 0] == 1), same, answer))
        return sides[0], sides[1]

    @property
    def named(self) -> list[Condition]:
        """The conditions, each called by its label."""
        pairs = zip(self.conditions, self.labels, strict=True)
        return [condition._replace(perturbator=label) for condition, label in pairs]

    def groups(
        self, rows: Rows | None = None, beside: Sequence[Pairs] = ()
    ) -> tuple[list[Group], Group]:
        """Return each condition, called by its label, with its rows, and all that are judged.

        Args:
            rows: those to take; None for all.
            beside: the same rows of other systems, whose lost replies may be left out too.
        """
        rows = np.arange(self.place.size, dtype=np.int32) if rows is None else rows
        condition, named, counted = self.take(rows).condition, self.named, self.counted
        places = sorted(range(len(named)), key=lambda at: order(self.conditions[at]))
        groups = [(named[at], rows[condition == at]) for at in places]
        every = rows[counted[rows]] if counted.any() else rows
        there = np.logical_and.reduce([pairs.there[every] for pairs in (self, *beside)])
        left_out = self.columns.unanswered == OUT and there.any()
        whole = WHOLE, every[there] if left_out else every
        return [(each, members) for each, members in groups if members.size], whole

    def by(self, measure: int) -> Pairs:
        """Return the same rows as a measure knows them: those that it has no score of are lost."""
        gaps = self.columns.gaps
        if gaps is None or not gaps[:, measure].any():
            return self
        state = self.columns.state.copy()
        state[gaps[:, measure] & (state == READ)] = NO_REPLY
        return replace(self, columns=self.columns._replace(state=state))

    @property
    def kept(self) -> Pairs:
        """The rows but those that are lost, where these are left out."""
        if self.columns.unanswered != OUT:
            return self
        there = self.there  # a condition whose replies are all lost keeps them: it is not judged
        bare = np.isin(self.condition, self.condition[there], invert=True)
        return self.take(np.flatnonzero(there | bare))

    def take(self, rows: Rows) -> Pairs:
        """Return these rows alone."""
        if rows.size == self.place.size and (rows[1:] > rows[:-1]).all():
            return self
        return replace(self, place=self.place[rows], partner=self.partner[rows])

    def numbered_as(self, others: Pairs) -> Pairs:
        """Return these pairs with the originals and conditions of others that are the same rows."""
        same = ("originals", "conditions", "cluster", "clusters", "texts")
        columns = self.columns._replace(**{name: getattr(others.columns, name) for name in same})
        for name in ("original", "condition"):
            numbers: Rows = getattr(others, name)
            if not np.array_equal(getattr(self, name), numbers):
                column = getattr(columns, name)
                column = column.astype(np.promote_types(column.dtype, numbers.dtype))
                column[self.place] = numbers
                columns = columns._replace(**{name: column})
        return replace(self, columns=columns, labels=others.labels)

    def unjudged(self) -> str:
        """Return why the answers to rows are neither right nor wrong; "" where they are."""
        words = {self.conditions[at].expect for at in distinct(self.condition).tolist()}
        return next((why for word, why in _UNJUDGED.items() if word in words), "")


def join(columns: Columns, sources: Sequence[RowSource]) -> Pairs:
    """Pair every perturbed row with the clean row of its original.

    Where an original has several clean rows, answered with several seeds, it is the one of the same
    seed.

    Args:
        columns: the rows.
        sources: those they were read from, to name them.

    Raises:
        DataError: a perturbed row has no clean one, or a clean row no
            perturbed one; two rows are the same (same original, condition, seeds and replicate), or
            have one id, but other originals. The rows are named.
    """
    is_clean = columns.condition == CLEAN
    clean, rows = (np.flatnonzero(each).astype(np.int32) for each in (is_clean, ~is_clean))
    names = _names(columns, clean)
    originals: Int32 = clean[np.argsort(names[clean], kind="stable")]
    originals = _once(sources, originals, names[originals], "are both the clean row")
    keys = _keys(columns, rows)
    order = np.lexsort((keys, columns.original[rows]))
    rows = _once(sources, rows[order], keys[order], "have the same steps, seed and replicate")
    del keys, order, clean, is_clean  # for memory
    repeats = columns.condition.size - originals.size - rows.size
    partner = _partners(names, originals, rows, sources)
    means, answers = _answers(columns, originals, rows, partner)
    columns = compared(columns, sources)
    names_of = labels(columns.conditions)
    return Pairs(columns, rows, partner, originals, means, answers, names_of, sources, repeats)


def _keys(columns: Columns, rows: Int32) -> UInt64:
    """Return the keys of perturbed rows for draws."""
    conditions = [key64(*map(str, each[:4])) for each in columns.conditions]
    keys = columns.originals[columns.original[rows]]
    keys ^= columns.versions[columns.version[rows]]
    keys ^= np.array(conditions, np.uint64)[columns.condition[rows]]
    return keys


def _answers(columns: Columns, clean: Int32, rows: Int32, partner: Int32) -> tuple[Float64, UInt16]:
    """Return the mean of the answers to each clean row, and how many these are."""
    asks_again = np.array([condition.control for condition in columns.conditions], bool)
    control = asks_again[columns.condition[rows]]
    control &= (columns.state[rows] == READ) | (columns.unanswered == WRONG)
    again, sums = rows[control], columns.scores[clean]
    gaps = None if columns.unanswered == WRONG else columns.gaps
    given, measures = (1, 1) if gaps is None else (~gaps[again], sums.shape[1])
    np.add.at(count := np.ones((clean.size, measures)), partner[control], given)
    np.add.at(sums, partner[control], columns.scores[again] * given)
    return sums / count, count.max(axis=1).astype(np.uint16)


def _names(columns: Columns, clean: Rows) -> Int64:
    """Return the name that a row shares with its partner: its original, or one sample of that."""
    several = np.bincount(columns.original[clean], minlength=columns.originals.size) > 1
    names = columns.samples[columns.version] * several[columns.original]
    return names + columns.original * np.int64(columns.samples.size + 1)


def _partners(names: Int64, clean: Int32, perturbed: Int32, sources: Sequence[RowSource]) -> Int32:
    """Return the number of each row's clean one, of clean rows in the order of their names."""
    ids, partners = names[clean], names[perturbed]
    at = np.searchsorted(ids, partners).astype(np.int32)
    matched = ids[np.minimum(at, ids.size - 1)] == partners if ids.size else np.zeros(at.size, bool)
    what_to_do = (
        "perturb with --with-original, which writes the originals too, or give perturb score, "
        "report or tolerance --clean FILE, which has scored clean rows alone (clean= in Python)"
    )
    _refuse_lonely(sources, perturbed[~matched], "perturbed", "clean", what_to_do)
    alone = clean[np.bincount(at, minlength=clean.size) == 0]
    _refuse_lonely(sources, alone, "clean", "perturbed", "score both, or leave both out")
    return at


def _place(sources: Sequence[RowSource], place: int) -> tuple[str, str]:
    """Return where a row stands, and the id of its original; it is read again."""
    source, number, row = next(rows_at(sources, [place]))
    return source.at(number), link(row).original_id


def _once(sources: Sequence[RowSource], rows: Int32, keys: NDArray[Any], what: str) -> Int32:
    """Return rows; of neighbours with the same keys, which a row that stood twice makes, the first.

    Raises:
        DataError: the original of two such rows has an id of its own, so that they are no repeats.
    """
    again = np.append(False, keys[1:] == keys[:-1])[: rows.size]
    places = np.sort(rows[again])
    found = zip(places, rows_at(sources, places), strict=True) if places.size else ()
    given = [at for at, (*_, row) in found if not row_in(link(row).original_id)]
    if given:
        (twin,) = np.flatnonzero(rows == given[0])
        first, original = _place(sources, rows[twin - 1])
        second, _ = _place(sources, rows[twin])
        more, files = _and_more(len(given)), {each.rpartition(":")[0] for each in (first, second)}
        hint = "; answers of several systems go to perturb compare" * (len(files) > 1)
        raise DataError(
            f"{first} and {second} {what} of original {original!r}{more}: keep one{hint}"
        )
    return rows[~again] if places.size else rows


def _refuse_lonely(
    sources: Sequence[RowSource], rows: Int32, kind: str, other: str, what_to_do: str
) -> None:
    """Raise if any row is without its partner."""
    if rows.size:
        first, original = _place(sources, rows.min())
        raise DataError(
            f"{first}: the {kind} row of original {original!r} has no {other} row"
            f"{_and_more(rows.size)}: {what_to_do}"
        )


def _and_more(count: int) -> str:
    return f" (and {count - 1} more such)" if count > 1 else ""
