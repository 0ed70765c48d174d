"""Parquet files, read and written a few rows at a time; and tables as bytes. Needs pyarrow."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from perturb.errors import DataError, UsageError
from perturb.io.addresses import opened, public, size_of
from perturb.io.files import STANDARD, SeenBytes, readable, sha256_at
from perturb.io.formats import Columns, check_fields
from perturb.io.jsonl import dumps, written_rows
from perturb.io.outputs import Writable

# The rows read at a time: about 2 MB, and 4,096 at most, since Python objects take far more memory
# than short rows in Arrow. Fewer rows cost time for each block. Chosen by hand.
_BLOCK = 1 << 21
_MOST_ROWS = 4096
# The bytes of rows written together as a row group: smaller groups compress worse, and larger ones
# keep more in memory. Chosen by hand.
_GROUP = 1 << 23
# The bytes of a page: Arrow's 1 MB takes more time to write, and a seventh more bytes.
_PAGE = 4 << 20
_NOT_IN_JSON = (
    *(pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary),
    *(pa.types.is_decimal, pa.types.is_map, pa.types.is_duration),
)
# The errors that Arrow raises for damaged files.
_DAMAGED = (pa.ArrowException, OSError, ValueError, MemoryError, OverflowError)
# The errors that Arrow raises for values that don't have the types of a schema.
_NO_TABLE = (pa.ArrowException, OverflowError, UnicodeEncodeError)


class _FileDigest(SeenBytes):
    """The SHA-256 of a file, and the number of bytes read.

    A Parquet file isn't read in order, so the SHA-256 needs a pass of its own.
    """

    def __init__(self, path: str) -> None:
        super().__init__(hashed=False)
        self._path = path

    def hexdigest(self) -> str:
        return sha256_at(self._path)


class Reader:
    """A Parquet file.

    Args:
        path: the path of the file.
        max_row: the most bytes of a row; None for no limit.
        reading: ignored; the SHA-256 is computed on demand.

    Attributes:
        schema: the schema of its rows, in Arrow's form.
        digest: the SHA-256 of the file, and the number of bytes read so far.

    Raises:
        DataError: the file can't be read, or isn't a complete Parquet file.
        UsageError: the file is standard input.
    """

    _title = "Parquet"

    def __init__(self, path: str, max_row: int | None = None, **reading: Any) -> None:  # noqa: ARG002
        self._max_row = max_row
        if path == STANDARD:
            raise UsageError(f"{self._title} can't be read from standard input: give a file")
        self.name = public(path)
        with readable(path):
            self._raw, self.total = opened(path), size_of(path)
        try:
            self._open()
            self.header = self.schema.names
        except _DAMAGED as error:
            self._raw.close()
            raise self._error(error) from error
        self.digest = _FileDigest(path)

    def _open(self) -> None:
        self._file: Any = pq.ParquetFile(self._raw, pre_buffer=False, buffer_size=1 << 16)
        self.schema = self._file.schema_arrow

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _error(self, error: Exception) -> DataError:
        what = str(error).partition("\n")[0]
        return DataError(f"{self.name}: damaged, or not {self._title}: {what}")

    def batches(self) -> Iterator[tuple[int, Any]]:
        """Yield record batches, each with the number of its first row, from 1."""
        first = 1
        try:
            for batch in self._pieces():
                self._check_sizes(first, batch)
                yield first, batch
                first += batch.num_rows
                self.digest.size = self._share(first - 1)
        except DataError:
            raise
        except _DAMAGED as error:
            raise self._error(error) from error
        self.digest.size = self.total

    def _pieces(self) -> Iterator[Any]:
        """Yield batches of rows."""
        described = self._file.metadata
        groups = (described.row_group(index) for index in range(described.num_row_groups))
        size = sum(group.total_byte_size for group in groups)
        rows = rows_at_once(size, described.num_rows)
        yield from map(validated, self._file.iter_batches(rows))

    def _share(self, rows: int) -> int:
        """Return the bytes of the file that this number of rows takes."""
        return self.total * rows // max(1, int(self._file.metadata.num_rows))

    def _check_sizes(self, first: int, batch: Any) -> None:
        """Refuse a row that is too long."""
        if self._max_row is None or batch.nbytes <= self._max_row:
            return
        for index in range(batch.num_rows):
            if batch.slice(index, 1).nbytes > self._max_row:
                raise DataError(
                    f"{self.name}:{first + index}: the row is longer than {self._max_row >> 20} "
                    "MB, and would need up to 100 times its length of memory; perturb apply "
                    "--max-line MB allows longer ones"
                )

    def tables(self) -> Iterator[tuple[int, Any]]:
        """Yield Arrow tables, each with the number of its first row."""
        for first, batch in self.batches():
            yield first, pa.Table.from_batches([batch])

    def rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows with their numbers, from 1."""
        for first, batch in self.batches():
            yield from enumerate(self._listed(batch), first)

    def _listed(self, batch: Any) -> list[dict[str, Any]]:
        columns = list(map(self._values, batch.schema, batch.columns))
        return [dict(zip(self.header, row, strict=True)) for row in zip(*columns, strict=True)]

    def _values(self, field: Any, column: Any) -> list[Any]:
        """Return the values of a column as Python objects."""
        try:
            if any(map(_has_nanoseconds, _leaves(column))):
                raise ValueError("its times are finer than a microsecond")
            values: list[Any] = column.to_pylist()
        except (ValueError, OverflowError) as error:
            raise DataError(
                f"{self.name}: the column {field.name!r} of type {field.type} can't be read as "
                f"rows: {error}; read it as a table, write Parquet, or leave the column out"
            ) from error
        return values

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows in blocks of JSON lines, each with the number of the first.

        Raises:
            DataError: JSON can't hold a column.
        """
        self._check_json()
        for first, batch in self.batches():
            odd = any(_has_nan(leaf) for column in batch.columns for leaf in _leaves(column))
            yield first, b"".join(dumps(row, odd) for row in self._listed(batch))

    def _check_json(self) -> None:
        """Refuse columns that JSON would change."""
        for field in self.schema:
            if any(test(kind) for kind in _parts(field.type) for test in _NOT_IN_JSON):
                raise DataError(
                    f"{self.name}: JSON Lines and CSV can't hold the column {field.name!r} of type "
                    f"{field.type}: write Parquet, or leave the column out"
                )


def validated(batch: Any) -> Any:
    """Return a batch after validation: with false offsets, Arrow would read foreign memory.

    Raises:
        pyarrow.ArrowInvalid: the batch is damaged.
    """
    batch.validate(full=True)
    return batch


def rows_at_once(size: int, rows: int) -> int:
    """Return the number of rows in a block, given the bytes and number of all rows."""
    return max(1, min(_MOST_ROWS, _BLOCK // (size // max(1, rows) + 1)))


def _parts(kind: Any) -> Iterator[Any]:
    """Yield a type and the types within it."""
    yield kind
    for index in range(kind.num_fields):
        yield from _parts(kind.field(index).type)


def _leaves(array: Any) -> Iterator[Any]:
    """Yield the arrays of plain values within an array."""
    kind = array.type
    if pa.types.is_run_end_encoded(kind):
        inner = array.values
    elif pa.types.is_union(kind):
        inner = list(map(array.field, range(kind.num_fields)))
    elif pa.types.is_nested(kind) and not pa.types.is_map(kind):
        inner = array.flatten()
    else:
        yield array
        return
    for part in inner if isinstance(inner, list) else [inner]:
        yield from _leaves(part)


def _has_nan(array: Any) -> bool:
    """Return true if there are floating-point numbers that JSON can't hold."""
    import pyarrow.compute as pc  # only few commands need it

    return pa.types.is_floating(array.type) and pc.all(pc.is_finite(array)).as_py() is False


def _has_nanoseconds(array: Any) -> bool:
    """Return true if there are times of day that Python would truncate."""
    try:
        if array.type == pa.time64("ns"):
            array.cast(pa.time64("us"))
    except pa.ArrowInvalid:
        return True
    return False


def table_bytes(table: Any) -> bytes:
    """Return a table or a record batch in Arrow's form for exchange."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def table_of(data: bytes | memoryview) -> Any:
    """Return the table that `table_bytes` wrote; it doesn't refer to `data`.

    Kept tables are in Arrow's own memory; in Python's they would fragment it.
    """
    buffer = pa.allocate_buffer(len(data))
    memoryview(buffer).cast("B")[:] = data
    return pa.ipc.open_stream(buffer).read_all()


class _Sink(io.RawIOBase):
    """A stream for Arrow to write to, and to close."""

    def __init__(self, stream: Writable) -> None:
        self._to = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._to.write(bytes(data))
        return len(data)


class Writer:
    """Rows from tables, objects or lines of JSON, written as Parquet.

    Args:
        out: the stream to write to.
        name: the name of the file, for messages.
        columns: the columns of the rows; they get their types from the first rows, if any.
    """

    def __init__(self, out: Writable, name: str, columns: Columns) -> None:
        self._stream, self._name, self._columns = _Sink(out), name, columns
        self._schema: Any = None
        self._writer: Any = None
        self._kept: list[Any] = []
        self._size = 0
        self._rows = 0

    def write(self, data: Any) -> None:
        """Write rows."""
        if self._columns.tables:
            if data.num_rows:
                self._keep(data)
        elif rows := data if isinstance(data, list) else written_rows(data):
            self._keep(self._table_of(rows))

    def _table_of(self, rows: list[dict[str, Any]]) -> Any:
        """Return rows as a table."""
        self._schema = self._schema or self._columns.schema(rows)
        check_fields(self._name, self._rows + 1, rows, self._schema.names)
        try:
            table = pa.Table.from_pylist(rows, self._schema)
        except _NO_TABLE as error:
            raise self._misfit(rows, error) from None
        self._rows += len(rows)
        return table

    def _misfit(self, rows: list[dict[str, Any]], error: Exception) -> DataError:
        """Return the error for the first row that doesn't fit the schema."""
        for number, row in enumerate(rows, self._rows + 1):
            for field in self._schema:
                try:
                    pa.array([row.get(field.name)], field.type)
                except _NO_TABLE:
                    return DataError(
                        f"{self._name}: row {number} has {row[field.name]!r:.60} in "
                        f"{field.name!r}, a column of type {field.type} in the first rows: "
                        "write JSON Lines, or give the column one type"
                    )
        return DataError(f"{self._name}: {error}")

    def finish(self) -> None:
        """Write the remaining rows."""
        self._flush()
        with self._errors():
            if self._writer is None:
                self._open(self._schema or self._columns.schema([]))
            self._writer.close()

    def _keep(self, table: Any) -> None:
        self._kept.append(table)
        self._size += table.nbytes
        if self._size >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        """Write the kept rows as one row group."""
        if not self._kept:
            return
        with self._errors():
            table = pa.concat_tables(self._kept)
            self._kept, self._size = [], 0
            if self._writer is None:
                self._open(table.schema)
            self._write(table)

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        """Raise `DataError` for types that a file of this format can't hold."""
        try:
            yield
        except pa.ArrowException as error:
            raise DataError(f"{self._name}: {error}; write JSON Lines") from None

    def _write(self, table: Any) -> None:
        self._writer.write_table(table, row_group_size=table.num_rows)

    def _open(self, schema: Any) -> None:
        trial = pa.BufferOutputStream()
        pq.write_metadata(schema, trial)
        try:  # Arrow writes lists 50 levels deep, and doesn't read them
            pq.read_schema(pa.BufferReader(trial.getvalue()))
        except OSError as error:
            raise DataError(f"{self._name}: {error}; write JSON Lines") from None
        # Dictionaries of values would cost a fifth of the time to write, and save no bytes.
        self._writer = pq.ParquetWriter(
            self._stream, schema, compression="zstd", use_dictionary=False, data_page_size=_PAGE
        )
