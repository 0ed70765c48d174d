"""Blocks of lines: perturb their rows, and write them with their linkage records."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeVar

import numpy as np

from perturb import resources
from perturb.errors import DataError
from perturb.io.jsonl import (
    as_given,
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
        number: the number of the line, from 1.
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
        counts: the counts of these rows.
        bad: the lines that were left out.
        ids: the ids of the rows that have one.
        tables: the names of the tables that the process has read so far.
    """

    def __init__(self) -> None:
        self.data: Any = b""
        self.counts = RowCounts()
        self.bad: list[Bad] = []
        self.ids: Ids | None = None
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
    block = Block()
    if not (_as_bytes(job, first, lines, block) or _at_once(job, first, lines, block)):
        _with_care(job, stop_at_bad, first, lines, block)
    block.tables = resources.used()
    return block


def _as_bytes(job: Job, first: int, lines: bytes, block: Block) -> bool:
    """Perturb rows without parsing them; return false if that can't be done with one of them."""
    perturbed = perturb_lines(lines, job)
    if perturbed is None:
        return False
    block.data, block.counts, keys = perturbed
    keys = np.empty(0, np.uint64) if keys is None else keys
    block.ids = Ids.of(keys, range(first, first + len(keys)))
    return True


def _at_once(job: Job, first: int, lines: bytes, block: Block) -> bool:
    """Perturb all rows at once; return false if one of them can't be read, perturbed or written."""
    counts, read = RowCounts(), loads_all(lines)
    if read is None:
        return False
    rows, odd = read
    try:
        block.data = b"".join(
            _perturbed_lines(job, group, group_odd, counts)
            for group, group_odd in zip(_groups(rows, job), _groups(odd, job), strict=True)
        )
    except DataError:
        return False
    block.counts = counts
    block.ids = ids_of(rows, range(first, first + len(rows)), job.id_field)
    return True


def _with_care(job: Job, stop_at_bad: bool, first: int, lines: bytes, block: Block) -> None:
    """Perturb rows where some are bad, or can't be perturbed together."""
    rows, unread = _read(job, stop_at_bad, first, lines)
    parts: list[bytes] = []
    for group in _groups(rows, job):
        parts += _perturbed(job, stop_at_bad, group, block)
        if stop_at_bad and block.bad:
            break
    block.data = b"".join(parts)
    bad = {line.number for line in block.bad}
    good = [row for row in rows if row.number not in bad]
    block.ids = ids_of([row.value for row in good], [row.number for row in good], job.id_field)
    block.bad = sorted([*block.bad, *unread], key=lambda line: line.number)


def _groups(rows: list[T], job: Job) -> Iterator[list[T]]:
    """Split the rows into groups that are perturbed together."""
    at_once = max(1, _ROWS // job.rows)
    return (rows[at : at + at_once] for at in range(0, len(rows), at_once))


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


def _perturbed(job: Job, stop_at_bad: bool, rows: list[_Row], block: Block) -> list[bytes]:
    """Return the perturbed lines of rows; add those that can't be written to the bad ones."""
    values, odd = [row.value for row in rows], [row.odd for row in rows]
    with contextlib.suppress(DataError):  # one of them is wrong: find it
        return [_perturbed_lines(job, values, odd, block.counts)]
    parts: list[bytes] = []
    for row in rows:
        try:
            parts.append(_perturbed_lines(job, [row.value], [row.odd], block.counts))
        except DataError as error:
            block.bad.append(Bad(row.number, str(error), row.line))
            if stop_at_bad:
                break
    return parts


def _perturbed_lines(job: Job, rows: list[Any], odd: list[bool], counts: RowCounts) -> bytes:
    """Return the perturbed lines of rows, and count them; each version is odd if its row is."""
    counted = RowCounts()
    versions = perturb_rows(rows, job, counted)
    flags = [is_odd for is_odd in odd for _ in range(job.rows)]
    if job.missing != "error":  # not each row has its number of versions
        flags = [any(odd)] * len(versions)
    data = dumps_all(versions, flags)
    counts.add(counted)
    return data
