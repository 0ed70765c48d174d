"""The kernels of rows as JSON, as `kernels` has the others."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import address, codes_of, column_of, like
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Codes, Int64, NDArray

# As in json.h: the kind of a piece, where its data is, how many, and where the edges are.
_PIECE = struct.Struct("<qQqQQ")
_LATIN_1 = 0xFF
_SAME, _BYTES, _NARROW, _WIDE = range(4)


class Quoted(NamedTuple):
    """Texts that are to become strings of JSON."""

    texts: Strings


def edit_texts(
    old: Strings, new: Strings, counts: Int64, origins: Int64, path: bytes, *, json: bool
) -> Strings | None:
    """Return the edits of each text as `PATH|START:OLD>NEW|...`, and nothing for one without.

    Args:
        old: what each edit of all texts replaces, where it stands in the batch.
        new: what each of them writes.
        counts: shape (texts,); how many edits each text has.
        origins: shape (texts,); where each text starts.
        path: what the text of each begins with, encoded.
        json: whether the bytes are to stand in a string of JSON.
    """
    return _written(
        "perturb_edit_texts",
        *(*column_of(old), *column_of(new), len(old), counts, origins, len(counts)),
        *(path, len(path), json),
        rows=len(counts),
    )


def join(pieces: Sequence[bytes | Strings | Quoted], rows: int) -> Strings | None:
    """Return the column of bytes that has in each row one piece after the other.

    Args:
        pieces: what is the same in all rows; columns of bytes; or texts, which become strings of
            JSON.
        rows: how many there are.

    Returns:
        None where a text has a lone surrogate, too.
    """
    same = np.frombuffer(b"".join(part for part in pieces if isinstance(part, bytes)), np.uint8)
    at, packed = address(same), []
    arrays: list[NDArray[Any]] = []  # alive until the kernel returns, for it is given addresses
    for piece in pieces:
        if isinstance(piece, bytes):
            packed.append(_PIECE.pack(_SAME, at, len(piece), 0, 0))
            at += len(piece)
            continue
        texts = piece.texts if isinstance(piece, Quoted) else piece
        if len(texts) != rows:
            raise IndexError(f"a column to join has {len(texts)} rows, not {rows}")
        codes, wide, size = codes_of(texts.codes)
        kind = _BYTES if piece is texts else _WIDE if wide else _NARROW
        starts, ends = like(texts.starts, np.int64), like(texts.ends, np.int64)
        arrays += codes, starts, ends
        packed.append(_PIECE.pack(kind, address(codes), size, address(starts), address(ends)))
    return _written("perturb_join", b"".join(packed), len(pieces), rows, rows=rows)


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
    names = [field.encode("utf-8", "surrogatepass") for field in (text, id, record)]
    # NumPy counts faster than bytes do.
    room = 1 + int(np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n")))
    codes, rows = np.empty(len(lines), np.uint8), np.empty((room, 6), np.int64)
    fields = (part for name in names for part in (name, len(name)))
    count = binding.called("perturb_read_rows", lines, len(lines), *fields, codes, rows, room)
    return None if count is None else (codes, np.ascontiguousarray(rows[:count].T))


def unquoted(strings: Strings) -> list[tuple[Int64, Strings]] | None:
    """Return what strings of JSON say, those of ASCII first and then the others.

    Args:
        strings: the strings, with their quotes, as `read_rows` writes them.

    Returns:
        The rows of each kind, if it has any, and their texts as `Strings.of_texts` gives them. None
        where something is no such string, too.
    """
    narrow = _unquoted(strings, wide=False)
    if narrow is None:
        return None
    codes, ends = narrow
    rows, others = np.flatnonzero(ends > 0), np.flatnonzero(ends < 0)
    kinds = [(rows, _separated(codes, ends[rows]))] if len(rows) else []
    if len(others):
        wide = _unquoted(strings.take(others), wide=True)
        if wide is None:
            return None
        codes, ends = wide
        narrower = codes.astype(np.uint8) if codes.max() <= _LATIN_1 else codes
        kinds.append((others, _separated(narrower, ends)))
    return kinds


def _unquoted(strings: Strings, *, wide: bool) -> tuple[Codes, Int64] | None:
    """Return what strings say and where each ends, -1 where it does not fit into bytes."""
    room = 1 + int(np.maximum(strings.lengths, 0).sum())
    codes: Codes = np.empty(room, np.uint32) if wide else np.empty(room, np.uint8)
    ends = np.empty(len(strings), np.int64)
    size = binding.called(
        "perturb_unquote",
        *(strings.codes, len(strings.codes), strings.starts, strings.ends, len(strings), wide),
        *(codes, room, ends),
    )
    return None if size is None else (codes[:size], ends)


def _separated(codes: Codes, ends: Int64) -> Strings:
    """Return the column of strings with one separator between them, and one before the first."""
    return Strings(codes, 1 + np.append(0, ends)[:-1], ends)


def _written(kernel: str, *arguments: NDArray[Any] | float | bytes, rows: int) -> Strings | None:
    """Return the strings that a kernel writes, one after the other, once it has said how long."""
    room = binding.called(kernel, *arguments, None, None)
    if room is None:
        return None
    codes, ends = np.empty(room, np.uint8), np.empty(rows, np.int64)
    size = binding.called(kernel, *arguments, codes, ends)
    return Strings(codes[:size], np.append(0, ends)[:-1], ends)
