"""Rows and where they stand, so that an error can name the place."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.errors import DataError, UsageError
from perturb.io import files
from perturb.io.formats import open_input, read_rows
from perturb.io.jsonl import at_line
from perturb.records.flat import with_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

Row = dict[str, Any]


class RowSource(NamedTuple):
    """Numbered rows that can be read more than once, and how to name a place in them."""

    place: str
    rows: Iterable[tuple[int, Row]]

    def at(self, number: int) -> str:
        """Name the place of a row, as in `scored.jsonl:3`."""
        return self.place.format(number)

    def row(self, number: int) -> Row:
        """Read the row of this number again."""
        return next(row for at, row in self.rows if at == number)


class FileRows:
    """The rows of a file, numbered by line; blank lines are passed over.

    Raises:
        DataError: the file can't be read, or a line is no JSON object (file and line named).
    """

    def __init__(self, path: str) -> None:
        self._path = path

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        with contextlib.closing(open_input(self._path)) as source:
            for number, row in read_rows(source):
                if not isinstance(row, dict):
                    raise DataError(
                        f"{self._path}:{number}: a row is a JSON object; got {row!r:.40}"
                    )
                with at_line(self._path, number):
                    row = dict(with_record(row))
                yield number, row


def file_source(path: Path) -> RowSource:
    """Return the rows of a file.

    Raises:
        UsageError: it is standard input, which can be read but once.
    """
    name = str(path)
    if name == files.STANDARD:
        raise UsageError("scored rows are read more than once: give a file, not standard input")
    return RowSource(name.replace("{", "{{").replace("}", "}}") + ":{}", FileRows(name))


def listed_source(rows: Iterable[Row]) -> RowSource:
    """Return rows in memory."""
    return RowSource("row {}", list(enumerate(rows)))
