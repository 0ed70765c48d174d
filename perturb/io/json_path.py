"""Paths to the texts of a row: `question`, `messages[*].content`, `messages[role=user].content`."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from perturb.errors import DataError, UsageError, shown, suggestion

Key = str | int
Location = tuple[Key, ...]
# The key for each key of an object, as for the relations of FewRel.
ANY = "*"
# From this ratio on a field is like another: txt is like text, at 0.86; context, which holds other
# words, isn't, at 0.73. Rows have few fields, so a message can name all of them.
NEAR = 0.8
# Finds the values that the rest of a path selects from the value at a location.
_Finder = Callable[[Any, Location], list[tuple[Location, Any]]]

_PART = re.compile(r"(?:^|(?!^)\.)([^.\[\]]+)|\[(\*|-?[0-9]{1,9}|[^\[\]=]+=[^\[\]]*)\]")
_NUMBER = re.compile(r"\[(-?[0-9]+)\]")


@lru_cache(maxsize=64)
def parse(path: str) -> tuple[str, ...]:
    """Cut a path into its keys and, in brackets, its selections from lists.

    Raises:
        UsageError: it isn't a path.
    """
    parts, at = [], 0
    while at < len(path):
        match = _PART.match(path, at)
        if match is None:
            break
        parts.append(match[1] if match[1] is not None else f"[{match[2]}]")
        at = match.end()
    if at < len(path) or not parts:
        raise UsageError(
            f"can't read the field path {path!r}: write question, messages[*].content, "
            "messages[-1].content, messages[role=user].content or messages[role=user][-1].content"
        )
    return tuple(parts)


@lru_cache(maxsize=64)
def is_path(name: str) -> bool:
    """Return true if a name may lead to a value within a field; a field may be called so too."""
    with contextlib.suppress(UsageError):
        return not name.isidentifier() and len(parse(name)) > 1
    return False


def root_of(path: str, names: Container[str]) -> str:
    """Return which of a row's fields, or of a table's columns, a path leads into."""
    return path if path in names else parse(path)[0]


def check_one(name: Any, option: str) -> None:
    """Refuse a name of an option that isn't text, or that may lead to several values.

    Raises:
        TypeError: it isn't text.
        UsageError: it may lead to several values.
    """
    if not isinstance(name, str):
        raise TypeError(f"{option} must be a string; got {shown(name)}")
    if is_path(name) and is_many(name):
        raise UsageError(
            f"{option} takes a path to one value, as metadata.id, items[0].id or "
            f"items[kind=main][0].id, and this may lead to several; got {name!r}"
        )


@lru_cache(maxsize=64)
def is_many(path: str) -> bool:
    """Return true if a path may select several texts of one row."""
    return any(map(is_each, selections(path)))


def is_each(part: str) -> bool:
    """Return true if a part from `selections` may select several items of a list or an object."""
    return part == ANY or (part[0] == "[" and not _NUMBER.search(part))


def selections(path: str) -> list[str]:
    """Return the parts of a path; a choice includes the index after it.

    Examples:
        >>> selections("messages[role=user][-1].content")
        ['messages', '[role=user][-1]', 'content']
    """
    joined: list[str] = []
    for part in parse(path):
        chosen = joined and joined[-1][0] == "[" and "=" in joined[-1]
        if chosen and _NUMBER.fullmatch(part):
            joined[-1] += part
        else:
            joined.append(part)
    return joined


def locate(row: Mapping[str, Any], path: str) -> list[tuple[Location, Any]]:
    """Find the values that a path selects, each with the keys that lead there.

    Raises:
        DataError: the row has no such field; the message names its fields.
    """
    if path in row:
        return [((path,), row[path])]
    try:
        return _finder(path)(row, ())
    except DataError:
        if (values := _within_named(row, path)) is None:
            raise
        return values


def _within_named(row: Mapping[str, Any], path: str) -> list[tuple[Location, Any]] | None:
    """Find the values in a field that is called like a path, as the parts of `data.question`."""
    for key in row:
        if isinstance(key, str) and is_path(key) and path.startswith((f"{key}.", f"{key}[")):
            with contextlib.suppress(DataError):
                within = _finder("_" + path[len(key) :])({"_": row[key]}, ())
                return [((key, *inner), value) for (_, *inner), value in within]
    return None


def lacking(row: Mapping[str, Any], path: str) -> str | None:
    """Say what the items of lists lack if a path leads nowhere in a row for that reason.

    Returns:
        The message; "" if the path leads to a value, None if the lists have no such items.

    Raises:
        DataError: see `locate`.
    """
    if locate(row, path):
        return ""
    try:
        _finder(path, strict=True)(row, ())
    except DataError as error:
        return str(error)
    return None


def put_into(row: dict[str, Any], values: Iterable[tuple[Location, Any]]) -> None:
    """Put values at locations of `row`; copy what holds them before changing it, each once."""
    copies: dict[Location, Any] = {(): row}
    for location, value in values:
        here = row
        for depth in range(1, len(location)):
            inside, key = location[:depth], location[depth - 1]
            if inside not in copies:
                there: Any = here[key]  # type: ignore[index]
                copies[inside] = dict(there) if _is_object(there) else list(there)
                here[key] = copies[inside]  # type: ignore[index]
            here = copies[inside]
        here[location[-1]] = value  # type: ignore[index]


@lru_cache(maxsize=1024)
def written(location: Location) -> str:
    """Return a location written as a path."""
    path = ""
    for key in location:
        path += f"[{key}]" if isinstance(key, int) else f".{key}" if path else key
    return path


@lru_cache(maxsize=64)
def _finder(path: str, strict: bool = False) -> _Finder:
    """Return the function that finds the values of a path, a part of it after the other.

    Args:
        path: the path.
        strict: whether each item of a list must have the keys behind it.
    """

    def found(here: Any, location: Location) -> list[tuple[Location, Any]]:
        return [(location, here)]

    find: _Finder = found
    parts = selections(path)
    first = next((at for at, part in enumerate(parts) if is_each(part)), len(parts))
    for at, part in reversed([*enumerate(parts)]):
        within = _in_list if part[0] == "[" else _in_object
        find = within(part, path, find, optional=at > first and not strict)
    return find


def _in_object(key: str, path: str, rest: _Finder, *, optional: bool) -> _Finder:
    """Return the finder of a key; where only some items of a list have it, it may be absent."""

    def find(here: Any, location: Location) -> list[tuple[Location, Any]]:
        if not _is_object(here):
            forms = [path.replace(f".{key}", f"[{each}].{key}", 1) for each in ("*", "role=user")]
            is_item = _is_list(here) and f".{key}" in path
            hint = f"; of the items of a list, write {' or '.join(forms)}" * is_item
            raise DataError(f"the field {path!r}: can't find {key!r} in {_short(here)}{hint}")
        if key == ANY and ANY not in here:
            return [found for each in here for found in rest(here[each], (*location, each))]
        if key not in here:
            if optional:
                return []
            lacking = "" if key == path else f"there is no {key!r}; "
            raise DataError(f"no field {path!r}: {lacking}{suggestion(key, map(str, here), NEAR)}")
        return rest(here[key], (*location, key))

    return find


def _in_list(part: str, path: str, rest: _Finder, *, optional: bool) -> _Finder:
    """Return the finder of items; a string may be where others have a list to choose from."""
    key, equals, choice = part[1:].partition("]")[0].partition("=")
    number = _NUMBER.search(part)
    index = int(number[1]) if number else None

    def find(here: Any, location: Location) -> list[tuple[Location, Any]]:
        if optional and equals and isinstance(here, str):
            return []
        if not _is_list(here):
            raise DataError(f"the field {path!r}: expected a list for {part}; got {_short(here)}")
        entries: Any = range(len(here))
        if equals:
            objects = ((n, here[n]) for n in entries if _is_object(here[n]))
            entries = [n for n, value in objects if _as_in_path(_inside(value, key)) == choice]
        if index is not None:
            if not -len(entries) <= index < len(entries):
                raise DataError(f"no field {path!r}: the list has only {len(entries)} such items")
            entries = [entries[index]]
        return [found for n in entries for found in rest(here[n], (*location, n))]

    return find


def _inside(item: Any, key: str) -> Any:
    """Return what an object has at a key, or else at keys with dots between them; None if none."""
    if key in item or "." not in key:
        return item.get(key)
    for part in key.split("."):
        item = item.get(part) if _is_object(item) else None
    return item


# Rows of JSON hold dicts and lists; checks against the abstract classes are slow.
def _is_object(value: Any) -> bool:
    return type(value) is dict or isinstance(value, Mapping)


def _is_list(value: Any) -> bool:
    return type(value) is list or (isinstance(value, Sequence) and not isinstance(value, str))


def _as_in_path(value: Any) -> str | None:
    """Write a value as in a path: strings unchanged; numbers, true and false as in JSON."""
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
