"""Writers of perturbed rows, by the format of the output."""

from __future__ import annotations

from typing import Any, Protocol

from perturb.io.files import STANDARD
from perturb.io.formats import Input, Inputs
from perturb.io.outputs import Writable
from perturb.plan.job import Job


class RowWriter(Protocol):
    """A writer of rows in one format."""

    def write(self, data: Any) -> None:
        """Write the rows of a block, which are lines of JSON, or of a table if both files are."""

    def finish(self) -> None:
        """Write what is left."""


def row_writer(out: Writable, target: str, form: str, source: Inputs, job: Job) -> RowWriter:
    """Return the writer of an output.

    Args:
        out: where to write to.
        target: the name of the file.
        form: its format.
        source: the inputs, for their columns and their dialect.
        job: the instructions for each row.
    """
    if form == "jsonl":
        return _Lines(out)
    from perturb.stream.table_output import table_writer

    return table_writer(out, _name(target), form, source, job)


def plain_writer(out: Writable, target: str, form: str, source: Input) -> RowWriter:
    """Return the writer of an output of rows without records; see `row_writer`."""
    if form == "jsonl":
        return _Lines(out)
    from perturb.stream.table_output import plain_table_writer

    return plain_table_writer(out, _name(target), form, source)


def _name(target: str) -> str:
    return "standard output" if target == STANDARD else target


class _Lines:
    """A writer of JSON lines, in which blocks come."""

    def __init__(self, out: Writable) -> None:
        self._out = out

    def write(self, data: bytes | memoryview) -> None:
        """Write the lines of a block."""
        self._out.write(data)

    def finish(self) -> None:
        """There is nothing left."""
