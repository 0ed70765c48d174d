"""Many rows as a few flat arrays: nothing of a row is kept but numbers."""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import chain, islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from perturb.errors import DataError
from perturb.records.notation import BARE, read_many, written_text
from perturb.rng import key64
from perturb.robustness.grading.grade import field_of
from perturb.robustness.grading.plan import BOUNDS
from perturb.robustness.grading.reply_state import READ, reply_state
from perturb.robustness.metrics.looks import Look, look_of
from perturb.robustness.scoring.conditions import KEPT, Condition, Link, link
from perturb.robustness.scoring.damage import FOLLOWED, OPTIONS, UNKNOWN, damages
from perturb.robustness.scoring.originals import a_record, proof_of, right_number
from perturb.robustness.scoring.record_text import has_target, original_and_edits
from perturb.robustness.scoring.sources import all_rows
from perturb.values.arrays import Bool, Float64, Int32, UInt8, UInt16, UInt64, distinct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from perturb.robustness.grading.grade import Grade, Graded
    from perturb.robustness.metrics.corpus import Corpus
    from perturb.robustness.scoring.sources import Row, RowSource

    # By field: originals, and keys of what stands there.
    Texts = dict[str, tuple[array[int], array[int]]]

# Rows that are graded together, which an embedding model or a judge is faster with. They are held
# in memory meanwhile.
_BATCH = 512
# Fields of at least 20 characters may be shared passages; shorter texts are equal by chance, or
# name a class, by which originals aren't alike.
_LONG = 20
# Each count takes two bytes, and a larger one would raise an error: it counts as the largest.
_MOST_EDITS = (1 << 16) - 1

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
    `target`, where it stays as it is; 0 for none. `compared` tells whether the original is that of
    the clean row, once rows are joined. `look` is that at which asking stopped, and `human` what a
    person gives each row, NaN for nothing; `selection` tells how that person chose originals.
    `texts` are fields of at least 20 characters, or such as were asked for, with a number for the
    text of each original. `cluster` has the cluster of each original, if there are any, by the
    fields `clusters`, and `unanswered` says what lost replies count as. `corpus` is the measure of
    all replies together, if there is one, and `statistics` has the numbers of its table.
    """

    original: Int32
    version: Int32
    condition: Int32
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


def collect(
    sources: Sequence[RowSource],
    grade: Grade,
    prediction: str | None = None,
    target: str | None = None,
    clusters: Sequence[str] = (),
) -> Columns:
    """Read, link and grade every row of the sources.

    Args:
        sources: the rows.
        grade: what gives a row its scores.
        prediction: the field of what the system said; without it no reply counts as lost.
        target: the field of the right answer, if there is one.
        clusters: fields that originals share which belong together.

    Raises:
        DataError: no row is there, or perturbed; or one cannot be linked or graded (its place is
            named).
    """
    key = lru_cache(maxsize=1 << 16)(key64)
    originals, answers, scores = array("Q"), array("Q"), array("d")
    proofs, rights, other = array("Q"), array("Q"), a_record(sources)
    places, indices, counts = array("i"), array("i"), array("H")
    whys, states, kinds = (array("B") for _ in range(3))
    if other is None and next(all_rows(sources), None):  # before rows are graded
        raise DataError(_NONE)
    conditions: dict[Condition, int] = {}
    versions: dict[tuple[Any, ...], int] = {}
    reasons, looks = {"": CHANGED}, set[str]()
    texts: Texts = {}
    for rows, origins, touched, shared, graded in _graded(sources, grade, clusters):
        ids = [key(origin.original_id) for origin in origins]
        originals.extend(ids)
        places.extend(versions.setdefault(_version(each), len(versions)) for each in origins)
        indices.extend(_numbers_of(origins, conditions))
        whys.extend([reasons.setdefault(each.reason, len(reasons)) for each in origins])
        answers.extend(
            [NO_ANSWER if answer is None else key(_canonical(answer)) for _, answer in graded]
        )
        scores.extend(chain.from_iterable(values for values, _ in graded))
        states.extend(_states(rows, graded, prediction))
        kinds.extend([damage for damage, _ in touched])
        counts.extend([min(edits, _MOST_EDITS) for _, edits in touched])
        pairs = [*zip(rows, origins, strict=True)]
        proofs.extend([proof_of(row, origin.record, other) for row, origin in pairs])
        rights.extend([_right(row, origin, target) for row, origin in pairs])
        looks.update([each.look for each in origins])
        for number, fields in shared:
            _keep(texts, ids[number], fields)
    if not conditions:
        raise DataError(_NONE if originals else "there is no row to score")
    names, original = _numbered(originals)
    del originals
    answers.append(NO_ANSWER)  # which is the first of them by this
    reason = np.frombuffer(whys, np.uint8)
    samples: dict[str | None, int] = {None: 0}
    numbers = [samples.setdefault(sample, len(samples)) for *_, sample in versions]
    return Columns(
        original=original,
        version=np.frombuffer(places, np.int32),
        condition=_with_their_kind(np.array(indices, np.int32), reason == CHANGED, [*conditions]),
        reason=reason,
        answer=_numbered(answers)[1][:-1],
        scores=np.frombuffer(scores, np.float64).reshape(original.size, -1),
        state=np.frombuffer(states, np.uint8),
        damage=np.frombuffer(kinds, np.uint8),
        edits=np.frombuffer(counts, np.uint16),
        originals=names,
        versions=np.array([_key(*version) for version in versions], np.uint64),
        samples=np.array(numbers, np.int32),
        conditions=list(conditions),
        reasons=list(reasons),
        proof=np.frombuffer(proofs, np.uint64),
        right=np.frombuffer(rights, np.uint64),
        target=target or "",
        look=look_of(looks),
        texts={at: _numbers(names, *each) for at, each in texts.items() if at != prediction},
    )


def _shareable(row: Row, clusters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the fields of an original that others may share, with what stands there as text.

    Raises:
        DataError: the row lacks one of the clusters.
    """
    for name in clusters:
        yield name, _canonical(field_of(row, name))
    for name, value in row.items():
        if isinstance(value, str) and len(value) >= _LONG and name not in clusters:
            yield name, value


def _keep(texts: Texts, original: int, shared: Iterable[tuple[str, str]]) -> None:
    """Keep the keys of what others may share of an original, by field."""
    for name, value in shared:
        own, held = texts.setdefault(name, (array("Q"), array("Q")))
        own.append(original)
        held.append(key64(value))


def _numbers(originals: UInt64, own: array[int], held: array[int]) -> Int32:
    """Return the number of the text of each original; one without has a number of its own."""
    values = originals.copy()
    values[np.searchsorted(originals, np.frombuffer(own, np.uint64))] = np.frombuffer(
        held, np.uint64
    )
    return np.unique(values, return_inverse=True)[1].astype(np.int32)


def _right(row: Row, origin: Link, target: str | None) -> int:
    """Return the number of the right answer of a row, where it stays as it is; else 0."""
    expect = KEPT if origin.record is None else origin.record["expect"]
    right = row.get(target) if target is not None and expect == KEPT else None
    return 0 if right is None else right_number(_canonical(right))


def _numbered(keys: array[int]) -> tuple[UInt64, Int32]:
    """Return the different keys in order, and the number of each."""
    every = np.frombuffer(keys, np.uint64)
    names = distinct(every)
    return names, np.searchsorted(names, every).astype(np.int32)


def _version(origin: Link) -> tuple[Any, ...]:
    """Return what tells the rows of one original and condition apart."""
    return *origin.instance, None if origin.sample is None else str(origin.sample)


def _key(seed: Any, replicate: Any, sample: str | None) -> int:
    return key64(str(seed), str(replicate), *(() if sample is None else (sample,)))


def _with_their_kind(condition: Int32, changed: Bool, conditions: Sequence[Condition]) -> Int32:
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


def _canonical(answer: Any) -> str:
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


def _numbers_of(origins: Sequence[Link], conditions: dict[Condition, int]) -> list[int]:
    """Return the numbers of conditions, the new ones among them."""
    # Rows of one recipe share the object of their condition, which is faster to look up.
    objects = {id(each.condition): each.condition for each in origins}
    numbers = {
        key: CLEAN if each is None else conditions.setdefault(each, len(conditions))
        for key, each in objects.items()
    }
    return [numbers[id(each.condition)] for each in origins]


def _states(rows: Sequence[Row], graded: Sequence[Graded], prediction: str | None) -> list[int]:
    if prediction is None:
        return [READ] * len(rows)
    answers = (answer for _, answer in graded)
    return [
        reply_state(row, row.get(prediction), answer)
        for row, answer in zip(rows, answers, strict=True)
    ]


class _Batch(NamedTuple):
    """Rows read together: where each belongs, what its edits touch, how many they are, its grade.

    `shared` has the number of each original, and what others may share of it.
    """

    rows: list[Row]
    origins: list[Link]
    touched: list[tuple[int, int]]
    shared: list[tuple[int, list[tuple[str, str]]]]
    graded: list[Graded]


def _graded(
    sources: Sequence[RowSource], grade: Grade, clusters: Sequence[str]
) -> Iterator[_Batch]:
    """Yield the rows; the steps of a condition are the same in all of its rows."""
    steps: dict[Condition | None, str] = {}
    for source in sources:
        numbered = iter(source.rows)
        while batch := list(islice(numbered, _BATCH)):
            rows = [row for _, row in batch]
            grades, origins, shared, graded = iter(grade(rows)), [], [], []
            alike = set[int]()  # the objects of conditions that rows of one recipe share
            for at, (number, row) in enumerate(batch):
                try:
                    origins.append(origin := link(row))
                    if id(origin.condition) in alike:
                        before = origin.steps
                    else:
                        before = steps.setdefault(origin.condition, origin.steps)
                        alike.add(id(origin.condition))
                    if before != origin.steps:
                        raise DataError(
                            f"the condition {(origin.record or {})['condition']!r} is "
                            f"{origin.steps!r} here and {before!r} in a row before; conditions "
                            "that differ need names of their own, as in LABEL=STEPS"
                        )
                    if origin.condition is None:
                        shared.append((at, [*_shareable(row, clusters)]))
                    graded.append(next(grades))
                except DataError as error:
                    raise DataError(f"{source.at(number)}: {error}") from None
            yield _Batch(rows, origins, _touched(source, batch, origins), shared, graded)


def _touched(
    source: RowSource, batch: Sequence[tuple[int, Row]], origins: Sequence[Link]
) -> list[tuple[int, int]]:
    """Return what the edits of each row touch, and how many there are."""
    rows = [at for at, origin in enumerate(origins) if origin.condition and not origin.reason]
    records = [origins[at].record or {} for at in rows]
    originals: list[str | None] = [record["original"] for record in records]
    changes = [record["edits"] for record in records]
    changed = read_many(changes)
    is_plain = np.bincount(changed.rows, minlength=len(rows)) == 1
    is_plain &= ~changed.left & np.array(list(map(bool, originals)), np.bool_)
    others = np.flatnonzero(~is_plain).tolist()  # damaged, of several texts, or without one
    for at in others:
        number, row = batch[rows[at]]
        with source.naming(number):
            originals[at], edits = original_and_edits(row, records[at])
            changes[at] = written_text(BARE, edits)
    changed = read_many(changes) if others else changed
    touched = damages([text or "" for text in originals], changed).tolist()
    counts = np.bincount(changed.rows[changed.texts], minlength=len(rows)).tolist()
    found = [(0, 0)] * len(batch)
    for at, (row_at, text) in enumerate(zip(rows, originals, strict=True)):
        is_known = not changed.left[at] and (text is not None or not counts[at])
        damage = touched[at] if is_known else UNKNOWN
        if damage & FOLLOWED and has_target(records[at]):
            follows = FOLLOWED if records[at]["expect"] == "mapped" else OPTIONS
            damage &= ~follows  # the right answer does
        found[row_at] = damage, max(counts[at], 1)  # options or passages move without one
    return found
