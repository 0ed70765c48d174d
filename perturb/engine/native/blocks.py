"""The kernels of blocks of rows, called with structures that are those of the headers of C."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from ctypes import Structure, addressof, c_char_p, c_int, c_int32, c_int64, c_void_p
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.native import binding
from perturb.engine.native.binding import address, codes_of, like
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Int64, NDArray, UInt8, UInt64

# As in search.h.
MOST_PARTS, MOST_PATHS, MOST_LISTS = 8, 8, 4
KINDS = ("key", "all", "index", "last", "where", "where last")
_LATIN_1 = 0xFF
# More bytes than an edit takes as text, besides its path and what each code point of it may take.
_EDIT, _CODE = 24, 9


class _Name(Structure):
    _fields_ = (("start", c_char_p), ("size", c_int64))


class _Part(Structure):
    _fields_ = (
        *(("kind", c_int64), ("index", c_int64)),
        *(("key", _Name), ("value", _Name), ("quoted", _Name)),
    )


class _Path(Structure):
    _fields_ = (
        *(("part", _Part * MOST_PARTS), ("parts", c_int64)),
        *(("keyed", c_int64), ("whole", _Name)),
    )


class _Fields(Structure):
    _fields_ = (
        *(("path", _Path * MOST_PATHS), ("paths", c_int64)),
        *(("id", _Name), ("record", _Name), ("flat_record", _Name)),
    )


class _Found(Structure):
    _fields_ = (
        *(("start", c_int64), ("end", c_int64), ("path", c_int32), ("lists", c_int32)),
        *(("index", c_int32 * MOST_LISTS), ("in_place", c_int32)),
    )


class _Row(Structure):
    _fields_ = tuple(
        (name, c_int64) for name in ("start", "end", "id", "id_end", "line", "first", "texts")
    )


_ARRAYS = (
    *("json", "rows", "found", "wide", "starts", "ends", "narrow_codes", "wide_codes"),
    *("keys", "id_keys", "checks", "left"),
)
_SIZES = ("most_texts", "json", "rows", "texts", "narrow_size", "wide_size", "left")


class _Block(Structure):
    _fields_ = (
        *((name, c_void_p) for name in _ARRAYS),
        *((f"size_{name}", c_int64) for name in _SIZES),
    )


class _Column(Structure):
    _fields_ = (
        *((name, c_void_p) for name in ("codes", "starts", "ends")),
        *(("size", c_int64), ("count", c_int64), ("wide", c_int)),
    )


class _Made(Structure):
    _fields_ = (
        *((name, _Column) for name in ("before", "after", "written")),
        *((name, c_void_p) for name in ("starts", "ends", "edges")),
        ("edits", c_int64),
    )


class _Version(Structure):
    _fields_ = (
        *((name, _Name) for name in ("suffix", "condition", "recipe")),
        *(("made", c_void_p), ("batches", c_int64)),
        *((name, c_void_p) for name in ("batch", "place", "reasons", "expects")),
    )


class _Record(Structure):
    _fields_ = (
        *((name, _Name) for name in ("id", "id_change")),
        *((name, _Name) for name in ("original_id", "original", "expect", "edits", "check")),
        *((name, c_void_p) for name in ("reasons", "expects")),
        *((name, c_int64) for name in ("reasons_known", "expects_known", "has_original")),
    )


class Part(NamedTuple):
    """A part of a path.

    Attributes:
        kind: one of `KINDS`.
        key: the key; of a choice the one that is compared.
        value: what it is compared with.
        quoted: the key as the text of edits has it, in a string of JSON.
        place: the place in a list.
    """

    kind: str
    key: bytes = b""
    value: bytes = b""
    quoted: bytes = b""
    place: int = 0


class Path(NamedTuple):
    """A path to texts.

    Attributes:
        whole: the path as it is written.
        parts: its parts.
        keyed: whether the path of a text is in its key.
    """

    whole: bytes
    parts: Sequence[Part]
    keyed: bool


def fields_of(paths: Sequence[Path], id: bytes, record: bytes) -> _Fields:
    """Return what rows are searched for: texts, an id, and a record, which no row may have yet."""
    made = [
        _Path(
            tuple(
                _Part(
                    KINDS.index(part.kind),
                    part.place,
                    *map(_name, (part.key, part.value, part.quoted)),
                )
                for part in path.parts
            ),
            len(path.parts),
            path.keyed,
            _name(path.whole),
        )
        for path in paths
    ]
    return _Fields(tuple(made), len(paths), *map(_name, (id, record, record + b".edits")))


def _name(data: bytes) -> _Name:
    return _Name(data, len(data))


def _names(each: Iterable[bytes]) -> Any:
    return _array(_Name, list(map(_name, each)))


@cache
def _kind_of_array(kind: type[Structure], size: int) -> Any:
    """Return a type of arrays; a new one would be a cycle of references each time."""
    return kind * size


def _array(kind: type[Structure], entries: Sequence[Structure]) -> Any:
    return _kind_of_array(kind, len(entries))(*entries)


class Read(NamedTuple):
    """What was read of lines.

    Attributes:
        struct: the structure of C, for `write_block`.
        arrays: what its addresses lead to.
        rows: how many lines were read.
        narrow: the texts of ASCII: their numbers, in the order of rows, and themselves as
            `Strings.of_texts` gives them.
        wide: the others, likewise; all texts of a row are of one kind.
        keys: shape (texts,); the key of each text.
        id_keys: shape (rows,); the key of each row's id, or of its first text.
        counts: shape (rows,); how many texts each row has.
        lines: shape (rows,); the number of each row's line, from 0.
        named: shape (rows,); whether it has an id.
        left: shape (n, 4); of each line that is not usual in some way the number of rows before it,
            its number, where it starts, and where it ends.
    """

    struct: _Block
    arrays: dict[str, NDArray[Any]]
    rows: int
    narrow: tuple[Int64, Strings]
    wide: tuple[Int64, Strings]
    keys: UInt64
    id_keys: UInt64
    counts: Int64
    lines: Int64
    named: NDArray[np.bool_]
    left: Int64


def read_block(lines: bytes, fields: _Fields) -> Read | None:
    """Read lines of JSON; None where there are no kernels.

    Args:
        lines: a row a line.
        fields: what they are searched for.
    """
    # NumPy counts faster than bytes do.
    ends = np.count_nonzero(np.frombuffer(lines, np.uint8) == ord("\n"))
    size, room = len(lines) + 64, 1 + int(ends)
    texts = 2 * room + size // 8
    arrays: dict[str, NDArray[Any]] = {
        "json": np.empty(size, np.uint8),
        "rows": np.empty((room, len(_Row._fields_)), np.int64),
        "found": np.empty(texts * ctypes.sizeof(_Found), np.uint8),
        "wide": np.empty(room, np.bool_),
        "starts": np.empty(texts, np.int64),
        "ends": np.empty(texts, np.int64),
        "narrow_codes": np.empty(size, np.uint8),
        "wide_codes": np.empty(size, np.uint32),
        "keys": np.empty(texts, np.uint64),
        "id_keys": np.empty(room, np.uint64),
        "checks": np.empty(room, np.uint64),
        "left": np.empty((room, 4), np.int64),
    }
    block = _Block(*(address(arrays[name]) for name in _ARRAYS), texts)
    places = addressof(fields), addressof(block)
    if binding.called("perturb_read_block", lines, len(lines), *places, room) is None:
        return None
    rows = arrays["rows"][: block.size_rows]
    counts, ids = rows[:, 6], rows[:, 2]
    is_wide = arrays["wide"][: len(rows)].repeat(counts)
    wide_codes = arrays["wide_codes"][: block.size_wide_size]
    if is_wide.any() and wide_codes.max() <= _LATIN_1:
        wide_codes = wide_codes.astype(np.uint8)
    spans = arrays["starts"], arrays["ends"]
    narrow, wide = np.flatnonzero(~is_wide), np.flatnonzero(is_wide)
    named = ids >= 0
    named &= arrays["json"][ids] != ord("n")
    return Read(
        block,
        arrays,
        len(rows),
        (narrow, Strings(arrays["narrow_codes"][: block.size_narrow_size], *_at(narrow, spans))),
        (wide, Strings(wide_codes, *_at(wide, spans))),
        arrays["keys"][: len(is_wide)],
        arrays["id_keys"][: len(rows)],
        counts,
        rows[:, 4],
        named,
        arrays["left"][: block.size_left],
    )


def _at(places: Int64, columns: Iterable[Int64]) -> list[Int64]:
    return [column[places] for column in columns]


class Record(NamedTuple):
    """What stands in the lines of all rows, as JSON.

    Attributes:
        id: what is before the id in a row that has none.
        id_change: what is before an id that is no string in the text of edits, where it is all that
            is said of an id that was not there.
        between: what is before the original id, the original, `expect`, `edits` and `check`.
        reasons: the values of `status`, by their numbers.
        expects: those of `expect`.
        has_original: whether the original text is in the record.
    """

    id: bytes
    id_change: bytes
    between: Sequence[bytes]
    reasons: Sequence[bytes]
    expects: Sequence[bytes]
    has_original: bool


class Version(NamedTuple):
    """A version of all rows.

    Attributes:
        suffix: the end of its ids, and the quote behind it.
        condition: what is before the value of `status`.
        recipe: what is behind the check.
        reasons: shape (rows,); the number of the status of each.
        expects: shape (rows,); the number of what becomes of its right answer.
        batches: the texts before and after, and the edits; none for the original.
        batch: shape (texts,); in which of these each text is.
        place: shape (texts,); and where there.
    """

    suffix: bytes
    condition: bytes
    recipe: bytes
    reasons: UInt8
    expects: UInt8
    batches: Sequence[tuple[Strings, Strings, Edits]]
    batch: NDArray[np.int32]
    place: NDArray[np.int32]


def write_block(
    read: Read, fields: _Fields, record: Record, versions: Sequence[Version]
) -> tuple[NDArray[np.uint8], Int64] | None:
    """Write the lines of all versions of rows.

    Args:
        read: the rows.
        fields: what they were searched for.
        record: what is the same in all lines.
        versions: the versions.

    Returns:
        The lines, those of a row together; and where the last of each row ends. None where a text
        holds a lone surrogate, which can't be JSON of its own.
    """
    alive: list[Any] = []
    packed = _array(_Version, [_packed(version, alive) for version in versions])
    reasons, expects = _names(record.reasons), _names(record.expects)
    common = _Record(
        *map(_name, (record.id, record.id_change, *record.between)),
        *(addressof(reasons), addressof(expects), len(reasons), len(expects)),
        record.has_original,
    )
    ends, done, size = np.empty(read.rows, np.int64), 0, 0
    constant = len(versions) * (len(b"".join([record.id, *record.between])) + 200)
    constant += sum(len(version.condition) + len(version.recipe) for version in versions)
    room = 3 * len(versions) * read.struct.size_json + read.rows * constant + (1 << 16)
    parts: list[NDArray[np.uint8]] = []
    while done < read.rows:
        part = np.empty(room, np.uint8)
        made = binding.called(
            "perturb_write_block",
            *(addressof(read.struct), addressof(fields), addressof(common)),
            *(addressof(packed), len(versions), done, part, room, ends[done:]),
        )
        if made is None:
            return None
        ends[done : done + made] += size
        room *= 2  # for what did not fit
        if made:
            done += made
            parts.append(part[: ends[done - 1] - size])
            size = int(ends[done - 1])
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.uint8), *parts]), ends


def _packed(version: Version, alive: list[Any]) -> _Version:
    """Return a version as C has it; what its addresses lead to stays alive with the list."""
    made = _array(_Made, [_made(*batch, alive) for batch in version.batches])
    arrays = version.batch, version.place, version.reasons, version.expects
    alive += made, arrays
    return _Version(
        *map(_name, (version.suffix, version.condition, version.recipe)),
        *(addressof(made) if version.batches else None, len(made)),
        *(address(each) for each in arrays),
    )


def _made(source: Strings, result: Strings, edits: Edits, alive: list[Any]) -> _Made:
    places = [like(each, np.int64) for each in (edits.starts, edits.ends, edits.edges(source))]
    alive += places
    columns = (_column(strings, alive) for strings in (source, result, edits.replacements))
    return _Made(*columns, *(address(each) for each in places), len(edits))


def _column(strings: Strings, alive: list[Any]) -> _Column:
    codes, wide, size = codes_of(strings.codes)
    starts, ends = like(strings.starts, np.int64), like(strings.ends, np.int64)
    alive += codes, starts, ends
    return _Column(address(codes), address(starts), address(ends), size, len(strings), wide)


def edit_texts(source: Strings, result: Strings, edits: Edits, path: bytes) -> Strings | None:
    """Return the edits of each text as `PATH|START:OLD>NEW|...`, and nothing for one without.

    Args:
        source: the texts before.
        result: the texts after.
        edits: the edits.
        path: what the text of each begins with, encoded.

    Returns:
        None where there are no kernels.
    """
    if binding.LIBRARY is None:
        return None
    alive: list[Any] = []
    made = _made(source, result, edits, alive)
    changed = int(edits.replacements.lengths.sum() + (edits.ends - edits.starts).sum())
    room = len(source) * len(path) + len(edits) * _EDIT + changed * _CODE
    codes, ends = np.empty(room, np.uint8), np.empty(len(source), np.int64)
    size = binding.called("perturb_edit_texts", addressof(made), path, len(path), codes, room, ends)
    return Strings(codes[:size], np.append(0, ends)[:-1], ends)
