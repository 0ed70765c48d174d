"""A cache of answers across runs: a folder with one file for each different question."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from perturb.boundary import opened, read_whole
from perturb.errors import DataError
from perturb.evaluation.ask import Ask, Reply, System
from perturb.evaluation.questions import Question
from perturb.io.jsonl import dumps, loads


class AnswerCache:
    """Answers by what was asked, of which system and with which settings.

    Processes may share a folder: a file appears whole or not at all.

    Args:
        folder: made when the first answer is kept.
        settings: all that answers depend on beside the question.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self._folder = folder
        self._settings = settings

    def get(self, question: Question) -> Reply | None:
        """Return the answer to a question; None where there is none.

        Raises:
            DataError: the file can't be read, or holds no answer.
        """
        path = self._path(question)
        try:
            found, _ = loads(read_whole(path))
            return Reply(**found)._replace(attempts=0)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise DataError(f"can't read {path}: {error.strerror}") from error
        except (DataError, TypeError):
            raise DataError(f"{path} holds no answer: delete it") from None

    def add(self, question: Question, reply: Reply) -> None:
        """Keep an answer.

        Raises:
            DataError: it can't be written.
        """
        path = self._path(question)
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with opened(part, "wb") as file:
                file.write(dumps(reply._asdict()))
            part.replace(path)
        except OSError as error:
            raise DataError(f"can't write {path}: {error.strerror}") from error

    def _path(self, question: Question) -> Path:
        asked = dumps([sorted(self._settings.items()), question.content, question.seed])
        name = hashlib.sha256(asked).hexdigest()
        return self._folder / name[:2] / f"{name}.json"


@contextlib.asynccontextmanager
async def cached(system: System, cache: AnswerCache) -> AsyncIterator[Ask]:
    """Open a system that is asked only what the cache doesn't answer."""
    async with system as ask:

        async def asked(question: Question) -> Reply:
            reply = cache.get(question)
            if reply is None:
                reply = await ask(question)
                cache.add(question, reply)
            return reply

        yield asked
