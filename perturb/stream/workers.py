"""Workers: processes that work on blocks of rows, which come out in order.

The parent keeps them busy and writes their results. They share memory with it, cut into places,
each for one block: it holds the lines, and then the perturbed rows. The pipe to each process
carries only short messages, so that no rows are copied through pipes, and the parent, which never
waits to send, can't wait for a process that waits for it.
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
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import RawArray
from typing import Any, NamedTuple

from perturb.engine import memory
from perturb.errors import DataError
from perturb.io.outputs import drop_parts, let_signals_go, signals_held
from perturb.io.text_tables import TextTable

# From the number of a task and its lines or table to a result, whose `data` are of that kind too.
Work = Callable[[int, Any], Any]

# The places of a process: for the block it works on, the next, and one that waits for an earlier.
_PLACES = 3
# The bytes of a place. The parent handles longer blocks itself; longer results go through the pipe.
_PLACE = 8 << 20

# From <linux/prctl.h>.
_PR_SET_PDEATHSIG = 1

# How processes start: as copies of this one, as Linux did before Python 3.14.
_CONTEXT: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else None)


def by_processes(work: Work, blocks: Iterator[tuple[int, Any]], workers: int) -> Iterator[Any]:
    """Have blocks processed by other processes.

    Args:
        work: the function that processes a block.
        blocks: the number of the first row, and whole lines or a table.
        workers: the number of processes.

    Raises:
        DataError: a worker died.
    """
    shared = RawArray(c_char, workers * _PLACES * _PLACE)
    places, team, waiting = _places(shared), list[_Worker](), deque[_Task]()
    try:
        team += (_started(work, shared) for _ in range(workers))
        for number, (first, data) in enumerate(blocks):
            _collect(team, places, block=False)
            while waiting and (waiting[0].block is not None or len(waiting) == len(places)):
                yield _result(waiting.popleft(), team, places)
            task = _Task(number % len(places))  # the oldest had this place
            waiting.append(task)
            if len(lines := _packed(data)) > _PLACE:
                task.block = work(first, data)
                continue
            places[task.place][: len(lines)] = lines
            worker = min(team, key=lambda worker: len(worker.tasks))
            worker.pipe.send((task.place, first, len(lines), lines is not data))
            worker.tasks.append(task)
        yield from (_result(task, team, places) for task in waiting)
    except (EOFError, ConnectionError) as error:
        raise DataError(
            "a worker process was killed, perhaps for lack of memory; try fewer --workers"
        ) from error
    finally:
        for worker in team:
            worker.process.terminate()
        for worker in team:
            worker.process.join()
            worker.pipe.close()


@dataclass
class _Task:
    """A block: its place, and its result, once that is known."""

    place: int
    block: Any = None


class _Worker(NamedTuple):
    """A process, the pipe to it, and its tasks, the oldest first."""

    process: multiprocessing.Process
    pipe: Connection
    tasks: deque[_Task]


def _started(work: Work, shared: Array[c_char]) -> _Worker:
    pipe, its_end = _CONTEXT.Pipe()
    process = _CONTEXT.Process(target=_serve, args=(work, shared, its_end, pipe), daemon=True)
    with signals_held():
        process.start()
    its_end.close()
    return _Worker(process, pipe, deque())


def _result(task: _Task, team: list[_Worker], places: list[memoryview]) -> Any:
    """Return the result of a task, and wait for it where needed."""
    while task.block is None:
        _collect(team, places, block=True)
    return task.block


def _collect(team: list[_Worker], places: list[memoryview], *, block: bool) -> None:
    """Take what the processes have done; `block` waits until there is something."""
    busy = [worker for worker in team if worker.tasks]
    done = wait([worker.pipe for worker in busy], None if block else 0) if busy else ()
    for worker in busy:
        if worker.pipe not in done:
            continue
        answer, size, is_table = worker.pipe.recv()
        if isinstance(answer, Exception):
            raise answer
        task = worker.tasks.popleft()
        if size is not None:
            answer.data = places[task.place][:size]
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
    memory.settle()
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
    if isinstance(data, TextTable | dict):
        return pickle.dumps(data)
    from perturb.io.parquet_files import table_bytes

    return table_bytes(data)


def _table_of(data: bytes | memoryview) -> Any:
    if bytes(data[:1]) == pickle.PROTO:  # Arrow's form begins otherwise
        return pickle.loads(data)
    from perturb.io.parquet_files import table_of

    return table_of(data)
