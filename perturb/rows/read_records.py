"""Read the records out of rows, wherever these are."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np

from perturb.errors import DataError, VerificationError
from perturb.io.frames import frame_of, kind_of, rows_of
from perturb.io.inputs import open_input
from perturb.io.jsonl import at_line
from perturb.plan.options import LINKAGE
from perturb.records.record import Record
from perturb.rows.stored import records_in


def read_records(data: Any) -> Iterator[Record]:
    """Read the linkage records back out of rows, wherever they are.

    Args:
        data: the path of a file or folder of any format; rows; a dict of columns; or a
            table of pandas, Polars, Arrow, Dask or Hugging Face.

    Yields:
        The record of each row, or those of its texts; none for a row whose record is missing.

    Raises:
        DataError: the file can't be read, or a row has no record, or a damaged one; the message
            says where.
        TypeError: it is nothing that holds rows.

    Examples:
        >>> from perturb import augment
        >>> rows = augment([{"id": "a", "text": "How many eggs?"}], "char_swap", p=0.1)
        >>> [record.original for record in read_records(rows)]
        ['How many eggs?']
    """
    if isinstance(data, str | PathLike):
        name = str(data)
        with contextlib.closing(open_input(name)) as source:
            for number, row in source.rows():
                with at_line(source.at(number)):
                    records = list(records_in(row))
                yield from records
        return
    for number, row in enumerate(_rows_in(data), 1):
        if isinstance(row, Mapping) and LINKAGE in row and row[LINKAGE] is None:
            continue
        try:
            records = list(records_in(_plain(row)))
        except (DataError, VerificationError) as error:
            raise type(error)(f"row {number}: {error}") from None
        yield from records


def _rows_in(data: Any) -> Iterable[Any]:
    """Return the rows of a table, or rows."""
    kind = kind_of(data)
    if kind in _NOT_IN_MEMORY:
        return _NOT_IN_MEMORY[kind](data)
    if kind is None and isinstance(data, Mapping):
        kind = "columns"
    if kind is not None:
        return rows_of(frame_of(data, kind))
    if isinstance(data, bytes) or not isinstance(data, Iterable):
        raise TypeError(f"expected rows, a table or a path; got {type(data).__name__}")
    iterable: Iterable[Any] = data
    return iterable


# Returns the rows of a table by its kind, as `kind_of` has it.
_NOT_IN_MEMORY: Mapping[str | None, Callable[[Any], Iterable[Any]]] = {
    "datasets": lambda data: chain.from_iterable(map(_rows_in, data.values())),
    "dataset lazy": iter,
    "dask": lambda data: _rows_in(data.compute()),
    "polars lazy": lambda data: _rows_in(data.collect()),
    "ray": lambda data: data.iter_rows(),
    "spark": lambda data: (row.asDict(recursive=True) for row in data.toLocalIterator()),
}


def _plain(value: Any) -> Any:
    """Return a value with lists in place of arrays, which pandas makes of lists in Parquet."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list):
        return list(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value
