"""BRAT: a document a row, with its text, its spans, and the lines of its annotations.

NAME.ann has the annotations of NAME.txt, whose offsets count code points. Only the lines of spans
change, such as `T1`; a discontinuous one has several parts, which are spans of one id. Relations,
events, attributes, normalizations and notes name spans by their ids, and stay.
See https://brat.nlplab.org/standoff.html.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePath
from typing import Any

from perturb.errors import DataError, UsageError, shown
from perturb.io import jsonl, text_files
from perturb.io.addresses import opened, public, size_of, text_beside
from perturb.io.files import readable

# A span: its id and label, the ends of its parts, and a copy of its text.
_SPAN = re.compile(r"(T\S*\t\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(\t.*)?", re.DOTALL)
# Line ends, which the text of a span can't have.
_ENDS = re.compile(r"[\r\n]")


class Reader(text_files.Reader):
    """A document; see `perturb.io.text_files`."""

    header = ("id", "text", "spans", "lines")

    def __init__(self, path: str, *bounds: Any, **reading: Any) -> None:
        self._beside, self._encoding = _text_of(path), reading.get("encoding") or "utf-8"
        with readable(self._beside):
            more = size_of(self._beside)
        super().__init__(path, *bounds, **reading)
        self.total += more

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the row, with the number of the line that is at fault, or else 1."""
        annotations = b"".join(block for _, block in jsonl.Reader.blocks(self))
        with readable(self._beside), opened(self._beside) as file:
            self._content = self.digest.see(file.read())
        if self._max_line is not None and len(self._content) > self._max_line:
            raise DataError(
                f"{self._beside} exceeds {self._max_line >> 20} MB: perturb apply --max-line MB"
            )
        self._number = 1
        row = self._row([annotations.removeprefix(jsonl.BOM).replace(b"\r\n", b"\n")])
        return jsonl.in_blocks(iter([(self._number, row)]))

    def _value(self, text: str) -> dict[str, Any]:
        lines, document = text.split("\n"), self._content.decode(self._encoding)
        spans: dict[str, list[dict[str, Any]]] = {}
        for self._number, line in enumerate(lines, 1):
            if line.startswith("T"):
                parts = _parts(line, document)
                if spans.setdefault(parts[0]["id"], parts) is not parts:
                    raise DataError(f"{parts[0]['id']} is the id of a span before it too")
        self._number = 1
        name = PurePath(public(self._beside)).stem
        every = [*chain.from_iterable(spans.values())]
        return {"id": name, "text": document, "spans": every, "lines": lines}


class Writer(text_files.Writer):
    """A document, whose spans are where they are now, and beside it the text."""

    def __init__(self, out: Any, name: str, columns: Any) -> None:
        super().__init__(out, name, columns)
        self._seen, self._end = out.digest, ""
        self._beside = out.open_beside(_text_of(name))
        self._document: bytes | None = None

    def finish(self) -> None:
        """Write the text, whose bytes belong to the digest of the annotations."""
        self._beside.write(self._seen.see(self._document or b""))

    def _text(self, row: dict[str, Any]) -> str:
        text, spans, lines = (row.get(name) for name in ("text", "spans", "lines"))
        if not isinstance(text, str) or not isinstance(spans, list) or not isinstance(lines, list):
            raise self._misfit("a row of BRAT needs 'text', 'spans' and 'lines', as it is read")
        if self._document is not None:
            raise self._misfit(
                "BRAT has a file for each document, and this would be the second in one: make one "
                "version of each, and give a folder, -o DIR/, for several"
            )
        self._document, parts = text.encode(), dict[str, list[Mapping[str, Any]]]()
        for span in spans:
            if text[span["start"] : span["end"]] != span["text"]:
                raise self._misfit("the spans aren't those of the text: give --spans spans")
            if not span["text"]:
                raise self._misfit(
                    f"span {span['id']} is left empty: protect it, --protect field:spans, or leave "
                    "it out, --span-policy drop"
                )
            parts.setdefault(span["id"], []).append(span)
        made, dropped = [], set[str]()
        for line in lines:
            if not (match := _SPAN.fullmatch(line)):
                made.append(line)
            elif now := parts.get(line.partition("\t")[0]):
                ends = ";".join(f"{start} {end}" for start, end in _joined(now))
                told = match[3] and f"\t{_shown(text, _joined(now))}"
                made.append(f"{match[1]} {ends}{told or ''}")
            else:
                dropped.add(line.partition("\t")[0])
        for line in made:
            if lost := dropped & {*re.split(r"[ :]", line.partition("\t")[2].partition("\t")[0])}:
                raise self._misfit(f"{min(lost)} was dropped, but {line!r:.60} names it")
        return "\n".join(made)


def _text_of(path: str) -> str:
    """Return the path of the text of a file.

    Raises:
        UsageError: the name of the file doesn't tell it.
    """
    if text := text_beside(path):
        return text
    raise UsageError(
        f"BRAT is two files, NAME.ann and NAME.txt, so it needs the name of the first; got {path}"
    )


def _parts(line: str, text: str) -> list[dict[str, Any]]:
    """Return the parts of the span in a line.

    Raises:
        DataError: it is none, or its text is another.
    """
    if not (match := _SPAN.fullmatch(line)):
        raise DataError(f"a span is T1, a tab, LABEL START END, a tab and a text; got {line!r:.60}")
    name, label = match[1].split("\t")
    ends = [(int(start), int(end)) for start, end in map(str.split, match[2].split(";"))]
    for start, end in ends:
        if not start < end <= len(text):
            raise DataError(
                f"span {name}, from {start} to {end}, doesn't lie in its text, of {len(text)} code "
                "points"
            )
    if match[3] and match[3][1:] != (found := _shown(text, ends)):
        raise DataError(
            f"span {name} says that its text is {shown(match[3][1:])}, but at {match[2]} stands "
            f"{shown(found)}; offsets count code points"
        )
    return [
        {"id": name, "label": label, "start": start, "end": end, "text": text[start:end]}
        for start, end in ends
    ]


def _joined(parts: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    """Return the ends of parts; those that one edit made overlap are one."""
    ends = list[tuple[int, int]]()
    for part in parts:
        start, end = part["start"], part["end"]
        if ends and ends[-1][0] <= start < ends[-1][1]:
            start, end = ends[-1][0], max(end, ends.pop()[1])
        ends.append((start, end))
    return ends


def _shown(text: str, ends: Sequence[tuple[int, int]]) -> str:
    """Return the text of a span as its line has it."""
    return _ENDS.sub(" ", " ".join(text[start:end] for start, end in ends))
