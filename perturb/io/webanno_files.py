"""WebAnno TSV 3, also of INCEpTION: a sentence a row, with its text, its tokens and its lines.

Offsets count units of UTF-16 from the beginning of the document; in rows they count code points of
the sentence. Layers name tokens, and parts of tokens such as `1-2.1`, by their ids, so only offsets
and texts change. The text of a sentence has escapes, that of a token none.
See https://webanno.github.io/webanno/releases/3.4.5/docs/user-guide.html#sect_webannotsv.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from perturb.errors import DataError, shown
from perturb.io import text_files
from perturb.values.spans import in_characters, in_units

_TEXT, _ID = "#Text=", "#Sentence.id="
# Characters with an escape of their own in the text of a sentence; others have a backslash before.
_ESCAPES = {"\t": "t", "\f": "f", "\r": "r", "\b": "b"}
_NAMES = {name: char for char, name in _ESCAPES.items()} | {"n": "\n"}
_CONTROL = re.compile(r"[\\\x00-\x1f]")
_ESCAPED = re.compile(r"\\(.)")
# A token or a part of one: its id, its number as a part, its ends, its text, and its layers.
_UNIT = re.compile(r"([0-9]+-[0-9]+(\.[0-9]+)?)\t([0-9]+)-([0-9]+)\t([^\t]*)(.*)")


class Reader(text_files.Reader):
    """A document; see `perturb.io.text_files`."""

    def __init__(self, path: str, *bounds: Any, **reading: Any) -> None:
        super().__init__(path, *bounds, **reading)
        self.header = ["id", "text", "tokens", "parts", "begin", "lines"]

    def _numbered(self) -> Iterator[tuple[int, bytes]]:
        """Yield the sentences, each with the lines before it; the first has the header."""
        first, lines, blank = 1, list[bytes](), list[bytes]()
        for number, line in self._lines():
            if not line.strip():
                blank.append(line)
                continue
            if lines and lines[-1][:1].isdigit() and not line[:1].isdigit():
                yield first, self._row(lines)
                lines = []
            first = first if lines else number
            lines, blank = [*lines, *blank, line], []
        if lines:
            yield first, self._row([*lines, *blank])

    def _value(self, text: str) -> dict[str, Any]:
        return _sentence(text.split("\n"))


class Writer(text_files.Writer):
    """Sentences with the texts and offsets that their tokens have now."""

    def __init__(self, *out: Any) -> None:
        super().__init__(*out)
        # How far the sentences have moved, and where the last one ended.
        self._moved = self._last = 0

    def _text(self, row: dict[str, Any]) -> str:
        text, tokens, parts, lines = (row[name] for name in ("text", "tokens", "parts", "lines"))
        if not isinstance(text, str) or not isinstance(lines, list) or not lines:
            raise self._misfit("a row needs 'text' and 'lines', as it is read")
        before, begin = _text_in(lines), row["begin"] + self._moved
        if not self._last and not lines[0].startswith("#FORMAT"):
            raise self._misfit("the first sentence, which has the header, is missing: keep it")
        if begin < self._last:
            raise self._misfit("sentences must be in order, each once: make one version of each")
        self._last = begin + in_units((0, len(text)), text, "utf16")[1]
        self._moved += self._last - begin - in_units((0, len(before)), before, "utf16")[1]
        units = {each["token"]: each for each in tokens} | {each["part"]: each for each in parts}
        made = list[str]()
        for line in lines:
            if line.startswith(_TEXT) and text != before:
                if made and made[-1].startswith(_TEXT):
                    continue
                line = "\n".join(_TEXT + _escaped(part) for part in text.split("\n"))
            elif match := _UNIT.fullmatch(line):
                line = self._of_now(match, units.get(match[1]), text, begin)
            made.append(line)
        return "\n".join(made)

    def _of_now(self, line: re.Match[str], unit: Any, text: str, begin: int) -> str:
        if unit is None:
            raise self._misfit(f"{line[1]} was dropped, and layers name it: --span-policy grow")
        form = text[unit["start"] : unit["end"]]
        if form != unit["text"]:
            raise self._misfit("the tokens aren't those of the text: give --spans tokens")
        if not form and line[5]:
            raise self._misfit(f"{line[1]}, {line[5]!r:.30}, is left empty: choose other steps")
        start, end = in_units((unit["start"], unit["end"]), text, "utf16")
        kept = line[5] if form in (line[5], _unescaped(line[5])) else form
        return f"{line[1]}\t{begin + start}-{begin + end}\t{kept}{line[6]}"


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda char: "\\" + _ESCAPES.get(char[0], char[0]), text)


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: _NAMES.get(match[1], match[1]), text)


def _text_in(lines: list[str]) -> str:
    """Return the text of a sentence, which has a line for each of its own."""
    return "\n".join(_unescaped(line[len(_TEXT) :]) for line in lines if line.startswith(_TEXT))


def _sentence(lines: list[str]) -> dict[str, Any]:
    """Return a sentence as a row.

    Raises:
        DataError: a token isn't where it says, or is none.
    """
    text, units, begin = _text_in(lines), list[dict[str, Any]](), None
    for line in filter(lambda line: line[:1].isdigit(), lines):
        if not (match := _UNIT.fullmatch(line)):
            raise DataError(f"a token is 1-1, a tab, START-END, a tab and a text; got {line!r:.60}")
        name, is_part, start, end, form = match[1], match[2], int(match[3]), int(match[4]), match[5]
        if begin is None:
            before = text[: max(text.find(form), text.find(_unescaped(form)), 0)]
            begin = start - in_units((0, len(before)), before, "utf16")[1]
        key, span = "part" if is_part else "token", {"start": start - begin, "end": end - begin}
        try:
            span = in_characters(span, text, "utf16")
        except DataError:
            span["end"] = -1
        there = text[span["start"] : span["end"]]
        if span["start"] < 0 or span["end"] < 0 or there not in (form, _unescaped(form)):
            raise DataError(
                f"{name} says that its text is {shown(form)}, but that isn't at {start} to {end}, "
                "where offsets count units of UTF-16"
            )
        units.append({key: name, **span, "text": there})
    if begin is None:
        raise DataError("the sentence has no token")
    own = next((line[len(_ID) :] for line in lines if line.startswith(_ID)), None)
    about = {} if own is None else {"id": own}
    tokens = [unit for unit in units if "token" in unit]
    parts = [unit for unit in units if "part" in unit]
    return {**about, "text": text, "tokens": tokens, "parts": parts, "begin": begin, "lines": lines}
