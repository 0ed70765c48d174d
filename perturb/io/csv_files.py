"""Files of comma- or tab-separated values, read row by row and written in the same dialect."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

import orjson
import regex

from perturb.errors import DataError
from perturb.io import jsonl
from perturb.io.jsonl import NULS, broken, check_fields, dumps, in_blocks, written_rows

_BOM = "\ufeff"

# The fields of a row in files without column names, such as MMLU's; and the option letters.
_QUESTION = ("question", "choices", "answer")
_LETTERS = {*"ABCD"}
_QUOTED = regex.compile('"[^"]*"')
# The longest row: the standard library's limit for a field, 128 KiB, is less than some texts have,
# and without one an open quote would read the whole file as one row. Chosen by hand.
_LONGEST = 1 << 26
# Bytes that aren't UTF-8 become half surrogates, and are restored when written.
_ODD, _HALF = "surrogateescape", regex.compile("[\udc80-\udcff]")


class Dialect(NamedTuple):
    """The form of a file.

    Attributes:
        delimiter: between two fields.
        line_end: after a row.
        bom: whether the file begins with a byte order mark.
        quote_all: whether all fields are quoted, not only those that need it.
    """

    delimiter: str = ","
    line_end: str = "\n"
    bom: bool = False
    quote_all: bool = False


class Reader(jsonl.Reader):
    """A file of separated values with the names of its columns in the first row.

    Args:
        path: see `InputFile`.
        max_row: the characters that a row may have, over all its lines.
        delimiter: the delimiter; None to detect it in the names of the columns.
        headerless: whether no row names the columns: each is a question, its options, its answer.
        reading: see `InputFile`.

    Attributes:
        header: the names of the columns, after the first row was read.
        dialect: the dialect of the file, after the first row was read.

    Raises:
        DataError: the file can't be read.
    """

    def __init__(
        self,
        path: str,
        max_row: int | None = None,
        *,
        delimiter: str | None = None,
        headerless: bool = False,
        **reading: Any,
    ) -> None:
        self._max_row = _LONGEST if max_row is None else max_row
        super().__init__(path, self._max_row, **reading)
        self._headerless = headerless
        self._delimiter = delimiter
        self.dialect = Dialect(delimiter or ",")

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with a blank line for each further line of a row.

        A row that can't be read becomes a line for which `perturb.io.jsonl.loads` raises the
        reason; the next row begins on the line after its first.

        Raises:
            DataError: the first row doesn't name the columns.
        """
        return in_blocks(self._numbered())

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """Yield each row as a line of JSON, with the number of the line on which it begins."""
        # `_RowLines` counts the whole row, and is the first to find it too long.
        csv.field_size_limit(max(csv.field_size_limit(), self._max_row))
        lines = _RowLines(self._lines(), self._max_row)
        try:
            head = next(lines, "")
        except _UNREADABLE as error:
            raise DataError(f"{self.name}:1: {self._reason(error)}") from None
        if not head.strip():
            raise DataError(f"{self.name}: the file must begin with the names of its columns")
        self.dialect = dialect_of(head, self._delimiter)
        lines.give_back([head.removeprefix(_BOM)])
        reader = csv.reader(lines, delimiter=self.dialect.delimiter, strict=True)
        while True:
            lines.begin_row()
            number = lines.number + 1
            try:
                values = next(reader)
            except StopIteration:
                return
            except _UNREADABLE as error:
                if not self.header:
                    raise DataError(f"{self.name}:{number}: {self._reason(error)}") from None
                yield number, broken(self._reason(error), lines.first_line())
                continue
            if not values:
                continue
            if not self.header and not self._headerless:
                self._begin(head, values)
                continue
            row: list[Any] = [*values]
            if self._headerless and len(values) > len(_QUESTION):
                self.header = [*_QUESTION]
                row = [values[0], values[1:-1], values[-1]]
            if len(row) == len(self.header):
                yield number, orjson.dumps(dict(zip(self.header, row, strict=True)))
            else:
                yield number, broken(self._misfit(values), lines.all_lines())

    def _reason(self, error: Exception) -> str:
        if isinstance(error, UnicodeDecodeError):
            return f"not UTF-8: {error.reason}; give its encoding, such as --encoding latin-1"
        if isinstance(error, csv.Error):
            return f"not CSV: {error}"
        return (
            f"the row is longer than {self._max_row >> 20} MB: is a quote left open? "
            "--max-line MB allows longer ones"
        )

    def _begin(self, head: str, names: list[str]) -> None:
        self.header = names
        if len(names) == 6 and names[-1] in _LETTERS and not _LETTERS & {*names[1:-1]}:
            raise DataError(
                f"{self.name}:1: the first row isn't names of columns but a question, four options "
                "and the right one, as in MMLU; --format mmlu reads such files"
            )
        twice = [name for at, name in enumerate(names) if name in names[:at]]
        if twice:
            raise DataError(f"{self.name}:1: two columns are named {twice[0]!r}")
        dialect = self.dialect._replace(quote_all=True)
        if _text_of([names], dialect).rstrip("\r\n") == head.removeprefix(_BOM).rstrip("\r\n"):
            self.dialect = dialect

    def _misfit(self, values: list[str]) -> str:
        fields = "1 field" if len(values) == 1 else f"{len(values)} fields"
        return (
            f"the row has {fields}, but the first line names {len(self.header)} columns (separated "
            f"by {self.dialect.delimiter!r})"
        )

    def _lines(self) -> Iterator[str | bytes]:
        """Yield the lines of the file with their ends; as bytes if they aren't UTF-8."""
        for _, block in super().blocks():
            try:
                yield from io.StringIO(block.decode(), newline="")
            except UnicodeDecodeError:
                for line in io.StringIO(block.decode("utf-8", _ODD), newline=""):
                    yield line.encode("utf-8", _ODD) if _HALF.search(line) else line


class _TooLongError(Exception):
    """A row has more characters than it may have."""


_UNREADABLE = (csv.Error, UnicodeDecodeError, _TooLongError)


class _RowLines:
    """Lines of a file that keep the current row, whose lines after the first can come again.

    Args:
        lines: the lines of a file.
        most: the most characters of a row, over all its lines.

    Attributes:
        number: the number of lines taken.
    """

    def __init__(self, lines: Iterator[str | bytes], most: int) -> None:
        self._lines = lines
        self._most = most
        self._row: list[str | bytes] = []
        self._again: list[str | bytes] = []
        self._size = 0
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines)
        self._row.append(line)
        self.number += 1
        self._size += len(line)
        if self._size > self._most:
            raise _TooLongError
        text = line if isinstance(line, str) else line.decode()
        if "\0" in text:
            raise csv.Error(NULS)
        return text

    def begin_row(self) -> None:
        """Forget the lines of the last row."""
        self._row, self._size = [], 0

    def give_back(self, lines: Sequence[str | bytes]) -> None:
        """Put back the lines that were taken last."""
        self._again += reversed(lines)
        self.number -= len(lines)

    def first_line(self) -> bytes:
        """Return the first line of the row without its end, and put back the others."""
        self.give_back(self._row[1:])
        return _encoded(self._row[:1])

    def all_lines(self) -> bytes:
        """Return the lines of the row without the last line end."""
        return _encoded(self._row)


def _encoded(lines: Sequence[str | bytes]) -> bytes:
    whole = b"".join(line.encode() if isinstance(line, str) else line for line in lines)
    return whole.rstrip(b"\r\n")


def dialect_of(head: str, delimiter: str | None) -> Dialect:
    """Return the dialect of a file.

    Args:
        head: its first line.
        delimiter: the delimiter; by default the most frequent one of `,;`, tab and `|`
            between the names of the columns.
    """
    end = "\r\n" if head.endswith("\r\n") else "\n"
    names = _QUOTED.sub("", head)
    return Dialect(delimiter or max(",;\t|", key=names.count), end, head.startswith(_BOM))


class Writer(jsonl.Writer):
    """Rows from lines of JSON, written as separated values under the keys of the first row.

    Strings are written unchanged, missing values as empty fields, and other values as JSON.

    Args:
        out: see `perturb.io.jsonl.Writer`; columns are read with the first row, or at the end.
        delimiter: the delimiter, if the dialect isn't that of the input.
    """

    # Whether the rows that were read had a header says nothing here: outputs always have one.
    def __init__(self, *out: Any, delimiter: str = ",", **_: bool) -> None:
        super().__init__(*out)
        self._dialect, self._names, self._rows = Dialect(delimiter), list[str](), 0

    def write(self, data: bytes | memoryview) -> None:
        """Write the rows in lines of JSON."""
        rows = list(map(self._columns.flat, written_rows(data)))
        if rows and not self._names:
            self._begin(list(rows[0]))
        check_fields(self._name, self._rows + 1, rows, self._names)
        self._rows += len(rows)
        self._write([[_cell(row.get(name)) for name in self._names] for row in rows])

    def finish(self) -> None:
        """Write the names of the columns if there was no row."""
        if not self._names and (names := self._columns.names()):
            self._begin(names)

    def _begin(self, names: list[str]) -> None:
        self._names = names
        self._dialect = self._columns.dialect() or self._dialect
        if self._dialect.bom:
            self._out.write(_BOM.encode())
        self._write([names])

    def _write(self, rows: Sequence[Sequence[str]]) -> None:
        text = _text_of(rows, self._dialect)
        try:
            self._out.write(text.encode())
        except UnicodeEncodeError as error:
            raise DataError(
                f"{self._name}: {text[error.start]!r} is half of a surrogate pair, which this "
                "format can't hold; write JSON Lines"
            ) from None


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    odd = isinstance(value, float) and not math.isfinite(value)
    return dumps(value, odd).decode().rstrip("\n")


def _text_of(rows: Sequence[Sequence[str]], dialect: Dialect) -> str:
    """Return rows as text."""
    lines: list[str] = []
    quoting: Literal[0, 1] = csv.QUOTE_ALL if dialect.quote_all else csv.QUOTE_MINIMAL
    # All versions of the library quote only the characters of this line end.
    kept = SimpleNamespace(write=lines.append)
    writer = csv.writer(kept, delimiter=dialect.delimiter, lineterminator="\r\n", quoting=quoting)
    writer.writerows(rows)
    return "".join([line[:-2] + dialect.line_end for line in lines])
