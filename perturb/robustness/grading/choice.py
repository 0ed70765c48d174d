"""Multiple choice, and answers that follow the options and the names of their row."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import regex

from perturb.errors import DataError, shown
from perturb.plan.recipe_text import first_label, read_options
from perturb.records.notation import read
from perturb.robustness.grading.chosen_option import chosen_option
from perturb.robustness.grading.matches import plain
from perturb.robustness.grading.option_labels import (
    LETTERS,
    Options,
    option_of_label,
    option_of_text,
    options_of,
)
from perturb.robustness.grading.said_truth import TRUTHS, said_truth, truth_of
from perturb.robustness.grading.ways import REFERENCE
from perturb.robustness.linking.record_text import (
    choices_in,
    expect_of,
    has_items,
    has_target,
    original_and_edits,
    record_of,
    written_text,
)
from perturb.robustness.linking.sources import Row


def by_choice(row: Row, prediction: str, target: str) -> tuple[float, str | None]:
    """Score 1 where the option that was chosen is the right one.

    The options are those of the row's own text, so that labels of any kind and options in any
    order are read as the system saw them; where noise left fewer labels, they are those of the
    original. A reply, or the answer in its JSON, is read in this
    order: it is a label or an option's text; the content of the last box; the text after "answer
    is", "I choose", "it is"; the "second option"; the only option's text in it; a label in
    brackets, or after "option", if there is only one such. A letter by itself in a sentence is no
    label.

    Where there are no options, and the target is yes, no, maybe, true or false, the reply is read
    as one of these.

    The target is a label, a number from 0, the text of an option or a flag for each. Where the
    record does not say that the answer followed its option, it is that of the original, and its
    text is looked up among the options as they are now. A REFERENCE is one of the original's too,
    and read as a reply to that.

    Args:
        row: with its record, if it was perturbed.
        prediction: the field of what the system said.
        target: the field of the right answer.

    Returns:
        The score, and the text of the chosen option, or its label where no texts are known.

    Raises:
        ValueError: the target names none of the options.
    """
    options = _options(row, prediction, target)
    reply = row[prediction]
    of_right = said_truth if target == REFERENCE else truth_of
    if options is None and (truth := of_right(str(row[target]))) is not None:
        place = None if reply is None else said_truth(str(reply))
        return float(place == truth), None if place is None else TRUTHS[place]
    known, record = options or LETTERS, record_of(row)
    others = () if record is None else _others(record["recipe"])
    right = _right(row, row[target], options, target == REFERENCE)
    if right is None and plain(str(row[target])) in others:
        right = len(known.labels) + others.index(plain(str(row[target])))
    if right is None:
        raise ValueError("holds no option")
    every = Options((*known.labels, *others), (*known.texts, *others) if known.texts else ())
    chosen = None if reply is None else chosen_option(str(reply), every)
    if chosen is None:
        return 0.0, None
    return float(chosen == right), (every.texts or every.labels)[chosen]


@lru_cache(maxsize=256)
def _others(recipe: str) -> tuple[str, ...]:
    """Return the right answers, in words, that are no option by a record, such as a tie."""
    words = map(plain, read_options(recipe)["fixed"])
    return tuple(word for word in words if word.isalpha() and word != "null")


def _options(row: Row, prediction: str, target: str) -> Options | None:
    """Return the options that the system saw; where noise damaged labels, with those before it."""
    options, record = _own_options(row), record_of(row)
    if record is not None and record["status"] == "changed":
        before = _own_options(row, before=True)
        if before is not None and len(before.labels) > (len(options.labels) if options else 0):
            # A reader still knows that fC) is the third; which text stands there, if none moved.
            return before if record["expect"] != "mapped" else Options(before.labels, ())
    if options is not None:
        return options
    others = (value for name, value in row.items() if name not in (prediction, target))
    texts = (text for value in others for text in _texts(value))
    return next(filter(None, map(options_of, texts)), None)


def _own_options(row: Row, *, before: bool = False) -> Options | None:
    """Return the options of the row that has a record, as they are or were before the steps."""
    found = choices_in(row, before=before)
    if found is not None:
        labels, texts = found
        return Options(labels or LETTERS.labels[: len(texts)], tuple(texts))
    text = None if before else written_text(row)
    text = text or original_and_edits(row)[0]
    return options_of(text, items=has_items(row)) if text else None


def _texts(value: Any) -> list[str]:
    """Return the texts of a field: itself, or those of its chat messages."""
    is_chat = isinstance(value, list) and all(
        isinstance(message, dict) and "content" in message for message in value
    )
    contents = [message["content"] for message in value] if is_chat else [value]
    return [content for content in contents if isinstance(content, str)]


def _right(row: Row, value: Any, options: Options | None, said: bool) -> int | None:
    """Return the right option among those that the system saw; None if it is none.

    Args:
        row: with its record, if it was perturbed.
        value: names the option.
        options: those that the system saw.
        said: whether the value is a reply to the original.
    """
    record = record_of(row)
    follows = has_target(record) and not said
    if record is not None and record["status"] == "changed" and not follows:
        before = _own_options(row, before=True)
        place = None if before is None else _named(row, value, before, said)
        if before is not None and place is not None and options is not None:
            texts = [plain(text) for text in options.texts]
            text = plain(before.texts[place])
            return texts.index(text) if texts.count(text) == 1 else place
    return _named(row, value, options or LETTERS, said)


def _named(row: Row, value: Any, options: Options, said: bool) -> int | None:
    """Return the option that a target of a row names, or that a reply chooses."""
    if said:
        return chosen_option(str(value), options)
    if isinstance(value, int) and not isinstance(value, bool):
        at = value - _first_number(row)
        return at if 0 <= at < len(options.labels) else None
    if isinstance(value, list) and len(value) == len(options.labels) and value.count(1) == 1:
        return value.index(1)  # a flag for each option
    value = value[0] if isinstance(value, list) and len(value) == 1 else value
    text = str(value).strip()
    place = option_of_label(text.strip("()[]{}.: \t"), options)
    return place if place is not None else option_of_text(text, options)


def _first_number(row: Row) -> int:
    """Return the number of the first option; 0 unless the record of the row says another."""
    record = record_of(row)
    choices = () if record is None else read_options(record["recipe"])["choices"]
    first = first_label(choices)
    return int(first) if first.isdecimal() else 0


def check_followed(row: Row, target: str) -> None:
    """Refuse a right answer that the edits of its row left behind.

    Raises:
        DataError: its option or its name is another one now, and perturb apply was told of none.
    """
    if expect_of(row) != "mapped" or has_target(record_of(row)):
        return
    answer = row[target]
    if mapping(row)(answer) != answer:
        raise DataError(
            f"the right answer {shown(answer)} in {target!r} is that of the original, but the "
            "option or person that it names was moved or renamed: perturb apply with --target "
            f"{target}, or judge options with --match choice, or agreement with --against original"
        )


def mapping(row: Row) -> Callable[[Any], Any]:
    """Return the function that rewrites an output for the original as one for this row."""
    record = record_of(row)
    if record is None or record["expect"] != "mapped":
        return lambda output: output
    before, after, start = _own_options(row, before=True), _own_options(row), _first_number(row)
    names: dict[str, str | None] = {}
    for edits in read(record["edits"]).texts.values():
        for edit in edits:
            same = names.setdefault(edit.removed, edit.text) == edit.text
            names[edit.removed] = edit.text if same else None
    places: dict[int, int] = {}
    if before is not None and after is not None:
        for place, text in enumerate(before.texts):
            once = after.texts.count(text) == 1
            places[place] = after.texts.index(text) if once else min(place, len(after.labels) - 1)
        names = {old: new for old, new in names.items() if old not in after.texts}
    words = [old for old, new in names.items() if new is not None and regex.search(r"\w", old)]
    longest = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    pattern = re.compile(rf"(?<!\w)(?:{longest})(?!\w)") if words else None

    def mapped(output: Any) -> Any:
        if isinstance(output, int):
            place = places.get(output - start)
            return output if place is None else place + start
        if not isinstance(output, str):
            return output
        label = output.strip("()[]{}.: \t\n")
        place = None if before is None else option_of_label(label, before, strict=True)
        if place in places and after is not None:
            return output.replace(label, after.labels[places[place]])
        return output if pattern is None else pattern.sub(lambda old: str(names[old[0]]), output)

    return mapped
