"""Write files that appear under their names whole or not at all, several of them together."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from perturb.boundary import Terminal, opened
from perturb.errors import DataError, reason
from perturb.io.addresses import is_address, public, remove, upload
from perturb.io.files import STANDARD, SeenBytes, compression_of, standard_stream, widen
from perturb.io.hold_signals import signals_held

try:
    import fcntl
except ImportError:  # as on Windows
    fcntl = None  # type: ignore[assignment]

# The number of bytes that are sent to the disk at a time.
_SENT = 1 << 24
# Files that this process writes and that are not yet whole; each by the process that began it.
_parts: dict[Path, int] = {}


def replaceable(path: str) -> bool:
    """Return true if a path is, or can become, a regular file."""
    if path == STANDARD:
        return False
    target = Path(path)
    try:
        return target.is_file() or not target.exists()
    except OSError:
        return True  # writing to it will raise the error


class Writable(Protocol):
    """A stream that takes bytes."""

    def write(self, data: Any, /) -> Any:
        """Write bytes."""


@contextlib.contextmanager
def writing(path: str) -> Iterator[tuple[Output, SeenBytes]]:
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
    with writing_together() as opened:
        output = opened(path)
        yield output, output.digest


@contextlib.contextmanager
def writing_together() -> Iterator[Callable[[str], Output]]:
    """Write files that appear under their names when all of them are whole, or none of them.

    Yields:
        A function that opens the file at a path, as `writing` does. The file that was opened
        last appears first: what describes another is there when that appears.

    Raises:
        DataError: a file can't be written.
        UsageError: a library for a compression is not installed.
    """
    outputs: list[Output] = []

    def opened(path: str) -> Output:
        outputs.append(Output(path))
        return outputs[-1]

    try:
        yield opened
        for output in outputs:
            output.finish()
        _appear(outputs[::-1])
    finally:
        for output in outputs:
            output.close()


class Output:
    """A file that is being written.

    Attributes:
        digest: the digest of what the file holds; final after `finish`. What is written to
            directly, such as a device, has no SHA-256.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        with self._errors():
            if path != STANDARD and Path(path).is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        self._direct = not replaceable(path)
        self._folder: Any = None
        # The file behind a link is replaced, not the link.
        self._target = Path(path if self._direct else os.path.realpath(path))
        if is_address(path):  # it is put there when it is whole
            import tempfile  # most runs write to no address

            self._folder = tempfile.TemporaryDirectory()
            self._target = Path(self._folder.name, "file")
        # By this, and no id of a process, two machines tell their parts of one file apart.
        part = f".{self._target.name}.{int.from_bytes(os.urandom(6))}"
        self._part = self._target if self._direct else self._target.with_name(f"{part}.part")
        self._old = self._target.with_name(f"{part}.old.part")
        self._finished = False
        with self._errors():
            self._raw = self._opened()
        self.digest = _Sink(self._raw, hashed=not self._direct)
        self._stream: Any = self.digest
        try:
            if compression := compression_of(path):
                self._stream = compression.writing(self.digest)
        except BaseException:
            self.close()
            raise

    def _opened(self) -> Any:
        if self._path == STANDARD:
            raw = standard_stream(sys.stdout)
            widen(raw)
            return Terminal(raw) if sys.stdout.isatty() else raw
        if self._direct:
            return opened(self._part, "wb")
        remove_leftovers(self._target)
        _parts[self._part] = os.getpid()
        while True:
            raw = opened(self._part, "xb")
            if fcntl is not None:  # so that nobody takes it for a leftover
                with contextlib.suppress(OSError):
                    fcntl.flock(raw, fcntl.LOCK_EX)
            if os.fstat(raw.fileno()).st_nlink:
                return raw
            raw.close()  # before it was locked, another process took it for a leftover

    def write(self, data: bytes | memoryview) -> None:
        """Write bytes."""
        with self._errors():
            self._stream.write(data)

    def flush(self) -> None:
        """Have all bytes on their way, where the reader waits for them."""
        with self._errors():
            self._stream.flush()

    def finish(self) -> None:
        """Have all that was written on the disk, if there is one; nothing can follow."""
        if self._finished:
            return
        self._finished = True
        with self._errors():
            if self._stream is not self.digest:
                self._stream.close()
            self._raw.flush()
            if not self._direct:
                os.fsync(self._raw.fileno())

    def appear(self) -> None:
        """Give the file its name, and keep what had it before."""
        if self._direct:
            return
        with self._errors():
            if self._target.exists():
                _parts[self._old] = os.getpid()
                with contextlib.suppress(OSError):  # a file system without hard links
                    os.link(self._target, self._old)
            self._part.replace(self._target)
            _parts.pop(self._part, None)
            if self._folder is not None:
                upload(self._target, self._path)

    def take_back(self) -> None:
        """Restore what had the name before `appear`."""
        if self._folder is not None:
            remove(self._path)
        elif self._old.exists():
            self._old.replace(self._target)
        elif not self._direct:
            self._target.unlink()

    def close(self) -> None:
        """Close the file; it is gone if it did not appear."""
        self.digest.abandon()
        if self._stream is not self.digest:
            self._stream.close()
        if self._path != STANDARD:
            with contextlib.suppress(OSError):  # said before, by what it failed at
                self._raw.close()
        for part in (self._part, self._old):
            if part in _parts:
                with contextlib.suppress(OSError):
                    part.unlink()
                _parts.pop(part, None)  # not before: a signal may come between
        if self._folder is not None:
            self._folder.cleanup()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as error:
            name = "standard output" if self._path == STANDARD else public(self._path)
            why, there = reason(error), is_address(self._path) or Path(self._path).parent.exists()
            if isinstance(error, FileNotFoundError) and not there:
                why = f"there is no folder {Path(self._path).parent}; make it first"
            raise DataError(f"can't write {name}: {why}") from error


def _appear(outputs: Sequence[Output]) -> None:
    """Give files their names, all or none."""
    done: list[Output] = []
    with signals_held():
        try:
            for output in outputs:
                output.appear()
                done.append(output)
        except DataError:
            for output in reversed(done):
                output.take_back()
            raise


def drop_parts() -> None:
    """Remove the files that this process has begun and not finished."""
    for part, owner in list(_parts.items()):
        if owner == os.getpid():
            with contextlib.suppress(OSError):
                part.unlink()


def remove_leftovers(target: Path) -> None:
    """Remove what a killed process left of a file: parts that no process holds locked."""
    if fcntl is None:
        return
    start = f".{target.name}."
    end = re.compile(r"\d+(\.old)?\.part")
    for name in os.listdir(target.parent):  # noqa: PTH208  of thousands no paths are made
        if name.startswith(start) and end.fullmatch(name, len(start)):
            path = target.parent / name
            with contextlib.suppress(OSError), opened(path, "r+b", links=False) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def make_parents(path: Path) -> None:
    """Make the folders above a file.

    Raises:
        DataError: they can't be made.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"can't write {path}: {reason(error)}") from error


@contextlib.contextmanager
def locked(path: Path, folder: str) -> Iterator[None]:
    """Let no other process write to a folder meanwhile, where the system has locks.

    Args:
        path: the path of a file to lock, which may be removed before the end.
        folder: for messages.

    Raises:
        DataError: another process holds it.
    """
    while True:
        make_parents(path)
        with opened(path, "ab", links=False) as file:
            try:
                if fcntl is not None:  # not `flock`, which copies of this process would hold too
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DataError(
                    f"another process writes to {folder}: wait for it, or end it"
                ) from error
            if os.fstat(file.fileno()).st_nlink:
                yield
                return


class _Sink(SeenBytes):
    """A raw file that is written to, with the SHA-256 and the size of all bytes."""

    def __init__(self, raw: Any, *, hashed: bool) -> None:
        super().__init__(hashed=hashed)
        self._raw = raw
        self._sent = 0

    def write(self, data: bytes) -> int:
        written: int = self._raw.write(self.see(data))
        start, unsent = self._sent, self.size - self._sent
        # The disk writes now, where the system can have it do so, and `fsync` need not wait.
        if unsent >= _SENT and hasattr(os, "posix_fadvise"):
            self._sent = self.size
            with contextlib.suppress(OSError):  # it is no file: there is no disk
                os.posix_fadvise(self._raw.fileno(), start, unsent, os.POSIX_FADV_DONTNEED)
        return written

    def flush(self) -> None:
        self._raw.flush()

    def abandon(self) -> None:
        """Drop what a compressor still writes when it is closed."""
        self._raw = io.BytesIO()
