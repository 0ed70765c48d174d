"""Blocks of lines: perturb their rows, and write them with their linkage records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from perturb import resources
from perturb.errors import DataError
from perturb.io.jsonl import (
    as_given,
    dumps,
    dumps_all,
    lines_of,
    loads,
    loads_all,
    may_hold_long_numbers,
)
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_rows
from perturb.rows.plain_lines import perturb_lines
from perturb.rows.row_texts import row_texts
from perturb.rows.seen_ids import Ids, ids_of

T = TypeVar("T")

# The number of perturbed rows that are made at a time.
_ROWS = 2048


class Bad(NamedTuple):
    """A line that is no row to perturb.

    Attributes:
        number: of the line, from 1.
        message: the reason.
        line: the line.
    """

    number: int
    message: str
    line: bytes


class Block:
    """The result of a block of lines.

    Attributes:
        data: the rows to write, as lines or as a table of Arrow; lines in shared memory last only
            until the next block is taken.
        counts: of these rows.
        bad: the lines that were left out.
        ids: of the rows that have one.
        size: the number of bytes that were read.
        tables: the names of the tables that the process has read so far.
    """

    def __init__(self, size: int) -> None:
        self.data: Any = b""
        self.counts = RowCounts()
        self.bad: list[Bad] = []
        self.ids: Ids | None = None
        self.size = size
        self.tables: frozenset[str] = frozenset()


class _Row(NamedTuple):
    """A line, its number, and its value; `loads` says which values are odd."""

    number: int
    line: bytes
    value: Any
    odd: bool


def perturb_block(job: Job, stop_at_bad: bool, first: int, lines: bytes) -> Block:
    """Perturb the rows of a block of lines.

    Args:
        job: the instructions for each row.
        stop_at_bad: whether nothing after the first bad line is looked at.
        first: the number of the first line.
        lines: whole lines.
    """
    made = Block(size=len(lines))
    if not (_as_bytes(job, first, lines, made) or _at_once(job, first, lines, made)):
        _with_care(job, stop_at_bad, first, lines, made)
    made.tables = resources.used()
    return made


def _as_bytes(job: Job, first: int, lines: bytes, made: Block) -> bool:
    """Perturb rows without parsing them; return false if that can't be done with one of them."""
    perturbed = perturb_lines(lines, job)
    if perturbed is None:
        return False
    made.data, made.counts, keys = perturbed
    keys = np.empty(0, np.uint64) if keys is None else keys
    made.ids = Ids.of(keys, range(first, first + len(keys)))
    return True


def _at_once(job: Job, first: int, lines: bytes, made: Block) -> bool:
    """Perturb all rows at once; return false if one of them can't be read, perturbed or written."""
    counts, read = RowCounts(), loads_all(lines)
    if read is None:
        return False
    rows, odd = read
    try:
        made.data = b"".join(
            dumps_all(perturb_rows(some, job, counts), _each(some_odd, job))
            for some, some_odd in zip(_some(rows, job), _some(odd, job), strict=True)
        )
    except DataError:
        return False
    made.counts = counts
    made.ids = ids_of(rows, range(first, first + len(rows)), job.id_field)
    return True


def _with_care(job: Job, stop_at_bad: bool, first: int, lines: bytes, made: Block) -> None:
    """Perturb rows where some are bad, or can't be perturbed together."""
    read, unread = _read(job, stop_at_bad, first, lines)
    parts: list[bytes] = []
    for rows in _some(read, job):
        parts += _perturbed(job, stop_at_bad, rows, made)
        if stop_at_bad and made.bad:
            break
    made.data = b"".join(parts)
    bad = {one.number for one in made.bad}
    good = [row for row in read if row.number not in bad]
    made.ids = ids_of([row.value for row in good], [row.number for row in good], job.id_field)
    made.bad = sorted([*made.bad, *unread], key=lambda bad: bad.number)


def _some(rows: list[T], job: Job) -> Iterator[list[T]]:
    """Split the rows into groups that are perturbed together."""
    at_once = max(1, _ROWS // job.rows)
    return (rows[at : at + at_once] for at in range(0, len(rows), at_once))


def _each(odd: list[bool], job: Job) -> list[bool]:
    """Return whether each version is odd, by whether its row is."""
    versions = range(job.rows)
    return [one for one in odd for _ in versions]


def _read(job: Job, stop_at_bad: bool, first: int, lines: bytes) -> tuple[list[_Row], list[Bad]]:
    """Return the rows in lines, up to the first bad one if that stops all, and the bad ones."""
    read: list[_Row] = []
    bad: list[Bad] = []
    look_at_numbers = may_hold_long_numbers(lines)
    for number, line in lines_of(first, lines):
        try:
            row, odd = loads(line, look_at_numbers)
            row_texts(row, job)  # only the first one matters
            read.append(_Row(number, line, row, odd))
        except DataError as error:
            bad.append(Bad(number, str(error), as_given(line)))
            if stop_at_bad:
                break
    return read, bad


def _perturbed(job: Job, stop_at_bad: bool, rows: list[_Row], made: Block) -> list[bytes]:
    """Return the perturbed lines of rows; add those that can't be written to the bad ones."""
    try:
        return _lines(job, rows, made.counts)
    except DataError:
        pass  # one of them is wrong: find it
    lines: list[bytes] = []
    for row in rows:
        try:
            lines += _lines(job, [row], made.counts)
        except DataError as error:
            made.bad.append(Bad(row.number, str(error), row.line))
            if stop_at_bad:
                break
    return lines


def _lines(job: Job, rows: list[_Row], counts: RowCounts) -> list[bytes]:
    counted = RowCounts()
    made = perturb_rows([row.value for row in rows], job, counted)
    lines = list(map(dumps, made, _each([row.odd for row in rows], job)))
    counts.add(counted)
    return lines
