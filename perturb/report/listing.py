"""Rows of scored files as the page lists them, read once; texts wait in a file, not in memory."""

from __future__ import annotations

import json
import re
import weakref
from array import array
from functools import lru_cache
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from perturb.errors import DataError, PerturbError
from perturb.io import json_path
from perturb.records.edit import Edit
from perturb.records.notation import BARE, checked_many, read_many
from perturb.records.notation import written_text as notation_of
from perturb.report.edit_kinds import kinds_of
from perturb.rng import key64
from perturb.robustness.grading.grade import Grade, json_text, plain_text
from perturb.robustness.linking.conditions import origin_of
from perturb.robustness.linking.damage import originals_and_edits
from perturb.robustness.linking.record_text import linkage_of, written_text
from perturb.robustness.linking.sources import batches
from perturb.values.arrays import Int32, Int64, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.records.notation import ChangedTexts
    from perturb.robustness.linking.sources import Row, RowSource
    from perturb.robustness.pairs.join import Pairs

# The characters of a text that the page keeps, 400 of them before its first edit, so that a book of
# a megabyte shows its edits; and those of an answer's beginning and end, where answers are stated.
_LONGEST, _BEFORE = 4000, 400
_EITHER_END = 4000
# Keys of many texts below 2,000 characters fit in some tens of megabytes with them; few longer ones
# are kept, since one may be a book.
_SHORT, _MANY, _FEW = 2_000, 1 << 13, 64
_LONE = re.compile("[\ud800-\udfff]")
_TRIES = ("repeats", "flips", "original_flips")
# The columns of rows for the page's script, which of them are numbers of texts, and which of JSON.
# Those of answers go on for the answer to the original.
EXPLANATION = ("status", "causes", "causeCount", "tries")
SHARED = (
    *("original", "replicate", "text", "start", "left", "edits", "editsLeft", "written", "target"),
)
ANSWERS = ("cleanAnswers", "cleanRead", "answers", "read")
SHOWN = (*SHARED, *EXPLANATION, *ANSWERS[2:])
TEXTS = ("original", "text", "written", "target", *ANSWERS)
JSON = ("edits", "status", "causes", "tries")
# What no explanation tells, by their numbers.
_UNEXPLAINED = -1, -1, 0, -1


class Excerpt(NamedTuple):
    """The part of an original that the page holds, and the edits in it.

    Attributes:
        text: None where the row holds no original.
        start: where it begins in the original.
        left: how many characters follow it.
        edits: those in it, counted from its beginning.
        edits_left: how many come after it.
    """

    text: str | None
    start: int
    left: int
    edits: list[Edit]
    edits_left: int


class Texts:
    """Texts by number, in a temporary file; in memory is no more of one than its place and a key.

    JSON is among them, such as lists of edits.
    """

    def __init__(self) -> None:
        self._file, self._is_read = TemporaryFile(), False  # noqa: SIM115  see below
        self._ends, self._numbers = array("q", [0]), dict[int, int]()
        # Versions of one original share its texts.
        self._key_of_short, self._key_of_long = lru_cache(_MANY)(key64), lru_cache(_FEW)(key64)
        weakref.finalize(self, self._file.close)

    def put(self, written: bytes) -> int:
        """Keep a text, and return its number."""
        if self._is_read:
            self._file.seek(self._ends[-1])
            self._is_read = False
        self._ends.append(self._ends[-1] + self._file.write(written))
        return len(self._ends) - 2

    def put_json(self, value: object) -> int:
        """Keep a value as JSON, and return its number."""
        try:
            return self.put(orjson.dumps(value))
        except orjson.JSONEncodeError:  # a lone surrogate, which no page can hold
            plain = _LONE.sub("\ufffd", json.dumps(value, ensure_ascii=False))
            return self.put(orjson.dumps(orjson.loads(plain)))

    def number(self, text: str | None) -> int:
        """Return the number of a text, a new one where it is new; -1 for None."""
        if text is None:
            return -1
        key = (self._key_of_short if len(text) < _SHORT else self._key_of_long)(text)
        number = self._numbers.get(key)
        if number is None:
            plain = _LONE.sub("\ufffd", text)  # no page can hold a lone surrogate
            number = self.put(text.encode()) if plain == text else self.number(plain)
            self._numbers[key] = number
        return number

    def get(self, number: int) -> bytes:
        """Return the text of this number."""
        start, end = self._ends[number : number + 2]
        self._file.seek(start)
        self._is_read = True
        return self._file.read(end - start)

    def sizes(self) -> Int64:
        """Return how many bytes each takes."""
        return np.diff(np.array(self._ends))


class Reading(NamedTuple):
    """All that the page takes from the rows themselves.

    Attributes:
        values: by the field to slice by, its different values, and of each pair the number of one.
        kinds: for each pair, the kinds of its edits, as bits; see `edit_kinds`.
        explained: for each pair, those of the edits that explain its flip; 0 where nothing does.
        places: those of the rows to list and of their originals, in order.
        cells: shape (places, SHOWN); the values of these, of originals the answers alone: the
            numbers of TEXTS and JSON, -1 for none, and else their own.
        texts: those that the numbers name.
    """

    values: dict[str, tuple[list[str], Int32]]
    kinds: Int32
    explained: Int32
    places: Int32
    cells: Int32
    texts: Texts

    @property
    def explanations(self) -> int:
        """How many of the listed rows are explained."""
        return int(np.count_nonzero(self.cells[:, SHOWN.index("status")] >= 0))

    def columns(self, pairs: Pairs) -> dict[str, Int32]:
        """Return the columns of pairs that are listed, with the answers to their originals."""
        rows, clean = (
            self.cells[self.places.searchsorted(at)] for at in (pairs.place, pairs.clean_place)
        )
        return dict(zip((*SHOWN, *ANSWERS[:2]), np.hstack([rows, clean[:, -2:]]).T, strict=True))


class Fields(NamedTuple):
    """The fields to read: to slice by, the answer and the right answer (None for none).

    `grade` grades answers, to show how it reads them.
    """

    slices: Sequence[str] = ()
    prediction: str | None = None
    target: str | None = None
    grade: Grade | None = None


NO_FIELDS = Fields()


def read_listing(
    sources: Sequence[RowSource], pairs: Pairs, chosen: Int32, fields: Fields, texts: Texts
) -> Reading:
    """Read the rows again and keep what the page shows of them.

    Args:
        sources: the rows, with their originals.
        pairs: the same rows, joined.
        chosen: the numbers of the pairs to list.
        fields: those to read.
        texts: takes the texts.

    Raises:
        DataError: a row lacks a field, or its record is damaged (it is named).
    """
    count, few = pairs.place.size, pairs.take(chosen)
    kinds, explained = np.zeros(count, np.int32), np.zeros(count, np.int32)
    numbers = {field: np.zeros(count, np.int32) for field in fields.slices}
    names: dict[str, dict[str, int]] = {field: {} for field in fields.slices}
    places = distinct(np.append(few.place, few.clean_place))
    cells = np.full((places.size, len(SHOWN)), -1, np.int32)
    pair = np.full(pairs.columns.original.size, -1, np.int32)  # of each row
    pair[pairs.place] = np.arange(count, dtype=np.int32)
    begin = 0
    for source, batch in batches(sources):
        end = begin + len(batch)
        some, every = slice(*places.searchsorted((begin, end))), pair[begin:end]
        shown, begin = places[some] - begin, end
        cells[some, -2:] = _said([batch[at][1] for at in shown.tolist()], fields, texts)
        is_version, own = every >= 0, every[every >= 0]
        versions = [batch[at] for at in np.flatnonzero(is_version).tolist()]
        records = checked_many([linkage_of(row) for _, row in versions])
        originals, changed = originals_and_edits(source, versions, records.original, records.edits)
        kinds[own] = kinds_of(originals, changed)
        of_kind = records.condition, records.recipe, records.expect, records.status
        origins = [*zip(records.original_id, map(origin_of, *of_kind), strict=True)]
        listed = (np.cumsum(is_version) - 1)[shown[is_version[shown]]]
        found = list[list[int]]()
        try:
            for field, known in names.items():
                for at, each in zip(own.tolist(), versions, strict=True):
                    number, row = each
                    numbers[field][at] = known.setdefault(_value(row, field), len(known))
            for at, edits in zip(listed.tolist(), _edits(changed, listed), strict=True):
                number, row = versions[at]
                told, explained[own[at]] = _explained(row, originals[at], edits, texts)
                shared = _shared(row, originals[at], edits, fields.target, texts)
                original_id, replicate = texts.number(origins[at][0]), origins[at][1].instance[1]
                found.append([original_id, replicate or 0, *shared, *told])
        except PerturbError as error:
            raise DataError(f"{source.at(number)}: {error}") from None
        cells[some][is_version[shown], :-2] = np.array(found, np.int32).reshape(-1, len(SHOWN) - 2)
    values = {field: ([*known], numbers[field]) for field, known in names.items()}
    return Reading(values, kinds, explained, places, cells, texts)


def _edits(changed: ChangedTexts, rows: Int64) -> Iterator[list[Edit]]:
    """Yield the edits of each of some rows."""
    ends = changed.starts + changed.old.lengths
    columns = changed.starts.tolist(), ends.tolist(), changed.new.to_list(), changed.old.to_list()
    every = [*map(Edit._make, zip(*columns, strict=True))]
    for start, end in changed.of_rows.searchsorted(np.stack([rows, rows + 1], 1)).tolist():
        yield every[start:end]


def _value(row: Row, field: str) -> str:
    values = json_path.locate(row, field)
    if len(values) != 1:
        raise DataError(f"the field {field!r} leads to {len(values)} values; expected one")
    return _LONE.sub("\ufffd", json_text(values[0][1]))


def _shared(
    row: Row, original: str | None, edits: Sequence[Edit], target: str | None, texts: Texts
) -> list[int]:
    """Return all of SHARED behind a replicate; `written` is the text that no edits make."""
    part, written = excerpt(original, edits), None if edits else written_text(row)
    return [
        texts.number(part.text),
        part.start,
        part.left,
        texts.put_json([value for edit in part.edits for value in edit[:3]]),
        part.edits_left,
        texts.number(None if written is None else written[:_LONGEST]),
        texts.number(_answer(row, target)),
    ]


def excerpt(original: str | None, edits: Sequence[Edit]) -> Excerpt:
    """Cut a long text to the part around its first edits.

    Examples:
        >>> edits = [Edit(5_000, 5_001, "a", "x"), Edit(8_999, 9_000, "b", "x")]
        >>> part = excerpt("x" * 9_000, edits)
        >>> part.start, len(part.text), part.left, part.edits_left
        (4600, 4000, 400, 1)
        >>> part.edits
        [Edit(start=400, end=401, text='a', removed='x')]
    """
    if original is None or len(original) <= _LONGEST:
        return Excerpt(original, 0, 0, list(edits), 0)
    start = max(edits[0].start - _BEFORE, 0) if edits else 0
    end = min(start + _LONGEST, len(original))
    inside = [
        edit._replace(start=edit.start - start, end=edit.end - start)
        for edit in edits
        if edit.end <= end
    ]
    left = len(edits) - len(inside)
    return Excerpt(original[start:end], start, len(original) - end, inside, left)


def _explained(
    row: Row, original: str | None, edits: Sequence[Edit], texts: Texts
) -> tuple[Sequence[int], int]:
    """Return the outcome of `perturb explain`, as in EXPLANATION, and the kinds of edits that flip.

    Its `status` is that of `minimal_edits`. Its `causes` are the numbers of those edits among all,
    and its `tries` say how often was asked, how often these edits flipped, and how often the
    original did.
    """
    explanation = row.get("explanation")
    if explanation is None:
        return _UNEXPLAINED, 0
    try:
        causes = [Edit(**edit) for edit in explanation["edits"]]
        status = str(explanation["status"])
        tries = [int(explanation[name]) for name in _TRIES if name in explanation]
    except (KeyError, TypeError, ValueError):
        raise DataError(
            f"explanation must have a status and edits, as perturb explain writes them; "
            f"got {explanation!r}"
        ) from None
    at = [number for number, edit in enumerate(edits) if edit in {*causes}]
    bits = int(kinds_of([original], read_many([notation_of(BARE, causes)]))[0])
    number = texts.put_json(status) if status else -1
    return (number, texts.put_json(at), len(causes), texts.put_json(tries)), bits


def _said(rows: Sequence[Row], fields: Fields, texts: Texts) -> Int32:
    """Return answers, and what the grader reads in them, where that is something else."""
    answers = [_answer(row, fields.prediction) for row in rows]
    readings = list[str | None]([None]) * len(rows)
    if fields.grade is not None:
        some = [at for at, answer in enumerate(answers) if answer is not None]
        for at, (_, read) in zip(some, fields.grade([rows[at] for at in some]), strict=True):
            found = "" if read is None else str(read)
            readings[at] = None if found == answers[at] else found[:_LONGEST]
    return np.array([[*map(texts.number, each)] for each in (answers, readings)], np.int32).T


def _answer(row: Mapping[str, Any], field: str | None) -> str | None:
    if field is None or row.get(field) is None:
        return None
    answer = plain_text(row[field])
    left, end = len(answer) - 2 * _EITHER_END, _EITHER_END
    return answer if left <= 0 else f"{answer[:end]} … {left:,} characters … {answer[-end:]}"
