"""Columns of JSON: the value of each row as bytes, in an array with others or on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np
import orjson

from perturb.engine.native import library
from perturb.engine.native.rows import Quoted, join
from perturb.engine.text.strings import Strings, packed
from perturb.values.arrays import Int64, NDArray

# The kernels take columns of the first three kinds. Without them the last is faster: the bytes of a
# row are gone before those of the next are made.
JsonColumn = Strings | Int64 | Quoted | Iterable[bytes]
# Fewer rows are put together sooner than a kernel is called.
_MANY = 32


def of_values(values: Iterable[Any]) -> Iterable[bytes]:
    """Yield the JSON of each value.

    Raises:
        orjson.JSONEncodeError: orjson does not write one of them.
    """
    return map(orjson.dumps, values)


def of_strings(
    strings: Callable[[], Sequence[str]], codes: Callable[[], Strings], rows: int
) -> JsonColumn:
    """Return the column of strings, which can be had as strings and as code points."""
    return Quoted(codes()) if _kernels_pay(rows) else of_values(strings())


def of_numbers(numbers: NDArray[Any]) -> JsonColumn:
    """Return the column of a number for each of at least one row."""
    kernels = _kernels_pay(len(numbers))
    if kernels and numbers.dtype == np.int64:
        return numbers
    data = orjson.dumps(numbers.tolist())
    if not kernels:
        return data[1:-1].split(b",")
    codes = np.frombuffer(data, np.uint8)
    (commas,) = (codes == ord(",")).nonzero()
    return Strings(codes, np.append(1, commas + 1), np.append(commas, len(codes) - 1))


def of_choices(choices: Sequence[Any], numbers: NDArray[np.integer[Any]]) -> JsonColumn:
    """Return the column of the values that numbers stand for in a list."""
    if _kernels_pay(len(numbers)):
        return to_strings(of_values(choices)).take(numbers.astype(np.int64))
    return map(list(of_values(choices)).__getitem__, numbers.tolist())


def joined(pieces: Sequence[bytes | JsonColumn], rows: int) -> JsonColumn:
    """Return the column that has in each row one piece after the other.

    Args:
        pieces: columns of bytes, and what is the same in all rows.
        rows: how many there are.

    Raises:
        orjson.JSONEncodeError: a value can't be written; perhaps only when its row is taken.
    """
    if _kernels_pay(rows):
        pieces = columns = [_for_kernels(one) for one in pieces]
        made = join(columns, rows)
        if made is not None:
            return made
    each = [repeat(one, rows) if isinstance(one, bytes) else to_bytes(one) for one in pieces]
    return map(b"".join, zip(*each, strict=True))


def to_bytes(values: JsonColumn) -> Iterable[bytes]:
    """Yield the bytes of each row.

    Raises:
        orjson.JSONEncodeError: a string holds a lone surrogate.
    """
    if isinstance(values, Quoted):
        return of_values(values.texts.to_list())
    if isinstance(values, np.ndarray):
        return of_values(values.tolist())
    if not isinstance(values, Strings):
        return values
    data = values.codes.tobytes()
    edges = zip(values.starts.tolist(), values.ends.tolist(), strict=True)
    return (data[start:end] for start, end in edges)


def to_strings(values: JsonColumn) -> Strings:
    """Return the column as bytes in an array.

    Raises:
        orjson.JSONEncodeError: a string holds a lone surrogate.
    """
    if isinstance(values, Strings):
        return values
    each = list(to_bytes(values))
    lengths = np.fromiter(map(len, each), np.int64, len(each))
    return packed(np.frombuffer(b"".join(each), np.uint8), lengths)


def _kernels_pay(rows: int) -> bool:
    return library.LIBRARY is not None and rows >= _MANY


def _for_kernels(piece: bytes | JsonColumn) -> bytes | Strings | Int64 | Quoted:
    return piece if isinstance(piece, bytes | np.ndarray | Quoted) else to_strings(piece)
