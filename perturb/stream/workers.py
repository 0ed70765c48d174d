"""Workers: processes that work on blocks of lines, which come out in order.

This process is one of them: it keeps the others busy, writes their results, and works on a block
itself when there is nothing to hand over. The others share memory with it, cut into one place for
each block: it holds the lines, and then the perturbed rows. The pipe to each carries only short
messages, so that no rows are copied through pipes, and no process waits for another to empty one.
"""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from ctypes import Array, c_char
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple

from perturb.engine import allocator
from perturb.errors import DataError
from perturb.io.hold_signals import let_signals_go, signals_held
from perturb.io.outputs import drop_parts
from perturb.io.text_tables import TextTable

# From the number of a task and its lines or table to a result, whose `data` are of that kind too.
Work = Callable[[int, Any], Any]

# The blocks that another process has at most: while this one writes results it does not run out.
_TASKS = 5
# The places of a process, for the block it works on and the next; and those that whoever needs them
# may take, for further blocks and for results that wait for an earlier block.
_PLACES, _SPARE = 2, 4
# The bytes of a place. This process handles longer blocks itself; longer results go through the
# pipe.
_PLACE = 8 << 20


# From <linux/prctl.h>.
_PR_SET_PDEATHSIG = 1

# How processes start: as copies of this one, as Linux did before Python 3.14.
_CONTEXT: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else None)


def shared_out(work: Work, blocks: Iterator[tuple[int, Any]], workers: int) -> Iterator[Any]:
    """Have blocks worked on by several processes.

    Args:
        work: the function that processes a block.
        blocks: the number of the first row, and whole lines or a table.
        workers: the number of processes, with this one.

    Raises:
        DataError: a worker died.
    """
    # What the first block needs is read before the others start, which then have it; and a small
    # file needs no others.
    yield from (work(first, data) for first, data in islice(blocks, 1))
    following = next(blocks, None)
    if following is None:
        return
    team = _Team(work)
    try:
        team.start(workers - 1)
        most = workers * _PLACES + _SPARE
        for first, data in chain([following], blocks):
            yield from team.done(most)
            team.take(first, data)
        yield from team.done(0)
    except (EOFError, ConnectionError) as error:
        raise DataError(
            "a worker process was killed, perhaps for lack of memory; try fewer --workers"
        ) from error
    finally:
        team.end()


@dataclass
class _Task:
    """A block: its place, if another process has it, and its result, once that is known."""

    place: int | None
    block: Any = None


class _Worker(NamedTuple):
    """A process, the pipe to it, and its tasks, the oldest first."""

    process: multiprocessing.Process
    pipe: Connection
    tasks: deque[_Task]


class _Team:
    """This process and others; each gets the next block when it is done with one.

    Args:
        work: the function that processes a block.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._workers: list[_Worker] = []
        self._places: list[memoryview] = []
        self._free: list[int] = []
        self._waiting: deque[_Task] = deque()

    def start(self, workers: int) -> None:
        """Start the processes."""
        shared = RawArray(c_char, (workers * _PLACES + _SPARE) * _PLACE)
        self._places = _places(shared)
        self._free = list(range(len(self._places)))
        for _ in range(workers):
            pipe, its_end = _CONTEXT.Pipe()
            process = _CONTEXT.Process(
                target=_serve, args=(self._work, shared, its_end, pipe), daemon=True
            )
            with signals_held():
                process.start()
            its_end.close()
            self._workers.append(_Worker(process, pipe, deque()))

    def take(self, first: int, data: Any) -> None:
        """Hand a block to the process that has the fewest, or work on it here."""
        worker = min(self._workers, key=lambda worker: len(worker.tasks))
        is_busy = not self._free or len(worker.tasks) == _TASKS
        if is_busy or len(lines := _packed(data)) > _PLACE:
            self._waiting.append(_Task(None, self._work(first, data)))
            return
        place = self._free.pop()
        self._places[place][: len(lines)] = lines
        worker.pipe.send((place, first, len(lines), lines is not data))
        task = _Task(place)
        worker.tasks.append(task)
        self._waiting.append(task)

    def done(self, most: int) -> Iterator[Any]:
        """Yield the results of the blocks, in their order, until at most so many are left.

        Raises:
            EOFError: a process is gone; or ConnectionError.
        """
        self._collect(block=False)
        while self._waiting:
            task = self._waiting[0]
            if task.block is not None:
                self._waiting.popleft()
                yield task.block
                if task.place is not None:
                    self._free.append(task.place)
            elif len(self._waiting) > most:
                self._collect(block=True)
            else:
                return

    def end(self) -> None:
        """End the processes, even busy ones."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def _collect(self, *, block: bool) -> None:
        """Take what other processes have done; `block` waits until there is something."""
        busy = [worker for worker in self._workers if worker.tasks]
        done = wait([worker.pipe for worker in busy], None if block else 0) if busy else ()
        for worker in busy:
            if worker.pipe in done:
                answer, size, is_table = worker.pipe.recv()
                if isinstance(answer, Exception):
                    raise answer
                task = worker.tasks.popleft()
                if size is not None:
                    assert task.place is not None  # else no worker has it
                    answer.data = self._places[task.place][:size]
                if is_table:
                    answer.data = _table_of(answer.data)
                task.block = answer


def _places(shared: Array[c_char]) -> list[memoryview]:
    whole = memoryview(shared).cast("B")
    return [whole[at : at + _PLACE] for at in range(0, len(whole), _PLACE)]


def _serve(work: Work, shared: Array[c_char], pipe: Connection, far_end: Connection) -> None:
    """Work on one block after another until the parent is gone.

    Ctrl-C and the end of a terminal come to all of its processes; they are the parent's.
    """
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):  # Windows has no SIGHUP
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    if sys.platform == "linux":  # its output ends with the parent, however that ends
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    let_signals_go()
    # The pipe is at its end when nobody has that end open any more.
    far_end.close()
    allocator.settle()
    places = _places(shared)
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            place, first, size, is_table = pipe.recv()
            pipe.send(_answer(work, first, places[place], size, is_table))


def _end(*_: object) -> None:
    """End this process at once, without the files that it has begun."""
    drop_parts()
    os._exit(1)


def _answer(
    work: Work, first: int, place: memoryview, size: int, is_table: bool
) -> tuple[Any, int | None, bool]:
    """Work on the block in a place.

    Returns:
        The result or the error; the bytes left in the place; and whether they are a table.
    """
    try:
        block = work(first, _table_of(place[:size]) if is_table else bytes(place[:size]))
    except Exception as error:  # it is raised where the block is taken
        error.add_note(traceback.format_exc())
        return error, None, False
    data = _packed(block.data)
    is_table, size = data is not block.data, len(data)
    if size > _PLACE:
        block.data = bytes(data)
        return block, None, is_table
    place[:size] = data
    block.data = b""
    return block, size, is_table


def _packed(data: Any) -> bytes | memoryview:
    """Return lines as they are, and a table as bytes."""
    if isinstance(data, bytes | memoryview):
        return data
    if isinstance(data, TextTable):
        return pickle.dumps(data)
    from perturb.io.parquet_files import table_bytes

    return table_bytes(data)


def _table_of(data: bytes | memoryview) -> Any:
    if bytes(data[:1]) == pickle.PROTO:  # Arrow's form begins otherwise
        return pickle.loads(data)
    from perturb.io.parquet_files import table_of

    return table_of(data)
