"""A table of rewordings: its lines, how they are read, and what makes one count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from perturb.boundary import File, content_of, sha256, text_in
from perturb.errors import DataError

FORMAT = "perturb rewordings 1"
# UTF-8 has no half of a surrogate pair.
_HALF = re.compile("[\ud800-\udfff]")
_AGAIN = "make it again by perturb paraphrase, which asks nothing twice while its journal is there"


class Rewording(NamedTuple):
    """A text with the last rewording that a system gave.

    Attributes:
        text: the text.
        rewording: the rewording; None if the system gave none.
        tries: how often it was asked.
        checks: what each check said of the rewording, by name; "" where it passed.
        error: why there is no rewording; "" if there is one.
        person: a person's yes or no, which overrules the checks; None for neither.
    """

    text: str
    rewording: str | None = None
    tries: int = 0
    checks: Mapping[str, str] = {}
    error: str = ""
    person: bool | None = None

    @property
    def accepted(self) -> bool:
        """Whether the rewording takes the place of the text."""
        passed = not any(self.checks.values()) if self.person is None else self.person
        return passed and self.rewording is not None and self.rewording != self.text

    def to_dict(self) -> dict[str, Any]:
        """Return the line of the table."""
        return {"hash": hash_of(self.text), **self._asdict(), "accepted": self.accepted}


class Table(NamedTuple):
    """A table of rewordings.

    Attributes:
        manifest: its first line: who was asked, how, and the counts.
        lines: a line a text.
    """

    manifest: dict[str, Any]
    lines: list[Rewording]

    def written(self) -> bytes:
        """Return the bytes of the file."""
        counts = {"texts": len(self.lines), "accepted": sum(line.accepted for line in self.lines)}
        rows = [{"format": FORMAT, **self.manifest, **counts}, *(x.to_dict() for x in self.lines)]
        return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def hash_of(text: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of a text in UTF-8."""
    return sha256(text.encode())[:16]


def can_be_reworded(text: str) -> bool:
    """Return whether a text has anything to reword, and can be written to a table."""
    return not (text.isspace() or not text or _HALF.search(text))


@lru_cache(maxsize=8)
def rewordings_of(file: File) -> dict[str, str | None]:
    """Return the texts of a table, each with its accepted rewording, or None.

    Raises:
        UsageError: the file can't be read, or doesn't match its hash.
        DataError: it is no table of rewordings, or damaged.
    """
    lines = read_table(content_of(file), file.path).lines
    return {line.text: line.rewording if line.accepted else None for line in lines}


def table_at(path: str | Path) -> Table:
    """Return the table in a file.

    Raises:
        UsageError: the file can't be read, or isn't UTF-8.
        DataError: it is no table of rewordings, or damaged.
    """
    return read_table(text_in(path).encode(), str(path))


def read_table(data: bytes, name: str) -> Table:
    """Return a table.

    Args:
        data: the bytes of its file.
        name: the name of the file, for messages.

    Raises:
        DataError: the file is no table of rewordings, or damaged; the message has the line.
    """
    first, *others = data.splitlines() or [b""]
    manifest = _loaded(first)
    if manifest.get("format") != FORMAT:
        raise DataError(
            f"{name} is no table of rewordings: its first line has no {FORMAT!r} as its format; "
            "perturb paraphrase writes such tables"
        )
    lines = list(_lines(others, name))
    if manifest.get("texts") != len(lines):
        raise DataError(
            f"{name} is damaged: it has {len(lines):,} texts, and its first line says "
            f"{manifest.get('texts')}; {_AGAIN}"
        )
    counted = ("format", "texts", "accepted")  # what `Table.written` adds
    return Table({key: manifest[key] for key in manifest if key not in counted}, lines)


def _lines(rows: list[bytes], name: str) -> Iterator[Rewording]:
    seen: set[str] = set()
    for number, row in enumerate(rows, 2):
        match _loaded(row):
            case {"text": str() as text, "rewording": None | str(), "tries": int(),
                  "checks": dict() as checks, "error": str(), "person": None | bool(),
                  "accepted": bool() as accepted, "hash": str() as digest} as found:  # fmt: skip
                line = Rewording(**{key: found[key] for key in Rewording._fields})
                whole = all(isinstance(said, str) for said in checks.values())
                if whole and digest == hash_of(text) and accepted == line.accepted:
                    if text in seen:
                        raise DataError(f"{name}:{number}: a line before has this text: delete one")
                    seen.add(text)
                    yield line
                    continue
        raise DataError(
            f"{name}:{number}: not a line of a table of rewordings, or changed by hand, so that it "
            f"contradicts itself; {_AGAIN}"
        )


def _loaded(line: bytes) -> dict[str, Any]:
    """Return the object in a line; empty if there is none."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}
