"""The boundary of trust: open, import, read from a network, show on a terminal. Private.

All of that happens here, or where `tests/test_boundary.py` says why not. Files and functions that
the caller names are trusted. Those that data names (a record, a manifest, a request to the page)
are refused while `trusting` lasts, unless the caller named them too.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import os
import re
import stat
import sys
import zlib
from collections.abc import Collection, Iterator
from contextvars import ContextVar
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from perturb.errors import DataError, UsageError, installing

_HASHED = "@sha256:"
# The most bytes of a caller's file that is read whole: a device such as /dev/zero would fill the
# memory otherwise. Chosen by hand, above any list of words or steps.
_LARGEST = 1 << 28
# The most bytes of an answer, packed and unpacked: a hundred times a long one. Otherwise a small
# packed answer could fill the memory.
LARGEST_ANSWER = 16_000_000
# The folders of streams and devices, as in /dev/stdin, /dev/fd/63 and /dev/null.
_DEVICES = {"/dev", "/dev/fd", "/proc/self/fd"}
_NO_FILE = "not a regular file"
# The characters that move a cursor, name a window or reverse the order of letters. `isprintable`
# would include the joiners of Persian and emoji.
_CONTROL = re.compile(r"(?!\r?\n|\t)[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")

# The files and functions that data may name; None where the caller wrote the steps.
_trusted: ContextVar[frozenset[str] | None] = ContextVar("trusted", default=None)
trusted = _trusted.get


class File(str):
    """A caller's file, as `PATH@sha256:HASH`, so that a record identifies its content."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The path without the hash."""
        return self.rpartition(_HASHED)[0]


class Code(str):
    """A caller's function, as `module:function`; using it imports the module."""

    __slots__ = ()


class Lexicon(str):
    """A lexicon on this machine, as `nltk:fra`; using it imports nltk and reads its files."""

    __slots__ = ()


@contextlib.contextmanager
def trusting(names: Collection[str]) -> Iterator[None]:
    """Refuse files and functions other than `names` while data names them."""
    token = _trusted.set(frozenset(names))
    try:
        yield
    finally:
        _trusted.reset(token)


def check_trusted(what: str, name: str) -> None:
    """Refuse a file or function that only data names, and not the caller.

    Args:
        what: the noun for it in the message, such as "tagger".
        name: the path of the file, with or without its hash, or the name of the function.

    Raises:
        UsageError: it isn't trusted; the message says how to trust it.
    """
    names, named = trusted(), File(name).path or name
    if names is not None and named not in names:
        raise UsageError(
            f"the data names {what} {named!r}, which perturb opens or runs only if you name it in "
            f"this call: --trust {named!r}, or trust=[{named!r}] in Python"
        )


def opened(path: str | Path, mode: str = "rb", *, buffering: int = -1, links: bool = True) -> Any:
    """Open a regular file as bytes; or a stream or device by its own name, such as /dev/stdin.

    Anybody who can write to a folder can put a pipe or a link there: so nothing waits for a pipe,
    and files that perturb names itself are opened with `links` off, or as new ones (`mode` "xb").
    Only an output that the caller names ("wb") may be anything.

    Args:
        path: the path of the file.
        mode: as Python's `open` takes it.
        buffering: the same.
        links: whether the path may be a link.

    Raises:
        OSError: it can't be opened, or isn't a regular file.
        UsageError: only data names it as an input; data never names outputs.
        ValueError: the path has a null character.
    """
    if mode == "rb":
        check_trusted("the file", str(path))
    if mode == "wb":
        return Path(path).open(mode, buffering)

    def opener(name: str, flags: int) -> int:
        flags |= getattr(os, "O_NONBLOCK", 0) | (0 if links else getattr(os, "O_NOFOLLOW", 0))
        try:
            descriptor = os.open(name, flags, 0o666)
        except OSError as error:
            if error.errno in (errno.ENXIO, errno.ELOOP):  # a pipe to write to, or a link
                error.strerror = _NO_FILE
            raise
        kind = stat.S_IFMT(os.fstat(descriptor).st_mode)
        if kind in (stat.S_IFREG, stat.S_IFDIR):  # for a folder, Python raises a clear error
            return descriptor
        if os.path.dirname(os.path.abspath(name)) in _DEVICES:  # noqa: PTH100, PTH120  often called
            os.set_blocking(descriptor, True)
            return descriptor
        os.close(descriptor)
        raise OSError(errno.EINVAL, _NO_FILE, name)

    return open(path, mode, buffering, opener=opener)


def read_whole(path: str | Path) -> bytes:
    """Read a caller's file whole.

    Raises:
        OSError: it can't be read, or is too large.
        UsageError: data names it, and the caller does not.
        ValueError: the path has a null character.
    """
    with opened(path) as file:
        data: bytes = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise OSError(errno.EFBIG, f"it has more than {_LARGEST >> 20} MB", str(path))
    return data


def pinned(path: str) -> File:
    """Return the file at `path` with the hash of its content; one with a hash stays unchanged.

    Raises:
        UsageError: the file can't be read.
    """
    if _HASHED in path:
        return File(path)
    return File(f"{path}{_HASHED}{sha256(_bytes_of(path))}")


def content_of(file: File) -> bytes:
    """Return the bytes of a caller's file.

    Raises:
        UsageError: the file can't be read, or doesn't match its hash.
    """
    path, _, expected = file.rpartition(_HASHED)
    data = _bytes_of(path)
    content = sha256(data)
    if content != expected:
        raise UsageError(
            f"{path} has changed: its SHA-256 is {content}, not {expected}; "
            "restore the file, or name it without a hash to use the new content"
        )
    return data


@lru_cache(maxsize=16)
def lines_of(file: File) -> tuple[str, ...]:
    """Return the lines of a caller's file that aren't blank, stripped of white space.

    Raises:
        UsageError: the file can't be read, isn't UTF-8, has no such line, or doesn't match its
            hash.
    """
    text = _decoded(content_of(file), file.path)
    lines = tuple(filter(None, map(str.strip, text.splitlines())))
    if not lines:
        raise UsageError(f"{file.path} has no line with text")
    return lines


def text_in(path: str | Path) -> str:
    """Return the text of a caller's file.

    Raises:
        UsageError: the file can't be read, or isn't UTF-8.
    """
    return _decoded(_bytes_of(str(path)), str(path))


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} isn't UTF-8 at byte {error.start}") from None


def yaml_of(text: str, path: str | Path) -> Any:
    """Return the value of YAML.

    Raises:
        UsageError: it isn't YAML; the message names the file.
    """
    import yaml

    try:
        return yaml.safe_load(text)
    except RecursionError:
        raise UsageError(f"{path}: the YAML is nested too deeply") from None
    # The library raises the last two for `!!bool x` and `!!timestamp x`.
    except (yaml.YAMLError, ValueError, LookupError, AttributeError) as error:
        raise UsageError(f"{path} isn't YAML: {' '.join(str(error).split())}") from None


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    import hashlib  # it loads a large library, and most runs hash no file

    return hashlib.sha256(data).hexdigest()


def _bytes_of(path: str) -> bytes:
    try:
        return read_whole(path)
    except OSError as error:
        raise UsageError(f"can't read the file {path}: {error.strerror}") from error
    except UsageError:
        raise
    except ValueError as error:  # it has a null character
        raise UsageError(f"can't read the file {path!r}: {error}") from error


def imported(name: str) -> Any:
    """Import a module, and return the object of a name in it.

    Args:
        name: the module and the name in it, such as `module:function`.

    Raises:
        UsageError: data names it, and the caller does not.
        ImportError: there is no such module; or AttributeError, ValueError: no such name.
    """
    check_trusted("the function", name)
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)


def needed(package: str, extra: str, what: str) -> Any:
    """Import a package that an extra of this one installs.

    Args:
        package: its name.
        extra: the extra that installs it.
        what: subject and verb of the message, such as "Parquet files need".

    Raises:
        UsageError: it isn't installed.
    """
    try:
        return import_module(package)
    except ImportError as error:
        raise UsageError(f"{what} the package {package}: {installing(extra)}") from error


def import_file(path: str) -> ModuleType:
    """Run a caller's Python file, and return its module; it may import those beside it.

    Raises:
        UsageError: there is no such file, or it raises; the message says why and where.
    """
    from importlib.util import module_from_spec, spec_from_file_location

    check_trusted("the file", path)
    file = Path(os.path.realpath(path))
    # A name of its own, so that a caller's random.py doesn't replace Python's.
    name = f"file_{sha256(str(file).encode())[:8]}_{file.name.split('.')[0]}"
    specification = spec_from_file_location(name, file)
    if file.suffix != ".py" or specification is None or specification.loader is None:
        raise UsageError(f"{path} isn't a Python file: its name must end in .py")
    if not file.is_file():
        raise UsageError(f"there is no file {path}")
    module = sys.modules[name] = module_from_spec(specification)
    # Modules beside the file are found first while it runs, as `python FILE` does; afterwards last,
    # for imports within its functions, so that none replaces what the package imports later.
    folder = str(file.parent)
    sys.path.insert(0, folder)
    try:
        specification.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # the file may raise anything
        del sys.modules[name]
        raise UsageError(
            f"can't run {path}: {type(error).__name__}: {error}{_line_in(file, error)}"
        ) from error
    finally:
        with contextlib.suppress(ValueError):  # the file may have removed it
            sys.path.remove(folder)
        sys.path += [folder] * (folder not in sys.path)
    return module


def _line_in(file: Path, error: BaseException) -> str:
    """Return the last line of a file in a traceback."""
    if isinstance(error, SyntaxError):
        return ""  # its message has the line
    traceback, line = error.__traceback__, 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == str(file):
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return f" (line {line})" if line else ""


async def body_of(response: Any) -> bytes:
    """Return the body of an aiohttp response, from a session that doesn't unpack gzip.

    Raises:
        DataError: it is too large, packed or unpacked, or damaged.
    """
    body = bytearray()
    async for data in response.content.iter_any():
        body += data
        _check_size(body)
    packing = response.headers.get("Content-Encoding", "identity")
    if packing == "identity":
        return bytes(body)
    if packing.strip().lower() != "gzip":
        raise DataError(f"the answer is packed as {packing!r}, but only gzip was accepted")
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        unpacked = unpacker.decompress(body, LARGEST_ANSWER + 1)
    except zlib.error as error:
        raise DataError(f"the answer is damaged: {error}") from None
    _check_size(unpacked)
    if not unpacker.eof or unpacker.unused_data:
        raise DataError("the answer is damaged: its gzip is cut off, or data follows it")
    return unpacked


def _check_size(body: bytes | bytearray) -> None:
    if len(body) > LARGEST_ANSWER:
        raise DataError(f"the answer has more than {LARGEST_ANSWER // 10**6} MB, the limit")


class Escaped(str):
    """Text for a terminal with everything from others escaped already."""

    __slots__ = ()


def visible(text: str) -> str:
    r"""Return a text with its control characters escaped, other than tabs and line ends.

    Characters that JSON allows unescaped are escaped as in JSON, so the JSON stays the same.

    Examples:
        >>> visible("\x1b[2Jé\x9b")
        '\\x1b[2Jé\\u009b'
    """
    return _CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 0x20 else f"\\u{number:04x}"


def display(*lines: str, end: str = "\n", flush: bool = False) -> None:
    """Print lines to standard output, with control characters from others escaped."""
    shown = (line if isinstance(line, Escaped) else visible(line) for line in lines)
    print(*shown, sep="\n", end=end, flush=flush)


def complain(text: str) -> None:
    """Write to standard error, or go on if that is impossible."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):  # it is full, closed or gone
            sys.stderr.write(visible(text))
            sys.stderr.flush()


class Terminal:
    """The byte stream of a terminal, to which rows are written like to any file.

    Args:
        raw: takes the bytes.
    """

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def write(self, data: bytes) -> int:
        """Write bytes with control characters escaped."""
        self._raw.write(visible(self._decoder.decode(data)).encode())
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)
