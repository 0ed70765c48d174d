"""Blocks cut into pieces of bounded memory, and the columns of an output."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from perturb.engine.native.kernels import line_ends
from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.formats import Columns, Format
from perturb.io.inputs import Inputs
from perturb.io.jsonl import parsed
from perturb.io.outputs import replaceable
from perturb.io.text_tables import TextTable
from perturb.plan.options import LINKAGE
from perturb.records.ids import with_id
from perturb.records.notation import NAMES
from perturb.rows.seen_ids import id_column

if TYPE_CHECKING:
    from perturb.plan.job import Job


# The number of the first row, and lines as bytes or a table.
Blocks = Iterator[tuple[int, Any]]

# The versions of the rows of a piece together hold so many bytes of input, if not one row's do.
_SIZE = 1 << 21


def pieces(blocks: Blocks, versions: int, most: int, at: Callable[[int], str]) -> Blocks:
    """Yield blocks as they are, or whole rows of them where there are many versions of each.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        versions: the number of versions of each row.
        most: the bytes that the versions of a row may have, if they are more than one.
        at: a function that names the place of a row.

    Raises:
        DataError: the versions of a row would have more.
    """
    for first, data in blocks:
        if _size_of(data) * versions <= _SIZE:
            yield first, data
            continue
        for number, piece in _cut(first, data, _SIZE // versions):
            size = _size_of(piece)
            if versions > 1 and size * versions > most:
                raise DataError(
                    f"{at(number)}: {versions:,} versions of a row of {size:,} bytes are more than "
                    f"the {most >> 20} MB that are held at a time: make fewer in a run, or allow "
                    "more with --max-line MB"
                )
            yield number, piece


def _size_of(data: Any) -> int:
    """Return the number of bytes of lines or of a table."""
    return len(data) if isinstance(data, bytes) else int(data.nbytes)


def _cut(first: int, data: Any, size: int) -> Blocks:
    """Yield the rows of a block in pieces of at most so many bytes, or of one row."""
    if not isinstance(data, bytes):
        rows = max(1, size * data.num_rows // data.nbytes)
        for at in range(0, data.num_rows, rows):
            number = data.numbers[at] if isinstance(data, TextTable) else first + at
            yield number, data.slice(at, rows)
        return
    at = 0
    while at < len(data):
        end = data.rfind(b"\n", at, at + size) + 1 or data.find(b"\n", at) + 1 or len(data)
        piece = data[at:end]
        yield first, piece
        first += line_ends(piece)
        at = end


def limited(blocks: Blocks, limit: int | None, *, to_end: bool) -> Blocks:
    """Yield the first rows of blocks, as many as the limit says.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        limit: the number of rows; None for all.
        to_end: whether what follows is read all the same, for its SHA-256.
    """
    left = limit
    for first, data in blocks:
        if left is None:
            yield first, data
        elif left:
            if isinstance(data, bytes):
                start, rows = _first_lines(data, left)
            else:
                start, rows = data.slice(0, left), min(left, data.num_rows)
            left -= rows
            yield first, start
        if left == 0 and not to_end:
            return


def _first_lines(data: bytes, limit: int) -> tuple[bytes, int]:
    """Return the first lines that are not blank, with those between, and how many they are."""
    rows, end = 0, 0
    while rows < limit and end < len(data):
        start, end = end, data.find(b"\n", end) + 1 or len(data)
        rows += bool(data[start:end].strip())
    return data[:end], rows


class PlainColumns(Columns):
    """The columns of rows without records.

    Args:
        source: where the rows come from.
        form: the format of the output.
    """

    def __init__(self, source: Inputs, form: Format) -> None:
        self.source, self._form = source, form

    def _of_source(self, name: str, default: Any) -> Any:
        same = self.source.format == self._form and self.source.inner is None
        return getattr(self.source.current, name, default) if same else default

    def dialect(self) -> Any:
        """Return the dialect of the input, where it has one, and the format of the output."""
        return self._of_source("dialect", None)

    def ended(self, lines: bytes | memoryview) -> bytes | memoryview:
        """Return lines with the ends of the input's, where it has the format of the output."""
        end = self._of_source("line_end", b"")
        return bytes(lines).replace(b"\n", end) if end == b"\r\n" else lines

    def names(self) -> list[str]:
        """Return the names of the columns where there is no row; none if the input names none."""
        return [name for name in self.source.header if name.partition(".")[0] != LINKAGE]

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of rows, which are those of the source if it has some.

        Of an id, which has become a string there, it is its own; without rows all fields are.
        """
        import pyarrow as pa

        given = {field.name: field.type for field in self.source.schema or ()}
        here = chain.from_iterable(rows) if rows else (name for name in given if name != LINKAGE)
        names = dict.fromkeys(here)
        types = {}
        for name in given.keys() & names.keys():
            with contextlib.suppress(pa.ArrowException, OverflowError):
                pa.array([row.get(name) for row in rows], given[name])
                types[name] = given[name]
        others = [{k: v for k, v in row.items() if k not in types} for row in rows]
        types |= {field.name: field.type for field in _schema_of(self.source, self._form, [others])}
        return pa.schema([(name, types[name]) for name in names])


class PerturbedColumns(PlainColumns):
    """The columns of perturbed rows.

    Args:
        source: the inputs.
        form: the format of the output.
        job: the instructions for each row.
    """

    def __init__(self, source: Inputs, form: Format, job: Job) -> None:
        super().__init__(source, form)
        self.job = job
        self.tables = job.rows is None and source.format.tables == form.tables != ""

    def names(self) -> list[str]:
        """Return the names of the columns where there is no row."""
        header, name = self.source.header, self.job.id_field
        added = (id_column(header, name) or name, *(f"{LINKAGE}.{part}" for part in NAMES))
        return list(dict.fromkeys([*header, *added]))

    def flat(self, columns: Mapping[str, Sequence[Any]]) -> Mapping[str, Sequence[Any]]:
        """Return columns with records in columns of their own, `perturbation.edits` and so on."""
        fields = {name: values for name, values in columns.items() if name != LINKAGE}
        records = columns[LINKAGE]
        return fields | {f"{LINKAGE}.{name}": [row[name] for row in records] for name in NAMES}

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of the columns of the input, and of those that are added.

        Columns without types hold strings; fields of no columns get the types that their values
        have in all rows of the input, or in its first rows where it can be read but once.
        """
        import pyarrow as pa

        from perturb.io.arrow_schemas import schema_with
        from perturb.rows.table_rows import new_types

        new, source = new_types(self.job), self.source
        if source.schema is not None:
            return schema_with(source.schema, new)
        values = (row.get(name) for row in rows[:1] for name in source.header)
        if source.header and all(isinstance(value, str) for value in values):
            return schema_with(pa.schema([(name, pa.string()) for name in source.header]), new)
        read = _row_lists(source) if all(map(replaceable, source.paths)) else ()
        samples = (  # fields of types of their own keep their places, whatever they held
            [self._untyped(row, new) for row in some] for some in chain([rows], read)
        )
        return schema_with(_schema_of(source, self._form, samples), new)

    def _untyped(self, row: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row with null in the fields that get a type of their own, and for its id."""
        fields, name = {k: None if k in new else v for k, v in row.items()}, self.job.id_field
        with contextlib.suppress(DataError):  # the row is bad, which perturbing it says
            if json_path.is_path(name) and "[" not in name:
                return with_id(fields, name, None)
        return fields


def _schema_of(source: Inputs, form: Format, samples: Iterable[list[dict[str, Any]]]) -> Any:
    """Return the schema that all rows have in a format.

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
    except UnicodeEncodeError as error:
        where = f"the field {name!r}" if name else "the name of a field"
        raise DataError(
            f"{source.name}: {where} holds {error.object[error.start]!r}, half of a surrogate "
            "pair, which Parquet and Arrow can't hold; write JSON Lines"
        ) from None
    except (pa.ArrowException, OverflowError) as error:
        what = str(error).partition("\n")[0]
        problem = f"field {name!r}: {what}" if name else what
        raise DataError(
            f"{source.name}: {form.title} needs one type for each field of all rows: "
            f"{problem}; make its values alike, or write JSON lines"
        ) from None
    return schema


def _row_lists(source: Inputs) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of files, some at a time, without those that are none."""
    again = Inputs(source.paths, source.format.name, encoding=source.encoding, inner=source.inner)
    for _, lines in again.blocks():
        yield [*rows_in(1, lines)]


def rows_in(first: int, data: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a block; what can't be read stops the run, or is left out, in its turn."""
    if isinstance(data, bytes):
        return (line.value for line in parsed(first, data) if isinstance(line.value, dict))
    return data.rows() if isinstance(data, TextTable) else iter(data.to_pylist())
