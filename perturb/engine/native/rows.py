"""The kernels of rows as JSON, as `kernels` has the others."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import StringColumn, address, like
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Codes, Int64, NDArray

# As in json.h: more bytes than an edit takes in JSON, besides its strings.
_EDIT_ROOM = 96
# As in json.h: the kind of a piece, where its data is, how many, and where the edges are.
_PIECE = struct.Struct("<qQqQQ")
_SAME, _BYTES, _NUMBERS, _NARROW, _WIDE = range(5)


class Quoted(NamedTuple):
    """Texts that are to become strings of JSON."""

    texts: Strings


def edit_lists(
    starts: Int64,
    ends: Int64,
    written: Strings,
    removed: Strings | None,
    counts: Int64,
    origins: Int64,
) -> Strings | None:
    """Return the lists of the edits of each text as JSON.

    Args:
        starts: shape (edits,); where each edit starts, in code points of the batch.
        ends: shape (edits,); where it ends.
        written: the bytes, in JSON, of what each of them writes.
        removed: the bytes, in JSON, of what each of them removes; None to leave that out.
        counts: shape (texts,); how many edits each text has.
        origins: shape (texts,); where each text starts.
    """
    if library.LIBRARY is None:
        return None
    starts, ends = like(starts, np.int64), like(ends, np.int64)
    counts, origins = like(counts, np.int64), like(origins, np.int64)
    own, others = StringColumn(written), None if removed is None else StringColumn(removed)
    size = int(written.lengths.sum()) + (0 if removed is None else int(removed.lengths.sum()))
    made = np.empty(size + _EDIT_ROOM * len(starts) + 2 * len(counts), np.uint8)
    list_ends = np.empty(len(counts), np.int64)
    total = library.called(
        "perturb_edit_lists",
        *(address(starts), address(ends), len(starts), *own.as_bytes()),
        *((0, 0, 0, 0) if others is None else others.as_bytes()),
        *(address(counts), address(origins), len(counts)),
        *(address(made), len(made), address(list_ends)),
    )
    return None if total is None else _one_after_the_other(made[:total], list_ends)


def join(pieces: Sequence[bytes | Strings | Int64 | Quoted], rows: int) -> Strings | None:
    """Return the column of bytes that has in each row one piece after the other.

    Args:
        pieces: what is the same in all rows; columns of bytes, or of whole numbers, which are
            written in decimal; or texts, which become strings of JSON.
        rows: how many there are.

    Returns:
        None where a text has a lone surrogate, too.
    """
    if library.LIBRARY is None:
        return None
    same = np.frombuffer(b"".join(one for one in pieces if isinstance(one, bytes)), np.uint8)
    at, said = address(same), []
    kept: list[Any] = []  # alive, for what is said of them are addresses
    for one in pieces:
        if isinstance(one, bytes):
            said.append(_PIECE.pack(_SAME, at, len(one), 0, 0))
            at += len(one)
            continue
        texts = one.texts if isinstance(one, Quoted) else one
        if len(texts) != rows:
            raise IndexError(f"a column to join has {len(texts)} rows, not {rows}")
        if isinstance(texts, Strings):
            column = StringColumn(texts)
            kind = _BYTES if one is texts else _WIDE if column.wide else _NARROW
            kept.append(column)
            said.append(_PIECE.pack(kind, *column.as_bytes()))
        else:
            numbers = like(texts, np.int64)
            kept.append(numbers)
            said.append(_PIECE.pack(_NUMBERS, address(numbers), rows, 0, 0))
    call = partial(library.called, "perturb_join", b"".join(said), len(pieces), rows)
    room = call(None, None)
    if room is None:
        return None
    made, ends = np.empty(room, np.uint8), np.empty(rows, np.int64)
    total = call(address(made), address(ends))
    return _one_after_the_other(made[:total], ends)


def read_rows(
    lines: bytes, text: str, id: str, record: str
) -> tuple[Codes, NDArray[np.int64]] | None:
    """Return the JSON of rows without space between values, and where in it their values are.

    Args:
        lines: an object a line; of UTF-8.
        text: the field that holds a string.
        id: the field that names a row; it may be missing, or null.
        record: a field that no row may have.

    Returns:
        The bytes, without line ends; and shape (6, rows): where each row starts, and where the
        brace is that closes it; where its text starts and ends, and its id, -1 if it has none. None
        if one row is not usual in some way.
    """
    if library.LIBRARY is None:
        return None
    names = [field.encode("utf-8", "surrogatepass") for field in (text, id, record)]
    # NumPy counts faster than bytes do.
    room = 1 + int(np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n")))
    out, rows = np.empty(len(lines), np.uint8), np.empty((room, 6), np.int64)
    made = library.called(
        "perturb_read_rows",
        *(lines, len(lines), *(said for name in names for said in (name, len(name)))),
        *(address(out), address(rows), room),
    )
    return None if made is None else (out, np.ascontiguousarray(rows[:made].T))


def _one_after_the_other(codes: Codes, ends: Int64) -> Strings:
    return Strings(codes, np.append(0, ends)[:-1], ends)
