"""The columns of the rows that are written, for the writers of all formats."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from perturb.errors import DataError
from perturb.io.formats import Columns, Format
from perturb.io.inputs import Inputs
from perturb.io.jsonl import parsed
from perturb.io.outputs import replaceable
from perturb.plan.options import LINKAGE
from perturb.records.schema import NAMES

if TYPE_CHECKING:
    from perturb.plan.job import Job


class PlainColumns(Columns):
    """The columns of rows without records.

    Args:
        source: where the rows come from.
        form: the format of the output.
    """

    def __init__(self, source: Inputs, form: Format) -> None:
        self._source, self._form = source, form

    def _of_source(self, name: str, default: Any) -> Any:
        same = self._source.format == self._form
        return getattr(self._source.current, name, default) if same else default

    def dialect(self) -> Any:
        """Return the dialect of the input, where it has one, and the format of the output."""
        return self._of_source("dialect", None)

    def ended(self, lines: bytes | memoryview) -> bytes | memoryview:
        """Return lines with the ends of the input's, where it has the format of the output."""
        end = self._of_source("line_end", b"")
        return bytes(lines).replace(b"\n", end) if end == b"\r\n" else lines

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of rows, which are those of the source if it has some.

        Of an id, which has become a string there, it is its own.
        """
        import pyarrow as pa

        types = {field.name: field.type for field in _schema_of(self._source, [rows])}
        for field in self._source.schema or ():
            if field.name in types:
                with contextlib.suppress(pa.ArrowException, OverflowError):
                    pa.array([row.get(field.name) for row in rows], field.type)
                    types[field.name] = field.type
        return pa.schema(types)


class PerturbedColumns(PlainColumns):
    """The columns of perturbed rows.

    Args:
        source: the inputs.
        form: the format of the output.
        job: the instructions for each row.
    """

    def __init__(self, source: Inputs, form: Format, job: Job) -> None:
        super().__init__(source, form)
        self._job, self.typed = job, source.format.typed and form.typed

    def names(self) -> list[str]:
        """Return the names of the columns where there is no row; none if the input names none."""
        header = self._source.header
        added = (self._job.id_field, *(f"{LINKAGE}.{name}" for name in NAMES))
        return list(dict.fromkeys([*header, *added])) if header else []

    def flat(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row with its record in columns of their own, `perturbation.edits` and so on."""
        fields = {key: value for key, value in row.items() if key != LINKAGE}
        return fields | {f"{LINKAGE}.{key}": value for key, value in row[LINKAGE].items()}

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of the columns of the input, and of what is added.

        Columns without types hold strings; fields of no columns get the types that their values
        have in all rows of the input, or in its first rows where it can be read but once.
        """
        import pyarrow as pa

        from perturb.io.frames import schema_with
        from perturb.rows.table_rows import new_types

        new, source = new_types(self._job), self._source
        if source.schema is not None:
            return schema_with(source.schema, new)
        values = (row.get(name) for row in rows[:1] for name in source.header)
        if source.header and all(isinstance(value, str) for value in values):
            return schema_with(pa.schema([(name, pa.string()) for name in source.header]), new)
        samples: Iterable[list[dict[str, Any]]] = [
            [{k: v for k, v in row.items() if k not in new} for row in rows]
        ]
        if all(map(replaceable, source.paths)):
            samples = chain(samples, _row_lists(source))
        return schema_with(_schema_of(source, samples), new)


def _schema_of(source: Inputs, samples: Iterable[list[dict[str, Any]]]) -> Any:
    """Return the schema that all rows have.

    Raises:
        DataError: a field has values of several types; the message names it.
    """
    import pyarrow as pa

    schema, name = pa.schema([]), ""
    try:
        for rows in samples:
            types = {}
            for name in dict.fromkeys(chain.from_iterable(rows)):
                types[name] = pa.array([row.get(name) for row in rows]).type
            name = ""
            parts = [schema, pa.schema(types)]
            schema = pa.unify_schemas(parts, promote_options="permissive")
    except (pa.ArrowException, OverflowError) as error:
        what = str(error).partition("\n")[0]
        problem = f"field {name!r}: {what}" if name else what
        raise DataError(
            f"{source.name}: Parquet needs one type for each field of all rows: "
            f"{problem}; make its values alike, or write JSON lines"
        ) from None
    return schema


def _row_lists(source: Inputs) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of files, some at a time, without those that are none."""
    again = Inputs(source.paths, source.format.name, encoding=source.encoding)
    for _, lines in again.blocks():
        # What can't be read is left out, or stops the run when its turn comes.
        yield [line.value for line in parsed(1, lines) if isinstance(line.value, dict)]
