"""Lines of JSON: read and written without loss, however odd they are."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import orjson
import regex

from perturb.errors import DataError, VerificationError

# orjson turns integers beyond 64 bits into floats; these lines go to the slower parser.
_LONG_NUMBER = regex.compile(rb"\d{19}")


def loads(line: bytes) -> tuple[Any, bool]:
    """Parse one line.

    Returns:
        The value; and whether it is odd: it holds lone surrogates, integers beyond 64 bits, NaN or
        infinities, which only `dumps` with `odd` writes as they were.

    Raises:
        DataError: it is not JSON; the message says where.
    """
    if not _LONG_NUMBER.search(line):
        try:
            return orjson.loads(line), False
        except orjson.JSONDecodeError:
            pass  # the parser of the standard library takes more, and else says what is wrong
    try:
        return json.loads(line), True
    except json.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg} at character {error.pos + 1}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8: byte {error.start + 1} of the line") from None
    except RecursionError:
        raise DataError("not usable JSON: it is nested too deeply") from None


def dumps(value: Any, odd: bool = False) -> bytes:
    """Write one line, with its line end."""
    if odd:
        return json.dumps(value, separators=(",", ":")).encode() + b"\n"
    return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)


class Blocks(Protocol):
    """A file that gives its lines in blocks."""

    name: str

    def blocks(self) -> Iterable[tuple[int, bytes]]:
        """Whole lines, with the number of the first."""


def read(source: Blocks) -> Iterator[tuple[int, Any]]:
    """The values of the lines that are not blank, with their numbers, from 1.

    Raises:
        DataError: a line is not JSON; the message says which.
    """
    for first, lines in source.blocks():
        for number, line in enumerate(lines.split(b"\n"), first):
            if line.strip():
                with at_line(source.name, number):
                    value, _ = loads(line)
                yield number, value


@contextlib.contextmanager
def at_line(name: str, number: int) -> Iterator[None]:
    """Put the place in front of the message of an error of the data."""
    try:
        yield
    except (DataError, VerificationError) as error:
        raise type(error)(f"{name}:{number}: {error}") from None
