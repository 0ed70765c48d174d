"""Cut blocks of lines or tables into pieces whose versions take no more memory than a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from perturb.errors import DataError
from perturb.io.parquet_files import table_bytes, table_of

Blocks = Iterator[tuple[int, bytes]]

# The versions of the rows of a piece together hold so many bytes of input, if not one row's do.
_SIZE = 1 << 21


def pieces(blocks: Blocks, versions: int, *, tables: bool = False) -> Blocks:
    """Yield blocks as they are, or whole rows of them where there are many versions of each.

    Args:
        blocks: the number of the first line, and whole lines.
        versions: of each row.
        tables: whether the blocks are tables in Arrow's form for exchange.
    """
    cut = _rows if tables else _lines
    for first, data in blocks:
        if len(data) * versions <= _SIZE:
            yield first, data
        else:
            yield from cut(first, data, _SIZE // versions)


def _lines(first: int, data: bytes, size: int) -> Blocks:
    at = 0
    while at < len(data):
        end = data.rfind(b"\n", at, at + size) + 1 or data.find(b"\n", at) + 1 or len(data)
        yield first, data[at:end]
        first += data.count(b"\n", at, end)
        at = end


def _rows(first: int, data: bytes, size: int) -> Blocks:
    table = table_of(data)
    rows = max(1, size * table.num_rows // len(data))
    for at in range(0, table.num_rows, rows):
        yield first + at, table_bytes(table.slice(at, rows))


def bounded(blocks: Blocks, versions: int, most: int, at: Callable[[int], str]) -> Blocks:
    """Yield the pieces of which no row is too long for so many versions.

    Args:
        blocks: what `pieces` yields.
        versions: of each row.
        most: the bytes that the versions of a row may have, if they are more than one.
        at: a function that names the place of a row.

    Raises:
        DataError: the versions of a row would have more.
    """
    for first, data in blocks:
        if versions > 1 and len(data) * versions > most:
            raise DataError(
                f"{at(first)}: {versions:,} versions of a row of {len(data):,} bytes are more than "
                f"the {most >> 20} MB that are held at a time: make fewer in a run, or allow more "
                "with --max-line MB"
            )
        yield first, data
