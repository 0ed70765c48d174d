"""OpenAI's batch files: questions to be answered within a day, and the answers."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

from perturb.errors import DataError
from perturb.evaluation.ask import Reply, TransientError, UnansweredError
from perturb.evaluation.ask_rows import AskCounts
from perturb.evaluation.journal import Journal
from perturb.evaluation.questions import Question
from perturb.evaluation.systems.endpoint import reply_or_error, request_body, target
from perturb.io.jsonl import Reader, at_line, dumps
from perturb.io.outputs import writing


def write_batch(path: str, url: str, body: Mapping[str, Any], questions: Iterable[Question]) -> int:
    """Write questions as a batch, one request a line.

    Args:
        path: the path of the file.
        url: the URL of the endpoint, as for `endpoint`; requests name only its path.
        body: the fields of every request besides messages and seed.
        questions: the questions.

    Returns:
        The number of requests.
    """
    count = 0
    with writing(path) as (file, _):
        for question in questions:
            request = {
                "custom_id": _custom_id(question),
                "method": "POST",
                "url": urlsplit(target(url)).path,
                "body": request_body(body, question),
            }
            file.write(dumps(request))
            count += 1
    return count


def read_batch(
    path: str, questions: Iterable[Question], journal: Journal, counts: AskCounts
) -> None:
    """Put the answers of a batch into the journal.

    Args:
        path: the path of the file of answers, or of errors, in any order.
        questions: the questions without an answer so far; without one here they count as failed.
        journal: takes the answers.
        counts: updated.

    Raises:
        DataError: the file can't be read, a line isn't an answer, or all lines answer other
            questions.
    """
    answers, matched = {}, 0
    with contextlib.closing(Reader(path)) as source:
        for number, line in source.rows():
            with at_line(f"{source.name}:{number}"):
                name, answer = _answer(line)
                answers[name] = answer
    with journal.writing():
        for question in questions:
            name = _custom_id(question)
            matched += name in answers
            answer = answers.get(name, UnansweredError(f"not in {path}"))
            if isinstance(answer, Reply):
                journal.add(question, answer)
                counts.answered += 1
            else:
                counts.failed[question.key] = str(answer)
    if answers and counts.failed and not matched:
        raise DataError(
            f"{path} answers none of the questions: the rows, the prompt or the seeds changed "
            "since the batch was written"
        )


def _custom_id(question: Question) -> str:
    """Return an id that all services accept: at most 64 letters, digits, `_` and `-`."""
    digest = blake2b(dumps([question.key, question.digest()]), digest_size=8).hexdigest()
    return f"{digest}-{re.sub('[^A-Za-z0-9_]+', '-', question.key)[:47]}"


def _answer(line: Any) -> tuple[str, Reply | UnansweredError]:
    match line:
        case {"custom_id": str(name), "response": {"status_code": int(status), "body": body}}:
            try:
                reply = reply_or_error(status, {}, dumps(body), ())
                return name, reply._replace(attempts=0)
            except (TransientError, DataError) as error:
                return name, UnansweredError(str(error))
        case {"custom_id": str(name), "error": dict(error)}:
            return name, UnansweredError(f"the batch has no answer: {error.get('message', error)}")
    raise DataError("this line isn't an answer of a batch: it has no custom_id with a response")
