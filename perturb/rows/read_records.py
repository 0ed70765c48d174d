"""Read the records out of rows, wherever these are."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from os import PathLike
from typing import Any

from perturb.errors import DataError, VerificationError
from perturb.io.frames import frame_of, kind_of, rows_of
from perturb.io.inputs import Inputs, open_input
from perturb.io.jsonl import at_line, lines_of
from perturb.plan.options import LINKAGE
from perturb.records.record import Record
from perturb.rows.dict_rows import blocks_of, plain_values, written_lines
from perturb.rows.stored import records_in

# The formats whose rows are read as lines, and of others how many rows are read at a time.
LINES = ("jsonl", "json")
_AT_ONCE = 1024


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
            records = list(records_in(plain_values(row)))
        except (DataError, VerificationError) as error:
            raise type(error)(f"row {number}: {error}") from None
        yield from records


def rows_and_lines(source: Inputs) -> Iterator[tuple[list[tuple[int, Any]], list[bytes]]]:
    """Yield the rows of a file with their numbers, some at a time, and the lines that they are.

    The rows of a file of JSON are these lines.
    """
    if source.format.name in LINES:
        for first, block in source.blocks():
            numbered = list(lines_of(first, block.replace(b"\r\n", b"\n")))
            yield numbered, [line for _, line in numbered]
        return
    rows = source.rows()
    while some := list(islice(rows, _AT_ONCE)):
        lines = written_lines([row for _, row in some])
        for first, last in blocks_of(lines):
            yield some[first:last], lines[first:last]


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
