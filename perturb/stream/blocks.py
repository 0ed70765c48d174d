"""Blocks of rows, as lines or as tables: perturb them, and write them with their records."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import orjson

from perturb import resources
from perturb.engine.text.strings import as_list
from perturb.errors import DataError
from perturb.io.jsonl import Line, as_given, dumps, parsed, parsed_line
from perturb.io.text_tables import TextTable
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.rows.block import PerturbedLines, perturb_lines
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_each
from perturb.rows.row_texts import row_texts
from perturb.rows.seen_ids import Ids, ids_in, ids_of

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
    """The result of a block of rows.

    Attributes:
        data: the rows to write, as lines or as a table of Arrow; lines in shared memory last only
            until the next block is taken.
        counts: the counts of these rows.
        bad: the lines that were left out.
        ids: the ids of the rows.
        tables: the names of the tables that the process has read so far.
    """

    def __init__(self) -> None:
        self.data: Any = b""
        self.counts = RowCounts()
        self.bad: list[Bad] = []
        self.ids: Ids | None = None
        self.tables: frozenset[str] = frozenset()


def perturb_block(job: Job, stop_at_bad: bool, first: int, data: Any) -> Block:
    """Perturb the rows of a block.

    Args:
        job: the instructions for each row.
        stop_at_bad: whether nothing after the first bad row is looked at.
        first: the number of the first row, which of lines is that of its line.
        data: whole lines, or a table of text or of Arrow.
    """
    block = Block()
    if not isinstance(data, bytes):
        _perturb_table(job, stop_at_bad, first, data, block)
    elif (perturbed := perturb_lines(first, data, job)) is None:
        lines = list(parsed(first, data, as_written=True))
        made, block.ids = _perturb_as_rows(job, stop_at_bad, lines, block)
        block.data = b"".join(made.values())
    else:
        block.data, block.ids = perturbed.data.data, perturbed.ids
        if perturbed.left:
            _perturb_left(job, stop_at_bad, perturbed, block)
            perturbed.counts.add(block.counts)
        block.counts = perturbed.counts
    block.tables = resources.used()
    return block


def _perturb_left(job: Job, stop_at_bad: bool, perturbed: PerturbedLines, block: Block) -> None:
    """Perturb the lines that were left as rows, and put them between the others."""
    lines = [parsed_line(number, line, True) for _, number, line in perturbed.left if line.strip()]
    made, ids = _perturb_as_rows(job, stop_at_bad, lines, block)
    rows, others = len(perturbed.numbers), perturbed.ids
    if block.bad and stop_at_bad:  # what comes after it was not to be looked at
        rows = int(perturbed.numbers.searchsorted(block.bad[0].number))
        others = others.before(block.bad[0].number)
    ends, done = [0, *perturbed.ends.tolist()], 0
    parts: list[bytes | memoryview] = []
    for before, number, _ in perturbed.left:
        if number in made:
            parts += (block.data[ends[done] : ends[before]], made[number])
            done = before
    block.data = b"".join([*parts, block.data[ends[done] : ends[rows]]])
    block.ids = others.with_others(ids)


def _perturb_as_rows(
    job: Job, stop_at_bad: bool, lines: list[Line], block: Block
) -> tuple[dict[int, bytes], Ids]:
    """Perturb lines as an object each; return the new lines by their numbers, and the ids."""
    work = partial(_perturbed_lines, job)
    rows, (made, names, block.counts) = _perturbed(job, stop_at_bad, lines, work, block.bad)
    numbers = [row.number for row in rows]
    ids = ids_of([row.value for row in rows], numbers, job.id_field, names)
    return dict(zip(numbers, made, strict=True)), ids


def _perturbed(
    job: Job, stop_at_bad: bool, rows: list[Line], work: Callable[[list[Line]], T], bad: list[Bad]
) -> tuple[list[Line], T]:
    """Return the rows that can be perturbed, and their versions; add the others to the bad.

    All of them are perturbed together. Where that fails the rows at fault are looked for, first by
    what takes the least time.

    Args:
        job: the instructions for each row.
        stop_at_bad: whether nothing after the first bad row is looked at.
        rows: the rows.
        work: perturbs rows.
        bad: the bad rows.

    Raises:
        DataError: no row is at fault.
    """
    checks: tuple[Callable[[list[Line]], Any], ...] = (
        lambda lines: [*map(_refuse_unread, lines)],
        lambda lines: [row_texts(line.value, job) for line in lines],
        work,
    )
    for check in checks:
        rows = _good(rows, check, stop_at_bad, bad)
        with contextlib.suppress(DataError):
            made = work(rows)
            break
    else:
        made = work(rows)
    bad.sort()
    return rows, made


def _good(
    rows: list[Line], check: Callable[[list[Line]], Any], stop_at_bad: bool, bad: list[Bad]
) -> list[Line]:
    """Return the rows that pass a check, looked for by halves; add the others to the bad."""
    try:
        check(rows)
    except DataError as error:
        if len(rows) < 2:
            bad += (Bad(row.number, str(error), as_given(row.data)) for row in rows)
            return []
    else:
        return rows
    half = len(rows) // 2
    good = _good(rows[:half], check, stop_at_bad, bad)
    if stop_at_bad and len(good) < half:
        return good
    return good + _good(rows[half:], check, stop_at_bad, bad)


def _refuse_unread(row: Line) -> None:
    if row.error is not None:
        raise row.error


def _perturbed_lines(job: Job, rows: list[Line]) -> tuple[list[bytes], list[str | None], RowCounts]:
    """Return the perturbed lines of each row, some rows at a time, and the ids of their originals.

    A row that is left out has no id.
    """
    at_once, counts = max(1, _ROWS // job.rows_each), RowCounts()
    made: list[bytes] = []
    names: list[str | None] = []
    for at in range(0, len(rows), at_once):
        group = rows[at : at + at_once]
        versions = perturb_each([row.value for row in group], job, counts)
        made += (b"".join(map(dumps, own)) for own in versions)
        names += (own[0][LINKAGE]["original_id"] if own else None for own in versions)
    return made, names, counts


def _perturb_table(job: Job, stop_at_bad: bool, first: int, table: Any, block: Block) -> None:
    """Perturb the rows of a table; see `perturb_block`."""
    from perturb.io.frames import frame_of, rows_of
    from perturb.rows.dict_rows import perturb_rows
    from perturb.rows.table_rows import ids_of_table, perturb_table

    is_text = isinstance(table, TextTable)
    numbers: Sequence[int] = table.numbers if is_text else range(first, first + table.num_rows)
    broken: Mapping[int, bytes] = table.broken if is_text else {}
    frame = frame_of(table.columns, "columns") if is_text else frame_of(table, "arrow")

    def work(lines: list[Line]) -> tuple[list[tuple[dict[str, Any], ...]], RowCounts]:
        counts = RowCounts()
        return perturb_rows([line.value for line in lines], job, counts), counts

    def others(places: list[int]) -> list[tuple[dict[str, Any], ...]]:
        rows = rows_of(frame)
        lines = [
            parsed_line(numbers[at], broken[at], False)
            if at in broken
            else Line(numbers[at], orjson.dumps(rows[at], default=str), rows[at])
            for at in places
        ]
        good, (made, counts) = _perturbed(job, stop_at_bad, lines, work, block.bad)
        block.counts.add(counts)
        by_number = dict(zip((line.number for line in good), made, strict=True))
        return [by_number.get(numbers[at], ()) for at in places]

    block.data, names = perturb_table(frame, job, counts=block.counts, others=others)
    if block.bad and stop_at_bad:
        before, block.counts = numbers.index(block.bad[0].number), RowCounts()
        _perturb_table(job, False, first, table.slice(0, before), block)
        return
    ids: Any = ids_of_table(frame, job.id_field, as_texts=True) or [None] * len(numbers)
    if block.bad:
        bad = {each.number for each in block.bad}
        pairs = zip(numbers, as_list(ids), strict=True)
        ids = [None if number in bad else own for number, own in pairs]
    block.ids = ids_in(ids, numbers, names)
