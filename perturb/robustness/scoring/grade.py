"""From a row to its score: a field that holds it, or the prediction against the target."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Context, Decimal
from typing import Any

from perturb.errors import DataError
from perturb.robustness.metrics.embedding import Embed, cosine_similarities, default_embedder
from perturb.robustness.scoring.sources import Row

# The scores of each row, and its answer: equal answers agree, None is a missing one.
Graded = tuple[Sequence[float], Any]
Grade = Callable[[Sequence[Row]], Iterable[Graded]]

_NUMBER = re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3}\b)?|[-+]?\.\d+")
_LONE_CHOICE = re.compile(r"\W*([A-Za-z])\W*")
_SAID_CHOICE = re.compile(r"(?i:answer|choice|option)(?i:\s+is)?\s*:?\s*\W{0,3}([A-Z])\b(?!')")
_MARKED_CHOICE = re.compile(r"\(([A-Z])\)|\\boxed\{([A-Z])\}|^\W*([A-Z])[.):]", re.MULTILINE)


def by_fields(scores: Sequence[str], prediction: str | None = None) -> Grade:
    """Grade rows by fields that hold their scores.

    Args:
        scores: the fields, each a boolean or a finite number in every row.
        prediction: the field of the answer, for consistency; without it, equal scores agree.
    """

    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        for row in rows:
            values = [_score(row, name) for name in scores]
            yield values, _field(row, prediction) if prediction is not None else values

    return grade


def _score(row: Row, name: str) -> float:
    value = _field(row, name)
    if not isinstance(value, (bool, int, float)) or not math.isfinite(value):
        raise DataError(f"{name} must be true, false or a finite number, got {value!r}")
    return float(value)


def _field(row: Row, name: str) -> Any:
    if name not in row:
        raise DataError(f"there is no field {name!r}; the row has {', '.join(row) or 'none'}")
    return row[name]


def by_match(match: str, prediction: str, target: str, embed: Embed | None = None) -> Grade:
    """Grade rows by comparing the prediction with the target; a null prediction scores 0.

    Args:
        match: `exact` compares the two as strings; `number` the last number in each; `choice` the
            option letter; `embedding` gives the cosine of their embeddings instead of 0 or 1.
        prediction: the field of the answer.
        target: the field of the right answer.
        embed: for `embedding`, as for `RobustnessScorer`.
    """
    if match == "embedding":
        return _by_embedding(prediction, target, embed or default_embedder())
    read = _READERS[match]

    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        for row in rows:
            right, given = _right(row, target, match, read), _field(row, prediction)
            answer = None if given is None else read(str(given))
            yield (float(answer == right),), answer

    return grade


def _right(row: Row, target: str, match: str, read: Callable[[str], str | None]) -> str:
    value = _field(row, target)
    right = None if value is None else read(str(value))
    if right is None:
        raise DataError(f"{target} holds no {match} answer, got {value!r}")
    return right


def last_number(text: str) -> str | None:
    """Return the last number of a text in one notation, so that `1,200.0` and `1200` are equal.

    Examples:
        >>> last_number("2 * 600 = $1,200.00."), last_number("none")
        ('1200', None)
    """
    numbers = _NUMBER.findall(text)
    if not numbers:
        return None
    exact = Context(prec=len(numbers[-1]))
    value = Decimal(numbers[-1].replace(",", "")).normalize(exact)
    return f"{value:f}" if value else "0"


def option_letter(text: str) -> str | None:
    r"""Return the option letter that a text chooses.

    A text that is one letter; else the last letter after "answer", "choice" or "option"; else the
    last letter in brackets, in `\boxed{}` or opening a line as in `B.`.

    Examples:
        >>> option_letter("b"), option_letter("I think the answer is (B), not (C).")
        ('B', 'B')
        >>> option_letter("No idea.") is None
        True
    """
    lone = _LONE_CHOICE.fullmatch(text)
    if lone:
        return lone[1].upper()
    said = _SAID_CHOICE.findall(text)
    if said:
        return str(said[-1])
    marked = ["".join(groups) for groups in _MARKED_CHOICE.findall(text)]
    return marked[-1] if marked else None


_READERS: dict[str, Callable[[str], str | None]] = {
    "exact": str,
    "number": last_number,
    "choice": option_letter,
}


def _by_embedding(prediction: str, target: str, embed: Embed) -> Grade:
    def grade(rows: Sequence[Row]) -> Iterator[Graded]:
        given = [row.get(prediction) for row in rows]
        answered = [at for at, answer in enumerate(given) if answer is not None]
        left = [str(given[at]) for at in answered]
        right = [str(rows[at].get(target)) for at in answered]
        found = cosine_similarities(embed, left, right) if answered else ()
        cosines = dict(zip(answered, map(float, found), strict=True))
        for at, row in enumerate(rows):
            _right(row, target, "embedding", str)
            yield (cosines.get(at, 0.0),), _field(row, prediction)

    return grade
