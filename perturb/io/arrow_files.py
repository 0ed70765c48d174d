"""Arrow files, including Feather, and Arrow streams, as Hugging Face stores them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from perturb.io import parquet_files


class Reader(parquet_files.Reader):
    """An Arrow file; see `perturb.io.parquet_files.Reader`.

    Attributes:
        dialect: "file" or "stream"; the output takes the same form.
    """

    _title = "Arrow"

    def _open(self) -> None:
        try:
            self._file, self.dialect = pa.ipc.open_file(self._raw), "file"
        except pa.ArrowInvalid:
            self._raw.seek(0)
            self._file, self.dialect = pa.ipc.open_stream(self._raw), "stream"
        self.schema = self._file.schema

    def _pieces(self) -> Iterator[Any]:
        batches = (
            map(self._file.get_batch, range(self._file.num_record_batches))
            if self.dialect == "file"
            else self._file
        )
        for batch in map(parquet_files.validated, batches):
            size = parquet_files.rows_at_once(batch.nbytes, batch.num_rows)
            yield from (batch.slice(at, size) for at in range(0, batch.num_rows, size))

    def _share(self, rows: int) -> int:  # noqa: ARG002
        return int(self._raw.tell())


class Writer(parquet_files.Writer):
    """Rows written as an Arrow file or stream; see `perturb.io.parquet_files.Writer`."""

    def _open(self, schema: Any) -> None:
        is_stream = self._columns.dialect() == "stream" and not self._name.endswith(".feather")
        options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        make = pa.ipc.new_stream if is_stream else pa.ipc.new_file
        self._writer = make(self._stream, schema, options=options)
        self._before = schema.empty_table()

    def _write(self, table: Any) -> None:
        # A file has one dictionary per column, and later rows may only add to it.
        table = pa.concat_tables([self._before, table]).unify_dictionaries()
        self._before = table.slice(0, 0)
        self._writer.write_table(table)
