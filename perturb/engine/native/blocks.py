"""The kernels of blocks of rows, called with structures that are those of the headers of C."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.edits import Edits
from perturb.engine.native import binding
from perturb.engine.native.binding import Struct as Struct
from perturb.engine.native.binding import codes_of, like
from perturb.engine.native.kernels import line_ends
from perturb.engine.text.strings import Strings, repeated
from perturb.values.arrays import Bool, Int64, NDArray, UInt8, UInt64

# As in search.h: bounds, the kinds of parts, the ends of paths, the values that are no texts, and
# the bytes of a value that was found.
MOST_PARTS, MOST_PATHS, MOST_LISTS = 8, 9, 4
KINDS = ("key", "all", "index", "last", "where", "where first", "where last")
TEXTS, ANSWERS, SAID, VALUES, CHOICES, IDS = range(6)
SAID_STRING, OTHER = -1, -2
FOUND = np.dtype(
    {
        "names": ["start", "end", "path", "lists", "index", "items"],
        "formats": ["i8", "i8", "i4", "i4", ("i4", MOST_LISTS), "i4"],
        "offsets": [0, 8, 16, 20, 24, 44],
        "itemsize": 48,
    }
)
# The columns of a row in search.h.
_IDS, _ID, _LINE, _TEXTS, _ROW = slice(2, 4), 2, 4, 6, 7
_LATIN_1 = 0xFF
# More bytes than an edit takes as text, besides its path and what each code point of it may take.
_EDIT, _CODE = 24, 9


class Part(NamedTuple):
    """A part of a path.

    Attributes:
        kind: one of `KINDS`.
        key: the key; of a choice the one that is compared.
        value: the value that a choice compares it with.
        quoted: the key as the text of edits has it, in a string of JSON.
        place: the place in a list.
    """

    kind: str
    key: bytes = b""
    value: bytes = b""
    quoted: bytes = b""
    place: int = 0


class Path(NamedTuple):
    """A path to texts, or to what follows them.

    Attributes:
        whole: the path as it is written.
        parts: its parts.
        keyed: whether the path of a text is in its key.
        leads_to: `TEXTS`; `ANSWERS`, whose strings are texts too; `SAID`, whose strings are in the
            check of the row alone; `VALUES` of any kind; `CHOICES`, lists of options as texts; or
            `IDS`, the id.
        optional: from which of its parts on a key may be absent.
        may_lack: whether null is passed over.
        is_many: whether it may lead to several texts.
    """

    whole: bytes
    parts: Sequence[Part]
    keyed: bool
    leads_to: int = TEXTS
    optional: int = MOST_PARTS
    may_lack: bool = False
    is_many: bool = False


def fields_of(paths: Sequence[Path], record: bytes) -> Struct:
    """Return the texts, the id and the record to look for in rows, which may have no record.

    Args:
        paths: the paths to texts, to what follows them, and last the one to the id.
        record: the name of the record.
    """
    none = _part(Part(KINDS[0]))
    empty = _path(Path(b"", (), False), none)
    whole = [*(_path(path, none) for path in paths), *[empty] * (MOST_PATHS - len(paths))]
    return Struct(*whole, len(paths), record, record + b".edits")


def _path(path: Path, none: Struct) -> Struct:
    parts = map(_part, path.parts)
    more = [none] * (MOST_PARTS - len(path.parts))
    return Struct(*parts, *more, len(path.parts), *path[2:], _in_json(path.whole))


def _part(part: Part) -> Struct:
    names = part.key, part.value, part.quoted, _in_json(part.key)
    return Struct(KINDS.index(part.kind), part.place, *names)


def _in_json(name: bytes) -> bytes:
    """Return a name as rows have it that kernels have read."""
    text = json.dumps(name.decode("utf-8", "surrogatepass"), ensure_ascii=False)
    return text[1:-1].encode("utf-8", "surrogatepass")


class Read(NamedTuple):
    """The rows in lines, and the texts and other values that were found in them.

    Attributes:
        struct: the structure of C, for `write_block`.
        arrays: what its addresses lead to.
        rows: how many lines were read.
        ids: shape (rows, 2); where its id starts and ends in the bytes "json"; -1 for none.
        found: shape (n,), of `FOUND`; the values, those of a row in the order of the paths; "items"
            says of how many a text is a list, 0 for a string, or that it is no text.
        narrow: the texts of ASCII: their numbers among these, and themselves as `Strings.of_texts`
            gives them.
        wide: the others, likewise; all texts of a row are of one kind.
        keys: shape (n,); the key of each text.
        id_keys: shape (rows,); the key of each row's id, or of its first text.
        apart: shape (rows,); what keeps rows apart whose ids are made of one text; else 0.
        counts: shape (rows,); how many values each row has.
        lines: shape (rows,); the number of each row's line, from 0.
        named: shape (rows,); whether it has an id.
        left: shape (n, 4); of each line that is not usual in some way the number of rows before it,
            its number, where it starts, and where it ends.
    """

    struct: Struct
    arrays: dict[str, NDArray[Any]]
    rows: int
    ids: Int64
    found: NDArray[Any]
    narrow: tuple[Int64, Strings]
    wide: tuple[Int64, Strings]
    keys: UInt64
    id_keys: UInt64
    apart: UInt64
    counts: Int64
    lines: Int64
    named: NDArray[np.bool_]
    left: Int64


def read_block(lines: bytes, fields: Struct) -> Read | None:
    """Read lines of JSON; None where there are no kernels.

    Args:
        lines: a row a line.
        fields: the texts, ids and records to look for.
    """
    # Counted, since room for lines that aren't there would stay in memory.
    size, room = len(lines) + 64, 1 + line_ends(lines)
    texts = 2 * room + size // 8
    arrays: dict[str, NDArray[Any]] = {
        "json": np.empty(size, np.uint8),
        "rows": np.empty((room, _ROW), np.int64),
        "found": np.empty(texts * FOUND.itemsize, np.uint8),
        "wide": np.empty(room, np.bool_),
        "starts": np.empty(texts, np.int64),
        "ends": np.empty(texts, np.int64),
        "narrow_codes": np.empty(size, np.uint8),
        "wide_codes": np.empty(size, np.uint32),
        "keys": np.empty(texts, np.uint64),
        "id_keys": np.empty(room, np.uint64),
        "apart": np.empty(room, np.uint64),
        "checks": np.empty(room, np.uint64),
        "left": np.empty((room, 4), np.int64),
    }
    block = Struct(*arrays.values(), texts, *[0] * 6)
    structs = fields.numbers, block.numbers
    if binding.called("perturb_read_block", lines, len(lines), *structs, room) is None:
        return None
    sizes = block.numbers[len(arrays) + 1 :].tolist()
    _, made_rows, made_texts, narrow_size, wide_size, left = sizes
    rows = arrays["rows"][:made_rows]
    counts, ids = rows[:, _TEXTS], rows[:, _ID]
    found = arrays["found"].view(FOUND)[:made_texts]
    wide_codes = arrays["wide_codes"][:wide_size]
    if wide_size > 1 and wide_codes.max() <= _LATIN_1:
        wide_codes = wide_codes.astype(np.uint8)
    spans = arrays["starts"], arrays["ends"]
    narrow, wide = _kinds(found["items"] >= 0, arrays["wide"][:made_rows], counts, wide_size > 1)
    named = ids >= 0
    named &= arrays["json"][ids] != ord("n")
    return Read(
        block,
        arrays,
        made_rows,
        rows[:, _IDS],
        found,
        (narrow, Strings(arrays["narrow_codes"][:narrow_size], *(each[narrow] for each in spans))),
        (wide, Strings(wide_codes, *(each[wide] for each in spans))),
        arrays["keys"][:made_texts],
        arrays["id_keys"][:made_rows],
        arrays["apart"][:made_rows],
        counts,
        rows[:, _LINE],
        named,
        arrays["left"][:left],
    )


def _kinds(is_text: Bool, is_wide: Bool, counts: Int64, some: bool) -> tuple[Int64, Int64]:
    """Return the numbers of the texts of ASCII among values, and of the others, if there are some.

    Args:
        is_text: shape (values,).
        is_wide: shape (rows,).
        counts: shape (rows,); the values of each row.
        some: whether a row is wide.
    """
    if not some:
        return np.flatnonzero(is_text), np.empty(0, np.intp)
    wide = is_wide.repeat(counts)
    return np.flatnonzero(is_text & ~wide), np.flatnonzero(is_text & wide)


class Record(NamedTuple):
    """The JSON in the lines of all rows.

    Attributes:
        id: the text before the id that a row without one gets.
        id_change: the text before a former id in `edits`, where that was no string; all of the
            change of an id that was not there.
        between: the texts before the original id, the original, `expect`, `edits` and `check`.
        reasons: the values of `status`, by their numbers.
        expects: those of `expect`.
        has_original: whether the original text is in the record.
    """

    id: bytes
    id_change: bytes
    between: tuple[bytes, ...]
    reasons: tuple[bytes, ...]
    expects: tuple[bytes, ...]
    has_original: bool


NOTHING = repeated("", 0)


class Version(NamedTuple):
    """A version of all rows.

    Attributes:
        suffix: the end of its ids, and the quote behind it.
        condition: the text before the value of `status`.
        recipe: the text behind the check.
        reasons: shape (rows,); the number of the status of each.
        expects: shape (rows,); the number of what becomes of its right answer.
        batches: the texts before and after, and the edits; none for the original.
        batch: shape (n,); in which of these each text is.
        place: shape (n,); and where there.
        values: n strings; of each value that is no text to perturb the JSON now, empty for one that
            stays; none if all do.
    """

    suffix: bytes
    condition: bytes
    recipe: bytes
    reasons: UInt8
    expects: UInt8
    batches: Sequence[tuple[Strings, Strings, Edits]]
    batch: NDArray[np.int32]
    place: NDArray[np.int32]
    values: Strings = NOTHING


def write_block(
    read: Read, fields: Struct, record: Record, versions: Sequence[Version]
) -> tuple[NDArray[np.uint8], Int64] | None:
    """Write the lines of all versions of rows.

    Args:
        read: the rows.
        fields: the texts, ids and records that they were searched for.
        record: the text that all lines share.
        versions: the versions.

    Returns:
        The lines, those of a row together; and where the last of each row ends. None where a text
        holds a lone surrogate, which can't be JSON of its own.
    """
    packed = Struct(*map(_packed, versions))
    ends, done, size = np.empty(read.rows, np.int64), 0, 0
    constant = len(versions) * (len(b"".join([record.id, *record.between])) + 200)
    constant += sum(len(version.condition) + len(version.recipe) for version in versions)
    json_size = int(read.struct.numbers[len(read.arrays) + 1])
    room = 3 * len(versions) * json_size + read.rows * constant + (1 << 16)
    structs = read.struct.numbers, fields.numbers, _common(record).numbers, packed.numbers
    parts: list[NDArray[np.uint8]] = []
    while done < read.rows:
        part = np.empty(room, np.uint8)
        rest = len(versions), done, part, room, ends[done:]
        made = binding.called("perturb_write_block", *structs, *rest)
        if made is None:
            return None
        if size:
            ends[done : done + made] += size
        room *= 2  # for what did not fit
        if made:
            done += made
            parts.append(part[: ends[done - 1] - size])
            size = int(ends[done - 1])
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.uint8), *parts]), ends


def restore_block(
    read: Read, fields: Struct, changes: Sequence[str], suffix: bytes, id: bytes, *, checked: bool
) -> tuple[NDArray[np.uint8], Int64, UInt64 | None]:
    """Write rows as they were before their steps.

    Args:
        read: the rows, without their records.
        fields: the texts, ids and records that they were searched for.
        changes: of each row what changed, in the notation of records.
        suffix: the end of their ids, and the quote behind it.
        id: what the changes call an id.
        checked: whether the checks of the texts are wanted.

    Returns:
        The lines; where that of each row ends, which is where it starts if it is left; and the
        checks, if they are wanted, which mean nothing for a row that is left.
    """
    said = [change.encode() for change in changes]
    edges = np.cumsum([0, *map(len, said)], dtype=np.int64)
    codes = np.frombuffer(b"".join(said), np.uint8)
    column = _column(Strings(codes, edges[:-1], edges[1:]))
    sizes = (len(each) for each in (read.narrow[1].codes, read.wide[1].codes))
    json_size = int(read.struct.numbers[len(read.arrays) + 1])
    room = json_size + 6 * (sum(sizes) + len(codes)) + 4 * (len(read.found) + read.rows)
    lines, ends = np.empty(room, np.uint8), np.empty(read.rows, np.int64)
    checks = np.empty(read.rows, np.uint64) if checked else None
    record = Struct(*column, suffix, id)
    structs = read.struct.numbers, fields.numbers, record.numbers
    size = binding.called("perturb_restore_block", *structs, lines, room, ends, checks)
    assert size is not None  # there are kernels, since they read the rows
    return lines[: ends[-1] if read.rows else 0], ends, checks


@lru_cache(maxsize=16)
def _common(record: Record) -> Struct:
    return Struct(
        *(record.id, record.id_change, *record.between),
        *([*record.reasons], [*record.expects]),
        *(len(record.reasons), len(record.expects), record.has_original),
    )


def _packed(version: Version) -> Struct:
    made = [value for batch in version.batches for value in _made(*batch)]
    return Struct(
        *(version.suffix, version.condition, version.recipe),
        *(made or 0, len(version.batches)),
        *(version.batch, version.place, version.reasons, version.expects),
        Struct(*_column(version.values)),
    )


def _made(source: Strings, result: Strings, edits: Edits) -> tuple[Any, ...]:
    columns = (*_column(source), *_column(result), *_column(edits.replacements))
    places = edits.starts, edits.ends, edits.edges(source)
    return (*columns, *(like(each, np.int64) for each in places), len(edits))


def _column(strings: Strings) -> tuple[Any, ...]:
    codes, wide, size = codes_of(strings.codes)
    starts, ends = like(strings.starts, np.int64), like(strings.ends, np.int64)
    return codes, starts, ends, size, len(strings), wide


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
    made = Struct(*_made(source, result, edits))
    changed = int(edits.replacements.lengths.sum() + (edits.ends - edits.starts).sum())
    room = len(source) * len(path) + len(edits) * _EDIT + changed * _CODE
    codes, ends = np.empty(room, np.uint8), np.empty(len(source), np.int64)
    size = binding.called("perturb_edit_texts", made.numbers, path, len(path), codes, room, ends)
    return Strings(codes[:size], np.append(0, ends)[:-1], ends)
