"""Rows from file to file, in order, on one process or several."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import wait

from perturb.errors import DataError
from perturb.io.jsonl import dumps, loads
from perturb.rows import Counts, Job, Target, perturb_rows, target

# So many rows are in memory at a time in one process.
_ROWS = 256

_BOM = b"\xef\xbb\xbf"


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
    """

    data: bytes = b""
    counts: Counts = field(default_factory=Counts)
    bad: list[Bad] = field(default_factory=list)
    size: int = 0


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
    targets: list[Target] = []
    odd: list[bool] = []

    def write() -> None:
        versions = len(job.settings) + job.with_original
        for place, row in enumerate(perturb_rows(targets, job, made.counts)):
            parts.append(dumps(row, odd[place // versions]))
        targets.clear()
        odd.clear()

    for number, line in enumerate(lines.split(b"\n"), first):
        if number == 1:
            line = line.removeprefix(_BOM)
        if not line.strip():
            continue
        try:
            row, is_odd = loads(line)
            targets.append(target(row, job))
            odd.append(is_odd)
        except DataError as error:
            made.bad.append(Bad(number, str(error), line))
            if stop_at_bad:
                break
        if len(targets) == _ROWS:
            write()
    write()
    made.data = b"".join(parts)
    return made


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
    try:
        for first, lines in blocks:
            waiting.append(pool.submit(work, first, lines))
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


def _start_worker() -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
