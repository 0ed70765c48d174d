"""The rows whose score changed, the most telling of each condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.arrays import Intp
from perturb.errors import DataError
from perturb.records.edit import Edit, edit_of
from perturb.report.diff_runs import Run, runs
from perturb.report.row_texts import rows_at, texts
from perturb.robustness.scoring.conditions import link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from perturb.arrays import Intp
    from perturb.report.row_texts import Notes
    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.sources import Row, RowSource

# So much is shown of the beginning of an answer and of its end, where most say what they come to.
_HEAD, _TAIL = 200, 400
_LONG = 60


class Answers(NamedTuple):
    """The answers of the system and the right one; None where the rows do not have them."""

    clean: str | None
    perturbed: str | None
    target: str | None

    @property
    def long(self) -> bool:
        """Return true if they do not fit on one line."""
        return any("\n" in answer or len(answer) > _LONG for answer in self if answer is not None)


class Flip(NamedTuple):
    """A perturbed row that scored otherwise than its original.

    Attributes:
        direction: "worse" or "better".
        runs: original and perturbed text, cut at the edits; None where the row holds no edits.
        original: where there are no runs.
        text: where there are no runs.
        explanation: the output of `perturb explain` for the row; None where there is none.
    """

    original_id: str
    replicate: Any
    perturbator: str
    p: float | None
    direction: str
    before: float
    after: float
    edits: int
    answers: Answers
    runs: list[Run] | None
    original: str | None
    text: str | None
    explanation: Mapping[str, Any] | None


def chosen(pairs: Pairs, notes: Notes, most: int) -> tuple[Intp, int]:
    """Return the pairs to list, and how many changed in all.

    The number for each condition and direction is limited: the largest changes come first, among
    equal ones those with the fewest edits. The list has worse scores before better ones.
    """
    change = pairs.perturbed[:, 0] - pairs.clean[:, 0]
    changed = np.flatnonzero(change)
    better = change > 0
    telling = (pairs.key, pairs.original, notes.edits, -np.abs(change))

    def ordered(rows: Intp, *first: NDArray[Any]) -> Intp:
        return rows[np.lexsort([column[rows] for column in (*telling, *first)])]

    rows = ordered(changed, better, pairs.condition)
    group = pairs.condition[rows] * 2 + better[rows]
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    rank = np.arange(rows.size) - np.repeat(starts, np.diff(np.append(starts, rows.size)))
    return ordered(rows[rank < most], better), changed.size


def flips(
    sources: Sequence[RowSource],
    pairs: Pairs,
    listed: Intp,
    prediction: str | None,
    target: str | None,
) -> list[Flip]:
    """Read the listed rows and the clean ones of their originals."""
    places = {*pairs.place[listed].tolist(), *pairs.clean_place[listed].tolist()}
    rows = dict(zip(sorted(places), rows_at(sources, places), strict=True))
    found = []
    for at in listed.tolist():
        _, clean = rows[int(pairs.clean_place[at])]
        where, row = rows[int(pairs.place[at])]
        answers = (_answer(clean, prediction), _answer(row, prediction), _answer(row, target))
        try:
            found.append(_flip(row, pairs, at, Answers(*answers)))
        except DataError as error:
            raise DataError(f"{where}: {error}") from None
    return found


def _flip(row: Row, pairs: Pairs, at: int, answers: Answers) -> Flip:
    condition = int(pairs.condition[at])
    before, after = float(pairs.clean[at, 0]), float(pairs.perturbed[at, 0])
    original, edits, text = texts(row)
    explanation = row.get("explanation")
    causes = frozenset(_causes(explanation))
    return Flip(
        original_id=link(row).original_id,
        replicate=row["perturbation"].get("replicate"),
        perturbator=pairs.labels[condition],
        p=pairs.conditions[condition].p,
        direction="worse" if after < before else "better",
        before=before,
        after=after,
        edits=len(edits or ()),
        answers=answers,
        runs=None if edits is None or original is None else runs(original, edits, causes),
        original=original,
        text=text,
        explanation=explanation,
    )


def _causes(explanation: Any) -> Iterator[Edit]:
    if explanation is None:
        return
    try:
        yield from map(edit_of, explanation["edits"])
        explanation["status"]
    except (KeyError, TypeError, ValueError):
        raise DataError(
            f"explanation must have a status and edits, as perturb explain writes them; "
            f"got {explanation!r}"
        ) from None


def _answer(row: Row, field: str | None) -> str | None:
    if field is None or row.get(field) is None:
        return None
    answer = str(row[field])
    left = len(answer) - _HEAD - _TAIL
    return answer if left <= 0 else f"{answer[:_HEAD]} … {left:,} characters … {answer[-_TAIL:]}"
