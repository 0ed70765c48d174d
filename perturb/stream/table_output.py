"""Writers of perturbed rows as tables: CSV, TSV and Parquet."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError
from perturb.io.csv_files import CsvInput, CsvWriter, Dialect, flattened
from perturb.io.formats import Input, Inputs
from perturb.io.jsonl import lines_of, loads
from perturb.io.outputs import Writable, replaceable
from perturb.io.parquet_files import ParquetInput, ParquetWriter
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.records.schema import NAMES
from perturb.rows.tables import new_types

if TYPE_CHECKING:
    from perturb.stream.output import RowWriter


def table_writer(out: Writable, name: str, form: str, source: Inputs, job: Job) -> RowWriter:
    """Return the writer of a table; see `row_writer`."""
    if form == "parquet":
        tables = source.format == "parquet"
        return ParquetWriter(out, name, partial(_schema, source, job), tables=tables)
    return CsvWriter(
        out,
        name,
        dialect=partial(_dialect, source, form),
        names=partial(_names, source, job),
        shape=spread,
    )


def plain_table_writer(out: Writable, name: str, form: str, source: Input) -> RowWriter:
    """Return the writer of a table of rows without records; columns have the types of the first."""
    if form == "parquet":
        return ParquetWriter(out, name, partial(_plain_schema, source), tables=False)
    return CsvWriter(
        out,
        name,
        dialect=lambda: Dialect("\t" if form == "tsv" else ","),
        names=list[str],
        shape=lambda row: row,
    )


def _plain_schema(source: Input, rows: list[dict[str, Any]]) -> Any:
    """Return the types of rows, which are those of a Parquet file that they are read from.

    Of an id, which has become a string there, it is its own.
    """
    import pyarrow as pa

    given = source.schema if isinstance(source, ParquetInput) else pa.schema([])
    types = {}
    for field in _types(rows):
        types[field.name] = field.type
        if field.name in given.names:
            with contextlib.suppress(pa.ArrowException, OverflowError):
                kept = given.field(field.name).type
                pa.array([row.get(field.name) for row in rows], kept)
                types[field.name] = kept
    return pa.schema(types)


def _dialect(source: Inputs, form: str) -> Dialect:
    """Return the dialect of the input where it has that format, else a plain one."""
    current = source.current
    if isinstance(current, CsvInput) and form == source.format:
        return current.dialect
    return Dialect("\t" if form == "tsv" else ",")


def _names(source: Inputs, job: Job) -> list[str]:
    """Return the names of the columns where there is no row; none where the input names none."""
    if isinstance(source.current, CsvInput):
        given = source.current.header
    elif isinstance(source.current, ParquetInput):
        given = source.current.schema.names
    else:
        return []
    return list(dict.fromkeys([*given, job.id_field, *(f"{LINKAGE}.{name}" for name in NAMES)]))


def spread(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with its record in columns of their own, `perturbation.edits` and so on."""
    return flattened(row, LINKAGE)


def _schema(source: Inputs, job: Job, rows: list[dict[str, Any]]) -> Any:
    """Return the schema of a Parquet file.

    Columns get the types that their values have in all rows of the input, or in its first rows
    where it can be read but once.
    """
    import pyarrow as pa

    from perturb.io.frames import schema_with

    new = new_types(job)
    if isinstance(source.current, ParquetInput):
        return schema_with(source.current.schema, new)
    if isinstance(source.current, CsvInput):
        return schema_with(pa.schema([(name, pa.string()) for name in source.current.header]), new)
    given: Iterable[list[dict[str, Any]]] = [
        [{k: v for k, v in row.items() if k not in new} for row in rows]
    ]
    if all(map(replaceable, source.paths)):
        given = chain(given, _row_lists(source.paths, source.format))
    found = pa.schema([])
    for some in given:
        try:
            found = pa.unify_schemas([found, _types(some)], promote_options="permissive")
        except pa.ArrowException as error:
            said = str(error).partition("\n")[0]
            raise DataError(
                f"{source.name}: Parquet needs one type for each field of all rows: {said}; "
                "make its values alike, or write JSON lines"
            ) from None
    return schema_with(found, new)


def _types(rows: list[dict[str, Any]]) -> Any:
    """Return the schema that some rows have.

    Raises:
        pyarrow.ArrowInvalid: a field has values of several types; the message names it.
    """
    import pyarrow as pa

    types = {}
    for name in dict.fromkeys(chain.from_iterable(rows)):
        try:
            types[name] = pa.array([row.get(name) for row in rows]).type
        except (pa.ArrowException, OverflowError) as error:
            raise pa.ArrowInvalid(f"field {name!r}: {error}") from error
    return pa.schema(types)


def _row_lists(paths: Sequence[str], form: str) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of files, some at a time, without those that are none."""
    for _, lines in Inputs(paths, form).blocks():
        made = []
        for _, line in lines_of(1, lines):
            try:
                row, _ = loads(line)
            except DataError:  # it is left out, or stops the run when its turn comes
                continue
            if isinstance(row, dict):
                made.append(row)
        yield made
