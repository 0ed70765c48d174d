"""Lines that perturb wrote, restored without an object for each row.

As in `rows/block.py` a kernel says where in the lines the texts are; here it reads perturbed rows,
and another undoes their edits. A row that is not usual is left to `rows/stored.py`, which defines
what both make.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import eq, itemgetter
from typing import Any, NamedTuple

import numpy as np
import orjson

from perturb.engine import memory
from perturb.engine.native.blocks import read_block, restore_block
from perturb.errors import DataError, PerturbError
from perturb.plan.options import LINKAGE
from perturb.plan.parts import SpanSource, suffix_of
from perturb.plan.recipe_text import cut, read_options
from perturb.records.ids import TEXT_PREFIX, check_of, digits_of
from perturb.records.notation import NAMES, STATUSES, quoted
from perturb.registry.definition import EXPECTS
from perturb.rows.block import fields_of
from perturb.rows.stored import texts_in

_RECORD = b',"%b":' % LINKAGE.encode()
_OF_TEXT = np.frombuffer(f'"{TEXT_PREFIX}'.encode(), np.uint8)
_STRINGS = {str}
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
        spans = dict.fromkeys(SpanSource.of(each).path for each in options["spans"])
        choices = (*(f"{cut(choice)[1]}[*]" for choice in options["choices"]),)
        names = options["field"], options["id_field"], options["target"], (*spans,), True
        lacking = options["missing"] != "error"
        fields = fields_of(*names, lacking, choices)
    except PerturbError:
        return (), ()
    read = None if fields is None else read_block(rows, fields)
    if fields is None or read is None or not read.rows:
        return (), ()
    records = list(map(records.__getitem__, read.lines.tolist()))
    suffix = "" if untouched else suffix_of(condition, options["replicate"])
    changes, name = [record["edits"] for record in records], quoted(options["id_field"]).encode()
    behind = orjson.dumps(suffix)[1:]
    # A record names each option, but its check is of a list of them as one text.
    checked = proven and not choices
    lines, ends, checks = restore_block(read, fields, changes, behind, name, checked=checked)
    starts = np.append(0, ends)[:-1]
    kept, data = np.flatnonzero(starts < ends), lines.tobytes()
    if proven:
        made: list[str | None]
        if checks is None:
            made = [_check_of(line, options) for line in data.split(b"\n")[:-1]]
        else:
            digits = digits_of(checks[kept].astype(np.uint32), ",")
            made = [f"x{check}" for check in digits.split(",")]
        said = [records[row]["check"] for row in kept.tolist()]
        kept = kept[list(map(eq, made, said))]
    ids = read.ids[kept, 0]
    of_text = read.arrays["json"][ids[:, None] + np.arange(len(_OF_TEXT))] == _OF_TEXT
    keys: list[int | None] = read.id_keys[kept].tolist()
    for at in np.flatnonzero(of_text.all(axis=1)).tolist():
        keys[at] = None
    own = map(records.__getitem__, kept.tolist())
    places = zip(starts[kept].tolist(), (ends[kept] - 1).tolist(), strict=True)
    originals = [data[start:end] for start, end in places]
    return read.lines[kept].tolist(), map(StoredLine, originals, own, keys)


def _check_of(line: bytes, options: Mapping[str, Any]) -> str | None:
    """Return the check of a row; None if its texts aren't found."""
    row = _parsed(line)
    with contextlib.suppress(DataError):
        return None if row is None else check_of(texts_in(row, options).values())
    return None
