"""Lines of JSON: read and written without loss, however odd they are."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from perturb.errors import DataError, PerturbError, VerificationError
from perturb.io.files import InputFile
from perturb.io.outputs import Writable

if TYPE_CHECKING:
    from perturb.io.formats import Columns

# orjson turns integers beyond 64 bits into floats; lines with so many digits in a row go to the
# slower parser. Making all digits one and looking for a run is faster than a pattern. Three of
# every 18 neighbours are among every sixth character; where these are no digits all can be spared.
_ONE_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19


def _as_json(part: Any) -> Any:
    """Return what stands in JSON for a value that a library does not write by itself."""
    if isinstance(part, orjson.Fragment):  # it is written as JSON already
        return orjson.loads(orjson.dumps(part))
    if hasattr(part, "isoformat"):  # pandas's kind of datetime, which orjson does not know
        return part.isoformat()
    if type(part).__module__ == "uuid":
        return str(part)
    raise TypeError(f"JSON has no {type(part).__name__}")


_LINE = partial(orjson.dumps, default=_as_json, option=orjson.OPT_APPEND_NEWLINE)
# Two lone surrogates, which stand in JSON as one character does.
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
# The byte order mark that some programs put before a text.
BOM = b"\xef\xbb\xbf"
# What is wrong with a row of text that is read in a wrong encoding.
NULS = "it holds NULs, so it is in another encoding, such as --encoding utf-16"
_BLOCK = 1 << 20
_TOO_DEEP = "not usable JSON: it is nested too deeply"
# With it begins what stands for a row of another format that can't be read; JSON never does.
_BROKEN = b"\0"


def may_hold_long_numbers(lines: bytes) -> bool:
    """Return true if a line, or one of many, may hold a number too long for the fast parser."""
    sample = lines[::6].translate(_ONE_DIGIT)
    return b"000" in sample and _LONG_NUMBER in lines.translate(_ONE_DIGIT)


def loads(line: bytes, look_at_numbers: bool = True) -> tuple[Any, bool]:
    """Parse one line.

    Args:
        line: the line.
        look_at_numbers: whether the line may hold long numbers.

    Returns:
        The value; and whether it is odd: it holds lone surrogates, integers beyond 64 bits, NaN or
        infinities, which only `dumps` with `odd` writes as they were.

    Raises:
        DataError: it is not JSON; the message says where.
    """
    # The parser of the standard library takes more, and else says what is wrong.
    with contextlib.suppress(ValueError, TypeError, RecursionError):
        value = orjson.loads(line)
        if look_at_numbers and may_hold_long_numbers(line):
            orjson.dumps(json.loads(line.decode()))  # refuses integers beyond 64 bits
        return value, False
    if line.startswith(_BROKEN):
        raise DataError(_unbroken(line)[0])
    try:
        return json.loads(line.decode()), True
    except json.JSONDecodeError as error:
        raise DataError(_unreadable(line, error)) from None
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: byte {error.start + 1} of the line") from None
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except ValueError:  # what Python says of an integer beyond its limit of digits
        raise DataError("not usable JSON: a number has too many digits") from None


def _unreadable(line: bytes, error: json.JSONDecodeError) -> str:
    """Say why a line is no JSON; the first of an array or object over several lines is no mistake.

    Such a line can be read to its end, where a value is missing.
    """
    kind = {b"[": "array", b"{": "object"}.get(line.lstrip()[:1])
    message = f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
    if kind is None:
        return f"{message}; --format csv reads CSV, and --format text a plain text a line"
    if error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        return message
    return (
        f"the line begins a JSON {kind} and does not end it, but a row is an object on one line; "
        "--format json reads arrays, and objects over several lines"
    )


def broken(message: str, row: bytes) -> bytes:
    """Return a line that stands for a row of another format: `loads` raises the message for it."""
    return _BROKEN + orjson.dumps([message, row.decode("latin-1")])


def as_given(line: bytes) -> bytes:
    """Return the row that a line of `broken` stands for; any other line as it is."""
    return _unbroken(line)[1] if line.startswith(_BROKEN) else line


def _unbroken(line: bytes) -> tuple[str, bytes]:
    with contextlib.suppress(ValueError):
        match orjson.loads(line.removeprefix(_BROKEN)):
            case [str(message), str(row)]:
                return message, row.encode("latin-1")
    return "not JSON: it begins with a NUL", line  # it is a line of a file


def dumps(value: Any, odd: bool = False) -> bytes:
    """Write one line, with its line end.

    Raises:
        DataError: it is nested too deeply to be written, lone surrogates stand side by side, or a
            field holds what JSON does not.
    """
    if not odd:
        try:
            return _LINE(value)
        except orjson.JSONEncodeError:
            pass  # nested more deeply than orjson writes, or with what an odd line holds
    try:
        write = partial(json.dumps, value, separators=(",", ":"), default=_as_json)
        if pair := _PAIR.search(write(ensure_ascii=False)):
            raise DataError(
                f"{pair[0]!r}, two lone surrogates that came to stand side by side, would be "
                "read as one character: mend the text, or protect them"
            )
        return write().encode() + b"\n"
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except TypeError as error:
        raise _foreign(value, error) from None


def _foreign(value: Any, error: TypeError) -> DataError:
    """Return the error for a value that holds what JSON does not."""
    for name, part in value.items() if isinstance(value, Mapping) else ():
        try:
            json.dumps(part, default=_as_json)
        except TypeError as inner:
            return DataError(
                f"the field {name!r} can't be written as JSON: {inner}: write Parquet, or leave "
                "the field out"
            )
    return DataError(f"it can't be written as JSON: {error}")


def text_of_json(value: Any) -> str:
    """Return a value as the JSON text on one line.

    Raises:
        TypeError: it is not JSON.
    """
    # orjson refuses lone surrogates, which the standard library escapes, and writes null for NaN
    # and infinities.
    with contextlib.suppress(orjson.JSONEncodeError):
        if (text := orjson.dumps(value).decode()) != "null":
            return text
    return json.dumps(value, separators=(",", ":"))


def value_of_json(text: str) -> Any:
    """Return the value that `text_of_json` wrote.

    Raises:
        DataError: it is not JSON.
    """
    return loads(text.encode())[0]


def dumps_all(values: Sequence[Any], odd: Sequence[bool] = ()) -> bytes:
    """Write a line for each value.

    Args:
        values: the values.
        odd: for each whether it is odd, as `loads` says; by default none is.

    Raises:
        DataError: one can't be written; see `dumps`.
    """
    if any(odd):
        return b"".join(map(dumps, values, odd))
    try:
        return b"".join(map(_LINE, values))
    except orjson.JSONEncodeError:
        return b"".join(map(dumps, values))


def lines_of(first: int, lines: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a block that are not blank, with their numbers and no byte order mark.

    Args:
        first: the number of the first line, from 1.
        lines: whole lines.
    """
    if first == 1:
        lines = lines.removeprefix(BOM)
    numbered = enumerate(lines.split(b"\n"), first)
    return ((number, line) for number, line in numbered if line.strip())


def in_blocks(numbered: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield rows in blocks, with the number of the first; blank lines stand for those between.

    Args:
        numbered: each row as a line of JSON without its end, with its number; these rise.
    """
    first, following, size = 1, 1, 0
    parts: list[bytes] = []
    for number, row in numbered:
        if not parts:
            first = following = number
        parts += [b"\n" * (number - following), row, b"\n"]
        following, size = number + 1, size + len(row)
        if size >= _BLOCK:
            yield first, b"".join(parts)
            parts, size = [], 0
    if parts:
        yield first, b"".join(parts)


class Line(NamedTuple):
    """A line that is not blank.

    Attributes:
        number: its number.
        data: the line itself.
        value: what it holds.
        odd: whether the value is odd, as `loads` says.
        error: why it can't be read; None where it can.
    """

    number: int
    data: bytes
    value: Any = None
    odd: bool = False
    error: DataError | None = None


def parsed(first: int, lines: bytes) -> Iterator[Line]:
    """Yield the lines of a block that are not blank, each with its value or why it has none."""
    long_numbers = may_hold_long_numbers(lines)
    for number, line in lines_of(first, lines):
        yield parsed_line(number, line, long_numbers)


def parsed_line(number: int, line: bytes, look_at_numbers: bool = True) -> Line:
    """Return a line with its value or why it has none; see `loads`."""
    try:
        return Line(number, line, *loads(line, look_at_numbers))
    except DataError as error:
        return Line(number, line, error=error)


class Reader(InputFile):
    """A file of JSON lines, or of what becomes lines of JSON; see `perturb.io.formats.Input`."""

    header: Sequence[str] = ()
    schema = None
    dialect: Any = None

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the values of the lines that are not blank, with their numbers, from 1.

        Raises:
            DataError: a line is not JSON; the message says which.
        """
        for first, lines in self.blocks():
            for line in parsed(first, lines):
                if line.error is not None:
                    raise DataError(f"{self.name}:{line.number}: {line.error}") from None
                yield line.number, line.value


class Writer:
    """A writer of JSON lines, in which blocks come; see `perturb.io.formats.RowWriter`."""

    def __init__(self, out: Writable, _: str, columns: Columns) -> None:
        self._out, self._columns = out, columns

    def write(self, data: bytes | memoryview) -> None:
        """Write the rows in lines of JSON."""
        self._out.write(self._columns.ended(data))

    def finish(self) -> None:
        """There is nothing left."""


def written_rows(lines: bytes | memoryview) -> list[dict[str, Any]]:
    """Return the rows in lines that `dumps` wrote."""
    return [line.value for line in parsed(1, bytes(lines))]


def check_fields(
    name: str, first: int, rows: Sequence[Mapping[str, Any]], columns: Collection[str]
) -> None:
    """Refuse rows with a field that is no column of the table to which they are written.

    Args:
        name: the name of the file.
        first: the number of the first row.
        rows: the rows.
        columns: their names.
    """
    known = dict.fromkeys(columns).keys()
    for number, row in enumerate(rows, first):
        if not row.keys() <= known:
            field = next(field for field in row if field not in known)
            raise DataError(
                f"{name}: row {number} has the field {field!r}, for which there is no column, "
                "since the first rows have none: write JSON lines, or give each row the same fields"
            )


@contextlib.contextmanager
def at_line(place: str) -> Iterator[None]:
    """Put a file and line in front of the message; bad usage inside a line is a DataError."""
    try:
        yield
    except VerificationError as error:
        raise VerificationError(f"{place}: {error}") from None
    except PerturbError as error:
        raise DataError(f"{place}: {error}") from None
