"""The right answer to a multiple-choice question, followed through steps that move its options.

A step that moves or relabels options says so in its note: `options` has for each option, in the
order that the step found, its label before, its label after, its place after (from 0), its text.
A step that changes numbers says in `numbers` what each result of a computation is before and after.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from perturb.errors import DataError, shown


class Moving(NamedTuple):
    """A text whose options may have moved.

    Attributes:
        path: where it stands.
        before: the text before the steps.
        after: the text after.
        is_list: whether it is a list of options, an item a line.
        notes: what the steps say of it, in order.
    """

    path: str
    before: str
    after: str
    is_list: bool
    notes: Sequence[Mapping[str, Any]]


# The notes that answers follow.
_FOLLOWED = {"options", "numbers"}
Note = Sequence[tuple[str, str, int, str]]
# A label with what may stand around it: (b), B., [2].
_LABEL = re.compile(r"(?P<before>[\s(\[]*)(?P<name>[A-Za-z]{1,6}|\d{1,2})(?P<after>[\s)\].:]*)")


def is_followed(note: Mapping[str, Any]) -> bool:
    """Return whether answers follow what a step says of a text."""
    return not _FOLLOWED.isdisjoint(note)


def followed(answer: Any, after: Any, moving: Sequence[Moving], name: str) -> Any:
    """Return an answer as it is after the steps, where these moved options; else `after`.

    Args:
        answer: the answer.
        after: what the steps made of it.
        moving: the texts whose options may have moved.
        name: the id of the original.

    Raises:
        DataError: it is none of the options, or is to several texts whose options moved otherwise.
    """
    computed = [note["numbers"] for text in moving for note in text.notes if "numbers" in note]
    if computed and isinstance(answer, int | float) and not isinstance(answer, bool):
        for numbers in computed:
            answer = _recomputed(answer, numbers, name)
        return answer
    answers: dict[str, Any] = {}
    for text in moving:
        moved = any("options" in note for note in text.notes)
        items = (text.before.split("\n"), text.after.split("\n")) if text.is_list else None
        try:
            now = follow(answer, text.notes, text.before, items)
        except DataError as error:
            raise DataError(f"the record {name}: {error}") from None
        if moved or now != answer:
            answers[text.path] = now
    if len(set(answers.values())) > 1:
        several = ", ".join(f"{shown(value)} of {path}" for path, value in answers.items())
        raise DataError(
            f"the record {name}: the answer {shown(answer)} is to several texts, whose options "
            f"moved otherwise, so it would be {several}; perturb one of them"
        )
    now = next(iter(answers.values()), answer)
    return after if now == answer else now


def _recomputed(answer: float, numbers: Sequence[tuple[float, float]], name: str) -> float:
    """Return what a number that a text computes is now."""
    for before, after in numbers:
        if answer == before:
            return type(answer)(after) if after == type(answer)(after) else after
    raise DataError(
        f"the record {name}: no chain of the text computes the answer {shown(answer)}, so it can't "
        "follow the other numbers; correct the row or leave it out"
    )


def follow(
    answer: Any,
    notes: Sequence[Mapping[str, Any]],
    original: str,
    items: tuple[Sequence[str], Sequence[str]] | None = None,
) -> Any:
    """Return the name of the right answer after the steps.

    Args:
        answer: a label ("B", "(b)", "B."), the number of an option from 0, or an option's text.
        notes: what the steps say of the text, in order.
        original: the text before.
        items: where the text is a list of options, that list before and after.

    Returns:
        A label for a label, in the same brackets and case; a number for a number. A text stays as
        it is, but one that is an item of a list becomes what that item is now. Where no options
        are known, `answer` as it is.

    Raises:
        DataError: it is none of the options, or more than one.

    Examples:
        >>> moved = [["A", "B", 1, "red"], ["B", "C", 2, "blue"], ["C", "A", 0, "green"]]
        >>> notes = [{"options": moved}]
        >>> follow("(b)", notes, "A. red B. blue C. green")
        '(c)'
        >>> follow(2, notes, "A. red B. blue C. green")
        0
    """
    moves = [note["options"] for note in notes if "options" in note]
    before, after = items or ((), ())
    if not moves and items is None:
        return answer
    letters = enumerate(zip(ascii_uppercase, before, strict=False))
    unmoved = [(letter, letter, place, item) for place, (letter, item) in letters]
    options = moves[0] if moves else unmoved
    place = _number(answer, options, before, original)
    if place is None:
        return answer
    label, now = _moved(place, moves or [options])
    if isinstance(answer, int):
        return now
    if answer in before:
        return after[now]
    return _written(answer, options[place][0], label)


def _number(answer: Any, options: Note, items: Sequence[str], original: str) -> int | None:
    """Return the number of the option that an answer names; None for a text that stays."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        if not 0 <= answer < max(len(options), len(items)):
            raise _nothing(answer, options, items)
        return answer
    if not isinstance(answer, str):
        raise _nothing(answer, options, items)
    labels, texts = [option[0] for option in options], [option[3] for option in options]
    label = _LABEL.fullmatch(answer)
    is_text = answer in items or answer in texts
    if label and label["name"] in labels:
        if is_text:
            raise DataError(
                f"the answer {shown(answer)} is both the label of an option and the text of one; "
                "give its number, from 0"
            )
        return labels.index(label["name"])
    if is_text:
        return items.index(answer) if answer in items else None
    if label and label["name"].lower() in (folded := [label.lower() for label in labels]):
        return folded.index(label["name"].lower())
    if not items and answer and (label is None or len(answer) > 3) and answer in original:
        return None
    raise _nothing(answer, options, items)


def _nothing(answer: Any, options: Note, items: Sequence[str]) -> DataError:
    known = [option[0] for option in options]
    texts = list(items) or [option[3] for option in options]
    return DataError(
        f"the answer {shown(answer)} is none of the options: their labels are {', '.join(known)}, "
        f"their numbers 0 to {len(texts) - 1}, their texts {', '.join(map(repr, texts))}"
    )


def _moved(place: int, notes: Sequence[Note]) -> tuple[str, int]:
    """Return the label of an option, and its place, after all steps."""
    label = notes[0][place][0]
    for note in notes:
        if len(note) != len(notes[0]) or note[place][0] != label:
            raise DataError(
                f"the options can't be followed: one step has {_listed(notes[0])}, a later one "
                f"{_listed(note)}; protect option_label"
            )
        _, label, place, _ = note[place]
    return label, place


def _listed(note: Note) -> str:
    return ", ".join(option[0] for option in note)


def _written(answer: str, old: str, new: str) -> str:
    """Write a label as the answer was written, in its brackets and case."""
    match = _LABEL.fullmatch(answer)
    assert match is not None  # it is a label
    if match["name"] != old:
        new = new.lower() if match["name"].islower() else new.upper()
    return f"{match['before']}{new}{match['after']}"
