"""Read the records out of rows, as they were written, and check the answers beside them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from os import PathLike
from typing import Any

import numpy as np

from perturb.errors import DataError, VerificationError, shown
from perturb.io import json_path
from perturb.io.formats import open_input, read_rows
from perturb.io.frames import frame_of, kind_of, rows_of
from perturb.io.jsonl import at_line, text_of_json
from perturb.records.record import Record, records_in
from perturb.records.schema import LINKAGE
from perturb.rows.target_field import answer_after


def read_records(data: Any, *, id_field: str = "id") -> Iterator[Record]:
    """Read the linkage records back out of rows, wherever they are.

    Args:
        data: the path of a file (JSON lines, CSV, TSV or Parquet); rows; a dict of columns; or a
            table of pandas, Polars, Arrow, Dask or Hugging Face.
        id_field: the field that names a row.

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
            for number, row in read_rows(source):
                with at_line(name, number):
                    records = list(records_of(row, id_field))
                yield from records
        return
    for number, row in enumerate(_rows_in(data), 1):
        if isinstance(row, Mapping) and LINKAGE in row and row[LINKAGE] is None:
            continue
        try:
            records = list(records_of(_plain(row), id_field))
        except DataError as error:
            raise type(error)(f"row {number}: {error}") from None
        yield from records


def _rows_in(data: Any) -> Iterable[Any]:
    """Return the rows of a table, or rows."""
    kind = kind_of(data)
    if kind == "datasets":
        return chain.from_iterable(map(_rows_in, data.values()))
    if kind == "dataset lazy":
        return (row for row in data)
    if kind == "dask":
        return _rows_in(data.compute())
    if kind == "polars lazy":
        return _rows_in(data.collect())
    if kind is None and isinstance(data, Mapping):
        kind = "columns"
    if kind is not None:
        return rows_of(frame_of(data, kind))
    if isinstance(data, bytes) or not isinstance(data, Iterable):
        raise TypeError(f"expected rows, a table or a path; got {type(data).__name__}")
    rows: Iterable[Any] = data
    return rows


def _plain(value: Any) -> Any:
    """Return a value with lists in place of arrays, which pandas makes of lists in Parquet."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | list):
        return list(map(_plain, value))
    return value.item() if isinstance(value, np.generic) else value


def records_of(row: Mapping[str, Any], id_field: str) -> Iterator[Record]:
    """Yield the records in a row of a file, of either contract.

    Raises:
        DataError: the row holds no record, or a damaged one.
        VerificationError: its answer is not what its record makes of the original one.
    """
    for record in records_in(row, id_field):
        linkage = record.to_dict()[LINKAGE]
        if linkage.get("answer") is not None:
            _check_answer(row, record, linkage, flat=not isinstance(row.get(LINKAGE), Mapping))
        yield record


def _check_answer(
    row: Mapping[str, Any], record: Record, linkage: Mapping[str, Any], *, flat: bool
) -> None:
    """Check that the answer in a row is what the steps of its record make of the original one.

    Where the row is `flat`, from a file that holds only texts, the answer is one too.

    The notes that this follows are compared with what the steps give again, as all of a step is.
    """
    try:
        ((_, got),) = json_path.locate(row, linkage["answer"]["field"])
        ((_, value),) = json_path.locate(row, record.field)
        wanted = answer_after(linkage, record.original, value)
    except DataError:
        raise
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise VerificationError(f"{record.id}: its record is damaged: {error}") from error
    if flat and not isinstance(wanted, str):
        wanted = text_of_json(wanted)
    if type(got) is not type(wanted) or got != wanted:
        raise VerificationError(
            f"{record.id}: the answer in {linkage['answer']['field']!r} is {shown(got)}; "
            f"by its record it is {shown(wanted)}"
        )
