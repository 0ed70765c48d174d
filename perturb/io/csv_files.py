"""Files of comma- or tab-separated values, read row by row and written in the same dialect."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import orjson
import regex

from perturb.errors import DataError
from perturb.io import jsonl
from perturb.io.formats import check_fields
from perturb.io.jsonl import (
    ENCODING,
    NO_NULS,
    NULS,
    at_line,
    broken,
    dumped,
    in_blocks,
    written_rows,
)
from perturb.io.text_tables import TextTable

_BOM = "\ufeff"
# The fields of a row in files without column names, such as MMLU's; and the option letters.
_QUESTION = ("question", "choices", "answer")
_LETTERS = {*"ABCD"}
_QUOTED = regex.compile('"[^"]*"')
_BREAK = regex.compile(r"[\t\r\n]")
# The longest row: the standard library's limit for a field, 128 KiB, is less than some texts have,
# and without one an open quote would read the whole file as one row. Chosen by hand.
_LONGEST = 1 << 26
# Bytes that aren't UTF-8 become half surrogates, and are restored when written.
_ODD, _UNREADABLE = "surrogateescape", regex.compile("[\udc80-\udcff\0]")
# What the standard library says of lines that are bytes, and of lines that end within quotes.
_NO_TEXT, _CUT = "iterator should return strings", "unexpected end of data"
# The places of a row among lines, and its values, or the line in its place from `broken`.
_Row = tuple[int, int, list[Any] | bytes]


class Dialect(NamedTuple):
    """The form of a file.

    Attributes:
        delimiter: between two fields.
        line_end: after a row.
        bom: whether the file begins with a byte order mark.
        quote_all: whether all fields are quoted, not only those that need it.
        quoted: whether any field is; else quotes are text, and no field has a line break.
    """

    delimiter: str = ","
    line_end: str = "\n"
    bom: bool = False
    quote_all: bool = False
    quoted: bool = True


class Reader(jsonl.Reader):
    """A file of separated values with the names of its columns in the first row.

    Args:
        path: see `InputFile`.
        max_row: the characters that a row may have, over all its lines.
        delimiter: the delimiter; None to detect it in the names of the columns.
        headerless: whether no row names the columns: each is a question, its options, its answer.
        quoted: whether fields may be in quotes; else each line is a row, and quotes are text.
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
        quoted: bool = True,
        **reading: Any,
    ) -> None:
        self._max_row = _LONGEST if max_row is None else max_row
        super().__init__(path, self._max_row, **reading)
        self._headerless = headerless
        self._delimiter = delimiter
        self._head = ""
        self.dialect = Dialect(delimiter or ",", quoted=quoted)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with a blank line for each further line of a row.

        A row that can't be read becomes a line for which `perturb.io.jsonl.loads` raises the
        reason; the next row begins on the line after its first.

        Raises:
            DataError: the first row doesn't name the columns.
        """
        return in_blocks(line for _, table in self.tables() for line in _json_lines(table))

    def tables(self) -> Iterator[tuple[int, TextTable]]:
        """Yield the rows as tables, each with the number of its first row; see `blocks`."""
        # The whole row is counted here, which is the first to find it too long.
        csv.field_size_limit(max(csv.field_size_limit(), self._max_row))
        lines: list[str | bytes] = []
        number = 1  # of the first of these lines
        for more in chain(self._lines(), [None]):
            lines += more or ()
            if number == 1 and not self._head:
                lines[:1] = [self._opened(lines[0] if lines else "")]
            rows, read = self._rows(number, lines, is_end=more is None)
            table = self._table(number, lines, rows)
            del lines[:read]
            number += read
            if table.numbers:
                yield table.numbers[0], table

    def _lines(self) -> Iterator[list[str | bytes]]:
        """Yield the lines of each block with their ends; as bytes if they can't be read."""
        for _, block in super().blocks():
            try:
                text, is_odd = block.decode(), False
            except UnicodeDecodeError:
                text, is_odd = block.decode("utf-8", _ODD), True
            lines = io.StringIO(text, newline="")
            if is_odd or "\0" in text:
                yield [
                    line.encode("utf-8", _ODD) if _UNREADABLE.search(line) else line
                    for line in lines
                ]
            else:
                yield [*lines]

    def _opened(self, head: str | bytes) -> str:
        """Return the first line without a byte order mark, and note the dialect that it shows."""
        if why := self._why_unread([head]):
            raise DataError(f"{self.name}:1: {why}")
        head = str(head)
        if not head.strip():
            raise DataError(f"{self.name}: the file must begin with the names of its columns")
        self.dialect = dialect_of(head, self._delimiter)._replace(quoted=self.dialect.quoted)
        self._head = head.removeprefix(_BOM)
        return self._head

    def _rows(
        self, number: int, lines: Sequence[str | bytes], *, is_end: bool
    ) -> tuple[list[_Row], int]:
        """Return the rows in lines, and the number of lines that they take.

        Args:
            number: the number of the first line.
            lines: lines with their ends; bytes can't be read.
            is_end: whether the file ends after them; else their last row may go on.
        """
        rows: list[_Row] = []
        may_be_long = sum(map(len, lines)) > self._max_row  # most blocks have no such row
        first = 0
        while first < len(lines):
            begin, end = first, first
            given: Any = map(lines.__getitem__, range(begin, len(lines)))
            quoting = csv.QUOTE_MINIMAL if self.dialect.quoted else csv.QUOTE_NONE
            form = {"delimiter": self.dialect.delimiter, "quoting": quoting, "strict": True}
            reader = csv.reader(given, **form)
            try:
                for values in reader:
                    end = begin + reader.line_num
                    if may_be_long and self._why_unread(lines[first:end]):
                        raise csv.Error
                    if values:
                        rows.append((first, end, values))
                    first = end
            except csv.Error as error:
                end = begin + reader.line_num + str(error).startswith(_NO_TEXT)
                why = self._why_unread(lines[first:end])
                if not why and end == len(lines) and str(error) == _CUT and not is_end:
                    break
                advice = "perturb apply --quoting none reads TSV without quotes"
                why = why or f"not CSV: {error}" + f"; {advice}" * (self.dialect.delimiter == "\t")
                if not (rows or self.header):
                    raise DataError(f"{self.name}:{number + first}: {why}") from None
                rows.append((first, first + 1, broken(why, _encoded(lines[first : first + 1]))))
                first += 1
        return rows, first

    def _why_unread(self, lines: Sequence[str | bytes]) -> str:
        """Return the reason why the lines of a row can't be read, if there is one."""
        if sum(map(len, lines)) > self._max_row:
            return (
                f"the row is longer than {self._max_row >> 20} MB: is a quote left open? "
                "perturb apply --max-line MB allows longer ones"
            )
        try:
            is_odd = any(isinstance(line, bytes) and line.decode() for line in lines[-1:])
        except UnicodeDecodeError as error:
            return f"not UTF-8: {error.reason}; {ENCODING}"
        return f"not CSV: {NULS}" if is_odd else ""

    def _table(self, number: int, lines: Sequence[str | bytes], rows: Sequence[_Row]) -> TextTable:
        """Return rows as a table; the first of a file may name the columns."""
        numbers, found, unread = list[int](), list[Sequence[Any]](), dict[int, bytes]()
        for first, end, row in rows:
            if isinstance(row, list):
                if not self.header and not self._headerless:
                    self._begin(row)
                    continue
                if self._headerless and len(row) > len(_QUESTION):
                    self.header = [*_QUESTION]
                    row = [row[0], row[1:-1], row[-1]]
                if len(row) != len(self.header):
                    row = broken(self._misfit(row), _encoded(lines[first:end]))
            if isinstance(row, bytes):
                unread[len(found)] = row
            numbers.append(number + first)
            found.append(row)
        for at in unread:
            found[at] = [None] * len(self.header)
        columns = list(map(list, zip(*found, strict=True))) or [[] for _ in self.header]
        return TextTable(dict(zip(self.header, columns, strict=True)), numbers, unread)

    def _begin(self, names: list[str]) -> None:
        self.header = names
        if len(names) == 6 and names[-1] in _LETTERS and not _LETTERS & {*names[1:-1]}:
            raise DataError(
                f"{self.name}:1: the first row isn't names of columns but a question, four options "
                "and the right one, as in MMLU; --format mmlu reads it"
            )
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise DataError(f"{self.name}:1: two columns are named {twice[0]!r}")
        dialect = self.dialect._replace(quote_all=self.dialect.quoted)
        quoted = _text_of([[name] for name in names], dialect)
        if quoted.rstrip("\r\n") == self._head.rstrip("\r\n"):
            self.dialect = dialect

    def _misfit(self, values: Sequence[str]) -> str:
        fields = "1 field" if len(values) == 1 else f"{len(values)} fields"
        return (
            f"the row has {fields}, but the first line names {len(self.header)} columns (separated "
            f"by {self.dialect.delimiter!r})"
        )


def _encoded(lines: Sequence[str | bytes]) -> bytes:
    whole = b"".join(line.encode() if isinstance(line, str) else line for line in lines)
    return whole.rstrip(b"\r\n")


def _json_lines(table: TextTable) -> Iterator[tuple[int, bytes]]:
    """Yield the rows of a table as lines of JSON, each with its number."""
    for at, (number, row) in enumerate(zip(table.numbers, table.rows(), strict=True)):
        yield number, table.broken.get(at) or orjson.dumps(row)


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
        quoted: see `Reader`.
    """

    # Whether the rows that were read had a header says nothing here: outputs always have one.
    def __init__(self, *out: Any, delimiter: str = ",", quoted: bool = True, **_: bool) -> None:
        super().__init__(*out)
        self._dialect = Dialect(delimiter, quoted=quoted)
        self._names, self._rows = list[str](), 0
        self._fields: list[str] = []

    def write(self, data: Mapping[str, Sequence[Any]] | bytes | memoryview) -> None:
        """Write the rows in columns or in lines of JSON."""
        rows = [data] if isinstance(data, Mapping) else written_rows(data)
        if not rows:
            return
        self._fields = self._fields or [*rows[0]]
        check_fields(self._name, self._rows + 1, rows, self._fields)
        if not isinstance(data, Mapping):
            data = {name: [row.get(name) for row in rows] for name in self._fields}
        columns = self._columns.flat(data)
        count = len(next(iter(columns.values()), ()))
        if not count:
            return
        if not self._names:
            self._begin(list(columns))
        self._rows += count
        empty = [""] * count
        self._write([_cells(columns.get(name, empty)) for name in self._names])

    def finish(self) -> None:
        """Write the names of the columns if there was no row."""
        if not self._names and (names := self._columns.names()):
            self._begin(names)

    def _begin(self, names: list[str]) -> None:
        self._names = names
        self._dialect = self._columns.dialect() or self._dialect
        if self._dialect.bom:
            self._out.write(_BOM.encode())
        self._write([[name] for name in names])

    def _write(self, columns: Sequence[Sequence[str]]) -> None:
        with at_line(self._name):
            text = _text_of(columns, self._dialect)
            if "\0" in text:
                raise DataError(NO_NULS)
        try:
            self._out.write(text.encode())
        except UnicodeEncodeError as error:
            raise DataError(
                f"{self._name}: {text[error.start]!r} is half of a surrogate pair, which this "
                "format can't hold; write JSON Lines"
            ) from None


def _cells(values: Sequence[Any]) -> Sequence[str]:
    """Return the values of a column as cells."""
    return values if set(map(type, values)) == {str} else list(map(cell_of, values))


def cell_of(value: Any) -> str:
    """Return a value as a cell."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return dumped(value).decode().rstrip("\n")


def _text_of(columns: Sequence[Sequence[str]], dialect: Dialect) -> str:
    """Return columns as the text of their rows, as the standard library writes it, but faster."""
    quoted = [_quoted(column, dialect) for column in columns]
    if len(columns) == 1 and dialect.quoted:  # a blank line would be no row
        quoted = [[cell or '""' for cell in quoted[0]]]
    rows = map(dialect.delimiter.join, zip(*quoted, strict=True))
    return "".join([row + dialect.line_end for row in rows])


def _quoted(column: Sequence[str], dialect: Dialect) -> Sequence[str]:
    """Return the cells of a column, in quotes where they need these."""
    if not dialect.quoted:
        for cell in filter(_BREAK.search, column if _BREAK.search("\0".join(column)) else ()):
            raise DataError(
                f"{cell!r:.60} has a tab or a line break, and a field without quotes can't; write "
                "JSON Lines"
            )
        return column

    def needs_quotes(text: str) -> bool:
        # To look for each alone takes less time than a pattern.
        return '"' in text or dialect.delimiter in text or "\n" in text or "\r" in text

    if not dialect.quote_all and not needs_quotes("\0".join(column)):
        return column
    return [
        '"' + cell.replace('"', '""') + '"' if dialect.quote_all or needs_quotes(cell) else cell
        for cell in column
    ]
