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
from perturb.values.spans import edges

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

    header = ("id", "text", "tokens", "parts", "begin", "lines")

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
            lines += [*blank, line]
            blank = []
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
        ends = _ends(text)
        self._last = begin + ends[-1]
        self._moved += ends[-1] - _ends(before)[-1]
        units = {each["token"]: each for each in tokens} | {each["part"]: each for each in parts}
        made = list[str]()
        for line in lines:
            if line.startswith(_TEXT) and text != before:
                if made and made[-1].startswith(_TEXT):
                    continue
                line = "\n".join(_TEXT + _escaped(part) for part in text.split("\n"))
            elif match := _UNIT.fullmatch(line):
                line = self._of_now(match, units.get(match[1]), text, begin, ends)
            made.append(line)
        return "\n".join(made)

    def _of_now(
        self, line: re.Match[str], unit: Any, text: str, begin: int, ends: list[int]
    ) -> str:
        if unit is None:
            raise self._misfit(f"{line[1]} was dropped, and layers name it: --span-policy grow")
        form = text[unit["start"] : unit["end"]]
        if form != unit["text"]:
            raise self._misfit("the tokens aren't those of the text: give --spans tokens")
        if not form and line[5]:
            raise self._misfit(f"{line[1]}, {line[5]!r:.30}, is left empty: choose other steps")
        kept = line[5] if form in (line[5], _unescaped(line[5])) else form
        start, end = ends[unit["start"]], ends[unit["end"]]
        return f"{line[1]}\t{begin + start}-{begin + end}\t{kept}{line[6]}"


def _escaped(text: str) -> str:
    return _CONTROL.sub(lambda char: "\\" + _ESCAPES.get(char[0], char[0]), text)


def _ends(text: str) -> list[int]:
    """Return how many units of UTF-16 stand before each character, and in all of a text."""
    return [*range(len(text) + 1)] if text.isascii() else edges(text, "utf16").tolist()


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
    text, begin, at = _text_in(lines), 0, 0
    tokens, parts = list[dict[str, Any]](), list[dict[str, Any]]()
    ends = _ends(text)
    places = {end: place for place, end in enumerate(ends)}
    for line in lines:
        if not line[:1].isdigit():
            continue
        if not (match := _UNIT.fullmatch(line)):
            raise DataError(f"a token is 1-1, a tab, START-END, a tab and a text; got {line!r:.60}")
        name, is_part, first, last, form = match.groups()[:5]
        plain = _unescaped(form) if "\\" in form else form
        if not tokens:
            begin = int(first) - ends[max(text.find(form), text.find(plain), 0)]
        start, end = (places.get(int(each) - begin, -1) for each in (first, last))
        there = text[start:end]
        if not 0 <= start <= end or there not in (form, plain):
            raise DataError(
                f"{name} says that its text is {shown(form)}, but that isn't at {first} to {last}, "
                "where offsets count units of UTF-16"
            )
        if is_part:
            parts.append({"part": name, "start": start, "end": end, "text": there})
            continue
        if start < at or text[at:start].strip():
            raise DataError(f"{name}, {shown(form)}, doesn't follow the token before it")
        tokens.append({"token": name, "start": start, "end": end, "text": there})
        at = end
    if not tokens or text[at:].strip():
        raise DataError(f"the text {shown(text[at:])} belongs to no token")
    names = [each["token"] for each in tokens] + [each["part"] for each in parts]
    if len({*names}) < len(names):
        raise DataError(f"{max(names, key=names.count)} is the id of two tokens")
    own = next((line[len(_ID) :] for line in lines if line.startswith(_ID)), None)
    about = {} if own is None else {"id": own}
    return {**about, "text": text, "tokens": tokens, "parts": parts, "begin": begin, "lines": lines}
