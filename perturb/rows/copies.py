"""Copies of perturbed texts elsewhere in their rows, which stay as they were and become stale."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.text_tables import TextTable
from perturb.plan.job import Job

# The rows of a file that are looked at, once a copy was found: a layout shows in its first rows,
# and more would cost what perturbing them does.
ROWS = 1000
# If so many first rows have none, the layout has none: to look at a row costs as much as perturbing
# it by a kernel, and small files would take twice as long.
_FEW = 100
# A text within another is a copy if it is no shorter: of fewer characters, words coincide.
_LEAST = 20
# Shorter texts that are equal as a whole are words such as yes, which answers and labels have too.
_LEAST_EQUAL = 5
# Parts of texts are in other fields by chance too; fewer than one row in twenty are no layout.
_HOLDS_PART, _LISTS_PARTS, _SHARE = "holds a part of", "lists parts of", 20
_BY_CHANCE = re.compile(f"' ({_HOLDS_PART}|{_LISTS_PARTS}) '")
_NUMBERS = re.compile(r"\[[0-9]+\]")


def noting(
    blocks: Iterator[tuple[int, Any]], job: Job, copies: Counter[str]
) -> Iterator[tuple[int, Any]]:
    """Yield blocks, and count the first rows with copies of the texts that a job perturbs.

    Fields that the job names are no copies, since the job says what becomes of them.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        job: the instructions for each row.
        copies: the counts, by the words for a copy.
    """
    left = ROWS
    for first, data in blocks:
        for row in _rows_in(data, left) if left else ():
            left -= 1
            copies.update({*_copies(row, job)})
            if not copies and ROWS - left == _FEW:
                left = 0
                break
        yield first, data
    for how in [how for how in copies if _BY_CHANCE.search(how)]:
        if copies[how] * _SHARE < ROWS - left:
            del copies[how]


def _rows_in(data: Any, most: int) -> Iterator[dict[str, Any]]:
    if isinstance(data, bytes):
        for line in data.split(b"\n", most)[:most]:
            with contextlib.suppress(ValueError):  # perturbing the row says so
                row = orjson.loads(line)
                if isinstance(row, dict):
                    yield row
        return
    part = data.slice(0, most)
    yield from part.rows() if isinstance(part, TextTable) else part.to_pylist()


def _copies(row: dict[str, Any], job: Job) -> Iterator[str]:
    texts: dict[str, str] = {}
    options: dict[str, list[str]] = {}
    named: set[json_path.Location] = {(job.id_field,)}
    for path in job.paths:
        with contextlib.suppress(DataError):  # perturbing the row says so
            # Most paths are keys.
            located = [((path,), row[path])] if path in row else json_path.locate(row, path)
            for location, value in located:
                named.add(location)
                if isinstance(value, list) and all(map(_is_text, value)):
                    options[path] = value
                elif _is_text(value) and path in job.field:
                    texts.setdefault(value, path)
    listed = (*job.field, *job.choice_paths)
    lists = {path: options[path] for path in listed if len(options.get(path, ())) > 1}
    for location, value in _values(row, (), named) if texts or lists else ():
        found = {path: _relation(value, text) for text, path in texts.items()}
        found |= {
            path: "repeats the items of"
            for path, items in lists.items()
            if isinstance(value, str) and all(item in value for item in items)
        }
        for path, how in found.items():
            if how:
                yield f"{_NUMBERS.sub('[*]', json_path.written(location))!r} {how} {path!r}"


def _values(
    value: Any, location: json_path.Location, named: set[json_path.Location]
) -> Iterator[tuple[json_path.Location, Any]]:
    """Yield a value and those in it, without those that are named."""
    if location in named:
        return
    if location:
        yield location, value
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _values(part, (*location, key), named)


def _relation(value: Any, text: str) -> str:
    """Say how a value depends on a text; "" if it doesn't."""
    if isinstance(value, str):
        if value == text:
            return "holds the text of" * (len(text) >= _LEAST_EQUAL)
        if len(text) >= _LEAST and text in value:
            return "contains the text of"
        return _HOLDS_PART * (len(value) >= _LEAST and value in text)
    if isinstance(value, dict):
        return "has offsets into" * _has_offsets(value, text)
    if not isinstance(value, list) or len(value) < 2 or not all(map(_is_text, value)):
        return ""
    if value == text.split():
        return "holds the tokens of"
    return _LISTS_PARTS * all(part in text for part in value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _has_offsets(value: dict[str, Any], text: str) -> bool:
    """Return true if an object has the place of its text in a text, or lists of them."""
    parts = value.get("text")
    starts = next((value[key] for key in value if "start" in key or "offset" in key), None)
    if not isinstance(parts, list) or not isinstance(starts, list):
        parts, starts = [parts], [starts]
    return any(
        _is_text(part) and type(start) is int and text.startswith(part, start)
        for part, start in zip(parts, starts, strict=False)
    )


def told(copies: Mapping[str, int], rows: int) -> str:
    """Return a note on the copies in a number of rows."""
    most = sorted(copies, key=lambda how: -copies[how])
    fields = ", ".join(f"{how} in {copies[how]:,}" for how in most[:3])
    more = f" and {len(most) - 3} more" * (len(most) > 3)
    return (
        f"of the first {min(rows, ROWS):,} rows, {fields}{more}: these fields stay as they were; "
        "name them with --field, --target, --choices or --spans, or give --copies ignore"
    )
