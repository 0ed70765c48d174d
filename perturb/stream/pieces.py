"""Cut blocks of lines or tables into pieces whose versions take no more memory than a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from perturb.errors import DataError

# The number of the first row, and lines as bytes or a table of Arrow.
Blocks = Iterator[tuple[int, Any]]

# The versions of the rows of a piece together hold so many bytes of input, if not one row's do.
_SIZE = 1 << 21


def pieces(blocks: Blocks, versions: int, most: int, at: Callable[[int], str]) -> Blocks:
    """Yield blocks as they are, or whole rows of them where there are many versions of each.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        versions: the number of versions of each row.
        most: the bytes that the versions of a row may have, if they are more than one.
        at: a function that names the place of a row.

    Raises:
        DataError: the versions of a row would have more.
    """
    for first, data in blocks:
        if _size_of(data) * versions <= _SIZE:
            yield first, data
            continue
        for number, piece in _cut(first, data, _SIZE // versions):
            size = _size_of(piece)
            if versions > 1 and size * versions > most:
                raise DataError(
                    f"{at(number)}: {versions:,} versions of a row of {size:,} bytes are more than "
                    f"the {most >> 20} MB that are held at a time: make fewer in a run, or allow "
                    "more with --max-line MB"
                )
            yield number, piece


def _size_of(data: Any) -> int:
    """Return the number of bytes of lines or of a table."""
    return len(data) if isinstance(data, bytes) else int(data.nbytes)


def _cut(first: int, data: Any, size: int) -> Blocks:
    """Yield the rows of a block in pieces of at most so many bytes, or of one row."""
    if not isinstance(data, bytes):
        rows = max(1, size * data.num_rows // data.nbytes)
        yield from ((first + at, data.slice(at, rows)) for at in range(0, data.num_rows, rows))
        return
    at = 0
    while at < len(data):
        end = data.rfind(b"\n", at, at + size) + 1 or data.find(b"\n", at) + 1 or len(data)
        yield first, data[at:end]
        first += data.count(b"\n", at, end)
        at = end


def limited(blocks: Blocks, limit: int | None, *, to_end: bool) -> Blocks:
    """Yield the first rows of blocks, as many as the limit says.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        limit: the number of rows; None for all.
        to_end: whether what follows is read all the same, for its SHA-256.
    """
    left = limit
    for first, data in blocks:
        if left is None:
            yield first, data
        elif left:
            if isinstance(data, bytes):
                start, rows = _first_lines(data, left)
            else:
                start, rows = data.slice(0, left), min(left, data.num_rows)
            left -= rows
            yield first, start
        if left == 0 and not to_end:
            return


def _first_lines(data: bytes, limit: int) -> tuple[bytes, int]:
    """Return the first lines that are not blank, with those between, and how many they are."""
    rows, end = 0, 0
    while rows < limit and end < len(data):
        start, end = end, data.find(b"\n", end) + 1 or len(data)
        rows += bool(data[start:end].strip())
    return data[:end], rows
