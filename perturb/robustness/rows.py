"""Rows and where they stand, so that an error can name the place."""

from __future__ import annotations

import gzip
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from perturb.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Row = dict[str, Any]


class Source(NamedTuple):
    """Numbered rows that can be read more than once, and how to name a place in them."""

    place: str
    rows: Iterable[tuple[int, Row]]

    def at(self, number: int) -> str:
        """Name the place of a row, as in `scored.jsonl, line 3`."""
        return self.place.format(number)

    def row(self, number: int) -> Row:
        """Read the row of this number again."""
        return next(row for at, row in self.rows if at == number)


class JsonLines:
    """The rows of a JSON Lines file, plain or `.gz`, numbered by line; blank lines are passed over.

    Raises:
        DataError: the file cannot be read, or a line is not a JSON object (file and line named).
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        open_file = gzip.open if self._path.suffix == ".gz" else open
        try:
            with open_file(self._path, "rb") as lines:
                for number, line in enumerate(lines, 1):
                    if not line.isspace():
                        yield number, _parse(line, self._path, number)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{self._path} cannot be read: {error}") from None


def _parse(line: bytes, path: Path, number: int) -> Row:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"{path}, line {number} is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise DataError(f"{path}, line {number} must be a JSON object, got {type(row).__name__}")
    return row


def file_source(path: Path) -> Source:
    """Return the rows of a file."""
    return Source(str(path).replace("{", "{{").replace("}", "}}") + ", line {}", JsonLines(path))


def listed_source(rows: Iterable[Row]) -> Source:
    """Return rows in memory."""
    return Source("row {}", list(enumerate(rows)))
