"""Lists of edits as JSON, for a whole batch at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import orjson
from numpy.typing import NDArray

from perturb.draws import Int64
from perturb.engine.edits import Edits
from perturb.engine.strings import Codes, ranges

# What stands before, between and after the two numbers and the text of an edit.
_PARTS = ("[", ",", ',"', '"],')
# A row of the matrix below stands for one edit; blanks in it are 0 and left out in the end.
_LARGEST_MATRIX = 1 << 22
_PLAIN = np.zeros(256, np.bool_)
_PLAIN[0x20:0x7F] = True
_POWERS = np.append(0, 10 ** np.arange(1, 19))
_BACKSLASH = ord("\\")
_ESCAPED = np.isin(np.arange(256), [ord('"'), _BACKSLASH])


def edit_lists(edits: Edits, counts: Int64, origins: Int64) -> list[orjson.Fragment] | None:
    """The edits of each text as JSON, `[[4,5,"w"],[19,20,"k"]]`.

    Args:
        edits: of all texts.
        counts: shape (texts,); how many of them each text has.
        origins: shape (texts,); where each text starts.

    Returns:
        A fragment for each text; None where what was written is not all plain ASCII, or some of it
        is so long that lists are cheaper.
    """
    written = edits.replacements.flat()
    if written.dtype != np.uint8 or not _PLAIN[written].all():
        return None
    written, lengths = _escaped(written, edits.replacements.lengths)
    longest = int(lengths.max(initial=0))
    base = origins.repeat(counts)
    starts, ends = edits.starts - base, edits.ends - base
    if (longest + 20) * len(edits) > _LARGEST_MATRIX:
        return None
    text = np.zeros((len(edits), longest), np.uint8)
    text.ravel()[ranges(np.arange(len(edits)) * longest, lengths)] = written
    opening, comma, quote, closing = (_repeated(part, len(edits)) for part in _PARTS)
    cells = [opening, _digits(starts), comma, _digits(ends), quote, text, closing]
    matrix = np.concatenate(cells, axis=1).ravel()
    data = matrix[matrix != 0].tobytes()
    sizes = _widths(starts) + _widths(ends) + lengths + len("".join(_PARTS))
    last = np.append(0, np.cumsum(sizes))[np.cumsum(counts)].tolist()
    return [
        orjson.Fragment(b"[%b]" % data[start : end - 1] if end > start else b"[]")
        for start, end in zip([0, *last], last, strict=False)
    ]


def _escaped(written: Codes, lengths: Int64) -> tuple[Codes, Int64]:
    """The characters that are written, a backslash before each that JSON wants one for."""
    (places,) = _ESCAPED[written].nonzero()
    if not len(places):
        return written, lengths
    owners = np.searchsorted(np.cumsum(lengths), places, "right")
    more = np.bincount(owners, minlength=len(lengths))
    return np.asarray(np.insert(written, places, _BACKSLASH), np.uint8), lengths + more


def _repeated(text: str, rows: int) -> NDArray[np.uint8]:
    return np.broadcast_to(np.frombuffer(text.encode(), np.uint8), (rows, len(text)))


def _widths(numbers: Int64) -> Int64:
    return np.searchsorted(_POWERS, numbers, "right")


def _digits(numbers: Int64) -> NDArray[np.uint8]:
    """The decimal digits of each number in cells of four, 0 before the first."""
    leading, padded = _four_digits()
    if numbers.max(initial=0) < len(leading):
        return leading[numbers]
    highest, rest = divmod(numbers, len(leading))
    high = _digits(highest)
    high[highest == 0] = 0
    return np.concatenate([high, np.where(high[:, -1:], padded[rest], leading[rest])], axis=1)


@lru_cache(maxsize=1)
def _four_digits() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The numbers below 10,000 in four cells: with blanks in front, and with zeros."""
    numbers = np.arange(10_000)
    padded = (numbers[:, None] // [1000, 100, 10, 1] % 10 + ord("0")).astype(np.uint8)
    blank = numbers[:, None] < [1000, 100, 10, 0]
    return np.where(blank, 0, padded).astype(np.uint8), padded
