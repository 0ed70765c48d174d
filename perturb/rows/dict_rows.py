"""Rows as objects, in blocks of lines where JSON gives them back as they are."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import orjson

from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import loads
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.records.notation import NAMES
from perturb.rows.block import perturb_lines
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_each

# Fewer rows cost less as objects; a block of more bytes would be none.
_FEW, _BLOCK = 8, 1 << 20
Versions = tuple[dict[str, Any], ...]


def perturb_rows(rows: Sequence[Any], job: Job, counts: RowCounts | None = None) -> list[Versions]:
    """Perturb rows as `perturb_each` does; arrays that the job reads count as lists."""
    counts = counts or RowCounts()
    rows, lines = _as_lines(rows, job)
    made: dict[int, Versions] = {}
    for first, last in blocks_of(lines) if len(rows) > _FEW else ():
        perturbed = perturb_lines(first, b"\n".join(lines[first:last]), job)
        if perturbed is None:
            break
        counts.add(perturbed.counts)
        versions = iter(loads(b"[%b]" % perturbed.data.tobytes()[:-1].replace(b"\n", b",")))
        each = range(job.rows_each)
        for number in perturbed.numbers.tolist():
            made[number] = tuple([{**rows[number], **next(versions)} for _ in each])
    left = [number for number in range(len(rows)) if number not in made]
    if left or not rows:
        made |= zip(left, perturb_each([rows[number] for number in left], job, counts), strict=True)
    return [made[number] for number in range(len(rows))]


def perturb_numbered(
    rows: Sequence[Any], job: Job, numbers: Sequence[int], counts: RowCounts | None = None
) -> list[Versions]:
    """Perturb rows as `perturb_rows` does; an error has the number of its row.

    Args:
        rows: the rows.
        job: the instructions for each row.
        numbers: the number of each row.
        counts: the counts to which these rows are added.
    """
    try:
        return perturb_rows(rows, job, counts)
    except DataError:
        for number, row in zip(numbers, rows, strict=True):
            try:
                perturb_rows([row], job)
            except DataError as error:
                raise DataError(f"row {number}: {error}") from None
        raise


def written_lines(rows: Sequence[Any]) -> list[bytes]:
    """Return rows that perturb wrote as lines that it would have written.

    What JSON would not give back is left out; where that is more than a field that nobody reads,
    nothing proves the row.
    """
    parts = [_with_record_last(row) for row in rows]
    if (lines := _as_json(parts)) is not None:
        return lines
    return [(_as_json([part]) or _as_json([_usual(part)]) or [b" "])[0] for part in parts]


def original_of(row: Mapping[str, Any], line: bytes, id_field: str) -> dict[str, Any]:
    """Return a row as it was, by the original of its line; see `written_lines`."""
    original = loads(line)
    return {
        key: original.get(key, value)
        for key, value in row.items()
        if key in original or (key != id_field and key.partition(".")[0] != LINKAGE)
    }


def _with_record_last(row: Any) -> dict[str, Any]:
    if not isinstance(row, Mapping):
        return {}
    record = row.get(LINKAGE)
    if record is None:  # of a table, it may be columns
        record = {name: row.get(f"{LINKAGE}.{name}") for name in NAMES}
    own = {name: row[name] for name in _without_record(tuple(row))}
    own[LINKAGE] = record
    return own


@lru_cache(maxsize=64)
def _without_record(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the fields of a row that are no part of its record."""
    return tuple(name for name in names if name.partition(".")[0] != LINKAGE)


def _usual(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if _as_json([value]) is not None}


def blocks_of(lines: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield the first line of each block, and the one behind its last."""
    first, size = 0, 0
    for number, line in enumerate(lines):
        if size and size + len(line) > _BLOCK:
            yield first, number
            first, size = number, 0
        size += len(line)
    yield first, len(lines)


def _as_lines(rows: Sequence[Any], job: Job) -> tuple[Sequence[Any], list[bytes]]:
    """Return rows without arrays where a job reads them, and these parts of each as JSON.

    A row that JSON would not give back is a blank line.
    """
    paths = (LINKAGE, f"{LINKAGE}.edits", job.id_field, *job.paths)
    names = dict.fromkeys(name for path in paths for name in (path, json_path.parse(path)[0]))
    parts = [_part(row, names, job) for row in rows]
    if (lines := _as_json(parts)) is not None:
        return rows, lines
    rows, lines = list(rows), []
    for number, part in enumerate(parts):
        if (line := _as_json([part])) is None and isinstance(row := rows[number], Mapping):
            read = {name: plain_values(row[name]) for name in names if name in row}
            rows[number] = {**row, **read}
            line = _as_json([_part(rows[number], names, job)])
        lines += line or [b" "]
    return rows, lines


def _part(row: Any, names: Mapping[str, Any], job: Job) -> Any:
    """Return what a job reads of a row: fields of these names; of one without an id, all."""
    all_of_it = job.choices or job.copies == "follow"
    if all_of_it or type(row) is not dict or row.get(job.id_field) is None:
        return row
    return {name: row[name] for name in names if name in row}


def _as_json(values: list[Any]) -> list[bytes] | None:
    """Return values as JSON; None if one doesn't come back from it as it is."""
    try:
        marshal.dumps(values)  # of classes of one's own, such as enumerations, it takes none
        lines = list(map(orjson.dumps, values))
    except (TypeError, ValueError):
        return None
    return lines if orjson.loads(b"[%b]" % b",".join(lines)) == values else None


def plain_values(value: Any) -> Any:
    """Return a value with lists in place of arrays, which pandas makes of lists in Parquet."""
    if isinstance(value, Mapping):
        return {key: plain_values(part) for key, part in value.items()}
    if isinstance(value, np.ndarray | list):
        return list(map(plain_values, value))
    return value.item() if isinstance(value, np.generic) else value
