"""A command, or a Python function, as the system under test.

A command has rows on its standard input, and answers on its output.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import inspect
import os
import re
import shlex
import shutil
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from perturb.boundary import LARGEST_ANSWER, opened
from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import (
    Ask,
    Reply,
    TransientError,
    UnansweredError,
    UnreliableError,
    is_answer,
)
from perturb.evaluation.questions import Question
from perturb.evaluation.redact import redacted_command
from perturb.evaluation.systems.endpoint import may_pass
from perturb.io.jsonl import dumps, loads

Function = Callable[..., Any]
# What the classes of errors are called, in Python and in the clients of services, that may pass.
# All others, a TypeError among them, come again with each try.
_PASSING = re.compile(
    "(?i)connect|time_?out|ratelimit|toomany|unavailable|overload|network|urlerror"
)


@contextlib.asynccontextmanager
async def function(
    called: Function, *, concurrency: int, batched: bool = False
) -> AsyncIterator[Ask]:
    """Open a function that answers questions.

    Args:
        called: from the question to the answer, a string, a number, None, or a list or dict of
            these; it gets the seed as `seed`, if there is one. A plain function runs in threads,
            an `async` one in the event loop.
        concurrency: the number of threads.
        batched: whether it takes a list of questions, and returns as many answers. It gets those
            that are asked at one time.

    Yields:
        A function from a question to the reply. If `called` raises, it raises `TransientError` for
        errors that may pass, else `UnansweredError`; and `UsageError` if it can't be called so.
    """
    loop = asyncio.get_running_loop()
    waits = inspect.iscoroutinefunction(called) or inspect.iscoroutinefunction(
        getattr(called, "__call__", None)  # noqa: B004 - an object whose call is async
    )

    async def answered(content: Any, seed: Mapping[str, int]) -> Any:
        _check_call(called, content, seed)
        call = partial(_called, called, content, **seed)
        try:
            return _plain(await (call() if waits else loop.run_in_executor(threads, call)))
        except Exception as error:
            kind = TransientError if _passes(error) else UnansweredError
            raise kind(f"the system raised {error!r}") from error

    async def ask(question: Question) -> Reply:
        return _reply(await answered(question.content, question.seed_alone()))

    async def ask_group(questions: Sequence[Question]) -> list[Any]:
        contents = [question.content for question in questions]
        answers = await answered(contents, questions[0].seed_alone())
        if not isinstance(answers, list) or len(answers) != len(contents):
            got = f"{len(answers)} answers" if isinstance(answers, list) else f"{answers!r:.60}"
            raise DataError(
                f"a batched system answers a list of {len(contents)} with a list of as many; got "
                f"{got}"
            )
        return answers

    with ThreadPoolExecutor(concurrency) as threads:
        yield _grouped(ask_group) if batched else ask


_Waiting = list[tuple[Question, "asyncio.Future[Any]"]]


def _grouped(
    ask_group: Callable[[Sequence[Question]], Awaitable[list[Any]]],
    read: Callable[[Question, Any], Any] = lambda _, answer: answer,
) -> Ask:
    """Return what asks in groups: those with one seed that are asked at one time.

    `read` makes an answer of what a group has for a question. Where a group fails, its questions
    are asked alone, so that none costs the others theirs.
    """
    loop = asyncio.get_running_loop()
    waiting: dict[int | None, _Waiting] = {}
    under_way = set()

    async def settle(group: _Waiting) -> None:
        try:
            answers = await ask_group([question for question, _ in group])
        except (TransientError, UnansweredError) as error:
            if len(group) == 1:
                _set(group[0][1].set_exception, group[0][1], error)
            else:
                for each in group:
                    await settle([each])
        except (DataError, UsageError) as error:
            for _, future in group:
                _set(future.set_exception, future, error)
        else:
            for (_, future), answer in zip(group, answers, strict=True):
                _set(future.set_result, future, answer)

    def send(seed: int | None) -> None:
        task = loop.create_task(settle(waiting.pop(seed)))
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    async def ask(question: Question) -> Reply:
        answer: asyncio.Future[Any] = loop.create_future()
        if question.seed not in waiting:
            waiting[question.seed] = []
            loop.call_soon(send, question.seed)  # once all workers that are free have asked
        waiting[question.seed].append((question, answer))
        return _reply(read(question, await answer))

    return ask


def _set(put: Callable[[Any], None], future: asyncio.Future[Any], value: Any) -> None:
    if not future.done():  # nobody waits any more
        put(value)


def _reply(answer: Any) -> Reply:
    if not is_answer(answer):
        raise UnansweredError(
            "the system must answer with a string, a number, None, or a list or dict of these; got "
            f"{answer!r:.60}"
        )
    return Reply(answer)


def _check_call(called: Function, content: Any, seed: Mapping[str, int]) -> None:
    """Refuse a function that doesn't take the arguments of its calls."""
    try:
        inspect.signature(called, follow_wrapped=False).bind(content, **seed)
    except TypeError as error:
        way = "system(ASKED, seed=N)" if seed else "system(ASKED)"
        raise UsageError(f"the system is called as {way}, but doesn't take that: {error}") from None
    except ValueError:  # functions of C may have no signature
        pass


def _passes(error: Exception) -> bool:
    """Return whether another try may help, by the HTTP status or else the class of the error."""
    held = error, getattr(error, "response", None)
    told = [
        getattr(each, name, None) for each in held for name in ("status_code", "status", "code")
    ]
    for status in told:
        if type(status) is int:
            return may_pass(status)
    return any(_PASSING.search(kind.__name__) for kind in type(error).__mro__)


def _plain(answer: Any) -> Any:
    """Return an answer without NumPy and tuples, as JSON has it."""
    if isinstance(answer, (np.generic, np.ndarray)):
        return answer.tolist()
    if isinstance(answer, dict):
        return {key: _plain(value) for key, value in answer.items()}
    return [*map(_plain, answer)] if isinstance(answer, (list, tuple)) else answer


def _called(called: Function, content: Any, **seed: int) -> Any:
    try:
        return called(content, **seed)
    except StopIteration as error:  # no future can hold one
        raise RuntimeError("the system has no more answers") from error


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

    yield _grouped(ask_group, reply)


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


def settings(line: str) -> dict[str, Any]:
    """Return the settings of all answers of a command: its words, and the hashes of its files.

    Keys among the words are hidden.
    """
    words = _words(line)
    names = [shutil.which(words[0]) or words[0], *words[1:]]
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
    is_row = isinstance(value, dict) and not {"prediction", "label"} & {*value}
    answer = value.get("prediction", value) if isinstance(value, dict) else value
    if is_row or not is_answer(answer):
        raise UnansweredError(
            "the command's answer must be a text, an object with the answer as `prediction`, or "
            f"an object with a label and its score; got {value!r:.60}"
        )
    return answer
