"""The journal: every answer is on disk before the next is counted, so that none is asked for twice.

Its first line holds the settings; each further one an answer with its time and latency, in the
order in which they came, or what was seen at a look at those so far. What differs from run to run
stays here: outputs and manifests are made of the answers alone, so that a run that was stopped ends
in the same bytes as one that was not. A line that was torn when the process was killed is cut off;
nothing else is ever changed.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from perturb.boundary import opened
from perturb.errors import DataError, UsageError
from perturb.evaluation.ask import Reply, UnreliableError, reply_in
from perturb.evaluation.questions import Question
from perturb.io.jsonl import dumps, loads

_FORMAT = 2
# The settings that say where the system is, not how it is asked.
SYSTEM_SETTINGS = ("endpoint", "command", "program")


# From the key of a question to the reply to it; None where there is none.
ReplyTo = Callable[[str], Reply | None]


class Journal:
    """The answers in a file.

    Args:
        path: the path of the file, which need not be there.
        settings: what all its answers have in common; any JSON. None to read those of a file.
        ignored: the names of settings that may differ from those of the file.

    Attributes:
        looks: whether the looks that were taken, by their number, decided.

    Raises:
        UsageError: the file holds answers that came under other settings.
        DataError: it can't be read, or is no journal.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, Any] | None, ignored: Iterable[str] = ()
    ) -> None:
        self.path = path
        self.settings = settings or {}
        self._reads_only = settings is None
        self._ignored = frozenset(ignored)
        # The digest of each answered question, and where in the file its answer begins.
        self._places: dict[str, tuple[str, int]] = {}
        self.looks: dict[int, bool] = {}
        self._size = self._seen = 0
        self._file: IO[bytes] | None = None
        if path.exists():
            with file_errors("read", path), opened(path) as lines:
                self._index(lines)

    def _index(self, lines: IO[bytes]) -> None:
        head: dict[str, Any] = {}
        for number, line in enumerate(lines, 1):
            self._seen += len(line)
            if not line.endswith(b"\n"):
                break  # torn
            try:
                entry, _ = loads(line)
                if number == 1:
                    head = {"journal": entry["journal"], "settings": entry["settings"]}
                elif "look" in entry:
                    self.looks[entry["look"]] = entry["decided"]
                else:
                    self._places[entry["key"]] = entry["digest"], self._size
            except (DataError, LookupError, TypeError):
                raise DataError(f"{self.path}:{number}: not a line of a journal") from None
            self._size += len(line)
        if self._places:
            self._check(head["journal"], head["settings"])
        else:
            self._size = 0  # settings that nothing was asked under may change

    def _check(self, version: int, settings: Mapping[str, Any]) -> None:
        if version != _FORMAT:
            raise UsageError(f"{self.path} is of another version of perturb: {version}")
        if self._reads_only:
            self.settings = settings
        now, _ = loads(dumps(self.settings))
        changed = [
            f"{name} was {settings.get(name)!r}, now {now.get(name)!r}"
            for name in sorted({*now, *settings} - self._ignored)
            if now.get(name) != settings.get(name)
        ]
        if changed:
            system = [name for name in SYSTEM_SETTINGS if now.get(name) != settings.get(name)]
            hint = "; --same-system says that it is the same system all the same" if system else ""
            raise UsageError(
                f"{self.path} holds answers under other settings: {'; '.join(changed)}; "
                f"write to another output, or delete the journal to ask everything again{hint}"
            )

    def __contains__(self, question: Question) -> bool:
        """Return whether a question is answered.

        Raises:
            UsageError: under its key something else was asked.
        """
        is_there = question.key in self._places
        if is_there and self._places[question.key][0] != question.digest():
            raise UsageError(
                f"{self.path} holds the answer to another question {question.key!r}: the rows or "
                "the prompt changed; write to another output, or delete the journal to ask "
                "everything again"
            )
        return is_there

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Open the file to `add` to; it is this process's alone until the end.

        Raises:
            DataError: it can't be written, or another process is writing it.
        """
        assert not self._reads_only, "a journal to write is opened with its settings"
        with file_errors("write", self.path):
            file: IO[bytes] = opened(self.path, "ab", buffering=0)
        with file:
            with file_errors("write", self.path):
                _lock(file, self.path)
            if file.tell() != self._seen:
                raise DataError(f"another process wrote {self.path} meanwhile: start again")
            file.truncate(self._size)
            self._file = file
            try:
                begin = self._size
                if not self._size:
                    self._write(dumps({"journal": _FORMAT, "settings": self.settings}))
                yield
            except UnreliableError:
                file.truncate(begin)
                raise
            finally:
                os.fsync(file.fileno())
                self._file, self._seen = None, self._size

    def add(self, question: Question, reply: Reply) -> None:
        """Write an answer."""
        entry = {
            "key": question.key,
            "digest": question.digest(),
            **reply._asdict(),
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        start = self._size
        self._write(dumps(entry))
        self._places[question.key] = entry["digest"], start

    def add_look(self, look: Mapping[str, Any]) -> None:
        """Write what was seen at a look: its number as `look`, and whether it was `decided`."""
        self._write(dumps(look))
        self.looks[look["look"]] = look["decided"]

    def _write(self, line: bytes) -> None:
        assert self._file is not None, "add() is called within writing()"
        with file_errors("write", self.path):
            start = 0
            while start < len(line):
                start += self._file.write(line[start:]) or 0
        self._size += len(line)

    @contextlib.contextmanager
    def reading(self) -> Iterator[ReplyTo]:
        """Open the file and yield a function from the key of a question to the reply to it."""
        with file_errors("read", self.path), opened(self.path) as file:

            def reply_to(key: str) -> Reply | None:
                if key not in self._places:
                    return None
                file.seek(self._places[key][1])
                return reply_in(file.readline(), f"the line of {key!r} in {self.path}")

            yield reply_to

    def replies(self) -> dict[str, Reply]:
        """Return all replies by the keys of their questions."""
        with self.reading() as reply_to:
            return {key: reply for key in self._places if (reply := reply_to(key)) is not None}


@contextlib.contextmanager
def file_errors(what: str, path: Path) -> Iterator[None]:
    """Say what can't be done to a file."""
    try:
        yield
    except OSError as error:
        raise DataError(f"can't {what} {path}: {error.strerror}") from error


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other processes away; where the system has no such locks, that is left to the user."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"another process is writing {path}") from None
