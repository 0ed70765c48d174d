"""Parquet files, read and written a few rows at a time; and tables as bytes. Needs pyarrow."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from perturb.boundary import opened
from perturb.errors import DataError, UsageError, reason
from perturb.io.files import STANDARD, Digest
from perturb.io.jsonl import dumps, lines_of, loads
from perturb.io.outputs import Writable

# The rows that are read at a time hold about so many bytes, and are at most so many.
_BLOCK = 1 << 20
_MOST_ROWS = 2048
# The rows that are kept until they are written together, as one row group, hold so many bytes.
_GROUP = 1 << 23


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise UsageError(
            "Parquet files need the package pyarrow: pip install 'perturb-text[arrow]'"
        ) from error
    return pyarrow.parquet


class _FileDigest:
    """The SHA-256 of a file, and how much of it was read.

    Parts of a Parquet file are read in no order, so the SHA-256 takes a look of its own.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.size = 0

    def hexdigest(self) -> str:
        with opened(self._path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class ParquetInput:
    """A Parquet file.

    Args:
        path: of the file.
        max_row: the bytes that a row may have; None for any number.

    Attributes:
        schema: of its rows, in Arrow's form.

    Raises:
        DataError: the file can't be read, or is no whole Parquet file.
        UsageError: pyarrow is not installed, or the file is standard input.
    """

    def __init__(self, path: str, max_row: int | None = None) -> None:
        self._max_row = max_row
        if path == STANDARD:
            raise UsageError("Parquet is not read from standard input: give a file")
        self.name = path
        parquet = _parquet()
        try:
            self.total = Path(path).stat().st_size
            self._file = parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 16)
            self.schema = self._file.schema_arrow
        except (OSError, ValueError) as error:
            raise self._error(error) from error
        self._digest = _FileDigest(path)

    @property
    def digest(self) -> Digest:
        """The SHA-256 of the file, and how much of it was read so far."""
        return self._digest

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _error(self, error: Exception) -> DataError:
        if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
            return DataError(f"can't read {self.name}: {reason(error)}")
        said = str(error).partition("\n")[0]
        return DataError(f"{self.name}: it is damaged, or no Parquet file: {said}")

    def batches(self) -> Iterator[tuple[int, Any]]:
        """Yield record batches, with the number of their first row, from 1."""
        described = self._file.metadata
        rows = max(1, described.num_rows)
        groups = (described.row_group(index) for index in range(described.num_row_groups))
        each = sum(group.total_byte_size for group in groups) // rows + 1
        first = 1
        batches = self._file.iter_batches(max(1, min(_MOST_ROWS, _BLOCK // each)))
        while True:
            try:
                batch = next(batches, None)
            except (OSError, ValueError) as error:
                raise self._error(error) from error
            if batch is None:
                break
            self._check_sizes(first, batch)
            yield first, batch
            first += batch.num_rows
            self._digest.size = self.total * (first - 1) // rows
        self._digest.size = self.total

    def _check_sizes(self, first: int, batch: Any) -> None:
        """Refuse a row that is too long."""
        if self._max_row is None or batch.nbytes <= self._max_row:
            return
        for index in range(batch.num_rows):
            if batch.slice(index, 1).nbytes > self._max_row:
                raise DataError(
                    f"{self.name}:{first + index}: the row is longer than {self._max_row >> 20} "
                    "MB, and takes up to 100 times its length of memory; --max-line MB allows "
                    "longer ones"
                )

    def tables(self) -> Iterator[tuple[int, Any]]:
        """Yield tables of Arrow, with the number of their first row."""
        import pyarrow as pa

        for first, batch in self.batches():
            yield first, pa.Table.from_batches([batch])

    def rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the rows, with their numbers, from 1."""
        for first, batch in self.batches():
            yield from enumerate(self._listed(batch), first)

    def _listed(self, batch: Any) -> list[dict[str, Any]]:
        columns = list(map(self._values, batch.schema, batch.columns))
        return [
            dict(zip(self.schema.names, row, strict=True)) for row in zip(*columns, strict=True)
        ]

    def _values(self, field: Any, column: Any) -> list[Any]:
        """Return the values of a column in Python."""
        try:
            if any(map(_has_nanoseconds, _leaves(column))):
                raise ValueError("its times are finer than a microsecond")
            values: list[Any] = column.to_pylist()
        except (ValueError, OverflowError) as error:
            raise DataError(
                f"{self.name}: the column {field.name!r} of the type {field.type} can't be read as "
                f"rows: {error}: read it as a table, write Parquet, or leave the column out"
            ) from error
        return values

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with the number of the first.

        Raises:
            DataError: a column holds what JSON can't.
        """
        self._check_json()
        for first, batch in self.batches():
            odd = any(_has_nan(leaf) for column in batch.columns for leaf in _leaves(column))
            yield first, b"".join(dumps(row, odd) for row in self._listed(batch))

    def _check_json(self) -> None:
        """Refuse columns that would come back from JSON as something else."""
        import pyarrow.types as kinds

        refused = (
            kinds.is_binary,
            kinds.is_large_binary,
            kinds.is_fixed_size_binary,
            kinds.is_decimal,
            kinds.is_map,
            kinds.is_duration,
        )
        for field in self.schema:
            if any(test(kind) for kind in _parts(field.type) for test in refused):
                raise DataError(
                    f"{self.name}: the column {field.name!r} is of the type {field.type}, which "
                    "JSON lines and CSV do not hold: write Parquet, or leave the column out"
                )


def _parts(kind: Any) -> Iterator[Any]:
    """Yield a type and those that it is made of."""
    yield kind
    for index in range(kind.num_fields):
        yield from _parts(kind.field(index).type)


def _leaves(array: Any) -> Iterator[Any]:
    """Yield the arrays of plain values that an array is made of."""
    import pyarrow as pa

    if not pa.types.is_nested(array.type) or pa.types.is_map(array.type):
        yield array
        return
    inner = array.flatten()
    for one in inner if isinstance(inner, list) else [inner]:
        yield from _leaves(one)


def _has_nan(array: Any) -> bool:
    """Return true if floating-point numbers are there that JSON does not know."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pa.types.is_floating(array.type) and pc.all(pc.is_finite(array)).as_py() is False


def _has_nanoseconds(array: Any) -> bool:
    """Return true if times of day are there that Python would cut off."""
    import pyarrow as pa

    if array.type != pa.time64("ns"):
        return False
    try:
        array.cast(pa.time64("us"))
    except pa.ArrowInvalid:
        return True
    return False


def table_bytes(table: Any) -> bytes:
    """Return a table or a record batch in Arrow's form for exchange."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write(table)
    made: bytes = sink.getvalue().to_pybytes()
    return made


def table_of(data: bytes | memoryview) -> Any:
    """Return the table that `table_bytes` wrote, which needs `data` no more.

    Kept tables lie in Arrow's own memory: in Python's they would leave it in pieces.
    """
    import pyarrow as pa

    buffer = pa.allocate_buffer(len(data))
    memoryview(buffer).cast("B")[:] = data
    return pa.ipc.open_stream(buffer).read_all()


class _Sink(io.RawIOBase):
    """A stream to which Arrow writes, and which it may close."""

    def __init__(self, stream: Writable) -> None:
        self._to = stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._to.write(bytes(data))
        return len(data)


class ParquetWriter:
    """Rows, given as tables or as lines of JSON, written as Parquet.

    Args:
        stream: where to write to.
        name: of the file, for messages.
        schema: called for the schema of the rows, with the first of them, if there are any.
        tables: whether the rows come as tables of Arrow.
    """

    def __init__(
        self,
        stream: Writable,
        name: str,
        schema: Callable[[list[dict[str, Any]]], Any],
        *,
        tables: bool,
    ) -> None:
        self._tables = tables
        self._parquet = _parquet()
        self._stream = _Sink(stream)
        self._name = name
        self._schema_of = schema
        self._schema: Any = None
        self._writer: Any = None
        self._kept: list[Any] = []
        self._size = 0
        self._rows = 0

    def write(self, data: Any) -> None:
        """Write rows."""
        if self._tables:
            self._keep(data)
        else:
            self._write_rows([loads(line)[0] for _, line in lines_of(2, bytes(data))])

    def _write_rows(self, rows: list[dict[str, Any]]) -> None:
        import pyarrow as pa

        if not rows:
            return
        self._schema = self._schema or self._schema_of(rows)
        names = set(self._schema.names)
        try:
            for number, row in enumerate(rows, self._rows + 1):
                if not row.keys() <= names:
                    new = next(name for name in row if name not in names)
                    raise DataError(
                        f"{self._name}: row {number} has the field {new!r}, for which there is no "
                        "column, since none of the first rows has it: write JSON lines, or give "
                        "each row the same fields"
                    )
            table = pa.Table.from_pylist(rows, self._schema)
        except (pa.ArrowException, OverflowError, UnicodeEncodeError) as error:
            raise self._misfit(rows, error) from None
        self._rows += len(rows)
        self._keep(table)

    def _misfit(self, rows: list[dict[str, Any]], error: Exception) -> DataError:
        """Return the error for the first row that has not the types of the schema."""
        import pyarrow as pa

        for number, row in enumerate(rows, self._rows + 1):
            for field in self._schema:
                try:
                    pa.array([row.get(field.name)], field.type)
                except (pa.ArrowException, OverflowError, UnicodeEncodeError):
                    return DataError(
                        f"{self._name}: row {number} has {row[field.name]!r:.60} in "
                        f"{field.name!r}, a column of the type {field.type} by the first rows: "
                        "write JSON lines, or give the column one type"
                    )
        return DataError(f"{self._name}: {error}")

    def finish(self) -> None:
        """Write what is left."""
        self._flush()
        if self._writer is None:
            self._open(self._schema or self._schema_of([]))
        self._writer.close()

    def _keep(self, table: Any) -> None:
        self._kept.append(table)
        self._size += table.nbytes
        if self._size >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if not self._kept:
            return
        table = pa.concat_tables(self._kept)
        self._kept, self._size = [], 0
        if self._writer is None:
            self._open(table.schema)
        self._writer.write_table(table, row_group_size=table.num_rows)

    def _open(self, schema: Any) -> None:
        # Dictionaries of values would cost a fifth of the time to write, and save no bytes.
        self._writer = self._parquet.ParquetWriter(
            self._stream, schema, compression="zstd", use_dictionary=False
        )
