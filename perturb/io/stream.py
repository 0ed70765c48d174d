"""Rows from file to file, in order, on one process or several."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import lru_cache, partial
from multiprocessing.connection import wait
from typing import Any, NamedTuple, TypeVar

from perturb import memory, tables
from perturb.errors import DataError
from perturb.io.jsonl import (
    dumps,
    dumps_all,
    lines_of,
    loads,
    loads_all,
    may_hold_long_numbers,
)
from perturb.jobs import Counts, Job
from perturb.rows import perturb_rows, target

T = TypeVar("T")

# So many perturbed rows are made at a time.
_ROWS = 2048


class _Row(NamedTuple):
    """A line, its number, and what it holds; see `loads` for what is odd."""

    number: int
    line: bytes
    value: Any
    odd: bool


@dataclass
class Bad:
    """A line that is no row to perturb.

    Attributes:
        number: of the line, from 1.
        message: what is wrong.
        line: the line.
    """

    number: int
    message: str
    line: bytes


@dataclass
class Block:
    """What became of a block of lines.

    Attributes:
        data: the rows to write.
        counts: of these rows.
        bad: the lines that were left out.
        size: the number of bytes that were read.
        tables: the tables that the process has read so far.
    """

    data: bytes = b""
    counts: Counts = field(default_factory=Counts)
    bad: list[Bad] = field(default_factory=list)
    size: int = 0
    tables: dict[str, str] = field(default_factory=dict)


def perturb_block(job: Job, stop_at_bad: bool, first: int, lines: bytes) -> Block:
    """Perturb the rows of a block of lines.

    Args:
        job: what to do with a row.
        stop_at_bad: whether nothing after the first bad line is looked at.
        first: the number of the first line.
        lines: whole lines.
    """
    made = Block(size=len(lines))
    rows = loads_all(lines)
    if rows is None or not _at_once(job, rows, made):
        _with_care(job, stop_at_bad, first, lines, made)
    made.tables = tables.read()
    return made


def _at_once(job: Job, rows: list[Any], made: Block) -> bool:
    """Perturb rows, if that can be done with all of them."""
    counts = Counts()
    try:
        made.data = b"".join(
            dumps_all(perturb_rows(some, job, counts, as_json=True)) for some in _some(rows, job)
        )
    except DataError:
        return False
    made.counts = counts
    return True


def _with_care(job: Job, stop_at_bad: bool, first: int, lines: bytes, made: Block) -> None:
    """Perturb rows where some are odd, or bad."""
    read, unread = _read(job, stop_at_bad, first, lines)
    parts: list[bytes] = []
    for rows in _some(read, job):
        parts += _perturbed(job, stop_at_bad, rows, made)
        if stop_at_bad and made.bad:
            break
    made.data = b"".join(parts)
    made.bad = sorted([*made.bad, *unread], key=lambda bad: bad.number)


def _some(rows: list[T], job: Job) -> Iterator[list[T]]:
    """So many rows as are perturbed at a time."""
    at_once = max(1, _ROWS // job.versions)
    return (rows[at : at + at_once] for at in range(0, len(rows), at_once))


def _read(job: Job, stop_at_bad: bool, first: int, lines: bytes) -> tuple[list[_Row], list[Bad]]:
    """The rows in lines, up to the first bad one where that stops all, and the bad ones."""
    read: list[_Row] = []
    bad: list[Bad] = []
    look_at_numbers = may_hold_long_numbers(lines)
    for number, line in lines_of(first, lines):
        try:
            row, odd = loads(line, look_at_numbers)
            target(row, job)
            read.append(_Row(number, line, row, odd))
        except DataError as error:
            bad.append(Bad(number, str(error), line))
            if stop_at_bad:
                break
    return read, bad


def _perturbed(job: Job, stop_at_bad: bool, rows: list[_Row], made: Block) -> list[bytes]:
    """The lines that come of rows; those that can't be written join the bad ones."""
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


def _lines(job: Job, rows: list[_Row], counts: Counts) -> list[bytes]:
    counted = Counts()
    made = perturb_rows([row.value for row in rows], job, counted, as_json=True)
    odd = [row.odd for row in rows for _ in range(job.versions)]
    lines = list(map(dumps, made, odd))
    counts.add(counted)
    return lines


def run(
    job: Job, blocks: Iterator[tuple[int, bytes]], *, stop_at_bad: bool, workers: int
) -> Iterator[Block]:
    """Perturb blocks of lines, in order; the bytes do not depend on the number of workers.

    Args:
        job: what to do with a row.
        blocks: the number of the first line, and whole lines.
        stop_at_bad: whether nothing after the first bad line of a block is looked at.
        workers: the number of processes; 1 works in this one.

    Raises:
        DataError: a worker died.
    """
    work = partial(perturb_block, job, stop_at_bad)
    if workers == 1:
        for first, lines in blocks:
            yield work(first, lines)
        return
    pool = ProcessPoolExecutor(workers, initializer=_start_worker)
    waiting: deque[Future[Block]] = deque()
    pickled = pickle.dumps(work)
    try:
        for first, lines in blocks:
            waiting.append(pool.submit(_in_worker, pickled, first, lines))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise DataError(
            "a worker process was killed, perhaps for want of memory; try fewer --workers"
        ) from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _in_worker(pickled: bytes, first: int, lines: bytes) -> Block:
    return _unpickled(pickled)(first, lines)


@lru_cache(maxsize=1)
def _unpickled(work: bytes) -> Callable[[int, bytes], Block]:
    """The work of all blocks, so that a process finds out once what follows from the job."""
    made: Callable[[int, bytes], Block] = pickle.loads(work)
    return made


def settle() -> None:
    """Let this process keep the memory that it frees, and look for cycles of references rarely.

    Rows hold none.
    """
    memory.keep()
    gc.set_threshold(100_000, 50, 100)


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    settle()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
