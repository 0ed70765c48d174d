"""The journal: every answer is on disk before the next is counted, so that none is asked for twice.

Its first line has the settings; each further line has an answer with its time and latency, in order
of arrival, the outcome of a look at the answers so far, or the settings from which on questions
were asked again, or looks started over since replies are judged in another way. Everything that
differs from run to run stays here: outputs and manifests depend only on the answers, so that a run
that was stopped ends in the same bytes as one that wasn't. A line that was torn when the process
was killed is cut off; nothing else ever changes.
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
from perturb.robustness.grading.reply_state import NO_REPLY, REFUSED, TRUNCATED, reply_state

# Journals of version 1 have no time and no latency beside their answers.
_FORMAT = 2
# The settings that locate the system, as opposed to how it is asked.
SYSTEM_SETTINGS = ("endpoint", "command", "program")
# The settings that may change where questions are asked again, since they cut answers short.
_LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
# The terms of a plan of looks that may change: they judge replies that are there in another way.
_JUDGING = ("match", "unanswered")
# The states of replies whose questions can be asked again, by the word of the option.
AGAIN = {"failed": NO_REPLY, "truncated": TRUNCATED, "refused": REFUSED}


# From the key of a question to its reply; None if there is none.
ReplyTo = Callable[[str], Reply | None]


class Journal:
    """The answers in a file.

    Args:
        path: the path of the file, which doesn't have to exist.
        settings: the settings of all its answers, as JSON. None to read them from the file.
        ignored: the names of settings that may differ from those of the file.
        again: one of `AGAIN`: replies in this state don't count as answers, and the last look isn't
            taken yet.

    Attributes:
        looks: the looks by number, each with whether it was decisive.
        planned: the number of looks of the plan under which its answers were asked; 0 without one,
            None without answers.

    Raises:
        UsageError: the file has answers under other settings.
        DataError: the file can't be read, or isn't a journal.
    """

    def __init__(
        self,
        path: Path,
        settings: Mapping[str, Any] | None,
        ignored: Iterable[str] = (),
        again: str | None = None,
    ) -> None:
        self.path = path
        self.settings = settings or {}
        self._reads_only = settings is None
        self._ignored = frozenset((*ignored, *(_LIMITS if again else ())))
        self._changed = False
        # The digest of each answered question, and the place of its answer in the file.
        self._places: dict[str, tuple[str, int]] = {}
        # Those that are asked again; an answer stays until there is another.
        self._before: dict[str, tuple[str, int]] = {}
        self.looks: dict[int, bool] = {}
        self.planned: int | None = None
        self._size = self._seen = 0
        self._file: IO[bytes] | None = None
        if path.exists():
            with file_errors("read", path), opened(path) as lines:
                self._index(lines)
        if again is not None and self._places:
            last = 0
            for key, reply in self.replies().items():
                response = {"response": reply._asdict()}
                if reply_state(response, reply.answer, reply.answer) == AGAIN[again]:
                    place = self._places.pop(key)
                    if reply.answer is not None:
                        self._before[key] = place
                    last = max(self.looks, default=0)
            self.looks.pop(last, None)

    def _index(self, lines: IO[bytes]) -> None:
        head: dict[str, Any] = {}
        for number, line in enumerate(lines, 1):
            self._seen += len(line)
            if not line.endswith(b"\n"):
                break  # torn
            try:
                entry = loads(line)
                if number == 1:
                    head = {"journal": entry["journal"], "settings": entry["settings"]}
                elif "settings" in entry:
                    if _judged(entry["settings"]) != _judged(head["settings"]):
                        self.looks.clear()
                    head["settings"] = entry["settings"]
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
            self._size = 0  # settings may change as long as there are no answers

    def _check(self, version: int, settings: Mapping[str, Any]) -> None:
        if version != _FORMAT:
            raise UsageError(f"{self.path} belongs to another version of perturb: {version}")
        if self._reads_only:
            self.settings = settings
        # Asking goes on without a plan, to the last look; what began without one has no looks.
        self.planned = (settings.get("until") or {}).get("looks", 0)
        if not self.planned:
            self.settings = {**self.settings}
            self.settings.pop("until", None)
        now = loads(dumps(self.settings))
        if "until" not in now:
            settings = {name: value for name, value in settings.items() if name != "until"}
        self._changed = any(settings.get(name) != now.get(name) for name in _LIMITS)
        if settings.get("until") and now.get("until") and _judged(settings) != _judged(now):
            self._changed = True
            self.looks.clear()
            settings = {**settings, "until": {**settings["until"], **_judged(now)}}
        names = sorted({*now, *settings} - self._ignored)
        changed = [
            one for name in names for one in _changes(name, settings.get(name), now.get(name))
        ]
        if changed:
            system = [name for name in SYSTEM_SETTINGS if now.get(name) != settings.get(name)]
            hint = "; if it is the same system after all, add --same-system" if system else ""
            raise UsageError(
                f"{self.path} has answers under other settings: {'; '.join(changed)}; "
                f"write to another output, or delete the journal to ask everything again{hint}"
            )

    def __contains__(self, question: Question) -> bool:
        """Return whether a question is answered.

        Raises:
            UsageError: its key belongs to another question.
        """
        known = self._places.get(question.key) or self._before.get(question.key)
        if known is not None and known[0] != question.digest():
            raise UsageError(
                f"{self.path} has the answer to another question {question.key!r}: the rows or "
                "the prompt changed; write to another output, or delete the journal to ask "
                "everything again"
            )
        return question.key in self._places

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Open the file for `add`; until the end no other process can write it.

        Raises:
            DataError: it can't be written, or another process is writing it.
        """
        assert not self._reads_only, "a journal to write needs its settings"
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
                elif self._changed:
                    self._write(dumps({"settings": self.settings}))
                self._changed = False
                yield
            except UnreliableError:
                file.truncate(begin)
                raise
            finally:
                os.fsync(file.fileno())
                self._file, self._seen = None, self._size

    def add(self, question: Question, reply: Reply) -> None:
        """Write an answer, if it isn't none in place of an earlier one."""
        if reply.answer is None and question.key in self._before:
            self._places[question.key] = self._before[question.key]
            return
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
        """Write the outcome of a look: its number as `look`, and whether it `decided`."""
        self._write(dumps(look))
        self.looks[look["look"]] = look["decided"]

    def _write(self, line: bytes) -> None:
        assert self._file is not None, "call add() within writing()"
        with file_errors("write", self.path):
            start = 0
            while start < len(line):
                start += self._file.write(line[start:]) or 0
        self._size += len(line)

    @contextlib.contextmanager
    def reading(self) -> Iterator[ReplyTo]:
        """Open the file and yield a function from the key of a question to its reply."""
        with file_errors("read", self.path), opened(self.path) as file:

            def reply_to(key: str) -> Reply | None:
                place = self._places.get(key) or self._before.get(key)
                if place is None:
                    return None
                file.seek(place[1])
                return reply_in(file.readline(), f"the line of {key!r} in {self.path}")

            yield reply_to

    def digests(self) -> dict[str, str]:
        """Return the digests of the questions that are answered, by their keys."""
        return {key: digest for key, (digest, _) in self._places.items()}

    def replies(self) -> dict[str, Reply]:
        """Return all replies by the keys of their questions."""
        with self.reading() as reply_to:
            return {key: reply for key in self._places if (reply := reply_to(key)) is not None}


def _judged(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the looks of a plan judge replies; looks that judge otherwise are others."""
    until = settings.get("until") or {}
    return {name: until.get(name) for name in _JUDGING}


def _changes(name: str, before: Any, now: Any) -> Iterator[str]:
    """Yield what differs in a setting; of a plan, each of its terms."""
    if isinstance(before, dict) and isinstance(now, dict):
        for each in sorted({*before, *now}):
            yield from _changes(f"{name}.{each}", before.get(each), now.get(each))
    elif before != now:
        yield f"{name} was {before!r}, now {now!r}"


@contextlib.contextmanager
def file_errors(what: str, path: Path) -> Iterator[None]:
    """Name the failed operation in errors of a file."""
    try:
        yield
    except OSError as error:
        raise DataError(f"can't {what} {path}: {error.strerror}") from error


def _lock(file: IO[bytes], path: Path) -> None:
    """Lock out other processes; on systems without such locks, that is left to the user."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataError(f"another process is writing {path}") from None
