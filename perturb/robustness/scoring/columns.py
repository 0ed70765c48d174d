"""Many rows as a few flat arrays: nothing of a row is kept but numbers."""

from __future__ import annotations

from array import array
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from perturb.errors import DataError
from perturb.rng import key64
from perturb.robustness.grading.reply_state import READ, reply_state
from perturb.robustness.scoring.conditions import KEPT, Condition, Link, link
from perturb.robustness.scoring.damage import UNKNOWN, damage
from perturb.robustness.scoring.record_text import has_target, original_and_edits, record_of
from perturb.values.arrays import Bool, Float64, Int64, UInt8, UInt64

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.grading.grade import Grade
    from perturb.robustness.scoring.sources import Row, RowSource

_BATCH = 256

CLEAN = -1
CHANGED = 0
NO_ANSWER = 0


class Columns(NamedTuple):
    """One entry a row: its keys, where it stands, and how it scored.

    `sample` is the key of the original and of the seed that the system answered with, or `original`
    where none is told. `condition` is an index into `conditions`, or CLEAN; `answer` is a key, or
    NO_ANSWER; `scores` has one column a measure; `state` tells whether the reply was read, and
    `damage` what its edits do; see `damage.damage`. `reason` is an index into `reasons`, why the
    row has no edit; CHANGED for none.
    """

    original: UInt64
    sample: UInt64
    instance: UInt64
    condition: Int64
    reason: Int64
    answer: UInt64
    scores: Float64
    state: UInt8
    damage: UInt8
    source: Int64
    number: Int64
    conditions: list[Condition]
    reasons: list[str]


def collect(sources: Sequence[RowSource], grade: Grade, prediction: str | None = None) -> Columns:
    """Read, link and grade every row of the sources.

    Args:
        sources: the rows.
        grade: what gives a row its scores.
        prediction: the field of what the system said; without it no reply counts as lost.

    Raises:
        DataError: there is no row, or one cannot be linked or graded (its place is named).
    """
    key, number, score = lru_cache(maxsize=1 << 16)(key64), array("q"), array("d")
    originals, samples = array("Q"), array("Q")
    instances, answers = array("Q"), array("Q")
    places, indices, whys = array("q"), array("q"), array("q")
    states, damages = array("B"), array("B")
    seen: dict[Condition, int] = {}
    steps: dict[Condition | None, str] = {}
    reasons = {"": CHANGED}
    for place, source in enumerate(sources):
        for at, row, found, touched, (scores, answer) in _graded(source, grade):
            sample = () if found.sample is None else (str(found.sample),)
            own = key(found.original_id)
            originals.append(own)
            samples.append(key(found.original_id, *sample) if sample else own)
            instances.append(key(*map(str, found.instance), *sample))
            if steps.setdefault(found.condition, found.steps) != found.steps:
                raise _two_recipes(source.at(at), row, steps[found.condition], found.steps)
            indices.append(_index(seen, found.condition))
            whys.append(reasons.setdefault(found.reason, len(reasons)))
            answers.append(NO_ANSWER if answer is None else key(_canonical(answer)))
            score.extend(scores)
            said = None if prediction is None else row.get(prediction)
            states.append(READ if prediction is None else reply_state(row, said, answer))
            damages.append(touched)
            places.append(place)
            number.append(at)
    if not number:
        raise DataError("there is no row to score")
    reason = np.frombuffer(whys, np.int64)
    return Columns(
        original=np.frombuffer(originals, np.uint64),
        sample=np.frombuffer(samples, np.uint64),
        instance=np.frombuffer(instances, np.uint64),
        condition=_with_their_kind(np.array(indices, np.int64), reason == CHANGED, list(seen)),
        reason=reason,
        answer=np.frombuffer(answers, np.uint64),
        scores=np.frombuffer(score, np.float64).reshape(len(number), -1),
        state=np.frombuffer(states, np.uint8),
        damage=np.frombuffer(damages, np.uint8),
        source=np.frombuffer(places, np.int64),
        number=np.frombuffer(number, np.int64),
        conditions=list(seen),
        reasons=list(reasons),
    )


def _index(seen: dict[Condition, int], condition: Condition | None) -> int:
    return CLEAN if condition is None else seen.setdefault(condition, len(seen))


def _two_recipes(place: str, row: Row, first: str, second: str) -> DataError:
    label = (record_of(row) or {})["condition"]
    return DataError(
        f"{place}: the condition {label!r} is {second!r} here and {first!r} in a row before; "
        "conditions that differ need names of their own, as in LABEL=STEPS"
    )


def _with_their_kind(condition: Int64, changed: Bool, conditions: Sequence[Condition]) -> Int64:
    """Put rows without an edit to those of their noise with one, where these are of one kind.

    The answer to an unedited row is always kept, but it tells how often its noise finds no site.
    """
    edited = set(np.unique(condition[changed]).tolist())
    for at, one in enumerate(conditions):
        others = [
            other
            for other in edited - {CLEAN}
            if conditions[other]._replace(expect=KEPT) == one and other != at
        ]
        if at not in edited and len(others) == 1:
            condition[condition == at] = others[0]
    return condition


def _damage(row: Row) -> int:
    original, edits = original_and_edits(row)
    return UNKNOWN if original is None else damage(original, edits, options_move=has_target(row))


def _canonical(answer: Any) -> str:
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


def _graded(source: RowSource, grade: Grade) -> Iterator[tuple[int, Row, Link, int, Any]]:
    for batch in _batches(source):
        graded = iter(grade([row for _, row in batch]))
        for number, row in batch:
            try:
                found = link(row)
                edited = found.condition is not None and not found.reason
                touched = _damage(row) if edited else 0
                scored = next(graded)
            except DataError as error:
                raise DataError(f"{source.at(number)}: {error}") from None
            yield number, row, found, touched, scored


def _batches(source: RowSource) -> Iterator[list[tuple[int, Row]]]:
    rows = iter(source.rows)
    while batch := list(islice(rows, _BATCH)):
        yield batch
