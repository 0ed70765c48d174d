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
from perturb.robustness.metrics.looks import Look, look_of
from perturb.robustness.scoring.conditions import KEPT, Condition, Link, link
from perturb.robustness.scoring.damage import UNKNOWN, damage
from perturb.robustness.scoring.record_text import has_target, original_and_edits, record_of
from perturb.values.arrays import Bool, Float64, Int32, UInt8, UInt16, UInt64

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.grading.grade import Grade
    from perturb.robustness.scoring.sources import Row, RowSource

_BATCH = 256
_MOST_EDITS = (1 << 16) - 1

CLEAN = -1
# The words in `response` of rows that bisection wrote. Of originals that were drawn, all rows were
# asked.
BISECTED = ("", "asked", "inferred", "sampled")
ASKED, INFERRED, SAMPLED = 1, 2, 3
CHANGED = 0
NO_ANSWER = 0


class Columns(NamedTuple):
    """One entry a row: its keys, where it stands, and how it scored.

    `sample` is the key of the original and of the seed that the system answered with, or `original`
    where none is told. `condition` is an index into `conditions`, or CLEAN; `answer` is a key, or
    NO_ANSWER; `scores` has one column a measure; `state` tells whether the reply was read, and
    `damage` what its edits do; see `damage.damage`. `edits` counts those of its first text.
    `bisected` is an index into BISECTED. `reason` is an index into `reasons`, why the row has no
    edit; CHANGED for none. `look` is that at which asking stopped.
    """

    original: UInt64
    sample: UInt64
    instance: UInt64
    condition: Int32
    reason: UInt16
    answer: UInt64
    scores: Float64
    state: UInt8
    damage: UInt8
    edits: UInt16
    bisected: UInt8
    source: UInt16
    number: UInt64
    conditions: list[Condition]
    reasons: list[str]
    look: Look = Look()


def collect(sources: Sequence[RowSource], grade: Grade, prediction: str | None = None) -> Columns:
    """Read, link and grade every row of the sources.

    Args:
        sources: the rows.
        grade: what gives a row its scores.
        prediction: the field of what the system said; without it no reply counts as lost.

    Raises:
        DataError: there is no row, or one cannot be linked or graded (its place is named).
    """
    key, number, score = lru_cache(maxsize=1 << 16)(key64), array("Q"), array("d")
    originals, samples = array("Q"), array("Q")
    instances, answers = array("Q"), array("Q")
    places, indices, whys = array("H"), array("i"), array("H")
    states, damages, counts = array("B"), array("B"), array("H")
    bisected = array("B")
    conditions: dict[Condition, int] = {}
    steps: dict[Condition | None, str] = {}
    reasons, looks = {"": CHANGED}, set[str]()
    for place, source in enumerate(sources):
        for at, row, origin, (touched, edits), (scores, answer) in _graded(source, grade):
            sample = () if origin.sample is None else (str(origin.sample),)
            original, condition = key(origin.original_id), origin.condition
            originals.append(original)
            samples.append(key(origin.original_id, *sample) if sample else original)
            instances.append(key(*map(str, origin.instance), *sample))
            if steps.setdefault(condition, origin.steps) != origin.steps:
                label = (record_of(row) or {})["condition"]
                raise DataError(
                    f"{source.at(at)}: the condition {label!r} is {origin.steps!r} here and "
                    f"{steps[condition]!r} in a row before; conditions that differ need names of "
                    "their own, as in LABEL=STEPS"
                )
            looks.add(origin.look)
            new = len(conditions)
            indices.append(CLEAN if condition is None else conditions.setdefault(condition, new))
            whys.append(reasons.setdefault(origin.reason, len(reasons)))
            answers.append(NO_ANSWER if answer is None else key(_canonical(answer)))
            score.extend(scores)
            reply = None if prediction is None else row.get(prediction)
            states.append(READ if prediction is None else reply_state(row, reply, answer))
            damages.append(touched)
            counts.append(min(edits, _MOST_EDITS))
            bisected.append(_bisected(row))
            places.append(place)
            number.append(at)
    if not number:
        raise DataError("there is no row to score")
    reason = np.frombuffer(whys, np.uint16)
    return Columns(
        original=np.frombuffer(originals, np.uint64),
        sample=np.frombuffer(samples, np.uint64),
        instance=np.frombuffer(instances, np.uint64),
        condition=_with_their_kind(np.array(indices, np.int32), reason == CHANGED, [*conditions]),
        reason=reason,
        answer=np.frombuffer(answers, np.uint64),
        scores=np.frombuffer(score, np.float64).reshape(len(number), -1),
        state=np.frombuffer(states, np.uint8),
        damage=np.frombuffer(damages, np.uint8),
        edits=np.frombuffer(counts, np.uint16),
        bisected=np.frombuffer(bisected, np.uint8),
        source=np.frombuffer(places, np.uint16),
        number=np.frombuffer(number, np.uint64),
        conditions=list(conditions),
        reasons=list(reasons),
        look=look_of(looks),
    )


def _with_their_kind(condition: Int32, changed: Bool, conditions: Sequence[Condition]) -> Int32:
    """Put rows without an edit to those of their noise with one, where these are of one kind.

    The answer to an unedited row is always kept, but it tells how often its noise finds no site.
    """
    edited = set(np.unique(condition[changed]).tolist())
    for at in {*range(len(conditions))} - edited:
        others = [
            other
            for other in edited - {CLEAN}
            if conditions[other]._replace(expect=KEPT) == conditions[at]
        ]
        if len(others) == 1:
            condition[condition == at] = others[0]
    return condition


def _bisected(row: Row) -> int:
    response = row.get("response")
    word = response.get("bisected") if isinstance(response, dict) else None
    return BISECTED.index(word) if word in BISECTED else 0


def _canonical(answer: Any) -> str:
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


def _graded(
    source: RowSource, grade: Grade
) -> Iterator[tuple[int, Row, Link, tuple[int, int], Any]]:
    """Yield each row's number, the row, where it belongs, what its edits touch, and its grade.

    What they touch is followed by how many there are.
    """
    rows = iter(source.rows)
    while batch := list(islice(rows, _BATCH)):
        grades = iter(grade([row for _, row in batch]))
        for number, row in batch:
            with source.naming(number):
                origin, touched, count = link(row), 0, 0
                if origin.condition is not None and not origin.reason:
                    original, edits = original_and_edits(row)
                    touched, count = UNKNOWN, len(edits)
                    if original is not None:
                        touched = damage(original, edits, options_move=has_target(row))
                graded = next(grades)
            yield number, row, origin, (touched, count), graded
