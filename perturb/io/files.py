"""Open files for reading, decompressed according to their names."""

from __future__ import annotations

import codecs
import contextlib
import errno
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from perturb.boundary import needed
from perturb.errors import DataError, UsageError, reason
from perturb.io.addresses import opened, public, size_of, text_beside

if TYPE_CHECKING:
    from concurrent.futures import Executor

try:
    from fcntl import F_SETPIPE_SZ, fcntl
except ImportError:  # outside Unix, and older systems
    fcntl = None  # type: ignore[assignment]

STANDARD = "-"
# The bytes read at a time, which become one block of lines: with 64 KB a step on short rows takes
# 1.4 times the time, and with 4 MB it takes no less, but 30 MB more memory.
BLOCK = 1 << 20
# The size of a pipe in bytes: the most that Linux gives to any user.
_PIPE = 1 << 20
# The longest line in bytes by default: a file of 2 GB without line ends has no rows.
LONGEST = 1 << 31
# The level of the command `gzip`; Python's default, 9, takes much longer to save little.
_GZIP_LEVEL = 6
# The byte order marks that announce an encoding other than UTF-8.
_MARKS = {
    **dict.fromkeys((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE), "utf-32"),  # before UTF-16
    **dict.fromkeys((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), "utf-16"),
}
# The places of NULs in the first characters of ASCII text in these encodings.
_NULS = {"x000": "utf-32-le", "000x": "utf-32-be", "x0x0": "utf-16-le", "0x0x": "utf-16-be"}
# Names that Python accepts as encodings of text, but that spell characters or do nothing.
_NO_ENCODINGS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
# The compressed bytes read at a time. A few bytes of .zst may unpack to 128 KB, so 1 KB to 32 MB:
# a larger block would let a small file fill the memory.
_COMPRESSED_BLOCK = 1 << 10
# The blocks that wait for their SHA-256.
_MOST_WAITING = 4


class SeenBytes:
    """The SHA-256 and the size of bytes that pass through.

    Args:
        hashed: whether the SHA-256 will be needed.

    Attributes:
        pool: a thread that computes the SHA-256 of bytes that stay as they are; None for no other.
    """

    pool: Executor | None = None

    def __init__(self, *, hashed: bool) -> None:
        self._digest, self._waiting = None, deque[Any]()
        if hashed:
            import hashlib

            self._digest = hashlib.sha256()
        self.size = 0

    def see(self, data: bytes) -> bytes:
        """Add bytes and return them."""
        if self._digest is not None and self.pool is not None:
            self._waiting.append(self.pool.submit(self._digest.update, data))
            if len(self._waiting) > _MOST_WAITING:  # which are in memory meanwhile
                self._waiting.popleft().result()
        elif self._digest is not None:
            self._digest.update(data)
        self.size += len(data)
        return data

    def hexdigest(self) -> str:
        """Return the SHA-256 of the bytes so far."""
        assert self._digest is not None, "hashed is false"
        for each in self._waiting:
            each.result()
        return self._digest.hexdigest()


class _Reader(SeenBytes):
    """A raw file, with the SHA-256 and the size of the bytes read so far."""

    def __init__(self, raw: BinaryIO, *, hashed: bool) -> None:
        super().__init__(hashed=hashed)
        self._raw = raw

    def read(self, size: int = -1) -> bytes:
        return self.see(self._raw.read(size))

    def read1(self, size: int = -1) -> bytes:
        return self.see(self._raw.read1(size))  # type: ignore[attr-defined]


@contextlib.contextmanager
def readable(path: str) -> Iterator[None]:
    """Raise `DataError`, with the path, for an `OSError`."""
    try:
        yield
    except OSError as error:
        raise DataError(f"can't read {public(path)}: {reason(error)}") from error


def sha256_at(path: str) -> str:
    """Return the SHA-256 of a file, with the text beside it.

    Raises:
        DataError: it can't be read.
    """
    import hashlib

    digest = hashlib.sha256()
    for each in filter(None, (path, text_beside(path))):
        with readable(each), opened(each) as file:
            hashlib.file_digest(file, lambda: digest)
    return digest.hexdigest()


class InputFile:
    """An input file, read in blocks of whole lines.

    Args:
        path: a path, which ends in .gz or .zst if compressed; "-" is standard input.
        max_line: the most bytes of a line; None for `LONGEST`.
        hashed: whether the SHA-256 of the file will be needed.
        encoding: the encoding of its text; None for that of its byte order mark, else UTF-8.

    Attributes:
        line_end: the end of its first line, after that was read; empty before.

    Raises:
        DataError: the file can't be read, its compression is damaged, or a line is too long.
        UsageError: a library for its compression isn't installed.
    """

    line_end = b""

    def __init__(
        self,
        path: str,
        max_line: int | None = None,
        *,
        hashed: bool = True,
        encoding: str | None = None,
    ) -> None:
        self._max_line = max_line
        decoder = None if encoding is None else _decoder_of(encoding)
        self.name = title_of(path)
        with readable(self.name):
            raw = standard_stream(sys.stdin) if path == STANDARD else opened(path)
            widen(raw)
            self.total = 0 if path == STANDARD else size_of(path)
        self._raw = raw
        self.digest: SeenBytes = _Reader(raw, hashed=hashed)
        compression = compression_of(path)
        self._stream: Any = compression.reading(self.digest) if compression else self.digest
        self._stream = _Decoded(self._stream, self.name, decoder)

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines in blocks, each with the number of its first line, from 1."""
        # `perturb --help` imports this module, but doesn't need NumPy.
        from perturb.engine.native.kernels import line_ends

        line = 1
        rest = bytearray()
        while data := self._read():
            end = data.rfind(b"\n") + 1
            block = b"".join((rest, memoryview(data)[:end])) if end else b""
            if end:
                rest = bytearray()
            rest += memoryview(data)[end:]
            del data  # otherwise it stays in memory while the caller works on the block
            if block:
                if self._max_line is not None and len(block) > self._max_line:
                    for number, each in enumerate(block.split(b"\n"), line):
                        if len(each) > self._max_line:
                            raise self._too_long(number)
                yield line, block
                line += line_ends(block)
            if len(rest) > (LONGEST if self._max_line is None else self._max_line):
                raise self._too_long(line)
        if rest:
            yield line, bytes(rest)

    def _too_long(self, number: int) -> DataError:
        place = f"{self.name}:{number}: the line is longer than"
        if self._max_line is None:
            return DataError(f"{place} {LONGEST >> 20} MB, the limit; each line must be a row")
        return DataError(
            f"{place} {self._max_line >> 20} MB, and would need up to 100 times its length of "
            "memory; perturb apply --max-line MB allows longer ones"
        )

    def _read(self) -> bytes:
        try:
            with readable(self.name):
                read: bytes = self._stream.read1(BLOCK)
        except EOFError as error:
            raise DataError(f"{self.name}: the compressed data is damaged: {error}") from error
        if not self.line_end and (at := read.find(b"\n")) >= 0:
            self.line_end = b"\r\n" if read[at - 1 : at] == b"\r" else b"\n"
        return read

    def close(self) -> None:
        """Close the file."""
        if self.name != title_of(STANDARD):
            self._raw.close()


def title_of(path: str) -> str:
    """Return how a file to read is named in messages."""
    return "standard input" if path == STANDARD else public(path)


def beginning(path: str) -> bytes:
    """Return the first bytes of a file, decompressed.

    Raises:
        DataError: the file can't be read.
    """
    with contextlib.closing(InputFile(path, hashed=False)) as file:
        return file._read()


def _decoder_of(encoding: str) -> codecs.IncrementalDecoder:
    """Return a decoder of text.

    Raises:
        UsageError: Python knows no such encoding of text.
    """
    try:
        "".encode(encoding)  # refuses codecs of bytes
        if codecs.lookup(encoding).name not in _NO_ENCODINGS:
            return codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):
        pass
    raise UsageError(
        f"unknown encoding {encoding!r}: give one that Python knows, such as utf-16, latin-1, "
        "cp1252 or shift_jis"
    )


class _Decoded:
    """A stream of text in some encoding, read as UTF-8.

    Args:
        stream: its bytes.
        name: the name of the file, for messages.
        decoder: decodes them; None to detect the encoding at the beginning.
    """

    def __init__(self, stream: Any, name: str, decoder: codecs.IncrementalDecoder | None) -> None:
        self._stream, self._name, self._decoder = stream, name, decoder
        self._begins = True

    def read1(self, size: int) -> bytes:
        data: bytes = self._stream.read1(size)
        begins, self._begins = self._begins, False
        if begins:
            while len(data) < len(codecs.BOM_UTF32) and (more := self._stream.read1(size)):
                data += more
            mark = next(filter(data.startswith, _MARKS), None)
            if mark and self._decoder is None:
                self._decoder = codecs.getincrementaldecoder(_MARKS[mark])()
        text = data if self._decoder is None else self._decoded(self._decoder, data, size)
        if begins and (form := _NULS.get("".join("x" if byte else "0" for byte in text[:4]))):
            advice = f"save it as UTF-8, or give perturb apply --encoding {form}"
            raise DataError(f"{self._name}: the file looks like {form}: {advice}")
        return text

    def _decoded(self, decoder: codecs.IncrementalDecoder, data: bytes, size: int) -> bytes:
        while True:
            try:
                text = decoder.decode(data, not data)
            except UnicodeError as error:
                hint = "" if isinstance(error, UnicodeDecodeError) else ": give it with -le or -be"
                raise DataError(f"{self._name}: {error}{hint}") from None
            if text or not data:
                return text.encode("utf-8", "surrogatepass")
            data = self._stream.read1(size)


def standard_stream(stream: Any) -> Any:
    """Return the byte stream of a standard stream, which is None if the caller closed it."""
    if stream is None:
        raise OSError(errno.EBADF, "it is closed")
    return stream.buffer


def widen(stream: Any) -> None:
    """Enlarge a pipe to a block, if the stream is one.

    A pipe gives no more at a time than it holds, 64 KB by default: too few rows for the fixed cost
    of a block.
    """
    if fcntl is not None:
        with contextlib.suppress(OSError):  # not a pipe, or the user's pipes are too large together
            fcntl(stream.fileno(), F_SETPIPE_SZ, _PIPE)


class Compression(NamedTuple):
    """A compression of whole files, chosen by the suffix of the name.

    Attributes:
        reading: returns a stream of the decompressed content.
        writing: returns a stream that compresses into another one.
    """

    reading: Callable[[Any], Any]
    writing: Callable[[Any], Any]


def compression_of(path: str) -> Compression | None:
    """Return the compression in the name of a file; None if there is none."""
    return COMPRESSIONS.get(PurePath(public(path)).suffix.lower())


def _from_gzip(raw: Any) -> Any:
    import gzip
    import zlib

    return _Compressed(raw, gzip.GzipFile(fileobj=raw, mode="rb"), zlib.error)


def _to_gzip(raw: Any) -> Any:
    import gzip

    # Without name and time, the same rows give the same bytes.
    return gzip.GzipFile("", "wb", _GZIP_LEVEL, fileobj=raw, mtime=0)


def _from_zstd(raw: Any) -> Any:
    library = _zstandard()
    return _Compressed(raw, _ZstdReader(raw, library), library.ZstdError)


def _to_zstd(raw: Any) -> Any:
    return _zstandard().ZstdCompressor().stream_writer(raw, closefd=False)


def _zstandard() -> Any:
    return needed("zstandard", "zstd", "files that end in .zst need")


COMPRESSIONS = {".gz": Compression(_from_gzip, _to_gzip), ".zst": Compression(_from_zstd, _to_zstd)}


# Files that are read as JSON, by their suffixes, and the functions of `as_json.py` that do so. They
# are no formats: beside rows in a folder they are configurations and logs.
AS_JSON = {".yaml": "from_yaml", ".yml": "from_yaml", ".eval": "from_log"}


class _Compressed:
    """A compressed stream: damage raises `EOFError`, and so does an empty file.

    Its library gives a few KB at a time, too few rows for the fixed cost of a block, so they are
    gathered.
    """

    def __init__(self, raw: SeenBytes, stream: Any, damaged: type[Exception]) -> None:
        self._raw, self._stream, self._damaged = raw, stream, damaged

    def read1(self, size: int) -> bytes:
        try:
            read: bytes = self._stream.read(size)
        except self._damaged as error:
            raise EOFError(str(error)) from error
        if not self._raw.size:
            raise EOFError("the file is empty")
        return read


class _ZstdReader:
    """A reader frame by frame, which notices cut-off frames, unlike the library's own."""

    def __init__(self, raw: Any, zstandard: Any) -> None:
        self._raw = raw
        self._library = zstandard
        self._frame: Any = None
        self._rest = b""

    def read(self, size: int) -> bytes:
        """Return this number of bytes or a few more; fewer at the end."""
        unpacked = bytearray()
        while len(unpacked) < size and (data := self._rest or self._raw.read(_COMPRESSED_BLOCK)):
            self._frame = self._frame or self._library.ZstdDecompressor().decompressobj()
            unpacked += self._frame.decompress(data)
            self._rest = self._frame.unused_data if self._frame.eof else b""
            if self._frame.eof:
                self._frame = None
        if self._frame is not None and len(unpacked) < size:
            raise EOFError("the last frame is cut off")
        return bytes(unpacked)
