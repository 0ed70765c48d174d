"""A command as the system under test: rows on its standard input, answers on its output."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import shlex
import shutil
from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from perturb.boundary import LARGEST_ANSWER, opened
from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Ask, Reply, UnansweredError, UnreliableError, is_answer
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted_command
from perturb.io.jsonl import dumps, loads

_GRACE = 5.0
# So much of a file is hashed: all of a program, but not of a model of many gigabytes.
_HASHED = 1 << 26


@contextlib.asynccontextmanager
async def command(line: str, *, timeout: float) -> AsyncIterator[Ask]:
    """Start a command that answers row after row.

    Each row, without the record of what was done to it, is written to it as a line of JSON, with
    the seed as `seed` if there is one. For each it writes one line, without waiting for the end of
    its input: a JSON object with the answer as `prediction`, such as the row with its answer; one
    with a `label` and its score; a JSON string; `null` for no answer; or the answer as plain text.

    Args:
        line: the command, its arguments quoted as for a shell; there is no shell.
        timeout: seconds for one answer.

    Yields:
        A function from a question, whose content is a row, to the reply.

    Raises:
        UsageError: the command can't be started.
    """
    process = await _start(line)
    waiting: deque[asyncio.Future[bytes]] = deque()  # for the next lines, in order
    assert process.stdin is not None and process.stdout is not None  # noqa: PT018
    stdin = process.stdin
    reading = asyncio.create_task(_read(process, waiting))

    async def ask(question: Question) -> Reply:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if not reading.done():
            waiting.append(answer)
            if not stdin.is_closing():  # else it has ended, which is told where its output is read
                stdin.write(dumps({**question.content, **question.seed_alone()}))
        try:
            async with asyncio.timeout(timeout):
                with contextlib.suppress(ConnectionError):  # the end of its output says more
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

    try:
        yield ask
        stdin.close()
        await asyncio.wait({reading}, timeout=_GRACE)
        if reading.done() and isinstance(error := reading.exception(), UnreliableError):
            raise error
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError, DataError):
            await reading
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await _gone(process)


async def _gone(process: asyncio.subprocess.Process) -> None:
    """Wait until a killed command is gone.

    What it wrote and nobody reads is read here: as long as it is in the pipe, asyncio does not see
    the end. Another process may hold the pipe open for ever.
    """
    assert process.stdout is not None
    with contextlib.suppress(TimeoutError, ValueError):
        async with asyncio.timeout(_GRACE):
            while await process.stdout.read(LARGEST_ANSWER):
                pass
            await process.wait()


def settings(line: str) -> dict[str, Any]:
    """Return what all answers of a command have in common: its words, and the hash of its files.

    Keys among the words are hidden.
    """
    words = _words(line)
    names = [shutil.which(words[0]) or words[0], *words[1:]]
    files = [Path(name) for name in names if os.path.isfile(name)]  # noqa: PTH113 - may be code
    return {"command": redacted_command(words), "program": [_file_hash(path) for path in files]}


def _file_hash(path: Path) -> str:
    """Return the name of a file and a hash of its size and of what it begins with."""
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
        UsageError: there is none, or a quote stays open.
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
            why = f"{why} among programs; a script is run by one, as in python {words[0]}"
        raise UsageError(f"can't start the command {redacted_command(words)!r}: {why}") from None


async def _read(process: asyncio.subprocess.Process, waiting: deque[asyncio.Future[bytes]]) -> int:
    """Hand each line to the question that has waited longest, until the output ends.

    Returns:
        The status of the command.

    Raises:
        DataError: a line is longer than answers are.
        UnreliableError: it wrote more lines than it was given rows.
    """
    assert process.stdout is not None
    while True:
        try:
            line = await process.stdout.readline()
        except ValueError:
            most = LARGEST_ANSWER // 10**6
            raise DataError(
                f"the command's answer has more than {most} MB, the most that is read"
            ) from None
        if not line:
            return await process.wait()
        if not waiting:
            raise UnreliableError(
                f"the command wrote more lines than it was given rows, {line[:40]!r} the first "
                "too many: nobody can say what answers what; nothing of this run is kept"
            )
        waiting.popleft().set_result(line)


def _answer(line: bytes) -> Any:
    line = line.rstrip(b"\r\n")
    if not line.startswith((b"{", b'"')) and line != b"null":
        try:
            return line.decode()
        except UnicodeDecodeError as error:
            raise UnansweredError(
                f"the command's answer is not UTF-8: byte {error.start + 1}"
            ) from None
    try:
        value, _ = loads(line)
    except DataError:
        raise UnansweredError(
            f"the command's answer {line[:40]!r} is not JSON on one line; a text that starts so "
            "must be written as JSON"
        ) from None
    is_row = isinstance(value, dict) and not {"prediction", "label"} & {*value}
    answer = value.get("prediction", value) if isinstance(value, dict) else value
    if is_row or not is_answer(answer):
        raise UnansweredError(
            "the command's answer must be a text, an object with the answer as `prediction`, or "
            f"one with a label and its score; got {value!r:.60}"
        )
    return answer
