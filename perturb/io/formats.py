"""The formats of files of rows: a table, and how files are opened by it."""

from __future__ import annotations

import codecs
import contextlib
import glob
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from perturb.boundary import needed
from perturb.errors import DataError, UsageError, reason, unknown
from perturb.io.files import COMPRESSIONS, STANDARD, SeenBytes
from perturb.io.outputs import Writable, replaceable


class Input(Protocol):
    """A file of rows, whatever its format: the `Reader` of a module of a format.

    Attributes:
        name: of the file, for messages.
        total: its size in bytes; 0 where that is not known.
        digest: the SHA-256 of the file, and how much of it was read so far.
        header: the names of its columns, where the file names them, once the first row was read.
        schema: their types in Arrow's form; None where the file has none.
    """

    name: str
    total: int
    digest: SeenBytes
    header: Any
    schema: Any

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows as lines of JSON, with the number of the first."""

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows, with the numbers of their lines, from 1.

        Raises:
            DataError: the file is damaged; the message says where.
        """

    def close(self) -> None:
        """Close the file."""


class Columns(Protocol):
    """What a run knows of the columns that it writes; a `Writer` asks when it has the first rows.

    Attributes:
        typed: whether rows come as tables of Arrow, and not as lines of JSON.
    """

    typed: bool

    def dialect(self) -> Any:
        """Return that of the input, where it has the format of the output; else None."""

    def names(self) -> list[str]:
        """Return the names of the columns where there is no row."""

    def flat(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return a row of which each column has one value."""

    def schema(self, rows: list[dict[str, Any]]) -> Any:
        """Return the types of the columns in Arrow's form, of which these rows are the first."""


class RowWriter(Protocol):
    """A writer of rows in one format: the `Writer` of a module of a format."""

    def write(self, data: Any) -> None:
        """Write the rows of a block, which are lines of JSON, or of a table if both files are."""

    def finish(self) -> None:
        """Write what is left."""


class Format(NamedTuple):
    """A format of files of rows.

    Attributes:
        name: as `--format` and manifests have it.
        title: its name in a sentence.
        suffixes: of the names of its files.
        module: of this package, which has its `Reader` and its `Writer`.
        options: what both are given beside.
        typed: whether its columns have types. Rows then pass as tables of Arrow from file to file,
            and the file is compressed within.
        needs: a package, and the extra of this one that installs it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    module: str
    options: Mapping[str, Any] = MappingProxyType({})
    typed: bool = False
    needs: tuple[str, str] | None = None

    def reader(self, path: str, max_row: int | None, *, hashed: bool) -> Input:
        """Return the open file at a path; see `open_input`."""
        reader: Input = self._code().Reader(path, max_row, hashed=hashed, **self.options)
        return reader

    def writer(self, out: Writable, target: str, columns: Columns) -> RowWriter:
        """Return what writes rows.

        Args:
            out: where to.
            target: the path of the file, for messages.
            columns: of the rows.
        """
        name = "standard output" if target == STANDARD else target
        writer: RowWriter = self._code().Writer(out, name, columns, **self.options)
        return writer

    def _code(self) -> Any:
        if self.needs is not None:
            needed(*self.needs, f"{self.title} files need")
        return import_module(f"perturb.io.{self.module}")


FORMATS = {
    form.name: form
    for form in (
        Format("jsonl", "JSON lines", (".jsonl", ".ndjson", ".json"), "jsonl"),
        Format("csv", "CSV", (".csv",), "csv_files"),
        Format("tsv", "TSV", (".tsv",), "csv_files", options={"delimiter": "\t"}),
        Format(
            "parquet",
            "Parquet",
            (".parquet",),
            "parquet_files",
            typed=True,
            needs=("pyarrow", "arrow"),
        ),
    )
}


def _any_of(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}"


# For help and messages: the formats, and how the names of their files usually end.
TITLES = _any_of(form.title for form in FORMATS.values())
ENDINGS = _any_of(form.suffixes[0] for form in FORMATS.values())
# Of files whose names tell none.
_DEFAULT = FORMATS["jsonl"]
_BY_SUFFIX = {suffix: form for form in FORMATS.values() for suffix in form.suffixes}


def suffix_format(path: str) -> Format | None:
    """Return the format that the name of a file tells; None where it tells none."""
    return _BY_SUFFIX.get(_bare(path).suffix.lower())


def _bare(path: str) -> Path:
    """Return a path without the suffix of a compression."""
    name = Path(path)
    return name.with_suffix("") if name.suffix.lower() in COMPRESSIONS else name


def format_of(path: str, given: str | None = None) -> Format:
    """Return the format of a file.

    Args:
        path: of the file.
        given: the name of the format where that of the file tells none; by default JSON lines for
            a name without a suffix, and for what is no regular file.

    Raises:
        UsageError: the name has a suffix of no known format, or a format that is not compressed
            from without.
    """
    bare = _bare(path)
    form = suffix_format(path)
    if form is None and given is not None:
        if given not in FORMATS:
            raise unknown("format", given, FORMATS)
        form = FORMATS[given]
    if form is not None:
        if form.typed and (packed := Path(path).suffix) != bare.suffix:
            raise UsageError(f"{path}: {form.title} is compressed within: leave out {packed}")
        return form
    if path == STANDARD or not bare.suffix or not replaceable(path):
        return _DEFAULT
    endings = " or ".join(COMPRESSIONS)
    alone = " and ".join(suffix for suffix, form in _BY_SUFFIX.items() if form.typed)
    raise UsageError(
        f"can't tell the format of {path} by {bare.suffix}; known are {', '.join(_BY_SUFFIX)}, "
        f"all but {alone} also with {endings}: rename the file, or give --format"
    )


def open_input(path: str, given: str | None = None, max_line: int | None = None) -> Input:
    """Open a file of rows.

    Args:
        path: of the file; "-" is standard input.
        given: see `format_of`.
        max_line: the bytes that a row may have, as a line of JSON, as CSV or in Arrow's form; None
            for any number, of CSV for 64 MB.

    Raises:
        DataError: the file can't be read.
        UsageError: its format is not known, or a library for it is not installed.
    """
    return format_of(path, given).reader(path, max_line, hashed=True)


def expanded(paths: Iterable[str]) -> list[str]:
    """Return paths in which each pattern is replaced by the files that match it, in order.

    Raises:
        DataError: no file matches.
    """
    files: list[str] = []
    for path in paths:
        if path == STANDARD or not glob.has_magic(path) or Path(path).exists():
            files.append(path)
            continue
        # `Path.glob` takes no absolute pattern.
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207
        if not matches:
            raise DataError(f"no file matches {path}")
        files += matches
    return files


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

    # Each file has numbers of its own: no file has so many lines.
    _STRIDE = 1 << 40

    def __init__(
        self,
        paths: Sequence[str],
        given: str | None = None,
        max_line: int | None = None,
        *,
        hashed: bool = True,
    ) -> None:
        by_format = {format_of(path, given).name: path for path in paths}
        if len(by_format) > 1:
            both = " and ".join(sorted(by_format.values()))
            raise UsageError(f"the inputs of one run have one format: {both} have not")
        if len(paths) > 1 and STANDARD in paths:
            raise UsageError("standard input is read alone: leave out '-' or the other inputs")
        self.format = FORMATS[next(iter(by_format))]
        self.paths = list(paths)
        self._max_line, self._hashed = max_line, hashed
        self.current = self._opened(paths[0])
        self.total = self.current.total + sum(map(_size_of, paths[1:]))
        self.name = self.current.name
        if len(paths) > 1:
            self.name += f" and {len(paths) - 1} more"
        self.digests: list[SeenBytes] = []

    def _opened(self, path: str) -> Input:
        return self.format.reader(path, self._max_line, hashed=self._hashed)

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
            tables: whether to yield tables of Arrow instead; for a format with types.
        """
        for index, path in enumerate(self.paths):
            if index:
                self.current = self._opened(path)
            with contextlib.closing(self.current) as file:
                blocks: Any = file.tables() if tables else file.blocks()  # type: ignore[attr-defined]
                for first, data in blocks:
                    # Only the first line of all is looked at for a byte order mark.
                    if first == 1 and index and not tables:
                        data = data.removeprefix(codecs.BOM_UTF8)
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
