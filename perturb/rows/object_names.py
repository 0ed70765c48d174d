"""Names of objects, such as tools, that steps change and that a row has at several places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perturb.errors import DataError
from perturb.io import json_path
from perturb.rows.row_texts import RowTexts


def check_names(row: RowTexts, perturbed: Mapping[str, Any]) -> None:
    """Refuse a row in which a name that a step changed in an object stays elsewhere.

    Raises:
        DataError: it is the name of another object, or a key.
    """
    paths = [text.path for text in row.texts if text.is_json]
    before, after = (
        {name for path in paths for name in _names(json_path.locate(each, path)[0][1])}
        for each in (row.row, perturbed)
    )
    gone, own = before - after, {text.location[0] for text in row.texts if text.is_json}
    if stale := gone & {*_names(perturbed)}:
        raise DataError(
            f"the row has the name {min(stale)!r} of {paths[0]!r} elsewhere too, and it would "
            "stay: give that field as well, such as "
            "--field 'messages[*].tool_calls[*].function.name'"
        )
    if stale := gone & {*_called([perturbed[key] for key in perturbed.keys() - own])}:
        raise DataError(
            f"the row has the name {min(stale)!r} of {paths[0]!r} as a key too, and it would stay: "
            "write the object with the key as a text in JSON, and name its field with --target "
            "(target= in Python)"
        )


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the objects in a value."""
    if isinstance(value, Mapping):
        yield value
        value = [*value.values()]
    for each in value if isinstance(value, list) else ():
        yield from _objects(each)


def _names(value: Any) -> Iterator[str]:
    """Yield the names of the objects in a value."""
    return (each["name"] for each in _objects(value) if isinstance(each.get("name"), str))


def _called(value: Any) -> Iterator[str]:
    """Yield the keys of objects in a value, as of the arguments in `{"get_weather": {...}}`."""
    return (
        key for each in _objects(value) for key, inner in each.items() if isinstance(inner, Mapping)
    )
