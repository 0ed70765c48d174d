"""Lines that perturb wrote, restored without an object for each row.

As in `rows/block.py` a kernel says where in the lines the texts are; here it reads perturbed rows,
and their edits are undone as columns. A row that is not usual is left to `rows/stored.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.engine import memory
from perturb.engine.edits import Edits
from perturb.engine.native.blocks import Read, read_block
from perturb.engine.text.strings import Strings, packed, repeated, same, stack
from perturb.engine.text.strings import column as column_of
from perturb.errors import PerturbError
from perturb.io import json_path
from perturb.plan.options import LINKAGE
from perturb.plan.recipe_text import read_options
from perturb.records.ids import TEXT_PREFIX, digits_of
from perturb.records.notation import NAMES, STATUSES, quoted, read_many
from perturb.registry.definition import EXPECTS
from perturb.rows.block import fields_of
from perturb.rows.block_values import location_of, places_of
from perturb.values.arrays import Bool, Int64

_RECORD = b',"%b":' % LINKAGE.encode()
_OF_TEXT = np.frombuffer(f'"{TEXT_PREFIX}'.encode(), np.uint8)
_STRINGS = {str}
# An id that was no string, as JSON has it; someone may have written it otherwise since.
_ID = re.compile("|null|0|-?[1-9][0-9]*")
_KIND = itemgetter("recipe", "condition", "status", "expect")


class StoredLine(NamedTuple):
    """A line that perturb wrote, taken apart.

    Attributes:
        original: the row before its steps, as JSON.
        record: its record.
        id_key: the hash of its id; None of an id that was made of a text.
    """

    original: bytes
    record: dict[str, str]
    id_key: int | None


class _Edited(NamedTuple):
    """The edits of the texts of a block; every array has an entry for each edit.

    Attributes:
        texts: the number of the text.
        starts: where it starts in the original.
        old: what stood there.
        new: its replacement.
    """

    texts: Int64
    starts: Int64
    old: Strings
    new: Strings


class _Pieces(NamedTuple):
    """Parts of lines: where they start, where they end, and the bytes there before."""

    starts: Int64
    ends: Int64
    before: Strings


def stored_lines(lines: Sequence[bytes], proven: bool = True) -> list[StoredLine | None]:
    """Take lines apart, and prove their originals; None for one that is left.

    Args:
        lines: the lines, each a row of JSON without the end of its line.
        proven: whether the checks in the records are compared; else the caller proves the rows.
    """
    memory.keep()
    made: list[StoredLine | None] = [None] * len(lines)
    parts = [(line if line[-1:] == b"}" else b"").rpartition(_RECORD) for line in lines]
    texts = [part[2][:-1] or b"0" for part in parts]
    records = _parsed(b"[%b]" % b",".join(texts)) or []
    if len(records) != len(lines):  # one isn't JSON, which costs no other
        records = [*map(_parsed, texts)]
    for kind, numbers in _alike(records).items():
        rows = b"}\n".join([parts[number][0] for number in numbers]) + b"}"
        own = list(map(records.__getitem__, numbers))
        for at, stored in zip(*_restored(rows, own, *kind, proven), strict=True):
            made[numbers[at]] = stored
    return made


def _parsed(text: bytes) -> Any:
    """Return the value of JSON; None for other text."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


def _alike(records: list[Any]) -> dict[tuple[str, str, bool], Sequence[int]]:
    """Return the numbers of records by recipe, condition, and whether they are originals."""
    numbers: Sequence[int] = range(len(records))
    if {*map(type, records)} != {dict} or {*map(tuple, records)} != {NAMES}:
        numbers = [at for at in numbers if type(records[at]) is dict and (*records[at],) == NAMES]
    values = map(dict.values, map(records.__getitem__, numbers))
    if {*map(type, chain.from_iterable(values))} - _STRINGS:
        numbers = [at for at in numbers if {*map(type, records[at].values())} == _STRINGS]
    kinds = list(map(_KIND, map(records.__getitem__, numbers)))
    alike: dict[tuple[str, str, bool], list[int]] = {}
    known: dict[tuple[str, ...], list[int]] = {}
    for recipe, condition, status, expect in {*kinds}:
        if status in STATUSES and expect in EXPECTS:
            own = alike.setdefault((recipe, condition, status == "original"), [])
            known[recipe, condition, status, expect] = own
    if len(alike) == 1 and len(known) == len({*kinds}):
        return dict.fromkeys(alike, numbers)
    for number, kind in zip(numbers, kinds, strict=True):
        if kind in known:
            known[kind].append(number)
    return {**alike}


def _restored(
    rows: bytes,
    records: list[dict[str, str]],
    recipe: str,
    condition: str,
    untouched: bool,
    proven: bool,
) -> tuple[Sequence[int], Iterable[StoredLine]]:
    """Return the numbers of those rows of one version that are usual, and themselves."""
    try:
        options = read_options(recipe)
        special = options["target"] or options["choices"]
        fields = None if special else fields_of(options["field"], options["id_field"])
    except PerturbError:
        return (), ()
    read = None if fields is None else read_block(rows, fields)
    if fields is None or read is None or not read.rows:
        return (), ()
    records = list(map(records.__getitem__, read.lines.tolist()))
    replicate = f"#{options['replicate']}" if options["replicate"] else ""
    suffix = "" if untouched else f"#{condition}{replicate}"
    good = np.ones(read.rows, np.bool_)
    changed, values = _changes(read, options["field"], [row["edits"] for row in records], good)
    pieces = _texts_before(read, changed, good)
    pieces += _ids_before(read, options["id_field"], suffix, values, good)
    originals = _with_pieces(read, pieces, good)
    kept = np.flatnonzero(good)
    if proven:
        again = read_block(b"\n".join(originals), fields)
        assert again is not None  # there are kernels
        said = [records[row]["check"] for row in kept[again.lines].tolist()]
        checks = digits_of(again.arrays["checks"][: again.rows].astype(np.uint32), ",").split(",")
        is_proven = [f"x{check}" == own for check, own in zip(checks, said, strict=False)]
        originals = list(map(originals.__getitem__, again.lines[is_proven].tolist()))
        kept = kept[again.lines[is_proven]]
    starts = read.ids[kept, 0]
    of_text = read.arrays["json"][starts[:, None] + np.arange(len(_OF_TEXT))] == _OF_TEXT
    keys: list[int | None] = read.id_keys[kept].tolist()
    for at in np.flatnonzero(of_text.all(axis=1)).tolist():
        keys[at] = None
    own = map(records.__getitem__, kept.tolist())
    return read.lines[kept].tolist(), map(StoredLine, originals, own, keys)


def _changes(
    read: Read, fields: Sequence[str], changes: Sequence[str], good: Bool
) -> tuple[_Edited, dict[int, str]]:
    """Read what changed in rows; mark those that are not usual.

    Args:
        read: the rows.
        fields: the paths to their texts.
        changes: what changed in each, in the notation of records.
        good: shape (rows,); the rows that are usual.

    Returns:
        The edits of texts; and of rows in which another value changed, the changes as text.
    """
    changed = read_many(changes)
    good &= ~changed.left
    names = _names(read, fields)
    if len(names) == read.rows:
        paths = column_of(names).take(changed.rows)
        texts = np.where(same(changed.paths, paths), changed.rows, -1)
    else:
        row_of_text = np.arange(read.rows).repeat(read.counts)
        named = zip(row_of_text.tolist(), names, strict=True)
        numbers = {name: number for number, name in enumerate(named)}
        keys = zip(changed.rows.tolist(), changed.paths.to_list(), strict=True)
        texts = np.array([numbers.get(key, -1) for key in keys], np.int64)
    good[changed.rows[np.diff(texts, prepend=-1) <= 0]] = False
    codes = changed.old.flat()
    halves = (codes >= 0xD800) & (codes < 0xE000)  # of surrogates, which no UTF-8 holds
    good[changed.rows[changed.texts[_rows_of(changed.old, halves)]]] = False
    kept = np.flatnonzero(good[changed.rows[changed.texts]])
    old, new = changed.old.take(kept), changed.new.take(kept)
    edits = _Edited(texts[changed.texts[kept]], changed.starts[kept], old, new)
    return edits, changed.values


def _names(read: Read, fields: Sequence[str]) -> list[str]:
    """Return the path of each text, as records write it."""
    if len(fields) == 1 and "[" not in fields[0]:
        return [quoted(json_path.written(json_path.parse(fields[0])))] * len(read.found)
    known: dict[bytes, str] = {}
    places = places_of(read)
    for number, place in enumerate(places):
        if place not in known:
            known[place] = quoted(json_path.written(location_of(read, number, fields)))
    return [known[place] for place in places]


def _texts_before(read: Read, changed: _Edited, good: Bool) -> list[_Pieces]:
    """Undo the edits of texts; mark the rows whose texts do not hold what these wrote."""
    row_of_text = np.arange(read.rows).repeat(read.counts)
    growth = changed.new.lengths - changed.old.lengths
    grown = np.cumsum(growth) - growth
    first = np.diff(changed.texts, prepend=-1) > 0
    at = changed.starts + grown - grown[first][np.cumsum(first) - 1]
    pieces: list[_Pieces] = []
    for numbers, source in (read.narrow, read.wide):
        here = np.flatnonzero(np.isin(changed.texts, numbers))
        local = numbers.searchsorted(changed.texts[here])
        starts = source.starts[local] + at[here]
        ends = starts + changed.new.lengths[here]
        holds = ends <= source.ends[local]
        holds[1:] &= (starts[1:] >= ends[:-1]) | (local[1:] > local[:-1])
        there = np.flatnonzero(holds)
        written = Strings(source.codes, starts[there], ends[there])
        holds[there] &= same(written, changed.new.take(here[there]))
        good[row_of_text[changed.texts[here[~holds]]]] = False
        kept = np.flatnonzero(good[row_of_text[changed.texts[here]]])
        starts, ends, local = starts[kept], ends[kept], local[kept]
        old, found = changed.old.take(here[kept]), read.found[numbers]
        # In a string without an escape, and with nothing to escape, the edits are undone in place.
        is_plain = found["end"] - found["start"] == source.lengths + 2
        is_plain &= (source is read.narrow[1]) & (found["items"] <= 0)
        codes = old.flat()
        odd = (codes < ord(" ")) | (codes == ord('"')) | (codes == ord("\\")) | (codes > ord("~"))
        is_plain[local[_rows_of(old, odd)]] = False
        (in_place,) = is_plain[local].nonzero()
        moved = (found["start"] + 1 - source.starts)[local[in_place]]
        before = packed(old.take(in_place).flat().astype(np.uint8), old.lengths[in_place])
        pieces.append(_Pieces(starts[in_place] + moved, ends[in_place] + moved, before))
        (others,) = (~is_plain[local]).nonzero()
        edits = Edits(starts[others], ends[others], old.take(others))
        rest = np.unique(local[others])
        own = found[rest]
        pairs = zip(edits.apply(source).take(rest).to_list(), own["items"] > 0, strict=True)
        texts = [orjson.dumps(text.split("\n") if is_list else text) for text, is_list in pairs]
        pieces.append(_Pieces(own["start"], own["end"], _of_bytes(texts)))
    return pieces


def _rows_of(strings: Strings, marks: Bool) -> Int64:
    """Return the rows of strings that marked ones of their code points are in."""
    return np.arange(len(strings)).repeat(strings.lengths).compress(marks)


def _of_bytes(strings: Sequence[bytes]) -> Strings:
    lengths = np.array([*map(len, strings)], np.intp)
    return packed(np.frombuffer(b"".join(strings), np.uint8), lengths)


def _ids_before(
    read: Read, id_field: str, suffix: str, values: dict[int, str], good: Bool
) -> list[_Pieces]:
    """Return what the ids were; mark the rows where that is not clear."""
    json, starts, ends = read.arrays["json"], read.ids[:, 0], read.ids[:, 1]
    end = np.frombuffer(orjson.dumps(suffix)[1:], np.uint8)
    key = b"%b:" % orjson.dumps(id_field)
    before = ends - len(end)
    named = (starts >= 0) & (before > starts) & (json[starts] == ord('"'))
    there = np.flatnonzero(named)
    named[there] &= (json[before[there, None] + np.arange(len(end))] == end).all(axis=1)
    others: list[tuple[int, int, bytes]] = []
    for row, said in values.items():
        name, equals, value = said.partition("=")
        start, end = read.ids[row].tolist()
        named[row] = start >= 0 and bool(equals) and name == quoted(id_field)
        named[row] &= _ID.fullmatch(value) is not None
        if named[row] and not value:  # it goes with its key, and a comma before or behind
            start -= len(key) + 1
            is_first = int(json[start] == ord("{"))
            start, end = start + is_first, end + is_first
            named[row] = json[start:end].tobytes().lstrip(b",").startswith(key)
            named[row] &= not is_first or json[end - 1] == ord(",")
        if named[row]:
            others.append((start, end, value.encode()))
    good &= named
    plain = good.copy()
    plain[[*values]] = False
    cuts = np.flatnonzero(plain)
    places = np.array([each[:2] for each in others], np.intp).reshape(-1, 2).T
    return [
        _Pieces(before[cuts], ends[cuts] - 1, repeated("", len(cuts))),
        _Pieces(places[0], places[1], _of_bytes([each[2] for each in others])),
    ]


def _with_pieces(read: Read, pieces: list[_Pieces], good: Bool) -> list[bytes]:
    """Return the good rows with pieces in place of what stands there."""
    json = Strings(read.arrays["json"], read.borders[:, 0], read.borders[:, 1] + 1)
    starts, ends = (np.concatenate([piece[at] for piece in pieces]) for at in (0, 1))
    order = starts.argsort(kind="stable")
    replacements = stack(*(piece.before for piece in pieces)).take(order)
    after = Edits(starts[order], ends[order], replacements).apply(json)
    data, rows = after.codes.tobytes(), np.flatnonzero(good)
    places = zip(after.starts[rows].tolist(), after.ends[rows].tolist(), strict=True)
    return [data[start:end] for start, end in places]
