"""Paths to the texts of a row: `question`, `messages[*].content`, `messages[role=user].content`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from perturb.errors import DataError, UsageError, shown

Key = str | int
Location = tuple[Key, ...]

_PART = re.compile(r"(?:^|(?!^)\.)([^.\[\]]+)|\[(\*|[0-9]{1,9}|[^\[\]=]+=[^\[\]]*)\]")


@lru_cache(maxsize=64)
def parse(path: str) -> tuple[str, ...]:
    """Cut a path into its keys and, in brackets, its selections from lists.

    Raises:
        UsageError: it is no path.
    """
    parts, at = [], 0
    while at < len(path):
        found = _PART.match(path, at)
        if found is None:
            break
        parts.append(found[1] if found[1] is not None else f"[{found[2]}]")
        at = found.end()
    if at < len(path) or not parts:
        raise UsageError(
            f"can't read the field path {path!r}: write question, messages[*].content, "
            "messages[0].content or messages[role=user].content"
        )
    return tuple(parts)


@lru_cache(maxsize=64)
def is_many(path: str) -> bool:
    """Return true if a path may lead to several texts of one row."""
    return any(part.startswith("[") for part in parse(path))


def locate(row: Mapping[str, Any], path: str) -> list[tuple[Location, Any]]:
    """Find the values that a path leads to, each with the keys that lead there.

    Raises:
        DataError: the row has no such field; the message says what it has.
    """
    if path in row:
        return [((path,), row[path])]
    found: list[tuple[Location, Any]] = [((), row)]
    for part in parse(path):
        found = [
            ((*location, key), value)
            for location, here in found
            for key, value in _enter(here, part, path)
        ]
    return found


def at(here: Any, location: Location) -> Any:
    """Return the value at `location`."""
    for key in location:
        here = here[key]
    return here


def put(here: Any, location: Location, value: Any) -> Any:
    """Return a copy of `here` with `value` at `location`; it shares all other branches."""
    if not location:
        return value
    key, rest = location[0], location[1:]
    copy: Any = dict(here) if isinstance(here, Mapping) else list(here)
    copy[key] = put(copy[key], rest, value)
    return copy


def put_into(row: dict[str, Any], location: Location, value: Any) -> None:
    """Put `value` at `location` of `row`; copy nested values before changing them."""
    key, rest = location[0], location[1:]
    row[key] = put(row[key], rest, value) if rest else value  # type: ignore[index]


@lru_cache(maxsize=1024)
def written(location: Location) -> str:
    """Return a location written as a path."""
    path = ""
    for key in location:
        path += f"[{key}]" if isinstance(key, int) else f".{key}" if path else key
    return path


def _enter(here: Any, part: str, path: str) -> Iterator[tuple[Key, Any]]:
    if not part.startswith("["):
        if not isinstance(here, Mapping):
            raise DataError(f"the field {path!r}: can't find {part!r} in {_short(here)}")
        if part not in here:
            raise DataError(
                f"no field {path!r}: there is no {part!r}, but {', '.join(map(repr, here)) or '{}'}"
            )
        yield part, here[part]
        return
    if not isinstance(here, Sequence) or isinstance(here, str):
        raise DataError(f"the field {path!r}: expected a list for {part}; got {_short(here)}")
    selector = part[1:-1]
    if selector.isdigit():
        if int(selector) >= len(here):
            raise DataError(f"no field {path!r}: the list has only {len(here)} entries")
        yield int(selector), here[int(selector)]
        return
    key, equals, wanted = selector.partition("=")
    for index, value in enumerate(here):
        if not equals or (isinstance(value, Mapping) and _said(value.get(key)) == wanted):
            yield index, value


def _said(value: Any) -> str | None:
    """Write a value as a path does: a string as it is, a number, true or false as in JSON."""
    if isinstance(value, bool):
        return str(value).lower()
    return None if value is None else str(value)


def _short(value: Any) -> str:
    text = shown(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
