"""Files of rows, read as one: files, folders, patterns and addresses, with partitions."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import orjson

from perturb.errors import DataError, UsageError, reason
from perturb.io.addresses import file_system, is_address, plain_path, public, size_of, text_beside
from perturb.io.files import STANDARD, SeenBytes, readable, title_of
from perturb.io.formats import ENDINGS, FORMATS, Format, Input, format_of, suffix_format
from perturb.io.inner_rows import InnerRows
from perturb.io.jsonl import BOM, in_blocks

# The suffix of the manifest of a file, and the name of that of a folder.
MANIFEST = ".manifest.json"
FOLDER_MANIFEST = "_manifest.json"
# A folder such as year=2020, the naming of partitions that Hive introduced.
_PARTITION = re.compile(r"([^=]+)=(.*)")
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_WHOLE_NUMBER = re.compile(r"-?\d{1,18}")
# The end of a row in a line of JSON, with its beginning if the row has no field.
_ROW_END = re.compile(rb"(\{\s*)?\}([ \t\r]*)$", re.MULTILINE)


class Member(str):
    """The path of a file that a folder, a pattern or the file itself named.

    Attributes:
        place: its path from the folder, or from the first wildcard of a pattern; separated by /.
        columns: the values of partitions such as year=2020 in `place`.
    """

    place: str
    columns: Mapping[str, Any]

    @classmethod
    def of(cls, root: str, place: str, columns: Mapping[str, Any]) -> Member:
        """Return the file at a place under a root, which may be empty."""
        member = cls(f"{root}{place}")
        member.place, member.columns = place, columns
        return member


def is_folder(path: str) -> bool:
    """Return true if a path is a folder, or must become one since it ends in a slash."""
    path = plain_path(path)
    if path == STANDARD or path.endswith("/"):
        return path != STANDARD
    if not is_address(path):
        return os.path.isdir(path)  # noqa: PTH112  never raises
    if suffix_format(path) is not None or glob.has_magic(public(path)):
        return False
    with readable(path), file_system(path) as (system, inner):
        return bool(system.isdir(inner))


def expanded(paths: str | Iterable[str]) -> list[Member]:
    """Return the files that a path names, or several, in order within a folder or pattern.

    A folder gives the files with a suffix of a format at any depth, except manifests and names that
    begin with a dot or underscore. Links to files are followed, links to folders aren't; pipes,
    sockets and devices are skipped. Files that were expanded before keep their columns.

    Raises:
        DataError: no file matches.
    """
    paths = [paths] if isinstance(paths, str) else paths
    each = ([path] if isinstance(path, Member) else _members(plain_path(path)) for path in paths)
    return list(chain.from_iterable(each))


def check_apart(read: Iterable[str], *written: tuple[str, str]) -> None:
    """Refuse to overwrite an input, or to write two outputs to one file.

    Links, hard links and, on some file systems, names that differ in case lead to one file. Several
    outputs may share a device, and a stream can be read and written at the same time.

    Args:
        read: files, folders, patterns and addresses.
        written: the outputs, from a description of each to its path.

    Raises:
        UsageError: two paths are one file; the message names them.
        DataError: no file matches an input.
    """
    known: dict[object, tuple[str, str]] = {}
    for member in expanded(read):
        known.update(dict.fromkeys(_identity(member), ("input", member)))
    for each in written:
        for key in _identity(each[1], is_output=True):
            if (before := known.setdefault(key, each)) is not each:
                names = " and ".join(dict.fromkeys(map(public, (before[1], each[1]))))
                raise UsageError(
                    f"the {before[0]} and the {each[0]} are the same file: {names}; name another"
                )


def _identity(path: str, is_output: bool = False) -> Iterator[object]:
    """Yield the identity of a file: its path and, if it exists, its inode.

    Args:
        path: the path; "-" is a stream, and as an input it may come from a file.
        is_output: whether the path is written to.
    """
    if path == STANDARD and is_output:
        yield path
        return
    remote, text = is_address(path), text_beside(path)
    if remote:
        yield public(path)
        return
    with contextlib.suppress(AttributeError, OSError, ValueError):  # there is no such file
        # A standard input that the caller closed is None, and then no file either.
        about = Path(path).stat() if path != STANDARD else os.fstat(sys.stdin.fileno())
        if not stat.S_ISREG(about.st_mode):
            return
        yield about.st_dev, about.st_ino
    if path != STANDARD:
        yield os.path.normcase(os.path.realpath(path))
    yield from () if text is None else _identity(text, is_output)


def _members(path: str) -> list[Member]:
    if path == STANDARD:
        return [Member.of("", path, {})]
    remote, folder = is_address(path), is_folder(path)
    if folder:
        root = path.rstrip("/") + "/"
        names = _remote_files(root) if remote else _local_files(root)
        names = [name for name in names if _is_data(name)]
    elif glob.has_magic(public(path)) and (remote or not Path(path).exists()):
        fixed = re.split(r"[*?\[]", path, maxsplit=1)[0]
        root = fixed[: fixed.rfind("/") + 1]
        matches = _remote_files(root, path) if remote else list(_matches(root, path))
        names = [name for name in matches if not name.endswith((MANIFEST, FOLDER_MANIFEST))]
    else:
        root, slash, name = path.rpartition("/")
        return [Member.of(root + slash, name, {})]
    names = [name for name in names if remote or not is_device(root + name)]
    if not names:
        what = f"{public(path)} has no file of rows, with a name that ends in {ENDINGS}"
        raise DataError(what if folder else f"no file matches {public(path)}")
    names = sorted({*names} - {*map(text_beside, names)})
    told = [dict(_partitions(name)) for name in names]
    texts = {
        key
        for columns in told
        for key, value in columns.items()
        if not _WHOLE_NUMBER.fullmatch(value or "0")
    }
    return [
        Member.of(
            root,
            name,
            {
                key: value if value is None or key in texts else int(value)
                for key, value in columns.items()
            },
        )
        for name, columns in zip(names, told, strict=True)
    ]


def _is_data(name: str) -> bool:
    hidden = any(part[0] in "._" and "=" not in part for part in name.split("/") if part)
    return not hidden and not name.endswith(MANIFEST) and suffix_format(name) is not None


def is_device(path: str) -> bool:
    """Return true if a path isn't a regular file but, for example, a pipe."""
    try:
        return not stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:  # opening it raises the error
        return False


def _local_files(root: str) -> list[str]:
    """Return the places of the files under a folder."""
    files = []

    def refuse(error: OSError) -> None:
        raise DataError(f"can't read {error.filename}: {reason(error)}") from error

    for folder, _, names in os.walk(root, onerror=refuse):
        inner = folder.removeprefix(root).replace(os.sep, "/")
        files += [f"{inner}/{name}".lstrip("/") for name in names]
    return files


def _matches(root: str, pattern: str) -> Iterator[str]:
    """Yield the places of the files that match a pattern, or lie in a matching folder."""
    for match in glob.glob(pattern, recursive=True):  # noqa: PTH207  it may be absolute
        inner = match.removeprefix(root)
        if not Path(match).is_dir():
            yield inner
        elif not pattern.endswith("**"):  # which matches the files in folders itself
            names = _local_files(f"{match}/")
            yield from (f"{inner}/{name}" for name in names if _is_data(f"{inner}/{name}"))


def _remote_files(root: str, pattern: str | None = None) -> list[str]:
    """Return the places of the files under an address, or of those that match a pattern."""
    with readable(root), file_system(root) as (system, start):
        if pattern is None:
            files = system.find(start)
        else:
            with file_system(pattern) as (_, inner):
                matches = system.glob(inner, detail=True)
            files = [name for name, about in matches.items() if about["type"] == "file"]
    return [name.removeprefix(start).lstrip("/") for name in files]


def _partitions(place: str) -> Iterator[tuple[str, str | None]]:
    """Yield the columns from the folders of a place, such as year=2020."""
    for part in place.split("/")[:-1]:
        if match := _PARTITION.fullmatch(part):
            name, value = map(unquote, match.groups())
            yield name, None if value == _NO_VALUE else value


def one_format(paths: Sequence[str], given: str | None) -> Format:
    """Return the format of all files.

    Raises:
        UsageError: the files have several formats, or an unknown one.
    """
    by_format = {format_of(path, given).name: path for path in paths}
    if "unquoted" in by_format:  # a file without quotes is the same with and without them
        by_format.pop("tsv", None)
    if len(by_format) > 1:
        both = " and ".join(sorted(map(public, by_format.values())))
        raise UsageError(
            f"the inputs of one run must have one format, but these differ: {both}; select some "
            f"with a pattern such as 'DIR/**/*{format_of(paths[0], given).suffixes[0]}'"
        )
    return FORMATS[next(iter(by_format))]


def open_input(path: str, given: str | None = None) -> Inputs:
    """Open the rows of a file, or of all files of a folder, pattern or address.

    Args:
        path: the path of the file; "-" is standard input.
        given: see `format_of`.

    Raises:
        DataError: a file can't be read.
        UsageError: the format is unknown, or a library for it isn't installed.
    """
    return Inputs(expanded(path), given)


# The numbers of rows in one file: no file has a trillion lines, and 2**23 files fit 64 bits.
STRIDE = 1 << 40


def place_of(paths: Sequence[str], number: int) -> str:
    """Return the place of a row of `Inputs`, as FILE:LINE."""
    file, line = divmod(number, STRIDE)
    return f"{title_of(paths[file])}:{line}"


class Inputs:
    """Files of rows in one format, read one after the other.

    `at` turns the number of a row into its place.

    Args:
        paths: the paths of the files; "-" is standard input.
        given: see `format_of`.
        max_line: the most bytes of a row, as a line of JSON, as CSV or in Arrow's form; None for no
            limit, except 64 MB for CSV.
        hashed: whether the SHA-256 of the files will be needed.
        encoding: the encoding of their text; None for UTF-8.
        inner: the rows inside the values of the files, if these are no rows themselves; then the
            number of a row is its place among those of its file.

    Attributes:
        encoding: the same.
        name: the name of the files, for messages.
        total: their size in bytes; 0 if unknown.
        format: the format of all files.
        digests: the digests of the files that were read to the end, in order.
        current: the file that was opened last; the first one at the start.

    Raises:
        DataError: a file can't be read.
        UsageError: the files have several formats, or an unknown one.
    """

    def __init__(
        self,
        paths: Sequence[str],
        given: str | None = None,
        max_line: int | None = None,
        *,
        hashed: bool = True,
        encoding: str | None = None,
        inner: InnerRows | None = None,
    ) -> None:
        self.encoding, self.inner = encoding, inner
        self.format = one_format(paths, given)
        if len(paths) > 1 and STANDARD in paths:
            raise UsageError("standard input can't be combined: leave out '-' or the other inputs")
        self.paths = list(paths)
        self._max_line, self._hashed, self.total = max_line, hashed, 0
        for path in paths[1:]:
            with readable(path):
                self.total += size_of(path)
        self.current = self._opened(paths[0])
        self.total += self.current.total
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        self.name = self.current.name + more
        self.digests: list[SeenBytes] = []

    def _opened(self, path: str) -> Input:
        self._told: dict[str, Any] = dict(getattr(path, "columns", {}))
        file = self.format.reader(path, self._max_line, hashed=self._hashed, encoding=self.encoding)
        file.inner = self.inner
        return file

    @property
    def header(self) -> list[str]:
        """The names of the columns, if the file has them and its first row was read."""
        names = self.current.header if self.inner is None else ()
        return list(dict.fromkeys([*names, *self._told])) if names else []

    @property
    def schema(self) -> Any:
        """The types of the columns in Arrow's form; None if the current file has none."""
        schema = self.current.schema if self.inner is None else None
        if schema is None:
            return None
        from perturb.io.arrow_arrays import with_columns

        return with_columns(schema.empty_table(), self._told).schema

    @property
    def read(self) -> int:
        """The number of bytes read so far."""
        current = () if len(self.digests) == len(self.paths) else (self.current.digest,)
        return sum(digest.size for digest in (*self.digests, *current))

    def at(self, number: int) -> str:
        """Return the place of a row, as FILE:LINE."""
        return place_of(self.paths, number)

    def _each(self) -> Iterator[tuple[int, Input]]:
        """Yield the files, each with the number before its first row."""
        for index, path in enumerate(self.paths):
            if index:
                pool, self.current = self.current.digest.pool, self._opened(path)
                self.current.digest.pool = pool
            with contextlib.closing(self.current) as file:
                yield index * STRIDE, file
                self.digests.append(file.digest)

    def rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows with their numbers.

        Raises:
            DataError: a file is damaged; the message says where.
        """
        for start, file in self._each():
            rows = file.rows() if self.inner is None else self.inner.rows(file)
            if not ((told := self._told) or start):
                yield from rows
            for number, row in rows:
                yield start + number, {**row, **told} if told and isinstance(row, dict) else row

    def blocks(self, tables: bool = False) -> Iterator[tuple[int, Any]]:
        """Yield the rows in blocks of JSON lines, each with the number of the first.

        Args:
            tables: whether to yield tables of the format's kind instead.
        """
        for start, file in self._each():
            if tables:
                for first, table in file.tables():  # type: ignore[attr-defined]
                    if not self.format.typed:
                        yield start + first, table.further(start, self._told)
                    else:
                        from perturb.io.arrow_arrays import with_columns

                        yield start + first, with_columns(table, self._told)
                continue
            more = orjson.dumps(self._told)[1:]
            blocks = file.blocks()
            if self.inner is not None:
                blocks = in_blocks(self.inner.lines(blocks))
            for first, lines in blocks:
                # Readers of blocks skip a byte order mark only before the very first line.
                if first == 1 and start:
                    lines = lines.removeprefix(BOM)
                if self._told:
                    lines = _ROW_END.sub(partial(_ended, more), lines)
                yield start + first, lines

    def close(self) -> None:
        """Close the open file."""
        self.current.close()


def _ended(more: bytes, end: re.Match[bytes]) -> bytes:
    """Return the end of a row with further fields, and its beginning if it had none."""
    before = b"," if end[1] is None else end[1]
    return before + more + end[2]
