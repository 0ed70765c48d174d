"""Paths, and addresses such as s3://bucket/rows.jsonl by fsspec; no message shows credentials."""

from __future__ import annotations

import contextlib
import errno
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from perturb import boundary
from perturb.errors import UsageError

# An address; `Path` merges its two slashes into one. A single letter is a drive.
_ADDRESS = re.compile(r"([A-Za-z][\w+.-]+):/+(?=[^/])")
# The bytes read from an address at a time: fewer mean more requests, more only memory.
_PIECE = 1 << 20
# The end of the names of files of BRAT, whose text is in another file.
_BRAT = ".ann"


def is_address(path: str | Path) -> bool:
    """Return true if a path is an address, such as s3://bucket/rows.jsonl; file:// is a path."""
    match = _ADDRESS.match(str(path))
    return match is not None and match[1].lower() != "file"


def text_beside(path: str) -> str | None:
    """Return the path of the text of a file of BRAT; None for any other file."""
    bare = path.removesuffix(_BRAT)
    return None if bare == path else f"{bare}.txt"


def plain_path(path: str) -> str:
    """Return a path, also for file://; an address with both of its slashes."""
    if match := _ADDRESS.match(path):
        rest = path[match.end() :]
        return f"/{unquote(rest)}" if match[1].lower() == "file" else f"{match[1]}://{rest}"
    return path


def public(path: str | Path) -> str:
    """Return a path for messages and manifests: addresses without user, password or query."""
    text = plain_path(str(path))
    if not is_address(text):
        return text
    if text.lower().startswith("http"):  # elsewhere ? is part of a pattern
        text = text.partition("?")[0]
    return re.sub(r"(?<=://)[^/@]*@", "", text)


@contextlib.contextmanager
def file_system(address: str | Path) -> Iterator[tuple[Any, str]]:
    """Yield the file system of an address in fsspec's form, and the path in it.

    Raises:
        OSError: the file system fails, now or later; no message shows what `public` leaves out.
        UsageError: fsspec, or the package that it needs for the address, isn't installed.
    """
    boundary.check_trusted("the address", str(address))
    text = plain_path(str(address))
    fsspec = boundary.needed("fsspec", "remote", f"{text.partition('://')[0]}:// needs")
    with _remote_errors(text):
        try:
            system = fsspec.url_to_fs(text)
        except (ImportError, ValueError) as error:
            raise UsageError(f"can't open {public(text)}: {_cleaned(error, text)}") from None
        yield system


@contextlib.contextmanager
def _remote_errors(address: str | Path) -> Iterator[None]:
    """Raise `OSError`, without credentials, for any error of a library for addresses."""
    try:
        yield
    except UsageError:
        raise
    except FileNotFoundError as error:
        cause = error.__cause__  # also if a server doesn't answer
        message = _cleaned(cause, str(address)) if cause else "No such file or directory"
        raise FileNotFoundError(errno.ENOENT, message, public(address)) from None
    except Exception as error:
        raise OSError(errno.EIO, _cleaned(error, str(address))) from None


def _cleaned(error: BaseException, address: str) -> str:
    """Return a message without the credentials of an address."""
    text = f"{type(error).__name__}: {error}".replace(address, public(address))
    user = re.search(r"(?<=://)[^/@]+(?=@)", address)
    query = address.partition("?")[2]
    for secret in (*re.split("[:]", user[0] if user else ""), query, *query.split("&")):
        text = text.replace(secret, "...") if secret else text
    return text


class _RemoteFile(io.RawIOBase):
    """A file at an address, open for reading."""

    def __init__(self, address: str | Path) -> None:
        self._address = address
        with file_system(address) as (system, path):
            self._file = system.open(path, "rb")
        self.size = int(getattr(self._file, "size", None) or 0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._file.seek(offset, whence))

    def readinto(self, buffer: Any) -> int:
        with _remote_errors(self._address):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def size_of(path: str | Path) -> int:
    """Return the size of a file in bytes; 0 if its address doesn't give it.

    Raises:
        OSError: there is no such file.
    """
    if not is_address(path):
        return Path(path).stat().st_size
    with file_system(path) as (system, inner):
        return int(system.size(inner) or 0)


def exists(path: str | Path) -> bool:
    """Return true if a path or address exists."""
    if not is_address(path):
        return Path(path).exists()
    with file_system(path) as (system, inner):
        return bool(system.exists(inner))


def opened(path: str | Path) -> Any:
    """Open a file, or an address, to read bytes.

    Raises:
        OSError: it can't be opened.
        UsageError: only data names it, and not the caller; or a library isn't installed.
    """
    if is_address(path):
        return io.BufferedReader(_RemoteFile(path), _PIECE)
    return boundary.opened(path)


def read_whole(path: str | Path) -> bytes:
    """Read a small file, or an address; see `perturb.boundary.read_whole`."""
    if not is_address(path):
        return boundary.read_whole(path)
    with opened(path) as file:
        data: bytes = file.read()
    return data


def upload(file: Path, address: str) -> None:
    """Put a file at an address; it appears whole or not at all.

    Raises:
        OSError: it can't be put there.
    """
    with file_system(address) as (system, inner):
        system.put_file(str(file), inner)


def remove(path: str | Path) -> None:
    """Remove a file, if it is there."""
    if not is_address(path):
        Path(path).unlink(missing_ok=True)
        return
    with contextlib.suppress(FileNotFoundError), file_system(path) as (system, inner):
        system.rm_file(inner)
