"""A program that answers rows: one line of JSON in, one line of JSON out."""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import IO, Any

from perturb.errors import DataError, UsageError
from perturb.io.jsonl import dumps, loads

Row = Mapping[str, Any]


@contextlib.contextmanager
def running(command: str, timeout: float) -> Iterator[Callable[[Row], Row]]:
    """Start a program that is asked row by row, and end it.

    Args:
        command: the program and its arguments, as a shell reads them. It answers each row, and
            flushes the answer, before it reads the next.
        timeout: how many seconds to wait for an answer.

    Yields:
        A function from a row to the row that the program answers with.

    Raises:
        UsageError: the program can't be started.
        DataError: it ended, gave no answer in time, or wrote what is no row.
    """
    try:
        process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
    except (OSError, ValueError, IndexError) as error:
        raise UsageError(f"can't start the program {command!r}: {error}") from error
    asked, answered = process.stdin, process.stdout
    assert asked is not None
    assert answered is not None
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    reader = threading.Thread(target=_read, args=(answered, lines), daemon=True)
    reader.start()

    def ask(row: Row) -> Row:
        try:
            asked.write(dumps(dict(row)))
            asked.flush()
            line = lines.get(timeout=timeout)
        except BrokenPipeError:
            line = b""
        except queue.Empty:
            raise DataError(
                f"the program {command!r} gave no answer in {timeout:g} seconds: it must answer "
                "each line, and flush what it wrote, before it reads the next"
            ) from None
        return _answer(command, line)

    try:
        yield ask
    finally:
        process.kill()
        process.wait()
        reader.join()
        answered.close()
        with contextlib.suppress(BrokenPipeError):
            asked.close()


def _read(stream: IO[bytes], lines: queue.SimpleQueue[bytes]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(b"")


def _answer(command: str, line: bytes) -> Row:
    if not line:
        raise DataError(f"the program {command!r} ended before it answered")
    try:
        answer, _ = loads(line)
    except DataError as error:
        raise DataError(f"the program {command!r} wrote {line[:40]!r}: {error}") from None
    if not isinstance(answer, Mapping):
        raise DataError(f"the program {command!r} must write an object a line; got {line[:40]!r}")
    return answer
