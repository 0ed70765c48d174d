"""Files that hold what JSON can say, as a stream of JSON: YAML, and logs of Inspect."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from perturb.boundary import needed, yaml_of
from perturb.errors import DataError, UsageError
from perturb.io.files import BLOCK, LONGEST, InputFile
from perturb.io.jsonl import dumps


def from_yaml(file: InputFile, stream: Any) -> Iterator[bytes]:
    """Yield YAML as JSON.

    Raises:
        DataError: it isn't YAML, or JSON has no form for it.
    """
    import yaml

    try:
        text = b"".join(iter(lambda: stream.read1(BLOCK), b"")).decode("utf-8-sig")
        value = yaml_of(text, "it")
        # A few lines of these may stand for more than the memory holds.
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text)):
            raise UsageError("an alias, *NAME, isn't read: write out its value")
        yield dumps(value, odd=True)
    except (UsageError, UnicodeDecodeError) as error:
        raise DataError(f"{file.name}: {error}") from None


def from_log(file: InputFile, _: Any) -> Iterator[bytes]:
    """Yield a log of Inspect, a zip with a file for each sample, as JSON like that of its own.

    Raises:
        DataError: it isn't one, or a sample is longer than a line may be.
        UsageError: it is Zstandard's, and no library for that is installed.
    """
    raw: Any = file._raw
    most, digest = file._max_line or LONGEST, file.digest
    try:
        with zipfile.ZipFile(raw) as archive:
            infos = {info.filename: info for info in archive.infolist()}
            head = infos.pop("header.json", None) or infos["_journal/start.json"]
            before = _content(archive, head, most).rstrip().removesuffix(b"}") + b',"samples":['
            for name, info in infos.items():
                if name.startswith("samples/"):
                    yield before + _content(archive, info, most)
                    before = b","
            yield before.strip(b",") + b"]}"
    except (zipfile.BadZipFile, KeyError, OSError, EOFError, struct.error) as error:
        raise DataError(f"{file.name}: not a whole log of Inspect: {error}") from None
    raw.seek(0)
    while data := raw.read(BLOCK):
        digest.see(data)


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """Return the content of a file in a zip; before Python 3.14, `zipfile` knows no Zstandard."""
    if info.file_size > most:
        size = f"{info.file_size >> 20:,} MB; perturb apply --max-line MB allows more"
        raise EOFError(f"{info.filename} has {size}")
    try:
        return archive.read(info)
    except NotImplementedError:
        library = needed("zstandard", "zstd", "logs of Inspect need")
        raw: Any = archive.fp
        # Its header has the lengths of its name and of another field at its end.
        raw.seek(info.header_offset + 26)
        raw.seek(sum(struct.unpack("<HH", raw.read(4))), io.SEEK_CUR)
        packed = library.ZstdDecompressor().stream_reader(raw.read(info.compress_size))
        try:
            content: bytes = packed.read(info.file_size)
        except library.ZstdError as error:
            raise EOFError(str(error)) from None
        if zlib.crc32(content) != info.CRC:
            raise EOFError(f"{info.filename} is damaged") from None
        return content
