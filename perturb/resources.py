"""Find and read the tables in `wordlists/`. Private.

A table is plain text in UTF-8: header lines that begin with `# `, one blank line, then rows of
fields between tabs. Rows are raw: nothing is quoted or escaped, and only a line feed ends one.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from perturb.boundary import sha256


@cache
def folder() -> Path:
    """Return the folder of the package; for a package in a zip, a temporary copy of its data.

    Spark's `--py-files` and `PYTHONPATH` accept packages in zips, such as wheels.
    """
    package = Path(__file__).parent
    if package.is_dir():
        return package
    import atexit
    import tempfile
    from zipfile import ZipFile

    archive: str = __spec__.loader.archive  # type: ignore[union-attr]
    copy = tempfile.TemporaryDirectory(prefix="perturb-")
    atexit.register(copy.cleanup)
    inside = package.relative_to(archive)
    with ZipFile(archive) as file:
        for name in file.namelist():
            if Path(name).is_relative_to(inside) and not name.endswith((".py", ".pyc", "/")):
                file.extract(name, copy.name)
    return Path(copy.name, inside)


_INSTALLED = folder() / "wordlists"
_CHECKOUT = Path(__file__).parents[1] / "wordlists"
_used: set[str] = set()
# A path below the folder, so neither absolute nor with "..".
_NAME = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)*")
_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT


class TableError(RuntimeError):
    """A table is missing or damaged."""


def path(*parts: str) -> Path:
    """Return the path of a table or folder of tables; `read` then counts it as used.

    Args:
        parts: the folders and the file name under `wordlists/`.

    Raises:
        TableError: it is missing.
    """
    place = _FOLDER.joinpath(*parts)
    if not place.exists():
        raise TableError(f"{place} is missing: reinstall perturb, or restore the file from git.")
    if place.is_file():
        _used.add("/".join(parts))
    return place


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


def read_body(*parts: str) -> str:
    """Return the text below the header of a table; see `read_rows`."""
    return _parted(path(*parts))[1]


def parse(file: Path) -> list[list[str]]:
    """Read the rows of a file in the format of tables; see `read_rows`."""
    header, body = _parted(file)
    rows = [row.split("\t") for row in body[:-1].split("\n")]
    columns = len(rows[0])
    if set(map(len, rows)) != {columns}:
        first = header.count("\n") + 3
        number, row = next((n, row) for n, row in enumerate(rows, first) if len(row) != columns)
        raise damaged(file, f"line {number} has {len(row)} columns instead of {columns}")
    return rows


def _parted(file: Path) -> tuple[str, str]:
    """Return the header and the rows of a file in the format of tables."""
    try:
        header, blank, body = file.read_bytes().decode("utf-8").partition("\n\n")
    except UnicodeDecodeError as error:
        raise damaged(file, f"it isn't UTF-8 at byte {error.start}") from None
    if not blank or not all(line.startswith("# ") for line in header.split("\n")):
        raise damaged(file, "its header must be lines that begin with '# ' and a blank line")
    if not body.endswith("\n"):
        raise damaged(file, "its last row is cut off")
    return header, body


def read_json(*parts: str) -> Any:
    """Return the value of a table in JSON.

    Raises:
        TableError: the table is missing or damaged.
    """
    file = path(*parts)
    try:
        return json.loads(file.read_bytes())
    except ValueError as error:
        raise damaged(file, str(error)) from None


def used() -> frozenset[str]:
    """Return the names of the tables that this process has used so far."""
    return frozenset(_used)


@cache
def sha256_of(name: str) -> str:
    """Return the SHA-256 of the file of a table, whose name may come from a manifest.

    Raises:
        TableError: there is no such table.
    """
    if not _NAME.fullmatch(name) or not os.path.isfile(_FOLDER / name):  # noqa: PTH113  never raises
        raise TableError(f"there is no table {name!r}")
    return sha256(path(name).read_bytes())


def damaged(file: Path, what: str) -> TableError:
    """Return the error for a table that can't be read."""
    return TableError(
        f"{file} is damaged: {what}. Reinstall perturb, or restore the file from git."
    )
