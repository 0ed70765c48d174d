"""Values that are alike in all rows but for some places: as objects, and as JSON.

A template is such a value, of dicts, lists and what else JSON knows, with a `Column` wherever the
rows differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

# Stands for a column in the JSON of a template, where it is the one thing that is no JSON.
_GAP = b"\0"


class Column(NamedTuple):
    """What stands in one place of every row.

    Attributes:
        values: makes it.
        json: makes it as JSON.
    """

    values: Callable[[], Iterable[Any]]
    json: Callable[[], Iterable[bytes]]


def of_values(values: Iterable[Any]) -> Column:
    """The column of a value for each row."""
    return Column(lambda: values, lambda: map(orjson.dumps, values))


def of_few(strings: Sequence[str]) -> Column | str:
    """The column of a string for each row, of which only few are different; if it is one, that."""
    different = set(strings)

    def json() -> Iterable[bytes]:
        written = {string: orjson.dumps(string) for string in different}
        return map(written.__getitem__, strings)

    return strings[0] if len(different) == 1 else Column(lambda: strings, json)


def of_choices(choices: Sequence[Any], numbers: NDArray[np.integer[Any]]) -> Column:
    """The column of what each number stands for in a list."""

    def json() -> Iterable[bytes]:
        return map(list(map(orjson.dumps, choices)).__getitem__, numbers.tolist())

    return Column(lambda: map(choices.__getitem__, numbers.tolist()), json)


def of_numbers(numbers: NDArray[Any]) -> Column:
    """The column of a number for each of at least one row."""
    return Column(numbers.tolist, lambda: orjson.dumps(numbers.tolist())[1:-1].split(b","))


def in_rows(template: Any, rows: int) -> Iterable[Any]:
    """The value of each row; rows share what is alike in all."""
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
    """The JSON of the value of each row, as orjson writes it.

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
