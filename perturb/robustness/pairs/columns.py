"""Many rows as a few flat arrays: nothing of a row is kept but numbers."""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.errors import DataError
from perturb.records.notation import Records, checked_many
from perturb.rng import key64
from perturb.robustness.grading.grade import field_of, json_text
from perturb.robustness.grading.plan import BOUNDS
from perturb.robustness.grading.reply_state import NO_REPLY, READ, reply_state
from perturb.robustness.linking.conditions import KEPT, Condition, answered_by, origin_of
from perturb.robustness.linking.damage import FOLLOWED, OPTIONS, touched
from perturb.robustness.linking.record_text import linkage_of
from perturb.robustness.linking.sources import all_rows, batches
from perturb.robustness.metrics.looks import Look, look_of
from perturb.robustness.pairs.proofs import a_record, as_record, numbers_of, proofs_of, right_number
from perturb.values.arrays import (
    Bool,
    Float64,
    Int32,
    Rows,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    distinct,
    numbered,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.grading.grade import Grade, Graded
    from perturb.robustness.linking.sources import Row, RowSource
    from perturb.robustness.metrics.corpus import Corpus

    # By field: the rows of originals, and keys of what stands there.
    Texts = dict[str, tuple[array[int], array[int]]]
    # The fields of a record from which it derives, whether it holds the original, and the seed of
    # the answer.
    Kind = tuple[str, str, str, str, bool, str | None]

# Fields of at least 20 characters may be shared passages; shorter texts are equal by chance, or
# name a class, by which originals aren't alike.
_LONG = 20

CLEAN = -1
CHANGED = 0
NO_ANSWER = 0
_NONE = (
    "no row is perturbed: none has a 'perturbation' with another status than original; perturb "
    "apply writes that field, and scoring has to keep it"
)


class Selection(NamedTuple):
    """How a person chose the originals to grade.

    Attributes:
        reason: why they can't be a random draw; "" if nothing speaks against it.
        note: what else to know about it, in a sentence; "" for nothing.
    """

    reason: str = ""
    note: str = ""


class Columns(NamedTuple):
    """One entry a row, in the order in which rows are read: its place in the design, its scores.

    `original` counts `originals`, the keys of the originals in order. `version` counts `versions`,
    the keys of seeds and replicates, and `samples`, which number the seeds that the system answered
    with; 0 for none. `condition` is an index into `conditions`, or CLEAN; equal `answer`s
    are equal numbers, or NO_ANSWER; `scores` has one column a measure; `state` tells whether the
    reply was read, and `damage` what its edits do; see `damage.damage`. `edits` counts those of its
    first text. `reason` is an index into `reasons`, why the row has no edit; CHANGED for none.
    `proof` is the number of the original, and `right` that of the right answer, in the field
    `target`, where it stays as it is; 0 for none. Once rows are joined, all of an original have the
    same: then both are empty, `said` has the numbers of originals by their kind (see `originals`),
    and `compared` tells whether the original of a row is that of its clean row. `look` is that at
    which asking stopped. `human` has what a person gives each row, NaN for nothing, and behind it,
    of a clean row, the mean with its controls; `selection` tells how that person chose originals.
    `texts` are fields of at least 20 characters, or such as were asked for, with a number for the
    text of each original. `cluster` has the cluster of each original, if there are any, by the
    fields `clusters`, and `unanswered` says what lost replies count as. `corpus` is the measure of
    all replies together, if there is one, and `statistics` has the numbers of its table. `gaps`
    marks, in the shape of `scores`, those that are null though their rows have others.
    """

    original: Int32
    version: Rows
    condition: Rows
    reason: UInt8
    answer: Int32
    scores: Float64
    state: UInt8
    damage: UInt8
    edits: UInt16
    originals: UInt64
    versions: UInt64
    samples: Int32
    conditions: list[Condition]
    reasons: list[str]
    proof: UInt64
    right: UInt64
    target: str = ""
    said: Mapping[str, Mapping[int, tuple[UInt64, UInt32]]] = MappingProxyType({})
    compared: Bool | None = None
    look: Look = Look()
    human: Float64 | None = None
    selection: Selection = Selection()
    texts: Mapping[str, Int32] = MappingProxyType({})
    cluster: Int32 | None = None
    clusters: tuple[str, ...] = ()
    unanswered: str = BOUNDS
    statistics: Float64 | None = None
    corpus: Corpus | None = None
    gaps: Bool | None = None


def collect(
    sources: Sequence[RowSource],
    grade: Grade,
    prediction: str | None = None,
    target: str | None = None,
    clusters: Sequence[str] = (),
    measures: int | None = None,
) -> Columns:
    """Read, link and grade every row of the sources.

    Args:
        sources: the rows.
        grade: what gives a row its scores.
        prediction: the field of what the system said; without it only rows without a score count
            as lost.
        target: the field of the right answer, if there is one.
        clusters: fields that originals share which belong together.
        measures: how many columns of scores are of measures; by default all.

    Raises:
        DataError: no row is there, or perturbed; or one cannot be linked or graded (its place is
            named).
    """
    other = a_record(sources)
    if other is None:  # before rows are graded
        raise DataError(_NONE if next(all_rows(sources), None) else "there is no row to score")
    # The versions of an original mostly come one after another; more keys only take memory.
    key, kinds = lru_cache(maxsize=1 << 12)(key64), _Kinds(other)
    originals, answers, scores = array("Q"), array("Q"), array("d")
    members, proofs, rights = array("i"), array("I"), array("Q")
    states, found = array("B"), list[tuple[UInt8, UInt16]]()
    texts: Texts = {}
    for source, batch in batches(sources):
        read = _read(source, batch, grade, kinds, clusters)
        said = [answer for _, answer in read.graded]
        for at, fields in read.shared:
            _keep(texts, len(originals) + at, fields)
        originals.extend(map(key, read.records.original_id))
        members.extend(read.kinds)
        proofs.extend(numbers_of(read.records))
        rows = [row for _, row in batch]
        if target is not None:
            pairs = zip(rows, read.records.expect, strict=True)
            rights.extend([_right(*pair, target) for pair in pairs])
        scores.extend(chain.from_iterable(values for values, _ in read.graded))
        answers.extend([NO_ANSWER if one is None else key(json_text(one)) for one in said])
        each = zip(rows, said, strict=True)
        states.extend(
            [reply_state(row, row.get(prediction), one) for row, one in each]
            if prediction is not None
            else [NO_REPLY if one is None else READ for one in said]
        )
        found.append(touched(source, batch, read.records, read.edited))
    damage, edits = (np.concatenate(parts) for parts in zip(*found, strict=True))
    count = len(originals)
    answers.append(NO_ANSWER)  # which is the first of them by this
    answer = numbered(np.frombuffer(answers, np.uint64))[1][:-1]
    del answers, key  # before others need memory
    names, number = numbered(np.frombuffer(originals, np.uint64))
    del originals
    table = np.frombuffer(scores, np.float64).reshape(count, -1)
    return Columns(
        original=number,
        answer=answer,
        scores=table,
        gaps=_filled(table[:, :measures]),
        state=np.frombuffer(states, np.uint8),
        edits=edits,
        originals=names,
        right=np.frombuffer(rights, np.uint64) if rights else np.broadcast_to(np.uint64(), count),
        target=target or "",
        look=look_of(kinds.looks),
        texts={at: _numbers(names, number, *own) for at, own in texts.items() if at != prediction},
        **kinds.columns(np.asarray(members), np.asarray(proofs), damage),
    )


def _filled(scores: Float64) -> Bool | None:
    """Fill gaps with a score that is there, which widens no range; return where any are."""
    gaps = np.isnan(scores)
    if not gaps.any():
        return None
    for column, lacks in zip(scores.T, gaps.T, strict=True):
        column[lacks] = column[~lacks][:1] if not lacks.all() else 0
    return gaps


class _Kinds(dict["Kind", int]):
    """What many rows share, which is read once: how they were made, and who answered them.

    Args:
        other: a record, which says in which fields originals without one have their text.

    Attributes:
        looks: those at which asking stopped.
        originals: the kinds of originals.
        edited: the kinds of rows with edits.
    """

    def __init__(self, other: Mapping[str, str]) -> None:
        super().__init__()
        self._other = other
        self._steps: dict[Condition | None, str] = {}
        self._conditions: dict[Condition | None, int] = {None: CLEAN}
        self._versions: dict[tuple[Any, ...], int] = {}
        self._reasons = {"": CHANGED}
        self.looks, self.originals, self.edited = set[str](), set[int](), set[int]()
        # Of each kind: the numbers of its condition, version and reason, and the damage that right
        # answers follow.
        self._table: list[tuple[int, int, int, int]] = []

    def linked(self, rows: Sequence[Row]) -> tuple[Records, list[int]]:
        """Return the records of rows, and the numbers of their kinds.

        Raises:
            DataError: see `link`; or a condition has other steps than in a row before.
        """
        answered = [*map(answered_by, rows)]
        self.looks.update([look for _, look in answered])
        seeds = [None if seed is None else str(seed) for seed, _ in answered]
        found = ((row, linkage_of(row)) for row in rows)
        records = checked_many(
            [as_record(row, self._other) if one is None else one for row, one in found]
        )
        parts = records.condition, records.recipe, records.expect, records.status
        kinds = zip(*parts, map(bool, records.original), seeds, strict=True)
        return records, [*map(self.__getitem__, kinds)]

    def __missing__(self, kind: Kind) -> int:
        """Number a kind."""
        label, recipe, expect, status, _, seed = kind
        origin = origin_of(label, recipe, expect, status)
        before = self._steps.setdefault(origin.condition, origin.steps)
        if before != origin.steps:
            raise DataError(
                f"the condition {label!r} is {origin.steps!r} here and {before!r} in a row before; "
                "conditions that differ need names of their own, as in LABEL=STEPS"
            )
        number = self[kind] = len(self)
        if not origin.reason:
            (self.edited if origin.condition else self.originals).add(number)
        condition = self._conditions.setdefault(origin.condition, len(self._conditions) - 1)
        version = self._versions.setdefault((*origin.instance, seed), len(self._versions))
        reason = self._reasons.setdefault(origin.reason, len(self._reasons))
        follows = FOLLOWED if expect == "mapped" else OPTIONS
        self._table.append((condition, version, reason, follows * origin.has_target))
        return number

    def columns(self, kinds: Int32, proofs: UInt32, damage: UInt8) -> dict[str, Any]:
        """Return all columns of rows that their kinds say, by name.

        Args:
            kinds: their numbers.
            proofs: those of what proves the originals.
            damage: what the edits touch, whether or not the right answer follows.

        Raises:
            DataError: no row is perturbed.
        """
        conditions = [one for one in self._conditions if one is not None]
        if not conditions:
            raise DataError(_NONE)
        *numbers, reasons, follows = np.array(self._table, np.int32).T
        # As few bytes a row as hold the numbers, and -1: there are mostly few.
        narrow = (each.astype(np.min_scalar_type(-1 - int(each.max()))) for each in numbers)
        condition, version = (each[kinds] for each in narrow)
        reason = reasons.astype(np.uint8)[kinds]
        damage &= (~follows).astype(np.uint8)[kinds]
        samples: dict[str | None, int] = {None: 0}
        of_each = [samples.setdefault(sample, len(samples)) for *_, sample in self._versions]
        versions = (one if one[2] is not None else one[:2] for one in self._versions)
        return {
            "condition": _with_their_kind(condition, reason == CHANGED, conditions),
            "version": version,
            "reason": reason,
            "damage": damage,
            "proof": proofs_of(proofs, [(kind[1], kind[4]) for kind in self], kinds),
            "versions": np.array([key64(*map(str, one)) for one in versions], np.uint64),
            "samples": np.array(of_each, np.int32),
            "conditions": conditions,
            "reasons": [*self._reasons],
        }


class _Batch(NamedTuple):
    """Rows that were read together.

    Attributes:
        records: their records.
        kinds: the numbers of their kinds.
        edited: the places of those with edits.
        graded: their scores and answers.
        shared: the places of originals, and what others may share of each.
    """

    records: Records
    kinds: list[int]
    edited: list[int]
    graded: list[Graded]
    shared: list[tuple[int, list[tuple[str, str]]]]


def _read(
    source: RowSource,
    batch: Sequence[tuple[int, Row]],
    grade: Grade,
    kinds: _Kinds,
    clusters: Sequence[str],
) -> _Batch:
    """Link and grade rows."""
    rows = [row for _, row in batch]
    try:
        records, numbers = kinds.linked(rows)
        originals = [at for at, kind in enumerate(numbers) if kind in kinds.originals]
        shared = [(at, [*_shareable(rows[at], clusters)]) for at in originals]
        edited = [at for at, kind in enumerate(numbers) if kind in kinds.edited]
        return _Batch(records, numbers, edited, [*grade(rows)], shared)
    except DataError as error:
        if len(batch) == 1:
            raise DataError(f"{source.at(batch[0][0])}: {error}") from None
        for each in batch:  # the first that fails names its place
            _read(source, [each], grade, kinds, clusters)
        raise


def _shareable(row: Row, clusters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the fields of an original that others may share, with what stands there as text.

    Raises:
        DataError: the row lacks one of the clusters.
    """
    for name in clusters:
        if (value := field_of(row, name)) is None:
            raise DataError(f"the field {name!r} is null, so the row is of no cluster")
        yield name, json_text(value)
    for name, value in row.items():
        if isinstance(value, str) and len(value) >= _LONG and name not in clusters:
            yield name, value


def _keep(texts: Texts, row: int, shared: Iterable[tuple[str, str]]) -> None:
    """Keep the keys of what others may share of the original in a row, by field."""
    for name, value in shared:
        rows, held = texts.setdefault(name, (array("i"), array("Q")))
        rows.append(row)
        held.append(key64(value))


def _numbers(originals: UInt64, original: Int32, rows: array[int], held: array[int]) -> Int32:
    """Return the number of the text of each original; one without has a number of its own."""
    values = originals.copy()
    values[original[rows]] = held
    return numbered(values)[1]


def _right(row: Row, expect: str, target: str) -> int:
    """Return the number of the right answer of a row, where it stays as it is; else 0."""
    right = row.get(target) if expect == KEPT else None
    return 0 if right is None else right_number(json_text(right))


def _with_their_kind(condition: Rows, changed: Bool, conditions: Sequence[Condition]) -> Rows:
    """Put rows without an edit to those of their noise with one, where these are of one kind.

    The answer to an unedited row is always kept, but it tells how often its noise finds no site.
    """
    edited = set(distinct(condition[changed]).tolist())
    for at in {*range(len(conditions))} - edited:
        others = [
            other
            for other in edited - {CLEAN}
            if conditions[other]._replace(expect=KEPT) == conditions[at]
        ]
        if len(others) == 1:
            condition[condition == at] = others[0]
    return condition
