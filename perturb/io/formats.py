"""The formats of files of rows: which one a name tells, and how each is read and written."""

from __future__ import annotations

import contextlib
import glob
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from perturb.errors import DataError, UsageError, reason
from perturb.io import jsonl
from perturb.io.files import STANDARD, Digest, InputFile
from perturb.io.outputs import replaceable

if TYPE_CHECKING:
    from perturb.io.parquet_files import ParquetInput

FORMATS = ("jsonl", "csv", "tsv", "parquet")
_SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
}
_COMPRESSED = (".gz", ".zst")


class Input(Protocol):
    """A file of rows, whatever its format.

    Attributes:
        name: of the file, for messages.
        total: its size in bytes; 0 where that is not known.
    """

    name: str
    total: int

    @property
    def digest(self) -> Digest:
        """The SHA-256 of the file, and how much of it was read so far."""

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with the number of the first."""

    def close(self) -> None:
        """Close the file."""


def suffix_format(path: str) -> str | None:
    """Return the format that the name of a file tells; None where it tells none."""
    name = Path(path)
    compressed = name.suffix.lower() in _COMPRESSED
    return _SUFFIXES.get((name.with_suffix("") if compressed else name).suffix.lower())


def format_of(path: str, given: str | None = None) -> str:
    """Return the format of a file.

    Args:
        path: of the file.
        given: the format where the name tells none; by default JSON lines for a name without a
            suffix, and for what is no regular file.

    Raises:
        UsageError: the name has a suffix of no known format, or a format that is not compressed
            from without.
    """
    name = Path(path)
    compressed = name.suffix.lower() in _COMPRESSED
    found = suffix_format(path) or given
    if found == "parquet" and compressed:
        raise UsageError(f"{path}: Parquet is compressed within: leave out {name.suffix}")
    if found is not None:
        return found
    bare = name.with_suffix("") if compressed else name
    if path == STANDARD or not bare.suffix or not replaceable(path):
        return "jsonl"
    raise UsageError(
        f"can't tell the format of {path} by {bare.suffix}; known are {', '.join(_SUFFIXES)}, "
        "all but .parquet also with .gz or .zst: rename the file, or give --format"
    )


def open_input(
    path: str, given: str | None = None, max_line: int | None = None, *, hashed: bool = True
) -> Input:
    """Open a file of rows.

    Args:
        path: of the file; "-" is standard input.
        given: see `format_of`.
        max_line: the bytes that a row may have, as a line of JSON, as CSV or in Arrow's form; None
            for any number, of CSV for 64 MB.
        hashed: whether the SHA-256 of the file will be asked for.

    Raises:
        DataError: the file can't be read.
        UsageError: its format is not known, or a library for it is not installed.
    """
    form = format_of(path, given)
    if form == "jsonl":
        return InputFile(path, max_line, hashed=hashed)
    if form == "parquet":
        from perturb.io.parquet_files import ParquetInput

        return ParquetInput(path, max_line)
    from perturb.io.csv_files import CsvInput

    return CsvInput(path, "\t" if form == "tsv" else None, max_line, hashed=hashed)


def read_rows(source: Input) -> Iterator[tuple[int, Any]]:
    """Yield the rows of a file that was opened, with the numbers of their lines, from 1.

    Raises:
        DataError: the file is damaged; the message says where.
    """
    from perturb.io.parquet_files import ParquetInput

    return source.rows() if isinstance(source, ParquetInput) else jsonl.read(source)


def expanded(paths: Iterable[str]) -> list[str]:
    """Return paths in which each pattern is replaced by the files that match it, in order.

    Raises:
        DataError: no file matches.
    """
    made: list[str] = []
    for path in paths:
        if path == STANDARD or not glob.has_magic(path) or Path(path).exists():
            made.append(path)
            continue
        # `Path.glob` takes no absolute pattern.
        found = sorted(glob.glob(path, recursive=True))  # noqa: PTH207
        if not found:
            raise DataError(f"no file matches {path}")
        made += found
    return made


class Inputs:
    """Files of rows of one format, read one after the other.

    Rows have numbers that `at` turns into the name of a place.

    Args:
        paths: of the files; "-" is standard input.
        given: see `format_of`.
        max_line: see `open_input`.
        hashed: whether the SHA-256 of the files will be asked for.

    Attributes:
        name: of the files, for messages.
        total: their size in bytes; 0 where that is not known.
        format: of all of them.
        digests: of those that were read to their ends, in order.
        current: the file that was opened last; at first the first.

    Raises:
        DataError: a file can't be read.
        UsageError: the files are of several formats, or of none that is known.
    """

    # Each file has numbers of its own.
    _STRIDE = 1 << 40

    def __init__(
        self,
        paths: Sequence[str],
        given: str | None = None,
        max_line: int | None = None,
        *,
        hashed: bool = True,
    ) -> None:
        formats = {format_of(path, given): path for path in paths}
        if len(formats) > 1:
            both = " and ".join(sorted(formats.values()))
            raise UsageError(f"the inputs of one run have one format: {both} have not")
        if len(paths) > 1 and STANDARD in paths:
            raise UsageError("standard input is read alone: leave out '-' or the other inputs")
        (self.format,) = formats
        self.paths = list(paths)
        self._given, self._max_line, self._hashed = given, max_line, hashed
        self.current = self._opened(paths[0])
        others = map(_size_of, paths[1:])
        self.total = self.current.total + sum(others)
        self.name = self.current.name
        if len(paths) > 1:
            self.name += f" and {len(paths) - 1} more"
        self.digests: list[Digest] = []

    def _opened(self, path: str) -> Input:
        return open_input(path, self._given, self._max_line, hashed=self._hashed)

    @property
    def read(self) -> int:
        """The number of bytes that were read so far."""
        current = () if len(self.digests) == len(self.paths) else (self.current.digest,)
        return sum(digest.size for digest in (*self.digests, *current))

    def at(self, number: int) -> str:
        """Return the name of the place of a row: its file and line."""
        file, line = divmod(number, self._STRIDE)
        return f"{self.paths[file] if len(self.paths) > 1 else self.name}:{line}"

    def blocks(self, tables: bool = False) -> Iterator[tuple[int, Any]]:
        """Yield the rows as lines of JSON, with the number of the first.

        Args:
            tables: whether to yield tables of Arrow instead; for Parquet.
        """
        for index, path in enumerate(self.paths):
            if index:
                self.current = self._opened(path)
            with contextlib.closing(self.current) as file:
                blocks: Iterator[tuple[int, Any]] = (
                    cast("ParquetInput", file).tables() if tables else file.blocks()
                )
                for first, data in blocks:
                    # Only the first line of all is looked at for a byte order mark.
                    if first == 1 and index and self.format == "jsonl":
                        data = data.removeprefix(jsonl.BOM)
                    yield index * self._STRIDE + first, data
                self.digests.append(file.digest)

    def close(self) -> None:
        """Close the file that is open."""
        self.current.close()


def _size_of(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError as error:
        raise DataError(f"can't read {path}: {reason(error)}") from error
