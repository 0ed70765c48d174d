"""JSON other than lines: an array of rows, or objects that span several lines."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from types import SimpleNamespace
from typing import Any

import orjson

from perturb.errors import DataError
from perturb.io import jsonl
from perturb.io.addresses import public
from perturb.io.files import AS_JSON
from perturb.io.inner_rows import InnerRows
from perturb.io.jsonl import BOM, in_blocks

_BETWEEN = re.compile(r"[\s,]*")
# Numbers stay text, since Python reads no whole number of more than 4,300 digits.
parse = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
_LINE_ENDS = str.maketrans("\r\n", "  ")


class Reader(jsonl.Reader):
    """A file of JSON; JSON Lines are read as such.

    Attributes:
        dialect: "array", or "lines" for one value after another.
        inner: the rows inside the values, if they are wanted: then each element of the outermost
            list is a value with the fields before it, and only one of them is in memory.
    """

    dialect = "lines"
    inner: InnerRows | None = None
    _ahead = b""

    def __init__(self, path: str, *bounds: Any, **reading: Any) -> None:
        super().__init__(path, *bounds, **reading)
        if (name := AS_JSON.get(PurePath(public(path)).suffix.lower())) is not None:
            from perturb.io import as_json  # most files are JSON

            pieces = getattr(as_json, name)(self, self._stream)
            self._stream = SimpleNamespace(read1=lambda _: next(pieces, b""))

    def _read(self) -> bytes:
        data, self._ahead = self._ahead, b""
        return data or super()._read()

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows in blocks of JSON lines, each with the number of the first.

        The number of a row is its line in JSON Lines, else its place among the rows.

        Raises:
            DataError: the file isn't JSON.
        """
        self._ahead = self._read()
        start = self._ahead.removeprefix(BOM).lstrip()
        if start[:1] == b"[":
            self.dialect = "array"
        elif start[:1] != b"{" or _is_object(start.partition(b"\n")[0]):
            return super().blocks()
        return in_blocks(self._numbered())

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """Yield each value on a line of its own, with its number."""
        self._number = 1
        for value in map("".join, self._values()):
            line = value.translate(_LINE_ENDS).encode()
            if self._max_line is not None and len(line) > self._max_line:
                raise self._too_long(self._number)
            yield self._number, line
            self._number += 1

    def _values(self) -> Iterator[tuple[str, str, str]]:
        """Yield each value as it is written, with what goes before and behind it in a line."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text, self._at = "", 0
        end = "]" if self._next_sign() == "[" else ""
        keys = self.inner.outermost if self.inner and not end else ()
        self._at += len(end)
        while (sign := self._next_sign()) != end:
            yield from self._elements(keys) if keys and sign == "{" else [("", self._value(), "")]
        self._at += len(end)
        if self._next_sign():
            raise self._fault(f"not JSON: it goes on after its end; got {self._rest!r}")

    def _elements(
        self, keys: Sequence[str], around: str = "", depth: int = 1
    ) -> Iterator[tuple[str, str, str]]:
        """Yield each element of the list to which keys lead, in objects with what stands before it.

        An object that has no such list is yielded with its keys, for a message that knows them.
        """
        assert self.inner is not None
        before, around, others, found = around, around + "{", list[str](), False
        out = self.inner.depth + 1 - depth
        self._at += 1
        while self._next_sign() == '"':
            written = self._value()
            if self._next_sign() != ":":
                raise self._fault(f"not JSON: expecting ':'; got {self._rest!r}")
            self._at += 1
            key, sign = json.loads(written), self._next_sign()
            if key != keys[0] or sign != "{["[len(keys) == 1]:
                value = self._value()
                if self.inner.keeps(out, key, is_plain=sign not in "{["):
                    around += f"{written}:{value},"
                others.append(f"{written}:null")
            elif keys[1:]:
                found = True
                yield from self._elements(keys[1:], f"{around}{written}:", depth + 1)
            else:
                found = True
                self._at += 1
                while self._next_sign() not in ("]", ""):
                    yield f"{around}{written}:[", self._value(), "]" + "}" * depth
                self._at += 1
        if self._next_sign() != "}":
            self._value()
        self._at += 1
        if not found:
            yield before, f"{{{','.join(others)}", "}" * depth

    def _next_sign(self) -> str:
        """Return the next sign but white space and commas; at the end of the file ""."""
        while True:
            self._at = place_after(self._text, self._at)
            if self._at < len(self._text) or not self._longer():
                return self._text[self._at : self._at + 1]

    def _value(self) -> str:
        """Return the next value as it is written."""
        while True:
            try:
                end = parse(self._text, self._at)[1]
                problem = ""
            except json.JSONDecodeError as error:
                end, problem = len(self._text), f"not JSON: {error.msg}"
            except RecursionError:
                raise self._fault("the row is nested too deeply") from None
            start = self._at
            # What ends with the text may go on, as a number does: 1, 1. and 1e of 1.5e+30.
            if not problem and (
                self._text[start] in '{["' or self._text[end : end + 1] not in ("", ".", "e", "E")
            ):
                break
            if not self._longer():
                if not problem:
                    break
                raise self._fault(
                    f"{problem}; got {self._rest!r}" if self._rest else "it is cut off"
                )
        self._at = end
        return self._text[start:end]

    def _longer(self) -> bool:
        """Read as much again as there is, or more; false at the end of the file."""
        parts, size = [self._text[self._at :]], -1
        while size < len(parts[0]) and (data := self._read()):
            try:
                parts.append(self._decoder.decode(data))
            except UnicodeDecodeError as error:
                raise DataError(f"{self.name}: not UTF-8: {error.reason}") from None
            size += len(data) + 1
        self._text, self._at = "".join(parts), 0
        return size >= 0

    @property
    def _rest(self) -> str:
        return self._text[self._at : self._at + 30].strip()

    def _fault(self, what: str) -> DataError:
        return DataError(f"{self.name}:{self._number}: {what}")


def place_after(text: str, at: int) -> int:
    """Return the place behind white space and commas."""
    match = _BETWEEN.match(text, at)
    return at if match is None else match.end()


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


class Writer(jsonl.Writer):
    """Rows from lines of JSON, written as an array, or as lines if the input is JSON in lines."""

    _before = b""

    def write(self, data: Any) -> None:
        """Write the rows in lines of JSON."""
        lines = bytes(data)
        if self._columns.dialect() == "lines":
            self._out.write(self._columns.ended(lines))
        elif lines:
            rows = lines.removesuffix(b"\n").replace(b"\n", b",\n")
            self._out.write(self._columns.ended((self._before or b"[\n") + rows))
            self._before = b",\n"

    def finish(self) -> None:
        """End the array."""
        if self._columns.dialect() != "lines":
            self._out.write(self._columns.ended(b"\n]\n" if self._before else b"[]\n"))
