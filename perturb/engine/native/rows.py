"""The kernels of rows as JSON, as `kernels` has the others."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native import library
from perturb.engine.native.arguments import StringColumn, address, like
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
    if library.LIBRARY is None:
        return None
    counts, origins = like(counts, np.int64), like(origins, np.int64)
    columns = StringColumn(old), StringColumn(new)
    call = partial(
        library.called,
        "perturb_edit_texts",
        *(columns[0].edges()[0], len(old), *columns[0].with_flag(), *columns[0].edges()),
        *(*columns[1].with_flag(), *columns[1].edges()),
        *(address(counts), address(origins), len(counts), path, len(path), json),
    )
    return _written(call, len(counts))


def join(pieces: Sequence[bytes | Strings | Quoted], rows: int) -> Strings | None:
    """Return the column of bytes that has in each row one piece after the other.

    Args:
        pieces: what is the same in all rows; columns of bytes; or texts, which become strings of
            JSON.
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
        column = StringColumn(texts)
        kind = _BYTES if one is texts else _WIDE if column.wide else _NARROW
        kept.append(column)
        said.append(_PIECE.pack(kind, *column.as_bytes()))
    call = partial(library.called, "perturb_join", b"".join(said), len(pieces), rows)
    return _written(call, rows)


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
    made = [(rows, _separated(codes, ends[rows]))] if len(rows) else []
    if len(others):
        wide = _unquoted(strings.take(others), wide=True)
        if wide is None:
            return None
        codes, ends = wide
        narrower = codes.astype(np.uint8) if codes.max() <= _LATIN_1 else codes
        made.append((others, _separated(narrower, ends)))
    return made


def _unquoted(strings: Strings, *, wide: bool) -> tuple[Codes, Int64] | None:
    """Return what strings say and where each ends, -1 where it does not fit into bytes."""
    column, room = StringColumn(strings), 1 + int(np.maximum(strings.lengths, 0).sum())
    codes: Codes = np.empty(room, np.uint32) if wide else np.empty(room, np.uint8)
    ends = np.empty(len(strings), np.int64)
    size = library.called(
        "perturb_unquote",
        *(*column.as_bytes(), len(strings), wide),
        *(address(codes), room, address(ends)),
    )
    return None if size is None else (codes[:size], ends)


def _separated(codes: Codes, ends: Int64) -> Strings:
    """Return the column of strings with one separator between them, and one before the first."""
    return Strings(codes, 1 + np.append(0, ends)[:-1], ends)


def _written(call: Callable[..., int | None], rows: int) -> Strings | None:
    """Return the strings that a kernel writes, one after the other, once it has said how long."""
    room = call(None, None)
    if room is None:
        return None
    made, ends = np.empty(room, np.uint8), np.empty(rows, np.int64)
    total = call(address(made), address(ends))
    return Strings(made[:total], np.append(0, ends)[:-1], ends)
