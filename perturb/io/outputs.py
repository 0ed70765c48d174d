"""Write files, one or several together, that appear whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from perturb.boundary import Terminal, opened
from perturb.errors import DataError, reason
from perturb.io.addresses import is_address, public, remove, upload
from perturb.io.files import STANDARD, SeenBytes, compression_of, standard_stream, widen

try:
    import fcntl
except ImportError:  # as on Windows
    fcntl = None  # type: ignore[assignment]

# The bytes sent to the disk at a time: without this, `fsync` at the end of 1.1 GB took a third of a
# second, in which nothing else ran. The size is chosen by hand.
_SENT = 1 << 24
# The unfinished files of this process, each with the id of the process that began it.
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
    """A stream that accepts bytes."""

    def write(self, data: Any, /) -> Any:
        """Write bytes."""


@contextlib.contextmanager
def writing(path: str) -> Iterator[tuple[Output, SeenBytes]]:
    """Write a file that appears under its name only when complete.

    Args:
        path: a path, ending in .gz or .zst to compress; "-" is standard output. Existing files that
            aren't regular, such as devices, are written to directly.

    Yields:
        The stream to write to, and the digest of the final content.

    Raises:
        DataError: the file can't be written.
        UsageError: a library for its compression isn't installed.
    """
    with writing_together() as opened:
        output = opened(path)
        yield output, output.digest


@contextlib.contextmanager
def writing_together() -> Iterator[Callable[[str], Output]]:
    """Write files that appear under their names together when complete, or not at all.

    Yields:
        A function that opens the file at a path, like `writing`. The file that was opened last
        appears first, so that a manifest exists before the file that it describes.

    Raises:
        DataError: a file can't be written.
        UsageError: a library for a compression isn't installed.
    """
    outputs: list[Output] = []

    def opened(path: str) -> Output:
        outputs.append(Output(path))
        outputs[-1].open_beside = opened
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
        digest: the digest of the content; final after `finish`. Files written to directly, such as
            devices, have no SHA-256.
        open_beside: opens a further file, which appears together with this one.
    """

    open_beside: Callable[[str], Output]

    def __init__(self, path: str) -> None:
        self._path = path
        with self._errors():
            if path != STANDARD and Path(path).is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        self._direct = not replaceable(path)
        self._folder: Any = None
        # Replace the target of a link, not the link.
        self._target = Path(path if self._direct else os.path.realpath(path))
        if is_address(path):  # it is uploaded when complete
            import tempfile  # most runs write to no address

            self._folder = tempfile.TemporaryDirectory()
            self._target = Path(self._folder.name, "file")
        # Random bytes keep the parts of two machines apart; process ids may be the same.
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
            if fcntl is not None:  # the lock shows that it isn't a leftover
                with contextlib.suppress(OSError):
                    fcntl.flock(raw, fcntl.LOCK_EX)
            if os.fstat(raw.fileno()).st_nlink:
                return raw
            raw.close()  # another process removed it as a leftover before it was locked

    def write(self, data: bytes | memoryview) -> None:
        """Write bytes."""
        with self._errors():
            self._stream.write(data)

    def flush(self) -> None:
        """Send all bytes if a reader waits for them."""
        with self._errors():
            self._stream.flush()

    def finish(self) -> None:
        """Write everything to the disk, if there is one; nothing can follow."""
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
        """Give the file its name, and keep the previous file."""
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
        """Restore the file that had the name before `appear`."""
        if self._folder is not None:
            remove(self._path)
        elif self._old.exists():
            self._old.replace(self._target)
        elif not self._direct:
            self._target.unlink()

    def close(self) -> None:
        """Close the file; remove it if it didn't appear."""
        self.digest.abandon()
        if self._stream is not self.digest:
            self._stream.close()
        if self._path != STANDARD:
            with contextlib.suppress(OSError):  # an earlier write already raised it
                self._raw.close()
        for part in (self._part, self._old):
            if part in _parts:
                with contextlib.suppress(OSError):
                    part.unlink()
                _parts.pop(part, None)  # only now, since a signal may arrive earlier
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
    """Remove the files that this process began and didn't finish."""
    for part, owner in list(_parts.items()):
        if owner == os.getpid():
            with contextlib.suppress(OSError):
                part.unlink()


def remove_leftovers(target: Path) -> None:
    """Remove leftovers of killed processes: parts of a file that no process has locked."""
    if fcntl is None:
        return
    start = f".{target.name}."
    end = re.compile(r"\d+(\.old)?\.part")
    for name in os.listdir(target.parent):  # noqa: PTH208  a path for each of thousands is slow
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
    """Keep other processes from writing to a folder meanwhile, if the system has locks.

    Args:
        path: the path of a file to lock; it may be removed before the end.
        folder: for messages.

    Raises:
        DataError: another process has locked it.
    """
    while True:
        make_parents(path)
        with opened(path, "ab", links=False) as file:
            try:
                if fcntl is not None:  # not `flock`, which forked processes would hold too
                    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise DataError(
                    f"another process is writing to {folder}: wait for it, or end it"
                ) from error
            if os.fstat(file.fileno()).st_nlink:
                yield
                return


class _Sink(SeenBytes):
    """A raw output file, with the SHA-256 and the size of all bytes."""

    def __init__(self, raw: Any, *, hashed: bool) -> None:
        super().__init__(hashed=hashed)
        self._raw = raw
        self._sent = 0

    def write(self, data: bytes) -> int:
        written: int = self._raw.write(self.see(data))
        start, unsent = self._sent, self.size - self._sent
        # On systems that can, start writing to the disk now, so that `fsync` has less to wait for.
        if unsent >= _SENT and hasattr(os, "posix_fadvise"):
            self._sent = self.size
            with contextlib.suppress(OSError):  # a stream without a disk
                os.posix_fadvise(self._raw.fileno(), start, unsent, os.POSIX_FADV_DONTNEED)
        return written

    def flush(self) -> None:
        self._raw.flush()

    def abandon(self) -> None:
        """Discard anything that a compressor still writes when closed."""
        self._raw = io.BytesIO()


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Hold back signals that end the process until the block is done.

    A process that is started meanwhile holds them until it lets them go.
    """
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    ending = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_signals_go() -> None:
    """Let signals through in a process that was started while they were held back."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
