"""Lists of edits as JSON, for a whole batch at once."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import orjson

from perturb.engine.edits import Edits
from perturb.engine.native import rows as kernels
from perturb.engine.text.strings import Strings, decode, every, packed, ranges
from perturb.records.json_columns import JsonColumn, to_bytes
from perturb.values.arrays import Int64, UInt32

# A row of the matrix below stands for an edit, a cell for four bytes of its JSON; blanks are 0 and
# left out in the end.
_Cells = UInt32
_CELL = np.dtype("<u4")
_LARGEST_MATRIX = 1 << 20
# The edits of one text that are written at a time.
_AT_ONCE = 1 << 18
# What stands after every list; it is in no JSON of one line.
_LINE_END = b"\n"


def edit_lists(
    edits: Edits, counts: Int64, origins: Int64, removed: Strings | None = None
) -> JsonColumn | None:
    """Return the edits of each text as JSON, `[{"start":4,"end":5,"text":"w"}]`.

    Args:
        edits: of all texts.
        counts: shape (texts,); how many of them each text has.
        origins: shape (texts,); where each text starts.
        removed: what each edit removed, to stand at its end.

    Returns:
        The JSON for each text; None where some string is so long that lists are cheaper.

    Raises:
        orjson.JSONEncodeError: a string holds a lone surrogate.
    """
    if len(counts) == 1 and len(edits) > _AT_ONCE:
        return _long_list(edits, origins, removed)
    written = edits.replacements
    native = kernels.edit_lists(edits.starts, edits.ends, written, removed, counts, origins)
    if native is not None:
        return native
    strings = {"text": written, "removed": removed}
    escaped = {key: _escaped(each) for key, each in strings.items() if each is not None}
    width = sum(int(each.lengths.max(initial=0)) for each in escaped.values())
    if width * len(edits) > _LARGEST_MATRIX:
        return None
    base = origins.repeat(counts)
    own = counts[counts > 0]
    ends = np.cumsum(own)
    cells = (
        _marked(len(edits), ',{"start":', '[{"start":', ends - own),
        _digits(edits.starts - base),
        _cell(',"end":'),
        _digits(edits.ends - base),
        *(_quoted(f',"{key}":"', each) for key, each in escaped.items()),
        _marked(len(edits), "}", "}]\n", ends - 1),
    )
    lists = _without_blanks(cells, len(edits)).split(_LINE_END)
    lists.pop()
    if every(counts):
        return lists
    each = iter(lists)
    return [next(each) if count else b"[]" for count in counts.tolist()]


def _long_list(edits: Edits, origins: Int64, removed: Strings | None) -> list[bytes] | None:
    """Do what `edit_lists` does for the many edits of one text, some at a time.

    So the list is held once: the stream gives what was written into it without a copy.
    """
    made = io.BytesIO()
    for first in range(0, len(edits), _AT_ONCE):
        rows = np.arange(first, min(first + _AT_ONCE, len(edits)))
        part = Edits(edits.starts[rows], edits.ends[rows], edits.replacements.take(rows))
        lists = edit_lists(
            part, np.array([len(rows)]), origins, None if removed is None else removed.take(rows)
        )
        if lists is None:
            return None
        made.write(b"," if first else b"[")
        made.write(memoryview(*to_bytes(lists))[1:-1])
    made.write(b"]")
    return [made.getvalue()]


def _escaped(strings: Strings) -> Strings:
    """Return the bytes of strings as they stand in JSON."""
    codes = strings.flat()
    data = np.frombuffer(orjson.dumps(decode(codes))[1:-1], np.uint8)
    if len(data) == len(codes):
        return packed(data, strings.lengths)
    sizes = _sizes()[np.minimum(codes, 0x80)]
    if codes.dtype != np.uint8:
        sizes = sizes + (codes >= 0x800) + (codes >= 0x10000)
    total = np.append(0, np.cumsum(sizes))
    ends = np.cumsum(strings.lengths)
    return packed(data, total[ends] - total[ends - strings.lengths])


@lru_cache(maxsize=1)
def _sizes() -> Int64:
    """Return the bytes that JSON takes for each character of ASCII, and for those that follow."""
    return np.array([len(orjson.dumps(chr(code))) - 2 for code in range(0x81)])


def _without_blanks(parts: Sequence[_Cells], rows: int) -> bytes:
    """Return the bytes of cells side by side."""
    cells = np.empty((rows, sum(part.shape[1] for part in parts)), _CELL)
    at = 0
    for part in parts:
        cells[:, at : (at := at + part.shape[1])] = part
    return cells.tobytes().translate(None, b"\0")


def _cell(text: str) -> _Cells:
    """Return a text of ASCII in as many cells as it takes."""
    cells = -(-len(text) // _CELL.itemsize)
    return np.frombuffer(text.encode().ljust(cells * _CELL.itemsize, b"\0"), _CELL)[None]


def _marked(rows: int, usual: str, special: str, places: Int64) -> _Cells:
    """Return cells for each row, the same in all but those at `places`."""
    cells = _cell(usual).repeat(rows, axis=0)
    cells[places] = _cell(special)
    return cells


def _quoted(before: str, strings: Strings) -> _Cells:
    """Return `before`, a string of bytes, and a quote, in as many cells as the longest takes."""
    lengths, at = strings.lengths, len(before)
    cells = -(-(int(lengths.max(initial=0)) + at + 1) // _CELL.itemsize)
    data = np.zeros((len(strings), cells * _CELL.itemsize), np.uint8)
    data[:, :at] = np.frombuffer(before.encode(), np.uint8)
    data[:, -1] = ord('"')
    data.ravel()[ranges(np.arange(len(strings)) * data.shape[1] + at, lengths)] = strings.codes
    return data.view(_CELL)


def _digits(numbers: Int64) -> _Cells:
    """Return the decimal digits of each number in cells of four, 0 before the first."""
    leading, padded = _four_digits()
    if numbers.max(initial=0) < len(leading):
        return leading[numbers, None]
    highest, rest = divmod(numbers, len(leading))
    high = _digits(highest)
    high[highest == 0] = 0
    return np.concatenate(
        [high, np.where(high[:, -1:], padded[rest, None], leading[rest, None])], axis=1
    )


@lru_cache(maxsize=1)
def _four_digits() -> tuple[_Cells, _Cells]:
    """Return the numbers below 10,000 in a cell each: with blanks in front, and with zeros."""
    numbers = np.arange(10_000)
    padded = (numbers[:, None] // [1000, 100, 10, 1] % 10 + ord("0")).astype(np.uint8)
    blank = numbers[:, None] < [1000, 100, 10, 0]
    leading = np.where(blank, 0, padded).astype(np.uint8)
    return leading.view(_CELL).ravel(), padded.view(_CELL).ravel()
