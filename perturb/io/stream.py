"""Rows from file to file, in order, on one process or several."""

from __future__ import annotations

import contextlib
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
from itertools import repeat
from multiprocessing.connection import wait

from perturb import memory, tables
from perturb.errors import DataError
from perturb.io.jsonl import dumps_all, lines_of, loads, loads_all, may_hold_long_numbers
from perturb.jobs import Counts, Job
from perturb.rows import Target, perturb_rows, target

# A line with its number, whether it is odd (see `loads`), and what was found in it.
_Row = tuple[tuple[int, bytes], bool, Target]
# So many perturbed rows are made at a time.
_ROWS = 2048


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
    parts: list[bytes] = []
    read, unread = _read(job, stop_at_bad, first, lines)
    at_once = max(1, _ROWS // job.versions)
    for at in range(0, len(read), at_once):
        parts += _perturbed(job, stop_at_bad, read[at : at + at_once], made)
        if stop_at_bad and made.bad:
            break
    made.data = b"".join(parts)
    made.tables = tables.read()
    made.bad = sorted([*made.bad, *unread], key=lambda bad: bad.number)
    return made


def _read(job: Job, stop_at_bad: bool, first: int, lines: bytes) -> tuple[list[_Row], list[Bad]]:
    """What is found in lines, up to the first bad one where that stops all, and the bad ones."""
    numbered = list(lines_of(first, lines))
    look_at_numbers = may_hold_long_numbers(lines)
    if not look_at_numbers and (rows := loads_all(line for _, line in numbered)) is not None:
        with contextlib.suppress(DataError):
            found = [target(row, job) for row in rows]
            return list(zip(numbered, repeat(False), found, strict=False)), []
    read: list[_Row] = []
    bad: list[Bad] = []
    for number, line in numbered:
        try:
            row, odd = loads(line, look_at_numbers)
            read.append(((number, line), odd, target(row, job)))
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
            (number, line), *_ = row
            made.bad.append(Bad(number, str(error), line))
            if stop_at_bad:
                break
    return lines


def _lines(job: Job, rows: list[_Row], counts: Counts) -> list[bytes]:
    counted = Counts()
    made = perturb_rows([found for _, _, found in rows], job, counted, as_json=True)
    versions = range(job.versions)
    odd = [odd for _, odd, _ in rows for _ in versions]
    lines = dumps_all(made, odd)
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
