"""Plain text with a row per line or paragraph, and columns of tokens with tags, as in CoNLL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import orjson

from perturb.errors import DataError
from perturb.io import jsonl
from perturb.io.jsonl import BOM, ENCODING, NO_NULS, NULS, broken, in_blocks, written_rows

# A line that separates documents, in place of a token.
_DOCUMENT = "-DOCSTART-"


class Reader(jsonl.Reader):
    """A file of plain text.

    Args:
        path: see `InputFile`, as for the others.
        unit: the unit of a row: "line", even if blank; "paragraph", which ends at blank lines; or
            "sentence" of tokens, one per line, with their tags in the last column.
    """

    header: Sequence[str] = ("text",)

    def __init__(self, path: str, *bounds: Any, unit: str = "line", **reading: Any) -> None:
        super().__init__(path, *bounds, **reading)
        self._unit = unit
        if unit == "sentence":
            self.header = ("tokens", "tags")

    def blocks(self) -> Iterator[tuple[int, bytes]]:
        """Yield the rows in blocks of JSON lines, each with the number of the first."""
        return in_blocks(self._numbered())

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        if self._unit == "line":
            for number, line in self._lines():
                yield number, self._row([line])
            return
        first, lines = 1, list[bytes]()
        for number, line in self._lines():
            if line.strip():
                first = first if lines else number
                lines.append(line)
            elif lines and not lines[-1].startswith(_DOCUMENT.encode()):
                yield first, self._row(lines)
                lines = []
        if lines:
            yield first, self._row(lines)

    def _lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield the lines without their ends."""
        for first, block in super().blocks():
            lines = (block.removeprefix(BOM) if first == 1 else block).split(b"\n")
            if not lines[-1]:
                lines.pop()
            yield from enumerate((line.removesuffix(b"\r") for line in lines), first)

    def _row(self, lines: list[bytes]) -> bytes:
        try:
            text = b"\n".join(lines).decode()
            if "\0" in text:
                raise DataError(NULS)
            return orjson.dumps(self._value(text))
        except UnicodeDecodeError as error:
            what = f"not UTF-8: {error.reason}; {ENCODING}"
        except DataError as error:
            what = str(error)
        return broken(what, b"\n".join(lines))

    def _value(self, text: str) -> dict[str, Any]:
        """Return the row of its lines; a format of annotations has its own."""
        return self._tagged(text) if self._unit == "sentence" else {"text": text}

    def _is_comment(self, line: str) -> bool:
        """Return true if a line has no token; # may be one if a tag follows in the next column."""
        is_note = line.startswith("# ") and self.dialect == "\t" and "\t" not in line
        return is_note or line.startswith(_DOCUMENT)

    def _tagged(self, text: str) -> dict[str, Any]:
        """Return the tokens of a sentence, their tags, and the columns between them."""
        lines = text.split("\n")
        self.dialect = self.dialect or ("\t" if "\t" in text else " ")
        comments = [line for line in lines if self._is_comment(line)]
        lines = lines[len(comments) :]
        cells = [line.split(self.dialect if self.dialect == "\t" else None) for line in lines]
        if len({*map(len, cells)} - {1}) > 1 or any(len(row) < 2 for row in cells):
            raise DataError(
                "each line needs a token and its tag, in the first and the last of as many columns "
                f"as the others have; got {min(lines, key=lambda line: len(line.split()))!r:.60}"
            )
        columns = list(map(list, zip(*cells, strict=True))) or [[], []]
        between = {f"column{n}": column for n, column in enumerate(columns[1:-1], 2)}
        about = {"comments": comments} if comments else {}
        return {"tokens": columns[0], **between, "tags": columns[-1], **about}


class Writer(jsonl.Writer):
    """Rows from lines of JSON, written as plain text, which has no place for records.

    Args:
        out: see `perturb.io.jsonl.Writer`, as for the others.
        unit: see `Reader`.
    """

    def __init__(self, *out: Any, unit: str = "line") -> None:
        super().__init__(*out)
        self._unit, self._end = unit, "\n" if unit == "line" else "\n\n"

    def write(self, data: bytes | memoryview) -> None:
        """Write the rows in lines of JSON."""
        rows = written_rows(data)
        write = self._tagged if self._unit == "sentence" else self._text
        try:
            lines = "".join([write(row) + self._end for row in rows]).encode()
            if b"\0" in lines:
                raise DataError(f"{self._name}: {NO_NULS}")
            self._out.write(self._columns.ended(lines))
        except UnicodeEncodeError as error:
            what = "half of a surrogate pair, which plain text can't hold"
            raise self._misfit(f"{error.object[error.start]!r} is {what}") from None
        except KeyError as error:
            raise self._misfit(f"a row, or a span in it, lacks the field {error}") from None

    def _misfit(self, what: str) -> DataError:
        return DataError(f"{self._name}: {what}; write JSON Lines")

    def _text(self, row: dict[str, Any]) -> str:
        text = row.get("text")
        if not isinstance(text, str):
            raise self._misfit("a row of plain text needs a field 'text', and this one has none")
        if self._end in text or "\r" in text:
            raise self._misfit(f"the text {text!r:.40} isn't a single {self._unit}")
        return text

    def _tagged(self, row: dict[str, Any]) -> str:
        between = [name for name in row if name.startswith("column")]
        columns = [row.get(name) for name in ("tokens", *between, "tags")]
        if not all(isinstance(column, list) for column in columns):
            raise self._misfit("a row of tokens needs lists 'tokens' and 'tags'")
        separator = self._columns.dialect() or "\t"
        lines = list(zip(*columns, strict=True))
        for cell in chain.from_iterable(lines):
            if not cell or {separator, "\n"} & {*cell}:
                raise self._misfit(f"{cell!r} can't be the value of a column")
        comments = row.get("comments", ())
        comments = [line + "\n" * line.startswith(_DOCUMENT) for line in comments]
        return "\n".join([*comments, *map(separator.join, lines)])
