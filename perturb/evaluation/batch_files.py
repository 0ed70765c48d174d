"""Batch files of OpenAI and Anthropic: questions to be answered within a day, and the answers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from perturb.errors import DataError
from perturb.evaluation.ask import Reply, TransientError, UnansweredError
from perturb.evaluation.ask_rows import AskCounts
from perturb.evaluation.journal import Journal
from perturb.evaluation.questions import Question
from perturb.evaluation.systems.endpoint import reply_or_error, target
from perturb.evaluation.systems.protocols import spoken_at
from perturb.io.jsonl import Reader, at_line, dumps, parsed
from perturb.io.outputs import writing


def write_batch(
    path: str, url: str, body: Mapping[str, Any], questions: Iterable[Question]
) -> tuple[int, list[str]]:
    """Write questions as a batch, one request a line, in as many files as the service wants.

    Args:
        path: the path of the file; of the second one, `-2` stands before the suffix.
        url: the URL of the endpoint, as for `endpoint`; requests name only its path.
        body: the fields of every request besides messages and seed.
        questions: the questions.

    Returns:
        The number of requests, and the files.
    """
    where = urlsplit(target(url)).path
    protocol, count, left = spoken_at(where), 0, iter(questions)
    files: list[str] = []
    question = next(left, None)
    while question is not None or not files:
        stem = Path(path).with_suffix("")
        files.append(path if not files else f"{stem}-{len(files) + 1}{Path(path).suffix}")
        with writing(files[-1]) as (file, _):
            requests = size = 0
            while question is not None and requests < protocol.requests:
                line = dumps(protocol.line(_id_of(question), where, protocol.body(body, question)))
                if requests and size + len(line) > protocol.size:
                    break
                file.write(line)
                requests, size = requests + 1, size + len(line)
                question = next(left, None)
        count += requests
    return count, files


def read_batch(
    paths: Sequence[str], questions: Iterable[Question], journal: Journal, counts: AskCounts
) -> list[str]:
    """Put the answers of a batch into the journal.

    Args:
        paths: the paths of the files of answers and of errors, in any order.
        questions: the questions without an answer so far; without one here they count as failed.
        journal: takes the answers.
        counts: updated.

    Returns:
        Oddities of the files: a line that is cut off, ids that stand twice or that nobody asked.

    Raises:
        DataError: a file can't be read, a line isn't an answer, or all lines answer other
            questions.
    """
    answers: dict[str, Reply | UnansweredError] = {}
    twice: set[str] = set()
    notes, matched = [note for path in paths for note in _read(path, answers, twice)], 0
    if twice:
        notes.append(
            f"{len(twice):,} custom_id with several answers, as {min(twice)}: the first is taken"
        )
    unknown = {*answers} - {_custom_id(*each) for each in journal.digests().items()}
    with journal.writing():
        for question in questions:
            name = _id_of(question)
            matched += name in answers
            unknown.discard(name)
            answer = answers.get(name, UnansweredError(f"not in {', '.join(paths)}"))
            if isinstance(answer, Reply):
                journal.add(question, answer)
                counts.answered += 1
            else:
                counts.failed[question.key] = str(answer)
    if answers and counts.failed and not matched:
        raise DataError(
            f"{', '.join(paths)} answers none of the questions: the rows, the prompt or the seeds "
            "changed since the batch was written"
        )
    if unknown:
        notes.append(
            f"left out: {len(unknown):,} of {len(answers):,} answers, to other questions, such as "
            f"{min(unknown)}"
        )
    return notes


def _read(path: str, answers: dict[str, Reply | UnansweredError], twice: set[str]) -> Iterator[str]:
    """Read the answers of a file, and yield its oddities; an answer goes before an error."""
    cut = ""
    with contextlib.closing(Reader(path)) as source:
        for first, lines in source.blocks():
            for line in parsed(first, lines):
                place = f"{source.name}:{line.number}"
                if cut:  # and it wasn't the last line
                    raise DataError(cut)
                if line.error is not None:
                    cut = f"{place}: {getattr(line.error, 'fault', line.error)}"
                    continue
                with at_line(place):
                    name, answer = _answer(line.value)
                known = answers.get(name)
                if isinstance(known, Reply) and isinstance(answer, Reply) and known != answer:
                    twice.add(name)
                if not isinstance(known, Reply):
                    answers[name] = answer
    if cut:
        yield f"{cut}: the last line, as if the file were cut off; all others are taken"


def _id_of(question: Question) -> str:
    return _custom_id(question.key, question.digest())


def _custom_id(key: str, digest: str) -> str:
    """Return an id that all services accept: at most 64 letters, digits, `_` and `-`."""
    both = blake2b(dumps([key, digest]), digest_size=8).hexdigest()
    return f"{both}-{re.sub('[^A-Za-z0-9_]+', '-', key)[:47]}"


def _answer(line: Any) -> tuple[str, Reply | UnansweredError]:
    match line:
        case {"custom_id": str(name), "response": {"status_code": int(status), "body": body}}:
            return name, _reply(status, body)
        case {"custom_id": str(name), "result": {"type": "succeeded", "message": body}}:
            return name, _reply(200, body)
        case {"custom_id": str(name), "result": {"type": str(kind), **rest}}:
            # Anthropic wraps the error of a request in that of the response.
            match rest.get("error"):
                case {"error": dict(error)} | dict(error):
                    return name, _lost(kind, error)
            return name, _lost(kind, {})
        case {"custom_id": str(name), "error": dict(error)}:
            return name, _lost(str(error.get("code") or "failed"), error)
    raise DataError("this line isn't an answer of a batch: it has no custom_id with a response")


def _reply(status: int, body: Any) -> Reply | UnansweredError:
    try:
        return reply_or_error(status, {}, dumps(body), ())._replace(attempts=0)
    except (TransientError, DataError) as error:
        return UnansweredError(str(error))


def _lost(kind: str, error: Mapping[str, Any]) -> UnansweredError:
    """Return why a request of a batch has no answer: expired, canceled or failed."""
    said = ": ".join(map(str, filter(None, [kind.removeprefix("batch_"), error.get("message")])))
    return UnansweredError(f"the batch says {said}")
