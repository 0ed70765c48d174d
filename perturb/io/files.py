"""Open files for reading and for writing whole or not at all, compressed by their names."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

from perturb.errors import DataError, UsageError

STANDARD = "-"
_BLOCK = 1 << 18


class Digest(Protocol):
    """What knows the SHA-256 and the size of the bytes that went by, as the file holds them."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    def hexdigest(self) -> str:
        """The SHA-256 of the bytes."""


class _Counted:
    """A raw file that keeps the SHA-256 and the size of what is read from or written to it."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._digest = hashlib.sha256()
        self.size = 0

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
        return self._raw.write(data)

    def flush(self) -> None:
        self._raw.flush()

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


class Source:
    """An input file, read in blocks of whole lines.

    Args:
        path: a path, its name ending in .gz or .zst where it is compressed; "-" is standard input.

    Raises:
        DataError: the file can't be read, or its compression is damaged.
        UsageError: a library for its compression is not installed.
    """

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == STANDARD else path
        try:
            raw = sys.stdin.buffer if path == STANDARD else Path(path).open("rb")  # noqa: SIM115
            self.total = 0 if path == STANDARD else os.fstat(raw.fileno()).st_size
        except OSError as error:
            raise DataError(f"can't read {path}: {error.strerror}") from error
        self._raw = raw
        self.digest = _Counted(raw)
        self._stream = _decompressed(path, self.digest)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """The lines in blocks, each with the number of its first line, from 1."""
        line, rest = 1, b""
        while data := self._read():
            data = rest + data
            end = data.rfind(b"\n") + 1
            block, rest = data[:end], data[end:]
            if block:
                yield line, block
                line += block.count(b"\n")
        if rest:
            yield line, rest

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
        if self._raw is not sys.stdin.buffer:
            self._raw.close()


def _decompressed(path: str, raw: Any) -> Any:
    if path.endswith(".gz"):
        return gzip.GzipFile(fileobj=raw, mode="rb")
    if path.endswith(".zst"):
        return _ZstdReader(
            _zstandard().ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        )
    return raw


class _ZstdReader:
    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read1(self, size: int) -> bytes:
        try:
            data: bytes = self._stream.read(size)
        except _zstandard().ZstdError as error:
            raise EOFError(str(error)) from error
        return data


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise UsageError(
            "files that end in .zst need the package zstandard: pip install 'perturb[zstd]'"
        ) from error
    return zstandard


@contextlib.contextmanager
def writing(path: str) -> Iterator[tuple[IO[bytes], Digest]]:
    """Write a file that appears under its name only when it is whole.

    Args:
        path: a path, its name ending in .gz or .zst to compress; "-" is standard output. What
            exists and is no regular file, such as a device, is written to directly.

    Yields:
        What to write to, and the digest of what the file then holds.

    Raises:
        DataError: the file can't be written.
        UsageError: a library for its compression is not installed.
    """
    target = Path(path)
    direct = path == STANDARD or (target.exists() and not target.is_file())
    part = target if direct else target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        raw = sys.stdout.buffer if path == STANDARD else part.open("wb")
        try:
            counted = _Counted(raw)
            stream = _compressed(path, counted)
            yield stream, counted
            if stream is not counted:
                stream.close()
            raw.flush()
            if not direct:
                os.fsync(raw.fileno())
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
            part.unlink(missing_ok=True)


def _compressed(path: str, raw: Any) -> Any:
    if path.endswith(".gz"):
        # No name and no time, so that the same rows give the same bytes.
        return gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0)
    if path.endswith(".zst"):
        return _zstandard().ZstdCompressor().stream_writer(raw, closefd=False)
    return raw
