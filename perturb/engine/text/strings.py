"""Columns of strings: spans on one shared array of code points.

Taking rows, words or table entries from a column copies no text; only `concatenate` and the
application of edits do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from perturb.values.arrays import Bool, Codes, Int64, NDArray

# Comes before, between and after the texts of a batch, so that every character has neighbours and
# no rule about adjacent characters reaches from one text into the next.
SEPARATOR = "\0"

# Joins the texts of a row to one: no word, sentence or line reaches across it.
GAP = "\n\n"
_NEWLINE = ord("\n")

# The code points gathered at once: their places take 8 bytes each, so 2 MB, which a cache holds.
# The places of all characters of a long line at once took most of its memory. Chosen by hand.
_BLOCK = 1 << 18

# The first surrogate: UTF-16 holds code points below it as they are.
_SURROGATES = 0xD800

# NumPy uses an array without dimensions directly, but converts a number in every operation.
ONE = np.array(1)


# Like the other small classes of the engine it isn't a dataclass, which takes long to define, nor
# frozen, though nothing may change it: a short text needs a dozen of them.
class Strings:
    """A column of n strings.

    Attributes:
        codes: code points; one byte each if all are Latin-1, else four.
        starts: shape (n,); where each string starts in `codes`.
        ends: shape (n,); where each string ends in `codes`, exclusive.
    """

    __slots__ = ("codes", "ends", "starts")

    def __init__(self, codes: Codes, starts: Int64, ends: Int64) -> None:
        self.codes = codes
        self.starts = starts
        self.ends = ends

    @classmethod
    def of_texts(cls, texts: Sequence[str], lengths: Int64 | None = None) -> Strings:
        """Encode `texts` as one array, a separator on both sides of each.

        Args:
            texts: the texts.
            lengths: the length of each, if known.
        """
        codes = encode(SEPARATOR.join(["", *texts, ""]))
        if len(texts) == 1:
            return cls(codes, np.array([1]), np.array([len(codes) - 1]))
        if lengths is None:
            lengths = lengths_of(texts)
        ends = np.cumsum(lengths + 1)
        return cls(codes, ends - lengths, ends)

    @property
    def lengths(self) -> Int64:
        """The number of code points of each string."""
        return self.ends - self.starts

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: Int64 | slice) -> Strings:
        """Return the column of the strings at `rows`; no text is copied."""
        return Strings(self.codes, self.starts[rows], self.ends[rows])

    def part(self, rows: slice) -> Strings:
        """Return some adjacent texts, as `of_texts` gives them, without copying them."""
        starts, ends = self.starts[rows], self.ends[rows]
        before = starts[0] - 1
        return Strings(self.codes[before : ends[-1] + 1], starts - before, ends - before)

    def apart(self, rows: Int64) -> Strings:
        """Return a copy of the texts at `rows`, again with a separator on both sides of each."""
        lengths = self.lengths[rows] + 1
        codes = self.codes[np.append(0, ranges(self.starts[rows], lengths))]
        ends = np.cumsum(lengths)
        return Strings(codes, ends - lengths + 1, ends)

    def joined(self, inner: Bool) -> Strings:
        """Return a copy of the texts with a blank line, `GAP`, between some and the one before.

        Args:
            inner: shape (texts,); the texts that follow a gap; never the first.
        """
        codes: NDArray[Any] = np.insert(self.codes, self.starts[inner], _NEWLINE)
        before = np.cumsum(inner)
        starts = self.starts + before
        codes[starts[inner] - len(GAP)] = _NEWLINE
        return Strings(codes, starts, self.ends + before)

    def to_list(self) -> list[str]:
        """Decode every string."""
        if every(self.lengths == ONE):
            return list(decode(self.codes[self.starts]))
        text = decode(self.codes)
        return [
            text[start:end]
            for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        ]

    def to_texts(self) -> list[str]:
        """Decode texts in the layout of `of_texts`."""
        texts = decode(self.codes[1:-1]).split(SEPARATOR)
        # A text may hold what stands between texts.
        return texts if len(texts) == len(self) else self.to_list()

    def flat(self) -> Codes:
        """Return the code points of all strings, one after the other."""
        lengths = self.lengths
        if every(lengths == ONE):
            return self.codes[self.starts]
        total = int(lengths.sum())
        if total <= _BLOCK:
            return self.codes[ranges(self.starts, lengths)]
        codes = np.empty(total, self.codes.dtype)
        for part, rows in _in_blocks(lengths):
            codes[part] = self.codes[_places(self.starts[rows], lengths[rows])]
        return codes


class Later(Strings):
    """A column that is made on first use, and only for the rows that were taken.

    A step writes at few of the places where it could.

    Args:
        make: returns the strings of some rows.
        rows: shape (n,); the rows of this column, or their number.
    """

    __slots__ = ("_make", "_rows")

    def __init__(self, make: Callable[[Int64], Strings], rows: Int64 | int) -> None:
        self._make = make
        self._rows = np.arange(rows) if isinstance(rows, int) else rows

    def __getattr__(self, name: str) -> Any:
        """Make the column when one of its attributes is first used."""
        if name not in Strings.__slots__:
            raise AttributeError(name)
        strings = self._make(self._rows)
        self.codes, self.starts, self.ends = strings.codes, strings.starts, strings.ends
        return getattr(self, name)

    def __len__(self) -> int:
        return len(self._rows)

    def take(self, rows: Int64 | slice) -> Strings:
        """Return the column of the strings at `rows`; none is made yet."""
        return Later(self._make, self._rows[rows])


def lengths_of(strings: Sequence[str]) -> Int64:
    """Return the length of each string."""
    return np.fromiter(map(len, strings), np.intp, len(strings))


def every(values: NDArray[Any]) -> bool:
    """Return true if no value is 0 or false; faster than NumPy's `all` for few values."""
    return bool(np.count_nonzero(values) == len(values))


def encode(text: str) -> Codes:
    """Return the code points of `text`: bytes if all are Latin-1, else 32-bit integers."""
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def decode(codes: Codes) -> str:
    """Return the text of `codes`, including lone surrogates."""
    if codes.dtype == np.uint8:
        return str(codes.data, "latin-1")
    if codes.max(initial=0) < _SURROGATES:  # a code point is a unit of UTF-16, read much faster
        return str(codes.astype("<u2").data, "utf-16-le")
    return str(codes.astype("<u4", copy=False).data, "utf-32-le", "surrogatepass")


def ranges(starts: Int64, lengths: Int64) -> Int64:
    """Return the integers of all ranges [start, start + length), one range after the other."""
    before = np.cumsum(lengths) - lengths
    places: Int64 = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return places


def _in_blocks(lengths: Int64) -> Iterator[tuple[slice, slice]]:
    """Cut adjacent strings into blocks, so that the places of a block take little memory.

    Yields:
        The code points of a block, and its rows: a single string or about `_BLOCK` code points.
    """
    ends = np.cumsum(lengths)
    first, start, size = 0, 0, len(ends)
    if size and ends[-1] <= _BLOCK:
        yield slice(None), slice(None)
        return
    while first < size:
        last = max(int(ends.searchsorted(start + _BLOCK, "right")), first + 1)
        end = int(ends[last - 1])
        yield slice(start, end), slice(first, last)
        first, start = last, end


def _places(starts: Int64, lengths: Int64) -> Int64 | slice:
    """Return `ranges`, as a slice if there is only one."""
    if len(starts) == 1:
        return slice(int(starts[0]), int(starts[0] + lengths[0]))
    return ranges(starts, lengths)


def runs(mask: Bool) -> tuple[Int64, Int64]:
    """Return the starts and ends of the runs of true values; the first and last must be false."""
    edges = np.flatnonzero(mask[1:] != mask[:-1]) + 1
    return edges[::2], edges[1::2]


def packed(codes: Codes, lengths: Int64) -> Strings:
    """Return the column of adjacent strings in `codes`."""
    ends = np.cumsum(lengths)
    return Strings(codes, ends - lengths, ends)


def column(strings: Iterable[str]) -> Strings:
    """Return the column of `strings`."""
    strings = list(strings)
    lengths = lengths_of(strings)
    return packed(encode("".join(strings)), lengths)


def narrowed(strings: Strings) -> Strings:
    """Return the column in bytes if all of its code points are Latin-1, else unchanged."""
    codes = strings.codes
    if codes.dtype == np.uint8 or codes.max(initial=0) > 0xFF:
        return strings
    return Strings(codes.astype(np.uint8), strings.starts, strings.ends)


def repeated(string: str, count: int) -> Strings:
    """Return the column that holds `string` `count` times; the text is stored once."""
    start = np.zeros(count, np.intp)
    return Strings(encode(string), start, start + len(string))


def optional(where: Bool, string: str) -> Strings:
    """Return the column with `string` where it is wanted, and empty strings elsewhere."""
    start = np.zeros(len(where), np.intp)
    return Strings(encode(string), start, start + where * len(string))


def single(codes: Codes) -> Strings:
    """Return the column of one-character strings."""
    edges: Int64 = np.arange(len(codes) + 1)
    return Strings(codes, edges[:-1], edges[1:])


def concatenate(*columns: Strings) -> Strings:
    """Join columns of n strings row by row, as `a[i] + b[i] + ...`."""
    lengths = np.stack([column.lengths for column in columns], axis=1)
    places = np.cumsum(lengths).reshape(lengths.shape) - lengths
    codes = np.empty(lengths.sum(), np.result_type(*(column.codes for column in columns)))
    for column, place, length in zip(columns, places.T, lengths.T, strict=True):
        flat = column.flat()
        for part, rows in _in_blocks(length):
            codes[_places(place[rows], length[rows])] = flat[part]
    return packed(codes, lengths.sum(axis=1))


def as_list(texts: Sequence[str] | Strings) -> Sequence[str]:
    """Return texts as strings of Python, where they aren't yet."""
    return texts.to_list() if isinstance(texts, Strings) else texts


def stack(*columns: Strings) -> Strings:
    """Return the rows of one column followed by those of the next."""
    parts = [
        # To copy some code points more takes less time than to gather those of each string.
        column if len(column.codes) <= 2 * lengths.sum() else packed(column.flat(), lengths)
        for column, lengths in ((column, column.lengths) for column in columns)
    ]
    before = np.cumsum([0, *(len(part.codes) for part in parts)])
    return Strings(
        np.concatenate([part.codes for part in parts]),
        np.concatenate([part.starts + at for part, at in zip(parts, before, strict=False)]),
        np.concatenate([part.ends + at for part, at in zip(parts, before, strict=False)]),
    )


def with_rows(strings: Strings, rows: Int64, others: Strings) -> Strings:
    """Return a column with other strings at some rows."""
    which = np.arange(len(strings))
    which[rows] = len(strings) + np.arange(len(rows))
    return stack(strings, others).take(which)


def same(left: Strings, right: Strings) -> Bool:
    """Mark the rows that are equal in two columns."""
    lengths = left.lengths
    equal: Bool = lengths == right.lengths
    (rows,) = equal.nonzero()
    if len(rows) == len(equal) and every(lengths == ONE):
        alike: Bool = left.codes[left.starts] == right.codes[right.starts]
        return alike
    if len(rows) < len(equal):
        left, right = left.take(rows), right.take(rows)
    (differs,) = (left.flat() != right.flat()).nonzero()
    equal[rows.repeat(left.lengths)[differs]] = False
    return equal
