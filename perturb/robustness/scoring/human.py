"""The grades of a person, for rows that a judge grades too; and the rows to grade."""

from __future__ import annotations

import math
from heapq import nsmallest
from typing import TYPE_CHECKING

from perturb.errors import DataError
from perturb.rng import key64
from perturb.robustness.grading.grade import Grade, Graded, answer_of
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.sources import Row, all_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from perturb.robustness.scoring.sources import RowSource

# A reply to an original, with the answer that is right, is graded once.
Reply = tuple[str, str, str]
_WORDS = {"right": 1.0, "wrong": 0.0, "correct": 1.0, "incorrect": 0.0, "yes": 1.0, "no": 0.0}
_WORDS |= {"true": 1.0, "false": 0.0, "1": 1.0, "0": 0.0}


def _reply(row: Row, prediction: str, target: str) -> Reply:
    said, right = answer_of(row, prediction, "prediction"), answer_of(row, target, "target")
    return link(row).original_id, str(said), str(right)


def human_grades(
    sources: Iterable[RowSource], field: str, prediction: str, target: str
) -> dict[Reply, float]:
    """Return what a person says of replies: 1 for right, 0 for wrong.

    Args:
        sources: rows, of which some are graded in the field: true or false, 1 or 0, or a word such
            as right or wrong. Null, the empty string and no field at all are no grade.
        field: that of the grade.
        prediction: the field of the reply.
        target: the field of the right answer.

    Raises:
        DataError: a grade is none of these, or a reply is graded in two ways; the row is named.
    """
    grades: dict[Reply, float] = {}
    for source in sources:
        for number, row in source.rows:
            value = row.get(field)
            if value is None or value == "":
                continue
            with source.naming(number):
                grade = _WORDS.get(str(value).strip().lower(), math.nan)
                if math.isnan(grade):
                    raise DataError(f"{field} must be right or wrong; got {value!r:.60}")
                if grades.setdefault(_reply(row, prediction, target), grade) != grade:
                    raise DataError(f"{field} is {value!r} here, but the same reply to the same "
                                    "original is graded otherwise before")  # fmt: skip
    return grades


def with_human(grade: Grade, grades: dict[Reply, float], prediction: str, target: str) -> Grade:
    """Return a way to grade that gives a person's score behind that of another; NaN for none."""

    def both(rows: Sequence[Row]) -> Iterator[Graded]:
        for row, (scores, answer) in zip(rows, grade(rows), strict=True):
            human = grades.get(_reply(row, prediction, target), math.nan)
            yield (*scores, human), answer

    return both


def rows_to_grade(
    sources: Sequence[RowSource],
    field: str,
    prediction: str,
    target: str,
    *,
    count: int,
    seed: int,
    grades: dict[Reply, float],
) -> list[Row]:
    """Return the rows of originals drawn at random, each different reply to an original once.

    Args:
        sources: the answered rows, with their originals.
        field: for the grade; first in each row.
        prediction: as for `human_grades`.
        target: as for `human_grades`.
        count: the number of originals, all of whose versions are drawn; of a larger count those of
            a smaller one are the first, so that a file graded from its beginning is a random draw
            too.
        seed: any integer.
        grades: those that are known are filled in, and no original that has one is left out. No
            reply at all is wrong.
    """
    originals = {link(row).original_id for row in all_rows(sources)}
    drawn = nsmallest(count, originals, key=lambda name: (key64("graded", seed, name), name))
    before = sorted({name for name, _, _ in grades} - {*drawn})
    replies: dict[str, dict[Reply, Row]] = {name: {} for name in (*drawn, *before)}
    for source in sources:
        for number, row in source.rows:
            with source.naming(number):
                reply = _reply(row, prediction, target)
            if reply[0] in replies:
                known = grades.get(reply, None if row[prediction] is not None else 0.0)
                word = known if known is None else "right" if known else "wrong"
                replies[reply[0]].setdefault(reply, {field: None, **row} | {field: word})
    return [row for each in replies.values() for row in each.values()]
