"""Writers of perturbed rows, by the format of the output."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from perturb.errors import UsageError
from perturb.io.files import STANDARD
from perturb.io.formats import Inputs, format_of
from perturb.io.outputs import Writable
from perturb.rows.job import Job

_RECORDS = ("json", "columns", "none")


class OutputForm(NamedTuple):
    """The form of an output.

    Attributes:
        format: of the file.
        record: the form of a record; "object" where the format holds objects.
    """

    format: str
    record: str


class RowWriter(Protocol):
    """A writer of rows in one format."""

    def write(self, data: Any) -> None:
        """Write the rows of a block, which are lines of JSON, or of a table if both files are."""

    def finish(self) -> None:
        """Write what is left."""


def output_form(target: str, given: str | None, record: str | None) -> OutputForm:
    """Return the form of an output.

    Args:
        target: the path of the file.
        given: its format where its name tells none.
        record: the form of a record in CSV and TSV, by default "json".

    Raises:
        UsageError: the format is not known, or has no such form of a record.
    """
    form = format_of(target, given)
    if record is not None and record not in _RECORDS:
        raise UsageError(f"a record is written as {', '.join(_RECORDS)}; got {record!r}")
    if form in ("csv", "tsv"):
        return OutputForm(form, record or "json")
    if record is not None:
        raise UsageError(f"--record is for CSV and TSV; in {target} a record is an object")
    return OutputForm(form, "object")


def row_writer(out: Writable, target: str, form: OutputForm, source: Inputs, job: Job) -> RowWriter:
    """Return the writer of an output.

    Args:
        out: where to write to.
        target: the name of the file.
        form: of the output.
        source: the inputs, for their columns and their dialect.
        job: the instructions for each row.
    """
    if form.format == "jsonl":
        return _Lines(out)
    name = "standard output" if target == STANDARD else target
    from perturb.stream.table_output import table_writer

    return table_writer(out, name, form, source, job)


class _Lines:
    """A writer of JSON lines, in which blocks come."""

    def __init__(self, out: Writable) -> None:
        self._out = out

    def write(self, data: bytes | memoryview) -> None:
        """Write the lines of a block."""
        self._out.write(data)

    def finish(self) -> None:
        """There is nothing left."""
