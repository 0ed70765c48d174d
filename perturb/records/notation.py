"""The fields of a record, and the changes of a row as text, from which the row restores itself.

One table has the fields: its JSON Schema, Arrow type and checks are made from it.

changes  CHANGE;CHANGE...                  empty where nothing changed
CHANGE   PATH|START:OLD>NEW|START:OLD>NEW  a text; START in code points of the original
         PATH=JSON                         another value: what stood there, or nothing if none did

As in VCF and GFF3, what would be read as a sign of this grammar (% | > = ; +), control characters,
line separators and lone surrogates are percent-encoded, byte by byte in UTF-8. JSON keeps its `=`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from perturb._version import CONTRACT
from perturb.engine.step import REASONS
from perturb.engine.text.strings import Strings, same, stack, with_rows
from perturb.engine.text.strings import column as column_of
from perturb.errors import DataError, UsageError, installing, shown
from perturb.io.jsonl import text_of_json, value_of_json
from perturb.plan.options import LINKAGE
from perturb.records.edit import Edit
from perturb.registry.definition import EXPECTS
from perturb.values.arrays import Bool, Int64

if TYPE_CHECKING:
    import pyarrow


STATUSES = ("changed", "original", *filter(None, REASONS))


class Field(NamedTuple):
    """A field of a record: a string, which is there in every record and never null.

    Attributes:
        name: the name of the field.
        about: a sentence on it.
        form: what JSON Schema says of it besides.
    """

    name: str
    about: str
    form: Mapping[str, Any] = {}


RECORD = (
    Field("original_id", "Names the original; all its versions share it."),
    Field("original", "The text before; empty with --lean and for rows with several texts."),
    Field("condition", "The noise, as the user typed or named it; empty for an original."),
    Field("status", "changed, original, or why nothing changed.", {"enum": list(STATUSES)}),
    Field("expect", "What becomes of the right answer.", {"enum": list(EXPECTS)}),
    Field(
        "edits",
        "What changed, as PATH|START:OLD>NEW|...;PATH=JSON, percent-encoded.",
        {
            "pattern": r"^$|^[^|=;]+(=[^|>;+]*|(\|[0-9]+:[^|>=;+]*>[^|>=;+]*)+)"
            r"(;[^|=;]+(=[^|>;+]*|(\|[0-9]+:[^|>=;+]*>[^|>=;+]*)+))*$"
        },
    ),
    Field(
        "check",
        "x, and the first 8 hexadecimal digits of the SHA-256 of the texts before.",
        {"pattern": "^x[0-9a-f]{8}$"},
    ),
    Field("recipe", "What makes the row again, as `perturb apply --recipe` takes it."),
)
NAMES = tuple(field.name for field in RECORD)
_NAMES, _TYPES = [*NAMES], [str] * len(NAMES)
_FIELDS = itemgetter(*NAMES)


def checked(linkage: Any) -> dict[str, str]:
    """Return the record in a row; null, NaN and absence count as empty, as in CSV and SQL.

    Raises:
        DataError: it is not one; the message names the field and what stands there.
    """
    if type(linkage) is dict and [*linkage] == _NAMES and [*map(type, linkage.values())] == _TYPES:
        record: dict[str, str] = linkage  # as most are
    else:
        record = _as_texts(linkage)
    for name, known in (("status", STATUSES), ("expect", EXPECTS)):
        if record[name] not in known:
            raise DataError(
                f"the {LINKAGE!r} needs one of {', '.join(known)} in {name!r}; "
                f"got {shown(record[name])}"
            )
    return record


class Records(NamedTuple):
    """Records in columns, each as long as there are records; see `RECORD`."""

    original_id: Sequence[str] = ()
    original: Sequence[str] = ()
    condition: Sequence[str] = ()
    status: Sequence[str] = ()
    expect: Sequence[str] = ()
    edits: Sequence[str] = ()
    check: Sequence[str] = ()
    recipe: Sequence[str] = ()


def checked_many(linkages: Sequence[Any]) -> Records:
    """Return the records of many rows as columns; see `checked`."""
    try:
        found = Records(*zip(*map(_FIELDS, linkages), strict=True))
    except (KeyError, TypeError):  # a field is missing, or a record is none
        found = Records()
    are_known = {*found.status} <= {*STATUSES} and {*found.expect} <= {*EXPECTS}
    if are_known and {*map(type, chain(*found))} == {str}:
        return found  # as most are
    return Records(*zip(*map(_FIELDS, map(checked, linkages)), strict=True))


def _as_texts(linkage: Any) -> dict[str, str]:
    """Return a record with a text in each field."""
    if not isinstance(linkage, Mapping):
        raise DataError(f"the {LINKAGE!r} of a row must be an object; got {shown(linkage)}")
    record: dict[str, Any] = {name: linkage.get(name) for name in NAMES}
    for name, value in record.items():
        if type(value) is str:
            continue
        if value is None or value != value:  # NaN, as pandas reads an empty cell
            record[name] = ""
        elif name in ("original_id", "original", "condition"):
            record[name] = str(value)  # a reader took it for a number or a date
        else:
            raise DataError(f"the {LINKAGE!r} needs a string in {name!r}; got {shown(value)}")
    return record


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a row that `perturb apply` writes.

    Examples:
        >>> json_schema()["properties"]["perturbation"]["properties"]["check"]["pattern"]
        '^x[0-9a-f]{8}$'
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of perturb, contract {CONTRACT}",
        "type": "object",
        "properties": {
            LINKAGE: {
                "description": "The record of the row.",
                "type": "object",
                "properties": {
                    name: {"type": "string", "description": about, **form}
                    for name, about, form in RECORD
                },
                "required": list(NAMES),
                "additionalProperties": False,
            }
        },
        "required": [LINKAGE],
    }


def arrow_type() -> pyarrow.DataType:
    """Return the Arrow type of a record.

    Raises:
        UsageError: pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise UsageError(
            "the types of a table that is not in memory need the package pyarrow: "
            f"{installing('arrow')}"
        ) from error
    return pa.struct([(name, pa.string()) for name in NAMES])


_ODD = "\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff"
_SIGN = re.compile(rf"[%|>=;+{_ODD}]")
_SIGN_IN_JSON = re.compile(rf"[%|>;+{_ODD}]")
_EDIT = re.compile(r"(?:(?<=\|)|^)([0-9]{1,18}):([^|>]*)>([^|>]*)(?![^|])")
_BAD_CODE = re.compile("%(?![0-9A-F]{2})")
# As many digits as a place in a text has at most, where many rows are read at once.
_DIGITS = 9
# The path of a text without a row.
BARE = "text"
# The value of a field that was missing.
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
        raise _damaged(text, "percent-encoded text must be UTF-8") from None


def _damaged(part: str, why: str) -> DataError:
    return DataError(f"the edits of a record are damaged at {shown(part)}: {why}")


class ChangedTexts(NamedTuple):
    """The changes of texts of many rows; `rows` has an entry a text, the others an edit.

    Attributes:
        rows: the number of the row; in order.
        texts: the number of the text that the edit is of, among `rows`.
        starts: where the edit starts in the original.
        old: what stood there.
        new: its replacement.
        left: shape (n,); the rows that are damaged. The JSON of other values isn't read.
    """

    rows: Int64
    texts: Int64
    starts: Int64
    old: Strings
    new: Strings
    left: Bool

    @property
    def of_rows(self) -> Int64:
        """The number of the row that each edit is of; in order."""
        return self.rows[self.texts]


def read_many(changes: Sequence[str]) -> ChangedTexts:
    """Read the changes of many rows as columns; see `read`.

    Examples:
        >>> changed = read_many(["question|13:t>g|18:d>", "", "text|0:W>w"])
        >>> changed.rows.tolist(), changed.texts.tolist(), changed.starts.tolist()
        ([0, 2], [0, 0, 1], [13, 18, 0])
    """
    column = Strings.of_texts(changes)
    codes = column.codes
    left = _with_bad_codes(column, changes)

    def places_of(sign: str) -> Int64:
        """Where a sign stands, and a place behind all."""
        return np.append(np.flatnonzero(codes == ord(sign)), len(codes))

    is_end = codes == ord(";")
    is_end[column.ends] = True
    ends = np.flatnonzero(is_end)
    starts = np.append(1, ends + 1)[:-1]
    rows = column.starts.searchsorted(starts, "right") - 1
    left[rows[(starts == ends) & (column.lengths[rows] > 0)]] = True
    bars, arrows, colons, equals = map(places_of, "|>:=")
    first, sign = (every[every.searchsorted(starts)] for every in (bars, equals))
    is_text = first < np.minimum(sign, ends)
    left[rows[~is_text & (starts < ends) & (sign >= ends)]] = True
    bars = bars[:-1]
    change = ends.searchsorted(bars)
    behind = np.minimum(np.append(bars[1:], len(codes)), ends[change])
    arrow = arrows.searchsorted(bars)
    colon, to = colons[colons.searchsorted(bars)], arrows[arrow]
    digits, at = colon - bars - 1, np.zeros(len(bars), np.int64)
    odd = (colon > to) | (to >= behind) | (arrows.searchsorted(behind) != arrow + 1)
    odd |= (digits < 1) | (digits > _DIGITS) | ~is_text[change]
    for place in range(1, _DIGITS + 1):
        here = np.flatnonzero(digits >= place)
        digit = codes[np.minimum(bars[here] + place, len(codes) - 1)].astype(np.int64) - ord("0")
        at[here] = at[here] * 10 + digit
        odd[here] |= (digit < 0) | (digit > 9)
    left[rows[change[odd]]] = True
    kept = ~left[rows[change]]
    bars, colon, to, behind, at, change = (
        each[kept] for each in (bars, colon, to, behind, at, change)
    )
    written = stack(Strings(codes, colon + 1, to), Strings(codes, to + 1, behind))
    count = len(at)
    signs = np.append(np.flatnonzero(written.codes == ord("%")), len(written.codes))
    encoded = np.flatnonzero(signs[signs.searchsorted(written.starts)] < written.ends)
    coded = written.take(encoded).to_list()
    plain = {text: _unquoted(text) for text in {*coded}}
    written = with_rows(written, encoded, column_of(map(plain.__getitem__, coded)))
    old, new = written.take(np.arange(count)), written.take(np.arange(count, 2 * count))
    # As in `_edits`, an edit changes something, behind the one before.
    texts = (np.cumsum(is_text) - 1)[change]
    wrong = same(old, new)
    wrong[1:] |= (at[1:] < (at + old.lengths)[:-1]) & (texts[1:] == texts[:-1])
    left[rows[change[wrong]]] = True
    return ChangedTexts(rows[is_text], texts, at, old, new, left)


def _with_bad_codes(column: Strings, changes: Sequence[str]) -> Bool:
    """Mark the rows with a code that is none, or with codes that aren't UTF-8."""
    codes, left = column.codes, np.zeros(len(changes), np.bool_)
    (signs,) = (codes == ord("%")).nonzero()
    rows = column.starts.searchsorted(signs, "right") - 1
    # A separator follows each text, so that two codes follow each sign, but for one at the end.
    first, second = codes[signs + 1], codes[np.minimum(signs + 2, len(codes) - 1)]
    for digit in (first, second):
        left[rows[(digit - ord("0") > 9) & (digit - ord("A") > 5)]] = True
    for row in dict.fromkeys(rows[first >= ord("8")].tolist()):  # a byte beyond ASCII
        try:
            _unquoted(changes[row])
        except DataError:
            left[row] = True
    return left
