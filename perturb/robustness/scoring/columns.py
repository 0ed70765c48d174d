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
from perturb.robustness.scoring.conditions import Condition, Link, link
from perturb.robustness.scoring.damage import damage
from perturb.robustness.scoring.record_text import original_and_edits
from perturb.robustness.scoring.reply_state import READ, reply_state
from perturb.values.arrays import Bool, Float64, Int64, UInt64

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.scoring.grade import Grade
    from perturb.robustness.scoring.sources import Row, RowSource

_BATCH = 256

CLEAN = -1
NO_ANSWER = 0


class Columns(NamedTuple):
    """One entry a row: its keys, where it stands, and how it scored.

    `sample` is the key of the original and of the seed that the system answered with, or `original`
    where none is told. `condition` is an index into `conditions`, or CLEAN; `answer` is a key, or
    NO_ANSWER; `scores` has one column a measure; `state` tells whether the reply was read, and
    `damage` which kinds of what counts its edits touch.
    """

    original: UInt64
    sample: UInt64
    instance: UInt64
    condition: Int64
    changed: Bool
    answer: UInt64
    scores: Float64
    state: Int64
    damage: Int64
    source: Int64
    number: Int64
    conditions: list[Condition]


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
    places, indices, changed = array("q"), array("q"), array("b")
    states, damages = array("q"), array("q")
    seen: dict[Condition, int] = {}
    for place, source in enumerate(sources):
        for at, row, found, touched, (scores, answer) in _graded(source, grade):
            sample = () if found.sample is None else (str(found.sample),)
            own = key(found.original_id)
            originals.append(own)
            samples.append(key(found.original_id, *sample) if sample else own)
            instances.append(key(*map(str, found.instance), *sample))
            indices.append(_index(seen, found.condition))
            changed.append(found.changed)
            answers.append(NO_ANSWER if answer is None else key(_canonical(answer)))
            score.extend(scores)
            said = None if prediction is None else row.get(prediction)
            states.append(READ if prediction is None else reply_state(row, said, answer))
            damages.append(touched)
            places.append(place)
            number.append(at)
    if not number:
        raise DataError("there is no row to score")
    return Columns(
        original=np.frombuffer(originals, np.uint64),
        sample=np.frombuffer(samples, np.uint64),
        instance=np.frombuffer(instances, np.uint64),
        condition=np.frombuffer(indices, np.int64),
        changed=np.frombuffer(changed, np.bool_),
        answer=np.frombuffer(answers, np.uint64),
        scores=np.frombuffer(score, np.float64).reshape(len(number), -1),
        state=np.frombuffer(states, np.int64),
        damage=np.frombuffer(damages, np.int64),
        source=np.frombuffer(places, np.int64),
        number=np.frombuffer(number, np.int64),
        conditions=list(seen),
    )


def _index(seen: dict[Condition, int], condition: Condition | None) -> int:
    return CLEAN if condition is None else seen.setdefault(condition, len(seen))


def _damage(row: Row) -> int:
    record = row["perturbation"]
    original, edits = original_and_edits(row)
    return 0 if original is None else damage(original, edits, options_move="answer" in record)


def _canonical(answer: Any) -> str:
    return answer if isinstance(answer, str) else orjson.dumps(answer).decode()


def _graded(source: RowSource, grade: Grade) -> Iterator[tuple[int, Row, Link, int, Any]]:
    for batch in _batches(source):
        graded = iter(grade([row for _, row in batch]))
        for number, row in batch:
            try:
                found = link(row)
                touched = _damage(row) if found.changed else 0
                scored = next(graded)
            except DataError as error:
                raise DataError(f"{source.at(number)}: {error}") from None
            yield number, row, found, touched, scored


def _batches(source: RowSource) -> Iterator[list[tuple[int, Row]]]:
    rows = iter(source.rows)
    while batch := list(islice(rows, _BATCH)):
        yield batch
