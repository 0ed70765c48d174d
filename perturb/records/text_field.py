"""The text that a field of a row holds: a string, or a list of strings with an item a line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.errors import DataError, shown
from perturb.io import json_path

# For messages about rows without a text.
MISSING_HINT = "perturb apply --missing keep (missing= in Python) keeps such rows, skip drops them"
# The types of the parts of a chat message that are text, in several APIs.
_TEXT_PARTS = ("text", "input_text", "output_text")
# Gemini's parts have no type: the keys of a text, unlike an option with a label, and of the others.
_ALONE = {"text", "thought", "thoughtSignature", "thought_signature"}
_OTHER_PARTS = {
    *("inlineData", "inline_data", "fileData", "file_data", "functionCall", "function_call"),
    *("functionResponse", "function_response", "executableCode", "codeExecutionResult"),
}
# The keys of tools.
_OF_TOOLS = {"parameters", "input_schema", "inputSchema"}


def texts_at(
    row: Mapping[str, Any], path: str, *, required: bool = True
) -> list[tuple[json_path.Location, Any]]:
    """Find the texts that a path leads to; of content in typed parts, those parts that are text.

    Args:
        row: the row.
        path: to the texts.
        required: whether null and NaN are returned, as wrong texts, and not passed over.

    Raises:
        DataError: the row has no such field; the message names its fields.
    """
    try:
        located = json_path.locate(row, path)
    except DataError:
        if required:
            raise
        return []
    for _, value in located:
        if type(value) is not str:
            break
    else:
        return located
    texts: list[tuple[json_path.Location, Any]] = []
    for location, value in located:
        if not required and is_missing(value):
            continue
        if not _in_parts(value):
            texts.append((location, value))
            continue
        for index, part in enumerate(value):
            if part.get("type", "text") in _TEXT_PARTS and "text" in part:
                texts.append(((*location, index, "text"), part["text"]))
    return texts


def holds_json(value: Any) -> bool:
    """Return whether a value is an object, or a list of objects that are no messages, or empty."""
    items = value if isinstance(value, list) else [value]
    return all(isinstance(one, Mapping) and "role" not in one for one in items)


def way_to_text(item: Any) -> str:
    """Return the path in an object to the likeliest text: of several words, or else a long one."""
    own = [((key,), value) for key, value in item.items()] if isinstance(item, Mapping) else []
    inner = [
        ((*outer, key), value)
        for outer, there in own
        if isinstance(there, Mapping)
        for key, value in there.items()
    ]
    texts = [
        ((" " in value, -len(path), len(value)), path)
        for path, value in [*own, *inner]
        if isinstance(value, str)
    ]
    return json_path.written(max(texts)[1]) if texts else "KEY"


def is_tool(part: Any) -> bool:
    """Return whether a value is a tool that a model is offered, which may have a type too."""
    return isinstance(part, Mapping) and (
        part.get("type") == "function" or not part.keys().isdisjoint(_OF_TOOLS)
    )


def _in_parts(value: Any) -> bool:
    """Return whether a value is the content of a chat message in parts.

    Each has its type; or, as of Gemini, each is a text alone or has a key for another kind.
    """
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(part, Mapping) and not is_tool(part) for part in value)
        and (
            all(isinstance(part.get("type"), str) for part in value)
            or all(
                ("text" in part and part.keys() <= _ALONE) or part.keys() & _OTHER_PARTS
                for part in value
            )
        )
    )


def is_missing(value: Any) -> bool:
    """Return true if nothing is there: null, or NaN, as data frames write it."""
    return value is None or (isinstance(value, float) and value != value)


def text_of(value: Any, field: str) -> str:
    """Return the text that a field holds.

    Raises:
        DataError: it holds neither a string nor a list of them, or an item has several lines.
    """
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        kind = "a list of other things" if isinstance(value, list) else kind_of(value)
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            items = "role=user" if "role" in value[0] else "*"
            key = "content" if "content" in value[0] else way_to_text(value[0])
            kind = (
                f"a list of objects: name the text in them, such as {field}[{items}].{key}, with "
                "--choices (choices= in Python) if they are the options of a question; passages "
                f"and turns that move are --choices {field}"
            )
        hint = f"; {MISSING_HINT}" if is_missing(value) else ""
        raise DataError(
            f"the field {field!r} must be a string or a list of strings; got {kind}{hint}"
        )
    if not value:
        raise DataError(f"the field {field!r} is an empty list; it needs at least one string")
    for item in value:
        if "\n" in item or "\r" in item:
            raise DataError(
                f"the field {field!r} is read as one text, an item a line, but the item "
                f"{shown(item)} has a line break; give the field as {field}[*] for a text an "
                f"item, or the options of a question as --choices {field} (choices= in Python)"
            )
    return "\n".join(value)


def items_of(text: str, items: int, id: str) -> list[str]:
    """Return a text in the form of its field: split into items again where that is a list.

    Args:
        text: the text.
        items: how many items the field had.
        id: the id of the record.

    Raises:
        DataError: the text has another number of lines.
    """
    lines = text.split("\n")
    if len(lines) != items:
        raise DataError(
            f"the record {id}: its steps make {len(lines)} lines of a list of {items} strings; "
            "use them on fields that are one string"
        )
    return lines


def kind_of(value: Any) -> str:
    """Name the kind of a value as JSON does; a value that JSON does not have by its type."""
    names = {dict: "an object", list: "a list", str: "a string", bool: "true or false"}
    names |= {type(None): "null", bytes: "bytes"}
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"the number {value!r}"
    return names.get(type(value), f"a {type(value).__name__}")
