"""Treebanks in CoNLL-U: a sentence a row, with its text, its surface tokens and its lines.

The text is that of `# text`, or what the words and `SpaceAfter` make. A surface token is a word, or
a range such as `3-4` in place of its words. Only the form and the spaces of a token, `# text` and
`# sent_id` may change; all else in the lines stays: words in ranges, empty nodes, comments.
See https://universaldependencies.org/format.html.
"""

from __future__ import annotations

import re
from typing import Any

from perturb.errors import DataError
from perturb.io import text_files

_FORM, _MISC = 1, 9
_TEXT, _ID = "# text = ", "# sent_id = "
# Spaces as UDPipe writes them into a column.
_ESCAPES = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
_NAMES = {escape: space for space, escape in _ESCAPES.items()}
_SPACES = re.compile(r"^Space(s)?After=")


class Reader(text_files.Reader):
    """A treebank; see `perturb.io.text_files`."""

    header = ("id", "text", "tokens", "lines")

    def _value(self, text: str) -> dict[str, Any]:
        return _sentence(text.split("\n"))


class Writer(text_files.Writer):
    """Sentences with the forms and spaces that their tokens have now."""

    def _text(self, row: dict[str, Any]) -> str:
        text, tokens, lines = (row.get(name) for name in ("text", "tokens", "lines"))
        if not isinstance(text, str) or not isinstance(tokens, list) or not isinstance(lines, list):
            raise self._misfit("a row of CoNLL-U needs 'text', 'tokens' and 'lines', as it is read")
        if "\n" in text or "\r" in text:
            raise self._misfit(f"the text {text!r:.40} isn't a single line")
        written = {each["token"]: number for number, each in enumerate(tokens)}
        edges = [*(each["start"] for each in tokens[1:]), len(text)]
        made = []
        for line in lines:
            cells = line.split("\t")
            if line.startswith(_TEXT):
                line = _TEXT + text
            elif line.startswith(_ID):
                line = _ID + str(row.get("id"))
            elif cells[0] in written:
                number = written[cells[0]]
                token, last = tokens[number], number + 1 == len(tokens)
                if text[token["start"] : token["end"]] != token["text"]:
                    raise self._misfit("the tokens aren't those of the text: give --spans tokens")
                cells[_FORM] = token["text"]
                gap = text[token["end"] : edges[number]]
                cells[_MISC] = cells[_MISC] if last and not gap else _with_gap(cells[_MISC], gap)
                line = "\t".join(cells)
            made.append(line)
        return "\n".join(made)


def _with_gap(misc: str, gap: str) -> str:
    """Return the last column of a token with the space behind it, as it was if that is the same."""
    if _gap(misc) == gap:
        return misc
    others = [part for part in misc.split("|") if part != "_" and not _SPACES.match(part)]
    if gap == "":
        others.append("SpaceAfter=No")
    elif gap != " ":
        others.append("SpacesAfter=" + "".join(_ESCAPES.get(char, char) for char in gap))
    return "|".join(others) or "_"


def _gap(misc: str) -> str:
    """Return the space behind a token, from its last column."""
    part = next(filter(_SPACES.match, misc.split("|")), "SpaceAfter=Yes")
    name, _, value = part.partition("=")
    if name == "SpaceAfter":
        return "" if value == "No" else " "
    return re.sub(r"\\[stnr]", lambda match: _NAMES[match[0]], value)


def _sentence(lines: list[str]) -> dict[str, Any]:
    """Return a sentence as a row.

    Raises:
        DataError: a line doesn't have ten columns, or the tokens don't make the text.
    """
    forms, gaps, names, last = list[str](), list[str](), list[str](), 0
    for line in lines:
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 10:
            raise DataError(f"a line of CoNLL-U has ten columns, with tabs; got {line!r:.60}")
        number, dash, end = cells[0].partition("-")
        if "." in number:
            continue
        if not number.isdecimal() or (dash and not end.isdecimal()):
            raise DataError(f"the first column is 1, 1-2 or 1.1; got {cells[0]!r:.20}")
        if int(number) <= last:  # a word of the range before it
            continue
        last = int(end or number) if dash else last
        names.append(cells[0])
        forms.append(cells[_FORM])
        gaps.append(_gap(cells[_MISC]))
    told = next((line[len(_TEXT) :] for line in lines if line.startswith(_TEXT)), None)
    rebuilt = "".join(form + gap for form, gap in zip(forms, gaps, strict=True)).rstrip()
    text, tokens, at = rebuilt if told is None else told, list[dict[str, Any]](), 0
    for name, form in zip(names, forms, strict=True):
        start = text.find(form, at)
        if start < 0 or text[at:start].strip():
            raise DataError(f"token {name}, {form!r:.30}, isn't at its place in {text!r:.60}")
        at = start + len(form)
        tokens.append({"token": name, "start": start, "end": at, "text": form})
    if text[at:].strip():
        raise DataError(f"the text goes on behind its tokens with {text[at:]!r:.30}")
    own = next((line[len(_ID) :] for line in lines if line.startswith(_ID)), None)
    about = {} if own is None else {"id": own}
    return {**about, "text": text, "tokens": tokens, "lines": lines}
