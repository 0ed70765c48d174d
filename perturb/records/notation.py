"""The changes of a row as a line of text, from which the row restores itself.

changes  CHANGE;CHANGE...                  empty where nothing changed
CHANGE   PATH|START:OLD>NEW|START:OLD>NEW  a text; START in code points of the original
         PATH=JSON                         another value: what stood there, or nothing if none did

As in VCF and GFF3, what would be read as a sign of this grammar (% | > = ; +), control characters,
line separators and lone surrogates are percent-encoded, byte by byte in UTF-8. JSON keeps its `=`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple
from urllib.parse import unquote

from perturb.errors import DataError, shown
from perturb.io.jsonl import text_of_json, value_of_json
from perturb.records.edit import Edit

_ODD = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_SIGN = re.compile(rf"[%|>=;+{_ODD}]")
_SIGN_IN_JSON = re.compile(rf"[%|>;+{_ODD}]")
_EDIT = re.compile(r"(?:(?<=\|)|^)([0-9]{1,18}):([^|>]*)>([^|>]*)(?![^|])")
_BAD_CODE = re.compile("%(?![0-9A-F]{2})")
# The path of a text that stands in no row.
BARE = "text"
# What stands for the value of a field that was not there.
ABSENT = object()


class Changes(NamedTuple):
    """The changes of a row.

    Attributes:
        texts: the edits of each text that changed, by its path.
        values: what stood in other fields that changed, by their paths; `ABSENT` for nothing.
    """

    texts: Mapping[str, tuple[Edit, ...]]
    values: Mapping[str, Any]


def quoted(text: str, sign: re.Pattern[str] = _SIGN) -> str:
    """Percent-encode what the grammar would read as its own.

    Examples:
        >>> quoted("50% > 1;2")
        '50%25 %3E 1%3B2'
    """
    return sign.sub(_encoded, text) if sign.search(text) else text


def _encoded(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))


def written_text(path: str, edits: Iterable[Edit]) -> str:
    """Return the change of one text; empty if it has no edits.

    Examples:
        >>> written_text("question", [Edit(13, 14, "g", "t"), Edit(18, 19, "", "d")])
        'question|13:t>g|18:d>'
    """
    parts = [f"|{start}:{quoted(old)}>{quoted(new)}" for start, _, new, old in edits]
    return quoted(path) + "".join(parts) if parts else ""


def written_value(path: str, value: Any) -> str:
    """Return the change of any other value: what stood there.

    Examples:
        >>> written_value("answers", {"answer_start": [12], "text": ["a;b"]})
        'answers={"answer_start":[12],"text":["a%3Bb"]}'
    """
    text = "" if value is ABSENT else quoted(text_of_json(value), _SIGN_IN_JSON)
    return f"{quoted(path)}={text}"


def read(text: str) -> Changes:
    """Read the changes of a row.

    Raises:
        DataError: it is not of this grammar; the message says from where.

    Examples:
        >>> read("question|13:t>g|18:d>;id=17").values
        {'id': 17}
    """
    texts: dict[str, tuple[Edit, ...]] = {}
    values: dict[str, Any] = {}
    if "%" in text and _BAD_CODE.search(text):
        raise _damaged(text, "a % is followed by two digits of 0-9A-F")
    for change in text.split(";") if text else ():
        path, sign, rest = change.partition("=")
        if "|" in path:
            path, _, rest = change.partition("|")
            texts[_unquoted(path)] = _edits(rest)
        elif sign:
            try:
                values[_unquoted(path)] = value_of_json(_unquoted(rest)) if rest else ABSENT
            except ValueError as error:
                raise _damaged(change, str(error)) from None
        else:
            raise _damaged(change, "a change is PATH|START:OLD>NEW or PATH=JSON")
    return Changes(texts, values)


def _edits(text: str) -> tuple[Edit, ...]:
    edits = []
    at, length, encoded = 0, -1, "%" in text
    for place, old, new in _EDIT.findall(text):
        length += len(place) + len(old) + len(new) + 3
        if encoded:
            old, new = _unquoted(old), _unquoted(new)
        start = int(place)
        if start < at or old == new:
            raise _damaged(f"{place}:{old}>{new}", f"an edit changes something, at or after {at}")
        at = start + len(old)
        edits.append(Edit(start, at, new, old))
    if length != len(text):  # some of it is no edit
        part = next(part for part in text.split("|") if not _EDIT.fullmatch(part))
        raise _damaged(part, "an edit is START:OLD>NEW")
    return tuple(edits)


def _unquoted(text: str) -> str:
    try:
        return unquote(text, "utf-8", "surrogatepass") if "%" in text else text
    except UnicodeDecodeError:
        raise _damaged(text, "what is percent-encoded must be UTF-8") from None


def _damaged(part: str, why: str) -> DataError:
    return DataError(f"the edits of a record are damaged at {shown(part)}: {why}")
