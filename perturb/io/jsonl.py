"""Lines of JSON, read and written without loss, however unusual they are."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from perturb.errors import DataError, PerturbError, VerificationError
from perturb.io.files import BLOCK, InputFile
from perturb.io.outputs import Writable

if TYPE_CHECKING:
    from perturb.io.formats import Columns

# orjson turns integers beyond 64 bits into floats, so lines with 19 digits in a row go to the
# slower parser. Mapping all digits to one and searching for a run is faster than a pattern. Of any
# 18 characters in a row, three are in a sample of every sixth: without "000" there, no run exists.
_ONE_DIGIT = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19
# What may not be written back as it stands: more digits than 64 bits or a float have, an exponent,
# zeros at the end, many in front, minus zero. The signs of one are looked for first.
_ODD_NUMBER = re.compile(
    rb"[:,\[\n]\s*(?:-0(?!\.)|-?(?:[0-9]{19}|(?=[0-9]+\.)[0-9.]{17}|[0-9.]+[eE]"
    rb"|[0-9]+\.(?:000|[0-9]+0(?![0-9]))))"
)
# As many as Python reads anywhere.
_MOST_DIGITS = 640
_SIGNS = (b"0.0", b"0e", b"0E", _LONG_NUMBER)


def as_json(part: Any) -> Any:
    """Return the JSON form of a value that the library doesn't write by itself."""
    if isinstance(part, Number):
        return orjson.Fragment(part.text)
    if hasattr(part, "isoformat"):  # pandas' datetimes, which orjson doesn't know
        return part.isoformat()
    if type(part).__module__ == "uuid":
        return str(part)
    raise TypeError(f"JSON has no {type(part).__name__}")


_LINE = partial(orjson.dumps, default=as_json, option=orjson.OPT_APPEND_NEWLINE)
# Two adjacent lone surrogates, which JSON writes like one character.
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
# The byte order mark with which some programs begin a text.
BOM = b"\xef\xbb\xbf"
# The message for a row of text that is read in the wrong encoding.
NULS = "it contains NULs, so it has another encoding: give perturb apply --encoding, such as utf-16"
# Most commands read UTF-8 alone.
ENCODING = "save it as UTF-8, or give perturb apply its encoding, such as --encoding latin-1"
# What refuses to write such a text, which could not be read back.
NO_NULS = "a text contains a NUL, with which this format can't be read back; write JSON Lines"

_TOO_DEEP = "not usable JSON: nested too deeply"
# Begins a line in place of an unreadable row of another format; JSON never begins like that.
_BROKEN = b"\0"


class Number(float):
    """A number of JSON that Python would write in another way: it is written as it stands."""

    text: str

    def __new__(cls, text: str) -> Number:
        """Return the number of a text."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def _float(text: str) -> float:
    return Number(text) if repr(float(text)) != text or "e" in text else float(text)


def _whole(text: str) -> float:
    return Number(text) if text == "-0" or len(text) > _MOST_DIGITS else int(text)


_as_written = partial(json.loads, parse_float=_float, parse_int=_whole, parse_constant=Number)


def may_hold_long_numbers(lines: bytes) -> bool:
    """Return true if any of these lines may hold a number too long for the fast parser."""
    sample = lines[::6].translate(_ONE_DIGIT)
    return b"000" in sample and _LONG_NUMBER in lines.translate(_ONE_DIGIT)


def may_hold_odd_numbers(lines: bytes) -> bool:
    """Return true if any of these lines may hold a number that isn't written back as it stands."""
    digits = lines.translate(_ONE_DIGIT)
    some = b"-0" in lines or any(sign in digits for sign in _SIGNS)
    return some and _ODD_NUMBER.search(b"\n" + lines) is not None


# By whether numbers are kept as they are written.
_LOOKS = (may_hold_long_numbers, may_hold_odd_numbers)


def loads(line: bytes, as_written: bool = False, look_at_numbers: bool = True) -> Any:
    """Parse one line.

    Args:
        line: the line.
        as_written: whether numbers are kept as they stand, for lines that are written again.
        look_at_numbers: whether the line may hold a number that the fast parser doesn't keep.

    Raises:
        DataError: it isn't JSON; the message says where.
    """
    try:
        value = orjson.loads(line)
        if not (look_at_numbers and _LOOKS[as_written](line)):
            return value
    except ValueError:
        pass  # the parser of the standard library accepts more, and describes errors better
    if line.startswith(_BROKEN):
        raise DataError(_unbroken(line)[0])
    try:
        return (_as_written if as_written else json.loads)(line.decode())
    except json.JSONDecodeError as error:
        raise UnreadableError(*_unreadable(line, error)) from None
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: byte {error.start + 1} of the line; {ENCODING}") from None
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except ValueError:  # an integer beyond Python's limit of digits
        raise DataError("not usable JSON: a number has too many digits") from None


class UnreadableError(DataError):
    """A line isn't JSON.

    Attributes:
        fault: why; the message says besides what to do about it.
    """

    def __init__(self, fault: str, advice: str = "") -> None:
        super().__init__(fault + advice)
        self.fault = fault


def _unreadable(line: bytes, error: json.JSONDecodeError) -> tuple[str, str]:
    """Say why a line isn't JSON, and what to do where it begins JSON over several lines or none.

    Such a line can be parsed to its end, where a value is missing.
    """
    kind = {b"[": "array", b"{": "object"}.get(line.lstrip()[:1])
    message = f"not JSON: {error.msg.removesuffix(' at')} at character {error.pos + 1}"
    if kind is None:
        return message, "; name CSV FILE.csv, text FILE.txt, or give perturb apply --format"
    if error.doc[error.pos :].strip() or error.msg.startswith("Unterminated"):
        return message, ""
    return (
        f"the line begins a JSON {kind} and doesn't end it",
        ", but a row is an object on one line; name a file with arrays, or with objects over "
        "several lines, FILE.json, or give perturb apply --format json",
    )


def broken(message: str, row: bytes) -> bytes:
    """Return a line for an unreadable row of another format: `loads` raises the message."""
    return _BROKEN + orjson.dumps([message, row.decode("latin-1")])


def as_given(line: bytes) -> bytes:
    """Return the row in a line from `broken`; any other line unchanged."""
    return _unbroken(line)[1] if line.startswith(_BROKEN) else line


def _unbroken(line: bytes) -> tuple[str, bytes]:
    with contextlib.suppress(ValueError):
        match orjson.loads(line.removeprefix(_BROKEN)):
            case [str(message), str(row)]:
                return message, row.encode("latin-1")
    return "not JSON: it begins with a NUL", line  # a line of a file, not from `broken`


def dumps(value: Any, odd: bool = False) -> bytes:
    """Write one line, with its line end.

    Args:
        value: the value.
        odd: whether it may hold NaN or infinities that `loads` did not read.

    Raises:
        DataError: it is nested too deeply, two lone surrogates are adjacent, or JSON has no form
            for a field.
    """
    if not odd:
        try:
            return _LINE(value)
        except orjson.JSONEncodeError:
            pass  # nested more deeply than orjson writes, a lone surrogate, or more than 64 bits
    try:
        return _written(value).encode() + b"\n"
    except RecursionError:
        raise DataError(_TOO_DEEP) from None
    except TypeError as error:
        raise _foreign(value, error) from None


def dumped(value: Any) -> bytes:
    """Write one line as `dumps` does, with NaN and infinities that orjson would make null."""
    line = dumps(value)
    return dumps(value, odd=True) if b"null" in line else line


def _written(value: Any) -> str:
    """Return the JSON of a value that orjson refuses."""
    parts: list[str] = []  # a comprehension would take a level of the stack more
    if isinstance(value, Number):
        return value.text
    if isinstance(value, str):
        with contextlib.suppress(orjson.JSONEncodeError):
            return orjson.dumps(value).decode()
        if pair := _PAIR.search(value):
            raise DataError(
                f"two lone surrogates became adjacent, and {pair[0]!r} would be read as one "
                "character: fix the text, or protect them"
            )
    if isinstance(value, dict):
        for key, part in value.items():
            parts += (_key(key) + _written(part),)
        return f"{{{','.join(parts)}}}"
    if isinstance(value, list | tuple):
        for part in value:
            parts += (_written(part),)
        return f"[{','.join(parts)}]"
    return json.dumps(value, separators=(",", ":"), default=as_json)


def _key(key: Any) -> str:
    """Return a key and a colon; JSON makes strings of numbers, true, false and null."""
    return f"{_written(key) if isinstance(key, str) else json.dumps({key: 0})[1:-4]}:"


def _foreign(value: Any, error: TypeError) -> DataError:
    """Return the error for a value without a form in JSON."""
    for name, part in value.items() if isinstance(value, Mapping) else ():
        try:
            json.dumps(part, default=as_json)
        except TypeError as inner:
            return DataError(
                f"the field {name!r} can't be written as JSON: {inner}; write Parquet, or leave "
                "the field out"
            )
    return DataError(f"it can't be written as JSON: {error}")


def text_of_json(value: Any) -> str:
    """Return a value as the JSON text on one line; see `dumps`."""
    return dumps(value, odd=isinstance(value, float)).decode()[:-1]


def value_of_json(text: str) -> Any:
    """Return the value that `text_of_json` wrote.

    Raises:
        DataError: it isn't JSON.
    """
    if text.isdecimal() and text.isascii() and len(text) < 16 and text[0] != "0":
        return int(text)  # as most are: an id
    return loads(text.encode(), as_written=True)


def lines_of(first: int, lines: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a block that aren't blank, numbered, without a byte order mark.

    Args:
        first: the number of the first line, from 1.
        lines: whole lines.
    """
    if first == 1:
        lines = lines.removeprefix(BOM)
    numbered = enumerate(lines.split(b"\n"), first)
    return ((number, line) for number, line in numbered if line.strip())


def in_blocks(numbered: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield rows in blocks, each with the number of the first; blank lines fill gaps.

    Args:
        numbered: rows as lines of JSON without line ends, with their increasing numbers.
    """
    first, following, size = 1, 1, 0
    parts: list[bytes] = []
    for number, row in numbered:
        if not parts:
            first = following = number
        parts += [b"\n" * (number - following), row, b"\n"]
        following, size = number + 1, size + len(row)
        if size >= BLOCK:
            yield first, b"".join(parts)
            parts, size = [], 0
    if parts:
        yield first, b"".join(parts)


class Line(NamedTuple):
    """A line that isn't blank.

    Attributes:
        number: its number.
        data: the line itself.
        value: its value.
        error: why it can't be read; None if it can.
    """

    number: int
    data: bytes
    value: Any = None
    error: DataError | None = None


def parsed(first: int, lines: bytes, as_written: bool = False) -> Iterator[Line]:
    """Yield the lines of a block that aren't blank, each with its value or error; see `loads`."""
    may_be_odd = _LOOKS[as_written](lines)
    for number, line in lines_of(first, lines):
        yield parsed_line(number, line, as_written, may_be_odd)


def parsed_line(number: int, line: bytes, as_written: bool, look_at_numbers: bool = True) -> Line:
    """Return a line with its value or error; see `loads`."""
    try:
        return Line(number, line, loads(line, as_written, look_at_numbers))
    except DataError as error:
        return Line(number, line, error=error)


class Reader(InputFile):
    """A file of JSON Lines, or one that becomes such; see `perturb.io.formats.Input`."""

    header: Sequence[str] = ()
    schema = None
    dialect: Any = None

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the values of the lines that aren't blank, with their numbers from 1.

        Raises:
            DataError: a line isn't JSON; the message says which.
        """
        for first, lines in self.blocks():
            may_be_odd, numbered = may_hold_long_numbers(lines), [*lines_of(first, lines)]
            if not may_be_odd and numbered:
                numbers, each = zip(*numbered, strict=True)
                with contextlib.suppress(ValueError):  # the line is found below
                    numbered, values = [], [*map(orjson.loads, each)]
                    yield from zip(numbers, values, strict=True)
            for number, line in numbered:
                try:
                    yield number, loads(line, look_at_numbers=may_be_odd)
                except DataError as error:
                    raise DataError(f"{self.name}:{number}: {error}") from None


class Writer:
    """A writer of JSON Lines, the form of its blocks; see `perturb.io.formats.RowWriter`.

    Args:
        out: the stream to write to.
        name: the name of the file, for messages.
        columns: the columns of the rows.
    """

    def __init__(self, out: Writable, name: str, columns: Columns) -> None:
        self._out, self._name, self._columns = out, name, columns

    def write(self, data: bytes | memoryview) -> None:
        """Write the rows in lines of JSON."""
        self._out.write(self._columns.ended(data))

    def finish(self) -> None:
        """Do nothing: all rows are written."""


def written_rows(lines: bytes | memoryview) -> list[dict[str, Any]]:
    """Return the rows in lines from `dumps`."""
    return [line.value for line in parsed(1, bytes(lines))]


@contextlib.contextmanager
def at_line(place: str) -> Iterator[None]:
    """Put a file and line before messages; a UsageError within becomes a DataError."""
    try:
        yield
    except VerificationError as error:
        raise VerificationError(f"{place}: {error}") from None
    except PerturbError as error:
        raise DataError(f"{place}: {error}") from None
