"""Templates of values that differ between rows only in some places: as objects, and as JSON.

A template is a value of dicts, lists and the other types of JSON, with a `Column` wherever the rows
differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.engine.text.strings import Strings, column
from perturb.records import json_columns
from perturb.records.json_columns import JsonColumn
from perturb.values.arrays import NDArray

# The placeholder of a column in the JSON of a template; it can't occur in JSON.
_GAP = b"\0"


class Column(NamedTuple):
    """The values of all rows in one place of a template.

    Attributes:
        values: returns them as objects.
        json: returns them as bytes of JSON.
    """

    values: Callable[[], Iterable[Any]]
    json: Callable[[], JsonColumn]


def of_values(values: Sequence[Any]) -> Column:
    """Return the column of a value for each row."""
    return Column(lambda: values, lambda: json_columns.of_values(values))


def of_strings(
    strings: Callable[[], Sequence[str]], codes: Callable[[], Strings], rows: int
) -> Column:
    """Return the column of a string for each row, which can be had as code points too."""
    return Column(strings, lambda: json_columns.of_strings(strings, codes, rows))


def of_few(strings: Sequence[str]) -> Column | str:
    """Return a column of strings of which few differ; if all are equal, the string itself."""
    if len(set(strings)) == 1:
        return strings[0]
    return of_strings(lambda: strings, lambda: column(strings), len(strings))


def of_choices(choices: Sequence[Any], numbers: NDArray[np.integer[Any]]) -> Column:
    """Return the column of the values that numbers stand for in a list."""
    return Column(
        lambda: map(choices.__getitem__, numbers.tolist()),
        lambda: json_columns.of_choices(choices, numbers),
    )


def of_numbers(numbers: NDArray[Any]) -> Column:
    """Return the column of a number for each of at least one row."""
    return Column(numbers.tolist, lambda: json_columns.of_numbers(numbers))


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


def json_pieces(template: Any) -> list[bytes | JsonColumn]:
    """Return what the JSON of each row is put together of, as orjson writes it.

    Raises:
        orjson.JSONEncodeError: orjson does not write it; perhaps only when the rows are taken.
    """
    columns: list[Column] = []

    def gap(column: Column) -> orjson.Fragment:
        columns.append(column)
        return orjson.Fragment(_GAP)

    first, *others = orjson.dumps(template, default=gap).split(_GAP)
    pieces: list[bytes | JsonColumn] = [first]
    for own, after in zip(columns, others, strict=True):
        pieces += (own.json(), after)
    return pieces
