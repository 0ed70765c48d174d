"""Arrow files, which Feather is too, and streams of Arrow, as Hugging Face keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from perturb.io import parquet_files
from perturb.io.addresses import opened


class Reader(parquet_files.Reader):
    """A file of Arrow; see `perturb.io.parquet_files.Reader`."""

    _title = "Arrow"

    def _open(self, path: str) -> None:
        self._raw = opened(path)
        try:
            try:
                self._file = pa.ipc.open_file(self._raw)
            except pa.ArrowInvalid:
                self._raw.seek(0)
                self._file = pa.ipc.open_stream(self._raw)
        except (OSError, ValueError):
            self._raw.close()
            raise
        self.schema = self._file.schema

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _pieces(self) -> Iterator[Any]:
        batches = (
            map(self._file.get_batch, range(self._file.num_record_batches))
            if isinstance(self._file, pa.ipc.RecordBatchFileReader)
            else self._file
        )
        for batch in batches:
            size = parquet_files.rows_at_once(batch.nbytes, batch.num_rows)
            yield from (batch.slice(at, size) for at in range(0, batch.num_rows, size))

    def _share(self, rows: int) -> int:  # noqa: ARG002
        return int(self._raw.tell())


class Writer(parquet_files.Writer):
    """Rows written as a file of Arrow; see `perturb.io.parquet_files.Writer`."""

    def _open(self, schema: Any) -> None:
        self._writer = pa.ipc.new_file(self._stream, schema)

    def _write(self, table: Any) -> None:
        self._writer.write_table(table)
