"""The options of a row that are fields of their own: one list, objects, or several fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from operator import itemgetter
from typing import Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.jsonl import text_of_json, value_of_json
from perturb.plan.recipe_text import cut, first_label
from perturb.records.edit import Edit
from perturb.records.text_field import is_tool, way_to_text
from perturb.values.lists import NUMBERINGS, holds_kept_ends, in_lines, on_one_line, run_from

# Of options1, opa, ans_ii, the label.
_LABEL_AT_END = re.compile(r"(.*?)(\d{1,2}|[A-Za-z]|[ivx]+|[IVX]+)")

# What may stand around labels, and the first ones of numberings.
_AROUND, _FIRSTS = "()[].: ", {"0", *map(itemgetter(0), NUMBERINGS.values())}


class OptionSet(NamedTuple):
    """The options of a question, in fields of their own.

    Attributes:
        places: where each option stands.
        labels: the label of each; empty for none.
        first: the label of the first, if the caller gives it.
        home: where the list or the object is that holds them and nothing else; empty for options
            in objects or fields of their own, which no further one fits.
        is_json: whether they are whole items, such as passages with their ids or messages: a list
            of objects or of lists, or an object of columns. Their text is a list in JSON.
    """

    places: tuple[json_path.Location, ...]
    labels: tuple[str, ...]
    first: str
    home: json_path.Location = ()
    is_json: bool = False


def option_sets(row: Mapping[str, Any], choices: Sequence[str]) -> list[tuple[OptionSet, str]]:
    """Find the options of a row.

    Args:
        row: the row.
        choices: the paths to options, each with the label of the first, if it is given: `1=c`.

    Returns:
        Each set with its text: an option a line, or of whole items a list in JSON.

    Raises:
        DataError: a field holds no options; the message has the path that would do.
    """
    found: dict[json_path.Location, list[tuple[json_path.Location, str]]] = {}
    sets: list[tuple[OptionSet, str]] = []
    sources, first = list(map(cut, choices)), first_label(choices)
    for _, path in sources:
        for location, value in json_path.locate(row, path):
            if isinstance(value, str):
                # Several paths are fields side by side, one path leads through a list of objects.
                last = len(location) - 1
                while len(sources) == 1 and last and not isinstance(location[last], int):
                    last -= 1
                found.setdefault(location[:last], []).append((location, value))
                continue
            whole = _whole_items(value)
            if whole:
                text = text_of_json(whole)
                sets.append((OptionSet((location,), (), first, location, True), text))
                continue
            items = _items(location, value)
            places = tuple((*location, key) for key, _ in items)
            labels = _labels(row, places, first, isinstance(value, Mapping))
            sets.append((OptionSet(places, labels, first, location), _text(items)))
    for around, options in found.items():
        path, held = json_path.written(options[0][0]), value_at(row, around)
        if isinstance(held, list) and len(held) != len(options):
            raise DataError(
                f"{len(held) - len(options)} of the {len(held)} options in "
                f"{json_path.written(around)!r} have no such text as {path!r}, so their numbers "
                "would be those of others; give each a text, or leave the row out"
            )
        if len(options) < 2:
            raise DataError(
                f"the field {path!r} is one string: options with labels in a text need only "
                f"--field {path} (field= in Python), a list of strings --choices with its path, "
                "and options in several fields --choices once for each; passages within a text "
                "have to be copied to a list first"
            )
        places = tuple(location for location, _ in options)
        labels = _labels(row, places, first, len(sources) > 1)
        sets.append((OptionSet(places, labels, first), _text(options)))
    return sets


def _items(location: json_path.Location, value: Any) -> list[tuple[Any, str]]:
    """Return the options in a list or an object, each with its number or key."""
    items: list[tuple[Any, Any]] = []
    if isinstance(value, Mapping | list):
        items += value.items() if isinstance(value, Mapping) else enumerate(value)
    texts = [item for _, item in items]
    if items and all(isinstance(item, str) for item in texts):
        return items
    if isinstance(value, list) and not value:
        raise DataError(
            f"the field {json_path.written(location)!r} is an empty list, so nothing in it can "
            "change; leave the row out"
        )
    hint = (
        "options are a list of strings, an object from label to text, or one string a field; "
        "passages and turns a list of strings, of objects or of lists"
    )
    raise DataError(
        f"the field {json_path.written(location)!r} holds no options: {hint}; got {shown(value)}"
    )


def _whole_items(value: Any) -> list[Any]:
    """Return the items of a list of objects or of lists, or the rows of columns; else none."""
    if isinstance(value, list) and value:
        kind = Mapping if isinstance(value[0], Mapping) else list
        return value if all(isinstance(item, kind) for item in value) else []
    columns = [*value.values()] if isinstance(value, Mapping) else []
    if not all(isinstance(column, list) for column in columns) or len(set(map(len, columns))) != 1:
        return []
    return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]


def check_form(row: Mapping[str, Any], options: OptionSet, whole: bool) -> None:
    """Refuse options in a form that steps don't take.

    Args:
        row: the row.
        options: the options.
        whole: whether steps act on whole items, or on the texts of options.

    Raises:
        DataError: they don't take it; the message has the path that would do.
    """
    path = json_path.written(options.home or options.places[0])
    if not whole and options.is_json:
        value = value_at(row, options.home)
        first = _whole_items(value)[0]
        inner = "." if isinstance(value, Mapping) else "[*]."
        advice = f"name the text in the objects: --choices {path}{inner}{way_to_text(first)}"
        if is_tool(first):
            advice = f"its tools are for tool_schema, with --field {path} (field= in Python)"
        raise DataError(f"the field {path!r} holds no options: {advice}; got {shown(value)}")
    if whole and not (options.is_json or isinstance(value_at(row, options.home), list)):
        raise DataError(
            f"the field {path!r} is no list of items, which move, go or come as a whole: name the "
            "list itself, such as --choices contexts or --choices messages"
        )


def _text(items: Sequence[tuple[Any, str]]) -> str:
    """Return options as a text, one a line."""
    for _, item in items:
        if holds_kept_ends(item):
            raise DataError(
                f"the option {shown(item)} has a control character that perturb uses to keep line "
                "breaks in options; remove \\x1e and \\x1f"
            )
    return "\n".join(on_one_line(item) for _, item in items)


def with_line_ends(edit: Edit) -> Edit:
    """Return an edit of the text of a set as one of its options, which may have several lines."""
    text, removed = in_lines(edit.text), in_lines(edit.removed)
    return edit._replace(text=text, removed=removed)


def options_in(text: str, is_json: bool = False) -> list[str]:
    """Return the options in the text of a set; of whole items, each as JSON."""
    if is_json:
        return [text_of_json(item) for item in value_of_json(text)]
    lines = text.split("\n")
    return [*map(in_lines, lines)] if holds_kept_ends(text) else lines


def _labels(
    row: Mapping[str, Any], places: Sequence[json_path.Location], first: str, by_name: bool
) -> tuple[str, ...]:
    """Return the labels of options.

    They are those that the caller names by the first, the ends of their keys, or a run in order
    that stands beside the texts.

    Raises:
        DataError: the keys say more of the options than their order, such as which is right.
    """
    count = len(places)
    if first:
        labels = run_from(first, count)
        if not labels:
            raise DataError(
                f"FIRST= of choices must be the first label of a numbering, such as A, a, 1, 0 or "
                f"i, which goes on to {count} labels; got {shown(first)}"
            )
        return labels
    if by_name:
        names = [str(place[-1]) for place in places]
        stems, labels = zip(*map(_stem_and_label, names), strict=True)
        if len(set(stems)) > 1 or not is_run(labels):
            raise DataError(
                f"the options are in {', '.join(names)}, whose names don't count up, as A, B, C or "
                "option1, option2 do: a step would move the right answer out of a field that is "
                "named for it; copy the options to a list, in --choices, and name the right one by "
                "its text in --target"
            )
        return labels
    return run_among(_beside(row, places), count)


@lru_cache(maxsize=1024)
def _stem_and_label(name: str) -> tuple[str, str]:
    """Split the name of a field before the label at its end, if there is one."""
    match = _LABEL_AT_END.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def _beside(row: Mapping[str, Any], places: Sequence[json_path.Location]) -> Iterable[Any]:
    """Return the values beside options, column by column: of the same objects, or in lists."""
    inner = places[0]
    if isinstance(inner[-1], int):
        around = value_at(row, inner[:-2])
        return around.values() if isinstance(around, Mapping) else ()
    objects = [value_at(row, place[:-1]) for place in places]
    return ([each.get(key) for each in objects] for key in objects[0] if key != inner[-1])


def run_among(columns: Iterable[Any], count: int) -> tuple[str, ...]:
    """Return the first run of labels in order among lists of strings; empty if there is none."""
    for column in columns:
        if type(column) is not list or len(column) != count or type(column[0]) is not str:
            continue
        if column[0].strip(_AROUND) in _FIRSTS and all(isinstance(name, str) for name in column):
            names = tuple(name.strip(_AROUND) for name in column)
            if is_run(names):
                return names
    return ()


def value_at(row: Any, location: json_path.Location) -> Any:
    """Return the value at a location."""
    for key in location:
        row = row[key]
    return row


def is_run(labels: tuple[str, ...]) -> bool:
    """Return whether labels are the first of a numbering, in order."""
    return len(labels) > 1 and labels == run_from(labels[0], len(labels))


def placed(
    row: Mapping[str, Any],
    options: OptionSet,
    before: Sequence[str],
    after: Sequence[str],
    whole: bool = False,
) -> list[tuple[json_path.Location, Any, Any]]:
    """Return where options change in their row, what stood there, and what stands there now.

    Args:
        row: the row.
        options: the options.
        before: these before the steps.
        after: these after the steps.
        whole: whether steps move them with all that belongs to each, such as a label beside it.

    Raises:
        DataError: there is one more, and no place for it.
    """
    if options.is_json:
        old, new = value_at(row, options.home), [value_of_json(item) for item in after]
        columns = old if isinstance(old, Mapping) else ()
        rows = {key: [item[key] for item in new] for key in columns} or new
        return [(options.home, old, rows)]
    if len(after) == len(before):
        return list(zip(options.places, before, after, strict=True))
    home = value_at(row, options.home) if options.home else None
    if isinstance(home, list) and (whole or options.first or not options.labels):
        return [(options.home, home, [*after])]
    if isinstance(home, Mapping) and (more := run_from(options.labels[0], len(after))):
        key = str(options.places[-1][-1]).removesuffix(options.labels[-1]) + more[-1]
        return [(options.home, home, dict(zip([*home, key], after, strict=True)))]
    raise DataError(
        f"the options in {json_path.written(options.places[0])!r} and beside it have no place for "
        "a further one, as a list of strings has, or an object from label to text; leave out "
        "distractor:kind=option, or copy the options to a list of strings"
    )


def listings(
    row: Mapping[str, Any], labels: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> list[tuple[json_path.Location, Any, Any]]:
    """Return the fields of a row that list its options too, each with its text before and after.

    Such a list has labels, `A. red B. blue`, so that the words of a question are none.
    """
    told: list[tuple[json_path.Location, Any, Any]] = []
    for name, value in row.items():
        if not isinstance(value, str) or before[0] not in value:
            continue  # as most do not
        if before != after and all(text in value for text in before):
            for first in dict.fromkeys((*labels[:1], "A", "a", "1")):
                labels = run_from(first, len(before))
                parts = (
                    rf"(?<!\w){re.escape(label)}[).:\]]\**\s+({re.escape(text)})(?!\w)"
                    for label, text in zip(labels, before, strict=False)
                )
                if labels and (found := re.search(".*?".join(parts), value, re.DOTALL)):
                    starts = [0, *(found.end(n + 1) for n in range(len(before)))]
                    ends = [*(found.start(n + 1) for n in range(len(before))), len(value)]
                    between = [value[a:b] for a, b in zip(starts, ends, strict=True)]
                    pieces = zip_longest(between, after[: len(before)], fillvalue="")
                    told.append(((name,), value, "".join(map("".join, pieces))))
                    break
    return told
