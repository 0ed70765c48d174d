"""JSON other than lines: an array of rows, or objects that span several lines."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

import orjson

from perturb.errors import DataError
from perturb.io import jsonl
from perturb.io.jsonl import BOM, in_blocks

_BETWEEN = re.compile(r"[\s,]*")
_LINE_ENDS = str.maketrans("\r\n", "  ")


class Reader(jsonl.Reader):
    """A file of JSON; JSON Lines are read as such.

    Attributes:
        dialect: "array", or "lines" for one value after another.
    """

    dialect = "lines"
    _ahead = b""

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
        decoder, parse = codecs.getincrementaldecoder("utf-8-sig")(), json.JSONDecoder().raw_decode
        text, number = self._longer("", decoder), 1
        at = text.index("[") + 1 if self.dialect == "array" else 0
        while True:
            at = _place_after(text, at)
            try:
                end = parse(text, at)[1]
            except json.JSONDecodeError as error:
                longer = self._longer(text[at:], decoder)
                if len(longer) == len(text) - at:
                    self._check_end(longer, number, error)
                    return
                text, at = longer, 0
                continue
            except RecursionError:
                raise DataError(f"{self.name}:{number}: the row is nested too deeply") from None
            line = text[at:end].translate(_LINE_ENDS).encode()
            if self._max_line is not None and len(line) > self._max_line:
                raise self._too_long(number)
            yield number, line
            at, number = end, number + 1

    def _longer(self, text: str, decoder: codecs.IncrementalDecoder) -> str:
        """Return a text extended to twice its length; unchanged at the end of the file."""
        parts, size = [text], -1
        while size < len(text) and (data := self._read()):
            try:
                parts.append(decoder.decode(data))
            except UnicodeDecodeError as error:
                raise DataError(f"{self.name}: not UTF-8: {error.reason}") from None
            size += len(data) + 1
        return "".join(parts)

    def _check_end(self, rest: str, number: int, error: json.JSONDecodeError) -> None:
        """Refuse the rest of a file unless it is empty or the end of an array."""
        if rest.strip() != ("]" if self.dialect == "array" else ""):
            what = f"not JSON: {error.msg}; got {rest[:30]!r}" if rest.strip() else "it is cut off"
            raise DataError(f"{self.name}:{number}: {what}")


def _place_after(text: str, at: int) -> int:
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
