"""Columns of JSON: the value of each row as bytes, in an array with others or on its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from perturb.arrays import Codes, Int64
from perturb.engine.native import kernels, library
from perturb.engine.text.strings import Strings, packed

# What stands between the strings of a list, and in no string: a quote in one has a backslash.
_BETWEEN = np.frombuffer(b'","', np.uint8)

# The kernels take columns of the first kind. Without them the second is faster: the bytes of a row
# are gone before those of the next are made.
JsonColumn = Strings | Iterable[bytes]


def of_values(values: Iterable[Any]) -> Iterable[bytes]:
    """Yield the JSON of each value.

    Raises:
        orjson.JSONEncodeError: orjson does not write one of them.
    """
    return map(orjson.dumps, values)


def of_strings(strings: Sequence[str]) -> JsonColumn:
    """Return the column of strings.

    Raises:
        orjson.JSONEncodeError: one of them holds a lone surrogate.
    """
    if library.LIBRARY is None:
        return of_values(strings)
    codes = _codes(orjson.dumps(strings))
    lengths = np.fromiter(map(len, strings), np.int64, len(strings)) + 2
    if len(codes) == int(lengths.sum()) + len(strings) + 1:  # no character takes two bytes
        starts = 1 + np.cumsum(lengths + 1) - (lengths + 1)
        return Strings(codes, starts, starts + lengths)
    first, second, third = _BETWEEN
    (between,) = ((codes[:-2] == first) & (codes[1:-1] == second) & (codes[2:] == third)).nonzero()
    return _between(codes, between + 1)


def of_numbers(numbers: NDArray[Any]) -> JsonColumn:
    """Return the column of a number for each of at least one row."""
    data = orjson.dumps(numbers.tolist())
    if library.LIBRARY is None:
        return data[1:-1].split(b",")
    codes = _codes(data)
    return _between(codes, np.flatnonzero(codes == ord(",")))


def joined(pieces: Sequence[bytes | JsonColumn], rows: int) -> JsonColumn:
    """Return the column that has in each row one piece after the other.

    Args:
        pieces: columns of bytes, and what is the same in all rows.
        rows: how many there are.
    """
    if library.LIBRARY is not None:
        columns = [one if isinstance(one, bytes) else to_strings(one) for one in pieces]
        made = kernels.join(columns, rows)
        if made is not None:
            return made
    each = [repeat(one, rows) if isinstance(one, bytes) else to_bytes(one) for one in pieces]
    return map(b"".join, zip(*each, strict=True))


def to_bytes(column: JsonColumn) -> Iterable[bytes]:
    """Yield the bytes of each row."""
    if not isinstance(column, Strings):
        return column
    data = column.codes.tobytes()
    edges = zip(column.starts.tolist(), column.ends.tolist(), strict=True)
    return (data[start:end] for start, end in edges)


def to_strings(column: JsonColumn) -> Strings:
    """Return the column in an array."""
    if isinstance(column, Strings):
        return column
    each = list(column)
    lengths = np.fromiter(map(len, each), np.int64, len(each))
    return packed(_codes(b"".join(each)), lengths)


def _codes(data: bytes) -> Codes:
    return np.frombuffer(data, np.uint8)


def _between(codes: Codes, commas: Int64) -> Strings:
    """Return the items of one list, which are between its commas."""
    starts, ends = np.append(0, commas) + 1, np.append(commas, len(codes) - 1)
    return Strings(codes, starts, ends)
