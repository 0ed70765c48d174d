"""Spans of a text, in the forms and units that annotators write them in; and edits of spans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from perturb.errors import DataError, shown
from perturb.values.arrays import Int64

# The names of the ends of a span in an object, in the order in which they are looked for; with a
# length, its start and its length.
ENDS = (
    ("start", "end"),
    ("start_char", "end_char"),
    ("start_offset", "end_offset"),
    ("begin", "end"),
    ("start_char_index", "end_char_index"),
    ("start_index", "end_index"),
    ("offset", "length"),
)
# The units of offsets, each with the code points from which on a character takes one more.
UNITS: Mapping[str, tuple[int, ...]] = {
    "characters": (),
    "utf16": (0x10000,),
    "bytes": (0x80, 0x800, 0x10000),
}


def rebuild(
    original: str, edits: Iterable[tuple[int, int, str] | tuple[int, int, str, str]]
) -> str:
    """Apply edits, which are in order and do not overlap, to the text they refer to."""
    parts: list[str] = []
    at = 0
    for start, end, text, *_ in edits:
        parts += (original[at:start], text)
        at = end
    return "".join([*parts, original[at:]])


def ends_of(label: Any) -> tuple[int, int]:
    """Return the start and the end of a span in any of its forms.

    Raises:
        DataError: it is none.
    """
    # As most are; the patterns below take several times as long.
    if type(label) is dict and "answer_start" not in label and "length" not in label:
        start, end = label.get("start"), label.get("end")
        if type(start) is type(end) is int:
            return start, end
    match label:
        case [int(start), int(end), *_]:
            return start, end
        case {"answer_start": int(start), "text": str(text)}:
            return start, start + len(text)
        case {"offset": int(start), "length": int(length)}:
            return start, start + length
        case Mapping():
            for first, last in ENDS[:-1]:
                if first in label and last in label:
                    return ends_of([label[first], label[last]])
    raise DataError(
        "a span is written [start, end], [start, end, label], "
        '{"start": ..., "end": ...}, {"offset": ..., "length": ...} or {"answer_start": ..., '
        f'"text": ...}}; got {shown(label)}. Tags of tokens need the list of tokens as the field '
        "of the text"
    )


def with_ends(label: Any, start: int, end: int) -> Any:
    """Return a span in the same form at another place."""
    if not isinstance(label, Mapping):
        return [start, end, *label[2:]]
    if "answer_start" in label:
        return {**label, "answer_start": start}
    names = next(names for names in ENDS if names[0] in label and names[1] in label)
    last = end - start if names == ENDS[-1] else end
    return {**label, names[0]: start, names[1]: last}


@lru_cache(maxsize=8)  # a text has many spans
def edges(text: str, unit: str) -> Int64:
    """Return how many units stand before each character of a text, and in all of it."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    sizes = np.ones(len(codes), np.int64)
    for least in UNITS[unit]:
        sizes += codes >= least
    return np.append(0, np.cumsum(sizes))


def in_characters(label: Any, text: str, unit: str) -> Any:
    """Return a span whose offsets count units of a text as one whose offsets count characters.

    Raises:
        DataError: an end lies within a character, or beyond the text.
    """
    if type(label) is not list and isinstance(label, Mapping) and "answer_start" in label:
        start = _character(label, ends_of(label)[0], text, unit)
        return with_ends(label, start, start)
    return with_ends(label, *(_character(label, end, text, unit) for end in ends_of(label)))


def _character(label: Any, offset: int, text: str, unit: str) -> int:
    if text.isascii() and 0 <= offset <= len(text):
        return offset  # whatever they count
    found = edges(text, unit)
    place = int(found.searchsorted(offset))
    if place == len(found) or found[place] != offset:
        where = "beyond its text" if place == len(found) else "within a character"
        raise DataError(f"the span {shown(label)} has an end {where}, if offsets count {unit}")
    return place


def in_units(span: tuple[int, int], text: str, unit: str) -> tuple[int, int]:
    """Return a span in characters of a text as one in its units."""
    if text.isascii():
        return span
    found = edges(text, unit)
    return int(found[span[0]]), int(found[span[1]])
