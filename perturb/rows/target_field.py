"""The right answer to a multiple-choice question, followed through steps that move its options.

A step that moves, relabels or adds options says so in its note: `options` has for each option, in
the order that the step found, its label before, its label after, its place after (from 0), its
text; `added` is the text of a further option, at the end.
A step that changes numbers says in `numbers` what each result of a computation is before and after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.io.json_path import Location
from perturb.io.jsonl import dumps
from perturb.records.batch import StaysError
from perturb.values.lists import NUMBERINGS, run_from


class Moving(NamedTuple):
    """A text whose options may have moved.

    Attributes:
        path: where it stands.
        before: the text before the steps.
        items: the options before and after, where the text is a list or a set of them.
        notes: what the steps say of it, in order.
        labels: the labels that its row gives the options of a set; empty for none.
        first: the first of them, if the caller gives it.
        location: where it stands, by its keys.
        whole: what becomes of an answer that names a whole item; None for options.
    """

    path: str
    before: str
    items: tuple[Sequence[str], Sequence[str]] | None
    notes: Sequence[Mapping[str, Any]]
    labels: Sequence[str] = ()
    first: str = ""
    location: Location = ()
    whole: Callable[[Any, Location], Any] | None = None


# The notes that answers follow.
_FOLLOWED = {"options", "numbers"}
Note = Sequence[tuple[str, str, int, str]]
# A label with what may stand around it: (b), B., [2].
_LABEL = re.compile(r"(?P<before>[\s(\[]*)(?P<name>[A-Za-z]{1,6}|\d{1,2})(?P<after>[\s)\].:]*)")


def is_followed(note: Mapping[str, Any]) -> bool:
    """Return whether answers follow what a step says of a text."""
    return not _FOLLOWED.isdisjoint(note)


def followed(
    answer: Any,
    after: Any,
    moving: Sequence[Moving],
    name: str,
    fixed: Sequence[str] = (),
    location: Location = (),
) -> Any:
    """Return an answer as it is after the steps, where these moved options; else `after`.

    Args:
        answer: the answer.
        after: what the steps made of it.
        moving: the texts whose options may have moved.
        name: the id of the original.
        fixed: answers that are no options and stay, as text or as JSON.
        location: where the answer stands, by its keys.

    Raises:
        DataError: it is none of the options, or is to several texts whose options moved otherwise.
        StaysError: it is a number that no chain of these computes, so the row has to stay.
    """
    answers: dict[str, Any] = {}
    if is_fixed(answer, fixed):
        return after
    computed = [note["numbers"] for text in moving for note in text.notes if "numbers" in note]
    is_place = any(text.items for text in moving)  # that of an option
    if computed and type(answer) in (int, float) and not is_place:
        for numbers in computed:
            answer = _recomputed(answer, numbers)
        return answer
    for text in moving:
        if not share_lists(text.location, location):
            continue
        moved = any("options" in note for note in text.notes)
        try:
            if text.whole is not None:
                now = text.whole(answer, location)
            else:
                now = follow(answer, text.notes, text.before, text.items, text.labels, text.first)
        except DataError as error:
            raise DataError(f"the record {name}: {error}") from None
        if moved or now != answer:
            answers[text.path] = now
    if len(set(map(repr, answers.values()))) > 1:
        several = ", ".join(f"{shown(value)} of {path}" for path, value in answers.items())
        raise DataError(
            f"the record {name}: the answer {shown(answer)} is to several texts, whose options "
            f"moved otherwise, so it would be {several}; perturb one of them"
        )
    now = next(iter(answers.values()), answer)
    return after if now == answer else now


def is_fixed(answer: Any, fixed: Sequence[str]) -> bool:
    """Return whether an answer is no option and stays, as text or as JSON."""
    text = answer if isinstance(answer, str) or not fixed else dumps(answer).decode().strip()
    return text in fixed


def _recomputed(answer: float, numbers: Sequence[tuple[float, float]]) -> float:
    """Return what a number that a text computes is now."""
    for before, after in numbers:
        if answer == before:
            return type(answer)(after) if after == type(answer)(after) else after
    raise StaysError("no chain of the text computes the answer")


def share_lists(text: Location, other: Location) -> bool:
    """Return true if the lists that both paths go through are entered at the same place."""
    for key, own in zip(text, other, strict=False):
        if key != own:
            return not (isinstance(key, int) and isinstance(own, int))
    return True


class Known(NamedTuple):
    """The options that an answer may name; of each, in the order before the steps.

    Attributes:
        labels: the label before.
        after: the label after.
        places: the place after.
        texts: the text before; the item of a list, and without its label.
        items: the item of a list after, by its place; empty for options in a text.
        first: the label of the first, if the caller gives it.
    """

    labels: Sequence[str]
    after: Sequence[str]
    places: Sequence[int]
    texts: Sequence[tuple[str, ...]]
    items: Sequence[str]
    first: str


def follow(
    answer: Any,
    notes: Sequence[Mapping[str, Any]],
    original: str,
    items: tuple[Sequence[str], Sequence[str]] | None = None,
    labels: Sequence[str] = (),
    first: str = "",
) -> Any:
    """Return the name of the right answer after the steps.

    Args:
        answer: a label ("B", "(b)", "B."), the number of an option from 0 (2 or "2"), its text, its
            label and text ("B. red"), a list of these, or a flag for each option.
        notes: what the steps say of the text, in order.
        original: the text before.
        items: where the text is a list of options, that list before and after.
        labels: the labels that a row gives these.
        first: the first of them, if the caller gives it; numbers count from it.

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
        >>> follow([0, 0, 1], notes, "A. red B. blue C. green")
        [1, 0, 0]
    """
    moves = [note for note in notes if "options" in note]
    before, after = items or ((), ())
    if not moves and items is None:
        return answer
    letters = zip(chain(NUMBERINGS["upper"], repeat("")), before, strict=False)
    unmoved = [(letter, letter, place, item) for place, (letter, item) in enumerate(letters)]
    options = moves[0]["options"] if moves else unmoved
    moves = moves or [{"options": options}]
    if type(answer) is int and 0 <= answer < len(options) and not first.isdigit():
        return _moved(answer, moves)[1]  # as most answers are
    now = [option[1:3] for option in options]
    if moves[1:]:
        now = [_moved(place, moves) for place in range(len(options))]
    added, places = sum("added" in note for note in notes), [place for _, place in now]
    labels_after = labels and (run_from(labels[0], len(options) + added) or labels)
    names = labels or [option[0] for option in options]
    names_after = [labels_after[at] for at in places] if labels else [label for label, _ in now]
    known = Known(names, names_after, places, [(option[3],) for option in options], after, first)
    known_now = at_once(answer, known, before or [option[3] for option in options])
    if known_now is not None:
        return known_now
    if items:
        texts = [_texts(*pair) for pair in zip(options, before, strict=True)]
        known = known._replace(texts=texts)
    if not isinstance(answer, list):
        return _renamed(answer, known, original)
    are_flags = all(isinstance(flag, int | float) and flag in (0, 1) for flag in answer)
    if are_flags and len(answer) == len(options):
        flags = dict(zip(known.places, answer, strict=True))
        none = type(answer[0])(0)
        return [flags.get(place, none) for place in range(len(answer) + added)]
    return [_renamed(each, known, original) for each in answer]


def at_once(answer: Any, known: Known, before: Sequence[str]) -> Any:
    """Return what `follow` makes of a number, a label or an item that nothing else is like.

    Args:
        answer: the answer.
        known: the options, for which no texts are needed.
        before: these before, as they are.

    Returns:
        None where it takes a closer look.
    """
    names, names_after, places, _, after, first = known
    if type(answer) is int and 0 <= answer < len(places) and not first.isdigit():
        return places[answer]
    if type(answer) is not str:
        return None
    alike = [place for place, text in enumerate(before) if text.endswith(answer)]
    if not alike:
        if answer in names and _LABEL.fullmatch(answer):
            return names_after[names.index(answer)]
        number = None if first or names[0].isdigit() else _whole(answer, len(places))
        return None if number is None else str(places[number])
    if len(alike) != 1 or not after or answer not in before or answer.isdigit():
        return None
    label = _LABEL.match(answer)
    return None if label and label["name"] in names else after[places[alike[0]]]


def _texts(option: tuple[str, str, int, str], item: str) -> tuple[str, ...]:
    """Return the item of a list, and without its label if it has one."""
    label = _LABEL.match(item)
    if label is None or label["name"] != option[0] or not label["after"].strip():
        return (item,)
    return item, item[label.end() :]


def _renamed(answer: Any, known: Known, original: str) -> Any:
    """Return the name of the option that an answer names, after the steps."""
    if isinstance(answer, int) and not isinstance(answer, bool):
        if known.first.isdigit():
            return int(_renamed(str(answer), known, ""))
        if 0 <= answer < len(known.places):  # in a list of them
            return known.places[answer]
    if not isinstance(answer, str):
        raise _nothing(answer, known)
    label = _LABEL.match(answer)
    rest = answer[label.end() :] if label else answer
    text = next((place for place, each in enumerate(known.texts) if answer in each), None)
    place = _place_of_label(label["name"], known.labels, text is None) if label else None
    if rest and place is not None and (place == text or rest not in known.texts[place]):
        place = None  # it's the item of a list itself, or a sentence that begins like a label
    number = None
    if not known.first and not known.labels[0].isdigit():
        number = _whole(answer, len(known.places))
    elif known.first and place is not None:
        text = None
    if text is not None and (place is not None or number is not None):
        raise DataError(
            f"the answer {shown(answer)} is both the {'label' if number is None else 'number'} of "
            "an option and the text of one; name the options with --choices (choices= in Python): "
            "0=PATH for numbers from 0, A=PATH for labels, or for texts that are numbers"
        )
    if label is not None and place is not None:
        return _written(label, known.labels[place], known.after[place]) + rest
    if number is not None:
        return str(known.places[number])
    if text is not None:
        is_item = known.items and answer == known.texts[text][0]
        return known.items[known.places[text]] if is_item else answer
    # Not a slip in a label, but words of the text, such as a span.
    if answer and not known.items and (rest or len(answer) > 3) and answer in original:
        return answer
    raise _nothing(answer, known)


def _whole(text: str, count: int) -> int | None:
    """Return the number below `count` that a text is, without a sign or leading zeros."""
    return int(text) if text in map(str, range(count)) else None


def _place_of_label(name: str, labels: Sequence[str], folded: bool) -> int | None:
    """Return the option of a label; in another case only if `folded`."""
    if name in labels:
        return labels.index(name)
    lower = [label.lower() for label in labels]
    return lower.index(name.lower()) if folded and name.lower() in lower else None


def _nothing(answer: Any, known: Known) -> DataError:
    if isinstance(answer, dict):
        return DataError(
            f"the answer {shown(answer)} is an object, in which perturb looks for no option: name "
            "what in it is a label, a number or a text, as in --target answer.label (target= in "
            "Python)"
        )
    texts = [text for text, *_ in known.texts]
    return DataError(
        f"the answer {shown(answer)} is none of the options: their labels are "
        f"{', '.join(known.labels)}, their numbers 0 to {len(texts) - 1}, their texts "
        f"{', '.join(map(repr, texts))}; an answer that is no option stays with perturb apply "
        "--fixed (fixed= in Python)"
    )


def _moved(place: int, notes: Sequence[Mapping[str, Any]]) -> tuple[str, int]:
    """Return the label of an option, and its place, after all steps."""
    first: Note = notes[0]["options"]
    label, count = first[place][0], len(first)
    for note in notes:
        now: Note = note["options"]
        if len(now) != count or now[place][0] != label:
            raise DataError(
                f"the options can't be followed: one step has {_listed(first)}, a later one "
                f"{_listed(now)}; protect option_label"
            )
        _, label, place, _ = now[place]
        count += "added" in note
    return label, place


def _listed(note: Note) -> str:
    return ", ".join(option[0] for option in note)


def _written(match: re.Match[str], old: str, new: str) -> str:
    """Write a label as the answer was written, in its brackets and case."""
    if match["name"] != old:
        new = new.lower() if match["name"].islower() else new.upper()
    return f"{match['before']}{new}{match['after']}"
