"""Values in a JSON text, each with its place, so that an edit leaves all other bytes alone."""

from __future__ import annotations

import re
from typing import NamedTuple

import orjson

_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\]}]+')
_SPACE = re.compile(r"[ \t\r\n]*")
_KINDS = {'"': "string", "t": "boolean", "f": "boolean", "n": "null", "{": "object", "[": "list"}
# The nesting to which texts are read: results of tools are shallower, and a hostile text isn't.
_DEEPEST = 60


class Value(NamedTuple):
    """A value in a JSON text.

    Attributes:
        kind: "object", "list", "string", "number", "boolean" or "null".
        start: where it starts in the text.
        end: where it ends.
        name: its key in an object, or that of the list that it is in.
        parts: where its members start and end, each with its key, or its items.
    """

    kind: str
    start: int
    end: int
    name: str
    parts: tuple[tuple[int, int], ...] = ()


def values_in(text: str) -> list[Value] | None:
    """Return the values of a JSON text, the whole one last; None if it is no object and no list."""
    at = _after_space(text, 0)
    if text[at : at + 1] not in ("{", "["):
        return None
    found = list[Value]()
    try:
        orjson.loads(text)  # it is valid, so that reading it needs no checks
        _read(text, at, "", found, 0)
    except (ValueError, RecursionError):
        return None
    return found


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None  # it may be empty
    return match.end()


def _read(text: str, at: int, name: str, found: list[Value], depth: int) -> int:
    """Add the value at a place, and those in it; return where it ends."""
    first = text[at]
    if first not in "{[":
        scalar = _SCALAR.match(text, at)
        assert scalar is not None  # a value stands here
        found.append(Value(_KINDS.get(first, "number"), at, scalar.end(), name))
        return scalar.end()
    if depth == _DEEPEST:
        raise RecursionError
    parts, place = list[tuple[int, int]](), _after_space(text, at + 1)
    while text[place] not in "}]":
        begun, own = place, name
        if first == "{":
            key = _SCALAR.match(text, place)
            assert key is not None  # a member begins with its key
            own = text[place + 1 : key.end() - 1]
            place = _after_space(text, _after_space(text, key.end()) + 1)
        place = _read(text, place, own, found, depth + 1)
        parts.append((begun, place))
        place = _after_space(text, place)
        if text[place] == ",":
            place = _after_space(text, place + 1)
    found.append(Value(_KINDS[first], at, place + 1, name, tuple(parts)))
    return place + 1
