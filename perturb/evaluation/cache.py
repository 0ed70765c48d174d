"""A cache of answers across runs: a folder with one file for each different question."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from perturb.boundary import opened, read_whole
from perturb.evaluation.ask import Ask, Reply, System, reply_in
from perturb.evaluation.journal import file_errors
from perturb.evaluation.questions import Question
from perturb.io.jsonl import dumps


@contextlib.asynccontextmanager
async def cached(
    system: System, folder: Path, settings: Mapping[str, Any], *, recalls: bool = True
) -> AsyncIterator[Ask]:
    """Open a system that is asked only if the cache has no answer.

    Processes may share a folder: a file appears whole or not at all.

    Args:
        system: the system.
        folder: the folder of the cache, made with the first answer.
        settings: everything besides the question that answers depend on.
        recalls: whether answers are looked up; else they are only kept.
    """
    async with system as ask:

        async def recall(question: Question) -> Reply:
            again = [question.repeat] if question.repeat else []
            content = [sorted(settings.items()), question.content, question.seed, *again]
            name = hashlib.sha256(dumps(content)).hexdigest()
            path = folder / name[:2] / f"{name}.json"
            reply = _reply_in(path) if recalls else None
            if reply is None:
                reply = await ask(question)
                _keep(reply, path)
            return reply

        yield recall


def _reply_in(path: Path) -> Reply | None:
    """Return the reply in a file; None if there is no file."""
    with file_errors("read", path), contextlib.suppress(FileNotFoundError):
        return reply_in(read_whole(path), path)._replace(attempts=0)
    return None


def _keep(reply: Reply, path: Path) -> None:
    part = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
    with file_errors("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with opened(part, "xb") as file:
            file.write(dumps(reply._asdict()))
        part.replace(path)
