"""A command as the system under test: rows on its standard input, answers on its output."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shlex
import shutil
from collections import deque
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from perturb.boundary import LARGEST_ANSWER, opened
from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Ask, Reply, UnansweredError, UnreliableError, prediction_in
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted_command
from perturb.evaluation.systems.function import grouped
from perturb.io.jsonl import dumps, loads

# The seconds in which a command may end by itself once its input is closed, and a killed one must
# be gone. Chosen by hand: programs with a model need a moment, and people don't wait longer.
_GRACE = 5.0
# The bytes of a file that are hashed: all of a program, but not of a model of many gigabytes, which
# would take longer to hash than to ask.
_HASHED = 1 << 26


@contextlib.asynccontextmanager
async def command(line: str, *, timeout: float) -> AsyncIterator[Ask]:
    """Start a command that answers row after row.

    The command reads each row, without its record, as a line of JSON, with the seed as `seed` if
    there is one. It answers each with one line, without waiting for the end of its input: a JSON
    object with the answer as `prediction`, such as the row with its answer; one with a `label` and
    its score; a JSON string; `null` for no answer; or the answer as plain text.

    Args:
        line: the command, with arguments quoted as for a shell; there is no shell.
        timeout: seconds for one answer.

    Yields:
        A function from a question with a row as content to the reply.

    Raises:
        UsageError: the command can't be started.
    """
    async with _started(line) as (process, waiting, reading):
        stdin = process.stdin
        assert stdin is not None

        async def ask(question: Question) -> Reply:
            answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            if not reading.done():
                waiting.append(answer)
                if not stdin.is_closing():  # if it is, the command ended, which `reading` reports
                    stdin.write(_line(question))
            try:
                async with asyncio.timeout(timeout):
                    # The end of the output explains more.
                    with contextlib.suppress(ConnectionError):
                        await stdin.drain()
                    await asyncio.wait({answer, reading}, return_when=asyncio.FIRST_COMPLETED)
            except TimeoutError:
                raise DataError(
                    f"the command gave {question.key!r} no answer within {timeout:g} s; it must "
                    "answer each row as it comes, and flush its output"
                ) from None
            if answer.done():
                return Reply(_answer(answer.result()))
            status = await reading
            raise DataError(
                f"the command ended with status {status} before it answered {question.key!r}"
            )

        yield ask
        stdin.close()
        await asyncio.wait({reading}, timeout=_GRACE)
        if reading.done() and isinstance(error := reading.exception(), UnreliableError):
            raise error


@contextlib.asynccontextmanager
async def filter_command(line: str, *, timeout: float) -> AsyncIterator[Ask]:
    """Open a command that is started for each group of questions that are asked at one time.

    It gets a line each, the row as for `command` or the text alone, and the end of its input. It
    answers with as many lines, as Unix filters do; those of texts are plain text.

    Args:
        line: the command, as for `command`.
        timeout: seconds for each answer of a group.

    Yields:
        A function from a question with a row or a text as content to the reply.

    Raises:
        UsageError: the command can't be started.
    """

    async def ask_group(questions: Sequence[Question]) -> list[Any]:
        rows = f"{len(questions)} row{'s' * (len(questions) > 1)} from {questions[0].key!r} on"
        async with _started(line) as (process, waiting, reading):
            assert process.stdin is not None
            answers = [asyncio.get_running_loop().create_future() for _ in questions]
            waiting.extend(answers)
            process.stdin.write(b"".join(map(_line, questions)))
            try:
                async with asyncio.timeout(timeout * len(questions)):
                    with contextlib.suppress(ConnectionError):  # it ended, which `reading` reports
                        await process.stdin.drain()
                    process.stdin.close()
                    status = await reading
            except TimeoutError:
                seconds = f"{timeout * len(questions):g} s"
                raise DataError(f"the command didn't end within {seconds} of {rows}") from None
            except UnreliableError:
                # The other groups have their own lines, so their answers stay.
                raise DataError(f"the command wrote more lines than {rows}") from None
        lines = [answer.result() for answer in answers if answer.done()]
        if status != 0 or len(lines) < len(questions):
            wrote = f"wrote {len(lines)} line{'s' * (len(lines) != 1)}"
            raise DataError(f"the command {wrote} for {rows} and ended with status {status}")
        return lines

    def reply(question: Question, line: bytes) -> Any:
        return _text(line) if isinstance(question.content, str) else _answer(line)

    yield grouped(ask_group, reply)


def _line(question: Question) -> bytes:
    if isinstance(question.content, str):
        return f"{question.content}\n".encode()
    return dumps({**question.content, **question.seed_alone()})


_Started = tuple[asyncio.subprocess.Process, deque["asyncio.Future[bytes]"], "asyncio.Task[int]"]


@contextlib.asynccontextmanager
async def _started(line: str) -> AsyncIterator[_Started]:
    """Start a command, and end it.

    Yields:
        It, those that wait for its next lines, in order, and the task that passes these on.
    """
    process = await _start(line)
    waiting: deque[asyncio.Future[bytes]] = deque()
    reading = asyncio.create_task(_read(process, waiting))
    try:
        yield process, waiting, reading
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError, DataError):
            await reading
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await _gone(process)


async def _gone(process: asyncio.subprocess.Process) -> None:
    """Wait until a killed command is gone.

    Unread output is read here: as long as it is in the pipe, asyncio doesn't notice the end.
    Another process may hold the pipe open forever.
    """
    assert process.stdout is not None
    with contextlib.suppress(TimeoutError, ValueError):
        async with asyncio.timeout(_GRACE):
            while await process.stdout.read(LARGEST_ANSWER):
                pass
            await process.wait()


def settings(line: str, *more: str) -> dict[str, Any]:
    """Return the settings of all answers of a command: its words, and the hashes of its files.

    Keys among the words are hidden.

    Args:
        line: the command.
        more: files that it reads besides those among its words.
    """
    words = _words(line)
    names = [shutil.which(words[0]) or words[0], *words[1:], *more]
    files = [Path(name) for name in names if os.path.isfile(name)]  # noqa: PTH113 - may be code
    return {"command": redacted_command(words), "program": [_file_hash(path) for path in files]}


def _file_hash(path: Path) -> str:
    """Return the name of a file and a hash of its size and its first bytes."""
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            digest = hashlib.sha256(b"%d " % size + file.read(_HASHED))
    except OSError as error:
        raise UsageError(f"can't read {path} of the command: {error.strerror}") from None
    return f"{path.name} {digest.hexdigest()[:16]}"


def _words(line: str) -> list[str]:
    """Return the words of a command.

    Raises:
        UsageError: there are none, or a quote stays open.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise UsageError(f"can't start the command: {error}") from None
    if not words:
        raise UsageError("can't start the command '': it is empty")
    return words


async def _start(line: str) -> asyncio.subprocess.Process:
    words = _words(line)
    try:
        return await asyncio.create_subprocess_exec(
            *words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LARGEST_ANSWER,
        )
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        if os.path.isfile(words[0]):  # noqa: PTH113 - may be code
            why = f"{why} among programs; run a script with one, as in python {words[0]}"
        raise UsageError(f"can't start the command {redacted_command(words)!r}: {why}") from None


async def _read(process: asyncio.subprocess.Process, waiting: deque[asyncio.Future[bytes]]) -> int:
    """Pass each line to the question that has waited longest, until the output ends.

    Returns:
        The status of the command.

    Raises:
        DataError: a line is too long for an answer.
        UnreliableError: it wrote more lines than it got rows.
    """
    assert process.stdout is not None
    while True:
        try:
            line = await process.stdout.readline()
        except ValueError:
            most = LARGEST_ANSWER // 10**6
            raise DataError(f"the command's answer has more than {most} MB, the limit") from None
        if not line:
            return await process.wait()
        if not waiting:
            raise UnreliableError(
                f"the command wrote more lines than it got rows, first {line[:40]!r}: answers "
                "can't be matched to rows, so nothing of this run is kept"
            )
        waiting.popleft().set_result(line)


def _text(line: bytes) -> str:
    try:
        return line.rstrip(b"\r\n").decode()
    except UnicodeDecodeError as error:
        raise UnansweredError(
            f"the command's answer is not UTF-8: byte {error.start + 1}"
        ) from None


def _answer(line: bytes) -> Any:
    line = line.rstrip(b"\r\n")
    if not line.startswith((b"{", b'"')) and line != b"null":
        return _text(line)
    try:
        value = loads(line)
    except DataError:
        raise UnansweredError(
            f"the command's answer {line[:40]!r} isn't JSON on one line; a text that begins like "
            "JSON must be written as JSON"
        ) from None
    return prediction_in(value)
