"""Agreement: grade rows against the outputs for their originals, in place of right answers."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from perturb.rng import key64
from perturb.robustness.grading.grade import Grade, Graded, answer_of
from perturb.robustness.grading.reasoning import behind_reasoning
from perturb.robustness.grading.ways import REFERENCE
from perturb.robustness.linking.conditions import link
from perturb.robustness.linking.sources import Row, RowSource

# A row with each of the outputs that it is compared with, in the field REFERENCE.
Compared = Callable[[Row], list[Row]]


def by_original(grade: Grade, compared: Compared) -> Grade:
    """Grade rows by the mean of their agreement with the outputs that they are compared with.

    Args:
        grade: compares the field of the output with REFERENCE.
        compared: as `compared_rows` gives it.
    """

    def agreement(rows: Sequence[Row]) -> Iterator[Graded]:
        versions = [compared(row) for row in rows]
        grades = iter(grade([row for each in versions for row in each]))
        for each in versions:
            parts = list(islice(grades, len(each)))
            # Behind it the numbers for a measure of a corpus, which one reply has and no mean.
            (first, answer), *_ = parts
            yield (sum(scores[0] for scores, _ in parts) / len(parts), *first[1:]), answer

    return agreement


def compared_rows(sources: Sequence[RowSource], prediction: str, *, moved: bool = True) -> Compared:
    """Read the outputs for the originals, and return what sets them beside each row.

    An original that was asked once has one output, with which it agrees itself. Where it was asked
    with several seeds, or by a control such as `identity` again, a row is compared with all outputs
    but its own and those of its seed: so an original agrees with itself as often as the system
    does, and a row that no edit matters to as often as that.

    Args:
        sources: the rows, with their originals.
        prediction: the field of the output.
        moved: whether outputs follow the edits of a row, where its step maps right answers: the
            new name of a person or of an option replaces the old one.

    Raises:
        DataError: a row cannot be linked, or an original lacks the field (it is named).
    """
    from perturb.robustness.grading.choice import mapping

    key, same = lru_cache(maxsize=1 << 16)(key64), lru_cache(maxsize=1 << 16)(str)
    names, numbers, outputs = array("Q"), array("i"), list[Any]()
    askers: dict[tuple[Any, ...], int] = {}
    for source in sources:
        for number, row in source.rows:
            with source.naming(number):
                origin = link(row)
                if origin.condition is None or origin.condition.control:
                    output = behind_reasoning(answer_of(row, prediction, "prediction"))
                    who = str(origin.sample), (origin.condition, origin.instance)
                    names.append(key(origin.original_id))
                    numbers.append(askers.setdefault(who, len(askers)))
                    outputs.append(same(output) if isinstance(output, str) else output)
    order, asked_by = np.argsort(np.array(names, np.uint64), kind="stable"), [*askers]
    names = array("Q", np.array(names, np.uint64)[order].tobytes())

    def compared(row: Row) -> list[Row]:
        origin = link(row)
        sample, who = str(origin.sample), (origin.condition, origin.instance)
        first = bisect_left(names, key(origin.original_id))
        places = order[first : bisect_right(names, key(origin.original_id), first)]
        known = [(*asked_by[numbers[at]], outputs[at]) for at in places]
        others = (
            [output for other, _, output in known if other != sample]
            or [output for _, other, output in known if other != who]
            or [output for *_, output in known]
        )
        follow = mapping(row) if moved else str
        return [
            {**row, REFERENCE: follow(output) if isinstance(output, str) else output}
            for output in ("" if output is None else output for output in others or [None])
        ]

    return compared
