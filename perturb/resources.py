"""Find and read the tables in `wordlists/`. Private.

A table is plain text in UTF-8: header lines that begin with `# `, one blank line, then rows of
fields between tabs. Rows are raw: nothing is quoted or escaped, and only a line feed ends one.
"""

from __future__ import annotations

import errno
import sys
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType

from perturb.errors import UsageError

_INSTALLED = Path(__file__).parent / "wordlists"
_CHECKOUT = Path(__file__).parents[1] / "wordlists"
_used: set[str] = set()
_HASHED = "@sha256:"
# The bytes that a file of the caller's may have, where it is read as a whole.
_LARGEST = 1 << 28
_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


class TableError(RuntimeError):
    """A table is missing or damaged."""


def path(*parts: str) -> Path:
    """Return the path of a table or folder of tables; `read` then counts it as used.

    Args:
        parts: the folders and the file name under `wordlists/`.

    Raises:
        TableError: nothing is there.
    """
    found = _FOLDER.joinpath(*parts)
    if not found.exists():
        raise TableError(f"{found} is missing: reinstall perturb, or restore the file from git.")
    if found.is_file():
        _used.add("/".join(parts))
    return found


def read_rows(*parts: str) -> list[list[str]]:
    """Read the rows of a table.

    Args:
        parts: the folders and the file name under `wordlists/`.

    Returns:
        The fields of each row, in the order of the file; every row has the same number.

    Raises:
        TableError: the table is missing or damaged.
    """
    return parse(path(*parts))


def parse(file: Path) -> list[list[str]]:
    """Read the rows of a file in the form of the tables; see `read_rows`."""
    try:
        header, blank, body = file.read_bytes().decode("utf-8").partition("\n\n")
    except UnicodeDecodeError as error:
        raise _damaged(file, f"it is not UTF-8 at byte {error.start}") from None
    if not blank or not all(line.startswith("# ") for line in header.split("\n")):
        raise _damaged(file, "its header is not lines that begin with '# ' and then a blank line")
    if not body.endswith("\n"):
        raise _damaged(file, "its last row is cut off")
    rows = [row.split("\t") for row in body[:-1].split("\n")]
    columns = len(rows[0])
    if set(map(len, rows)) != {columns}:
        first = header.count("\n") + 3
        number, row = next((n, row) for n, row in enumerate(rows, first) if len(row) != columns)
        raise _damaged(file, f"line {number} has {len(row)} columns instead of {columns}")
    return rows


def used() -> frozenset[str]:
    """Return the names of the tables that this process has used so far."""
    return frozenset(_used)


@cache
def sha256_of(name: str) -> str:
    """Return the SHA-256 of the file of a table."""
    return _sha256(path(name).read_bytes())


def _sha256(data: bytes) -> str:
    import hashlib  # most runs hash no file, and it loads a large library

    return hashlib.sha256(data).hexdigest()


class File(str):
    """A file of the caller's, as `PATH@sha256:HASH`, so that a record identifies its content."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The path alone."""
        return self.rpartition(_HASHED)[0]


def pinned(path: str) -> File:
    """Return the file at `path` with the hash of its content; one with a hash stays as it is.

    Raises:
        UsageError: the file can't be read.
    """
    if _HASHED in path:
        return File(path)
    return File(f"{path}{_HASHED}{_sha256(_bytes_of(path))}")


@lru_cache(maxsize=16)
def lines_of(file: File) -> tuple[str, ...]:
    """Return the lines of a caller's file that are not blank, stripped of white space.

    Raises:
        UsageError: the file can't be read, is not UTF-8, has no such line, or holds something else
            than its hash says.
    """
    path, _, wanted = file.rpartition(_HASHED)
    data = _bytes_of(path)
    found = _sha256(data)
    if found != wanted:
        raise UsageError(
            f"{path} has changed: its SHA-256 is {found}, but {wanted} is expected; "
            "restore that file, or name the file without a hash to use it as it is"
        )
    try:
        lines = tuple(filter(None, map(str.strip, data.decode("utf-8-sig").splitlines())))
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 at byte {error.start}") from None
    if not lines:
        raise UsageError(f"{path} has no line with text in it")
    return lines


def import_file(path: str) -> ModuleType:
    """Run a Python file of the caller's, and return its module.

    Raises:
        UsageError: there is no such file, or it raises; the message says why and where.
    """
    from importlib.util import module_from_spec, spec_from_file_location

    file = Path(path).resolve()
    # A name of its own, so that random.py of a caller does not stand for Python's.
    name = f"file_{_sha256(str(file).encode())[:8]}_{file.name.split('.')[0]}"
    specification = spec_from_file_location(name, file)
    if file.suffix != ".py" or specification is None or specification.loader is None:
        raise UsageError(f"{path} is not a Python file, whose name ends in .py")
    if not file.is_file():
        raise UsageError(f"there is no file {path}")
    module = sys.modules[name] = module_from_spec(specification)
    try:
        specification.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # of whatever kind the file raises
        del sys.modules[name]
        raise UsageError(
            f"can't run {path}: {type(error).__name__}: {error}{_line_in(file, error)}"
        ) from error
    return module


def _line_in(file: Path, error: BaseException) -> str:
    """Return the last line of a file that a traceback passes."""
    if isinstance(error, SyntaxError):
        return ""  # which says where itself
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(file):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""


def read_whole(path: str | Path) -> bytes:
    """Read a file of the caller's as a whole.

    Raises:
        OSError: it can't be read, or is larger than such files are.
        ValueError: the path has a null character.
    """
    with Path(path).open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {_LARGEST >> 20} MB", str(path))
    return data


def _bytes_of(path: str) -> bytes:
    try:
        return read_whole(path)
    except OSError as error:
        raise UsageError(f"can't read the file {path}: {error.strerror}") from error
    except ValueError as error:  # it has a null character
        raise UsageError(f"can't read the file {path!r}: {error}") from error


def _damaged(file: Path, what: str) -> TableError:
    return TableError(
        f"{file} is damaged: {what}. Reinstall perturb, or restore the file from git."
    )
