"""Open files for reading and for writing whole or not at all, compressed by their names."""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

import numpy as np

from perturb.errors import DataError, UsageError

STANDARD = "-"
_STANDARD_INPUT = "standard input"
_BLOCK = 1 << 19
_LINE_END = ord("\n")
_COMPRESSED_BLOCK = 1 << 16
# The number of bytes that are sent to the disk at a time.
_SENT = 1 << 24


class Digest(Protocol):
    """The SHA-256 and the size of the bytes read or written so far, as the file holds them."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    def hexdigest(self) -> str:
        """Return the SHA-256 of the bytes."""


class _Counted:
    """A raw file that keeps the SHA-256 and the size of what is read from or written to it."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._digest = hashlib.sha256()
        self.size = 0
        self._sent = 0

    def _see(self, data: bytes) -> bytes:
        self._digest.update(data)
        self.size += len(data)
        return data

    def read(self, size: int = -1) -> bytes:
        return self._see(self._raw.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self._see(self._raw.read1(size))  # type: ignore[attr-defined]

    def write(self, data: bytes) -> int:
        self._see(data)
        written = self._raw.write(data)
        if self.size - self._sent >= _SENT:
            self._send()
        return written

    def _send(self) -> None:
        """Have the disk written to now, where the system can, so that `fsync` need not wait."""
        start, self._sent = self._sent, self.size
        if hasattr(os, "posix_fadvise"):
            with contextlib.suppress(OSError):  # it is no file: there is no disk
                os.posix_fadvise(
                    self._raw.fileno(), start, self.size - start, os.POSIX_FADV_DONTNEED
                )

    def flush(self) -> None:
        self._raw.flush()

    def hexdigest(self) -> str:
        return self._digest.hexdigest()

    def abandon(self) -> None:
        """Drop what a compressor still writes when it is collected."""
        self._raw = io.BytesIO()


class InputFile:
    """An input file, read in blocks of whole lines.

    Args:
        path: a path, its name ending in .gz or .zst where it is compressed; "-" is standard input.

    Raises:
        DataError: the file can't be read, or its compression is damaged.
        UsageError: a library for its compression is not installed.
    """

    def __init__(self, path: str) -> None:
        self.name = _STANDARD_INPUT if path == STANDARD else path
        try:
            raw = _standard(sys.stdin) if path == STANDARD else Path(path).open("rb")  # noqa: SIM115
            self.total = 0 if path == STANDARD else os.fstat(raw.fileno()).st_size
        except OSError as error:
            raise DataError(f"can't read {self.name}: {error.strerror}") from error
        self._raw = raw
        self.digest = _Counted(raw)
        self._stream = _decompressed(path, self.digest)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines in blocks, each with the number of its first line, from 1."""
        line = 1
        rest: list[bytes] = []
        while data := self._read():
            end = data.rfind(b"\n") + 1
            if end:
                block = b"".join([*rest, data[:end]])
                rest.clear()
                yield line, block
                # `bytes.count` would go from one line end to the next.
                line += int(np.count_nonzero(np.frombuffer(block, np.uint8) == _LINE_END))
            rest.append(data[end:])
        if any(rest):
            yield line, b"".join(rest)

    def _read(self) -> bytes:
        try:
            read: bytes = self._stream.read1(_BLOCK)
        except OSError as error:
            raise DataError(f"can't read {self.name}: {error.strerror or error}") from error
        except (EOFError, zlib.error) as error:
            raise DataError(f"{self.name}: the compressed data is damaged: {error}") from error
        return read

    def close(self) -> None:
        """Close the file."""
        if self.name != _STANDARD_INPUT:
            self._raw.close()


def _standard(stream: Any) -> Any:
    """Return the bytes behind a standard stream, which is None where the caller closed it."""
    if stream is None:
        raise OSError(errno.EBADF, "it is closed")
    return stream.buffer


def _decompressed(path: str, raw: Any) -> Any:
    if path.endswith(".gz"):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if path.endswith(".zst"):
        return _ZstdReader(raw, _zstandard())
    return raw


class _ZstdReader:
    """Frame after frame; unlike the library's own reader it sees where one is cut off."""

    def __init__(self, raw: Any, zstandard: Any) -> None:
        self._raw = raw
        self._library = zstandard
        self._frame: Any = None
        self._rest = b""

    def read1(self, _: int) -> bytes:
        while data := self._rest or self._raw.read(_COMPRESSED_BLOCK):
            self._frame = self._frame or self._library.ZstdDecompressor().decompressobj()
            try:
                made: bytes = self._frame.decompress(data)
            except self._library.ZstdError as error:
                raise EOFError(str(error)) from error
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
            if made:
                return made
        if self._frame is not None:
            raise EOFError("it ends before its end is marked")
        return b""


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise UsageError(
            "files that end in .zst need the package zstandard: pip install 'perturb-text[zstd]'"
        ) from error
    return zstandard


def same_file(one: str, other: str) -> bool:
    """Return true if two paths lead to one file; several writers may share a device."""
    if not replaceable(one):
        return False
    try:
        return Path(one).samefile(other)
    except OSError:  # one of them is not there yet
        return os.path.realpath(one) == os.path.realpath(other)


def replaceable(path: str) -> bool:
    """Return true if a path is, or can become, a regular file."""
    target = Path(path)
    try:
        return target.is_file() or not target.exists()
    except OSError:
        return True  # writing to it will raise the error


@contextlib.contextmanager
def writing(path: str) -> Iterator[tuple[IO[bytes], Digest]]:
    """Write a file that appears under its name only when it is whole.

    Args:
        path: a path, its name ending in .gz or .zst to compress; "-" is standard output. What
            exists and is no regular file, such as a device, is written to directly.

    Yields:
        The stream to write to, and the digest of the file's final content.

    Raises:
        DataError: the file can't be written.
        UsageError: a library for its compression is not installed.
    """
    direct = path == STANDARD or not replaceable(path)
    # The file behind a link is replaced, not the link.
    target = Path(path if direct else os.path.realpath(path))
    part = target if direct else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        raw = _standard(sys.stdout) if path == STANDARD else part.open("wb")
        counted = _Counted(raw)
        try:
            stream = _compressed(path, counted)
            yield stream, counted
            if stream is not counted:
                stream.close()
            raw.flush()
            if not direct:
                os.fsync(raw.fileno())
        except BaseException:
            counted.abandon()
            raise
        finally:
            if path != STANDARD:
                raw.close()
        if not direct:
            part.replace(target)
    except BrokenPipeError:
        raise
    except OSError as error:
        name = "standard output" if path == STANDARD else path
        raise DataError(f"can't write {name}: {error.strerror or error}") from error
    finally:
        if not direct:
            with contextlib.suppress(OSError):  # where it could not even be made
                part.unlink()


def _compressed(path: str, raw: Any) -> Any:
    if path.endswith(".gz"):
        # No name and no time, so that the same rows give the same bytes.
        return gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0)
    if path.endswith(".zst"):
        return _zstandard().ZstdCompressor().stream_writer(raw, closefd=False)
    return raw
