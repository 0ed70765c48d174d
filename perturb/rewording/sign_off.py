"""A page on which a person says yes or no to rewordings, which goes into their table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from threading import Lock
from typing import Any

from perturb.errors import UsageError
from perturb.io.outputs import writing
from perturb.perturbators.shared.rewordings import Rewording, hash_of, table_at
from perturb.play.server import PageServer, as_json

_PAGES = {"": "sign_off.html", "page.css": "page.css", "sign_off.js": "sign_off.js"}


_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|\s+|.")


def _pieces(line: Rewording) -> Iterator[tuple[str, str]]:
    """Cut a text and its rewording at the words in which they differ."""
    one, other = (_TOKEN.findall(text) for text in (line.text, line.rewording or ""))
    # A space between other words is no part that both have.
    matcher = SequenceMatcher(str.isspace, one, other, autojunk=False)
    for kind, start, end, start_after, end_after in matcher.get_opcodes():
        if kind == "equal":
            yield "kept", "".join(one[start:end])
            continue
        yield "removed", "".join(one[start:end])
        yield "written", "".join(other[start_after:end_after])


class SigningServer(PageServer):
    """The server of the page for one table, which it reads and writes with each answer.

    Args:
        path: the path of the table.
        port: see `PageServer`.

    Raises:
        DataError: the table is damaged.
    """

    def __init__(self, path: str, port: int = 0) -> None:
        self._path, self._writing = path, Lock()
        table_at(path)
        super().__init__(port, _PAGES, {"table": self._shown}, {"sign": self.sign})

    def _shown(self) -> bytes:
        lines = table_at(self._path).lines
        return as_json([{**line.to_dict(), "pieces": [*_pieces(line)]} for line in lines])

    def sign(self, request: Any) -> dict[str, Any]:
        """Write a person's word into the table.

        Args:
            request: an object with `hash`, `rewording` and `person`: true, false or null.

        Raises:
            UsageError: it has another form, or the table has no such rewording any more.
        """
        match request:
            case {"hash": str() as hash_, "rewording": str() as rewording,
                  "person": None | bool() as person}:  # fmt: skip
                pass
            case _:
                raise UsageError("a request must have hash, rewording and person")
        with self._writing:
            table = table_at(self._path)
            for place, line in enumerate(table.lines):
                if (hash_of(line.text), line.rewording) == (hash_, rewording):
                    table.lines[place] = line._replace(person=person)
                    with writing(self._path) as (file, _):
                        file.write(table.written())
                    return table.lines[place].to_dict()
        raise UsageError("the table has no such rewording any more; load the page again")
