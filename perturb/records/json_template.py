"""Templates of values that differ between rows only in some places: as objects, and as JSON.

A template is a value of dicts, lists and the other types of JSON, with a `Column` wherever the rows
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.arrays import NDArray

# The placeholder of a column in the JSON of a template; it can't occur in JSON.
_GAP = b"\0"


class Column(NamedTuple):
    """The values of all rows in one place of a template.

    Attributes:
        values: returns them as objects.
        json: returns them as JSON.
    """

    values: Callable[[], Iterable[Any]]
    json: Callable[[], Iterable[bytes]]


def of_values(values: Iterable[Any]) -> Column:
    """Return the column of a value for each row."""
    return Column(lambda: values, lambda: map(orjson.dumps, values))


def of_few(strings: Sequence[str]) -> Column | str:
    """Return a column of strings of which few differ; if all are equal, the string itself."""
    different = set(strings)

    def json() -> Iterable[bytes]:
        written = {string: orjson.dumps(string) for string in different}
        return map(written.__getitem__, strings)

    return strings[0] if len(different) == 1 else Column(lambda: strings, json)


def of_choices(choices: Sequence[Any], numbers: NDArray[np.integer[Any]]) -> Column:
    """Return the column of the values that numbers stand for in a list."""

    def json() -> Iterable[bytes]:
        return map(list(map(orjson.dumps, choices)).__getitem__, numbers.tolist())

    return Column(lambda: map(choices.__getitem__, numbers.tolist()), json)


def of_numbers(numbers: NDArray[Any]) -> Column:
    """Return the column of a number for each of at least one row."""
    return Column(numbers.tolist, lambda: orjson.dumps(numbers.tolist())[1:-1].split(b","))


def in_rows(template: Any, rows: int) -> Iterable[Any]:
    """Return the value of each row; rows share the parts that are equal in all."""
    if isinstance(template, Column):
        return template.values()
    if not isinstance(template, (dict, list)):
        return repeat(template, rows)
    parts = template.values() if isinstance(template, dict) else template
    columns = [in_rows(part, rows) for part in parts]
    if all(isinstance(column, repeat) for column in columns):
        return repeat(template, rows)
    each = zip(*columns, strict=True)
    if isinstance(template, dict):
        return [dict(zip(template, own, strict=True)) for own in each]
    return list(map(list, each))


def json_in_rows(template: Any, rows: int) -> Iterator[bytes]:
    """Return the JSON of the value of each row, as orjson writes it.

    Raises:
        orjson.JSONEncodeError: orjson does not write it.
    """
    columns: list[Column] = []

    def gap(column: Column) -> orjson.Fragment:
        columns.append(column)
        return orjson.Fragment(_GAP)

    first, *others = orjson.dumps(template, default=gap).split(_GAP)
    pieces: list[Iterable[bytes]] = [repeat(first, rows)]
    for column, after in zip(columns, others, strict=True):
        pieces += (column.json(), repeat(after, rows))
    return map(b"".join, zip(*pieces, strict=True))
