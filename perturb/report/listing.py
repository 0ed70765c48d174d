"""Rows of scored files as the page lists them, read once; texts wait in a file, not in memory."""

from __future__ import annotations

import json
import re
import weakref
from itertools import pairwise
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
from perturb.robustness.scoring.conditions import origin_of
from perturb.robustness.scoring.damage import originals_and_edits
from perturb.robustness.scoring.record_text import linkage_of, written_text
from perturb.robustness.scoring.remember import remembered
from perturb.robustness.scoring.sources import batches
from perturb.values.arrays import Int32

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from perturb.records.notation import ChangedTexts
    from perturb.robustness.scoring.conditions import Origin
    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.sources import Row, RowSource

# The characters of a text that the page keeps, 400 of them before its first edit, so that a book of
# a megabyte shows its edits; and those of an answer's beginning and end, where answers are stated.
_LONGEST, _BEFORE = 4000, 400
_EITHER_END = 4000
_LONE = re.compile("[\ud800-\udfff]")
_TRIES = ("repeats", "flips", "original_flips")
# The columns of rows for the page's script, and which of them are texts; those of answers go on
# for the answer to the original.
EXPLANATION = ("status", "causes", "causeCount", "tries")
SHOWN = (
    *("original", "replicate", "text", "start", "left", "edits", "editsLeft", "written", "target"),
    *("answers", "read", *EXPLANATION),
)
ANSWERS = ("cleanAnswers", "cleanRead", "answers", "read")
TEXTS = ("original", "text", "written", "target", "answers", "read")


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


class Shelf:
    """Values by number, as JSON in a temporary file; the one asked for last is in memory."""

    def __init__(self) -> None:
        self._file, self._end = TemporaryFile(), 0  # noqa: SIM115  see below
        self._is_read = False
        self._places = dict[int, tuple[int, int]]()
        self._last: tuple[int, Any] = -1, None
        weakref.finalize(self, self._file.close)

    def put(self, number: int, value: object) -> None:
        """Keep a value."""
        try:
            written = orjson.dumps(value)
        except orjson.JSONEncodeError:  # a lone surrogate, which no page can hold
            written = _LONE.sub("\ufffd", json.dumps(value, ensure_ascii=False)).encode()
        if self._is_read:
            self._file.seek(self._end)
            self._is_read = False
        self._places[number] = self._end, len(written)
        self._end += self._file.write(written)

    def get(self, number: int) -> Any:
        """Return the value of this number."""
        if number != self._last[0]:
            start, length = self._places[number]
            self._file.seek(start)
            self._is_read = True
            self._last = number, orjson.loads(self._file.read(length))
        return self._last[1]


class Texts:
    """Different texts by number, which wait on a shelf; in memory is no more of one than a key."""

    def __init__(self) -> None:
        self._numbers, self._shelf = dict[int, int](), Shelf()
        self._key = remembered(key64)  # versions of one original share its texts
        self.get = self._shelf.get

    def number(self, text: str | None) -> int:
        """Return the number of a text, a new one where it is new; -1 for None."""
        if text is None:
            return -1
        key = self._key(text)
        number = self._numbers.get(key)
        if number is None:
            plain = _LONE.sub("\ufffd", text)  # no page can hold a lone surrogate
            number = len(self._numbers) if plain == text else self.number(plain)
            self._numbers[key] = number
            if plain == text:
                self._shelf.put(number, text)
        return number


class Reading(NamedTuple):
    """All that the page takes from the rows themselves.

    Attributes:
        values: by the field to slice by, its different values, and of each pair the number of one.
        kinds: for each pair, the kinds of its edits, as bits; see `edit_kinds`.
        explained: for each pair, those of the edits that explain its flip; 0 where nothing does.
        explanations: how many of the listed rows are explained.
        listed: the rows to list, by the number of the pair: values of `SHOWN`, those of `TEXTS` by
            their numbers.
        answers: shape (rows, 2); to their originals, as given and as read, by the place of the
            clean row.
        clean_place: the place of the clean row of each pair.
        texts: those that the numbers name.
    """

    values: dict[str, tuple[list[str], Int32]]
    kinds: Int32
    explained: Int32
    explanations: int
    listed: Shelf
    answers: Int32
    clean_place: Int32
    texts: Texts

    def row(self, pair: int) -> dict[str, Any]:
        """Return the row of a pair that is listed, with the answer to its original."""
        values = *self.listed.get(pair), *self.answers[self.clean_place[pair]].tolist()
        return dict(zip((*SHOWN, "cleanAnswers", "cleanRead"), values, strict=True))


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
    count, clean_place = pairs.place.size, pairs.clean_place
    kinds, explained = np.zeros(count, np.int32), np.zeros(count, np.int32)
    numbers = {field: np.zeros(count, np.int32) for field in fields.slices}
    names: dict[str, dict[str, int]] = {field: {} for field in fields.slices}
    listed, explanations = Shelf(), 0
    shown = np.zeros(pairs.columns.original.size, bool)  # of each row
    answers = np.full((shown.size, 2), -1, np.int32)
    shown[clean_place[chosen]] = shown[pairs.place[chosen]] = True
    pair = np.full(shown.size, -1, np.int32)
    pair[pairs.place] = np.arange(count, dtype=np.int32)
    begin = 0
    for source, batch in batches(sources):
        every = [(place, *each) for place, each in enumerate(batch, begin)]
        begin += len(batch)
        for place, _, row in every:
            if pair[place] < 0 and shown[place]:
                answers[place] = [*map(texts.number, _said(row, fields))]
        versions = [each for each in every if pair[each[0]] >= 0]
        records = checked_many([linkage_of(row) for *_, row in versions])
        some = [each[1:] for each in versions], records.original, records.edits
        originals, changed = originals_and_edits(source, *some)
        kinds[pair[[place for place, *_ in versions]]] = kinds_of(originals, changed)
        parts = records.condition, records.recipe, records.expect, records.status
        origins = zip(records.original_id, map(origin_of, *parts), strict=True)
        listings = zip(versions, origins, originals, _edits(changed, len(versions)), strict=True)
        for (place, number, row), origin, before, edits in listings:
            at = int(pair[place])
            try:
                for field, known in names.items():
                    numbers[field][at] = known.setdefault(_value(row, field), len(known))
                if shown[place]:
                    explanation, explained[at] = _explained(row.get("explanation"), before, edits)
                    explanations += bool(explanation["status"])
                    cells = _listed(row, origin, before, edits, fields) | explanation
                    cells |= {name: texts.number(cells[name]) for name in TEXTS}
                    listed.put(at, [cells[name] for name in SHOWN])
            except PerturbError as error:
                raise DataError(f"{source.at(number)}: {error}") from None
    values = {field: ([*known], numbers[field]) for field, known in names.items()}
    return Reading(values, kinds, explained, explanations, listed, answers, clean_place, texts)


def _edits(changed: ChangedTexts, count: int) -> Iterator[list[Edit]]:
    """Yield the edits of each of so many rows."""
    bounds = changed.of_rows.searchsorted(np.arange(count + 1)).tolist()
    ends = (changed.starts + changed.old.lengths).tolist()
    columns = changed.starts.tolist(), ends, changed.new.to_list(), changed.old.to_list()
    for start, end in pairwise(bounds):
        yield [*map(Edit, *(column[start:end] for column in columns))]


def _value(row: Row, field: str) -> str:
    values = json_path.locate(row, field)
    if len(values) != 1:
        raise DataError(f"the field {field!r} leads to {len(values)} values; expected one")
    return _LONE.sub("\ufffd", json_text(values[0][1]))


def _listed(
    row: Row,
    origin: tuple[str, Origin],
    original: str | None,
    edits: Sequence[Edit],
    fields: Fields,
) -> dict[str, Any]:
    """Return what the page shows of a row; in `written` the text that no edits make."""
    text, part = None if edits else written_text(row), excerpt(original, edits)
    answer, read = _said(row, fields)
    return {
        "original": origin[0],
        "replicate": origin[1].instance[1] or 0,
        "text": part.text,
        "start": part.start,
        "left": part.left,
        "edits": [value for edit in part.edits for value in edit[:3]],
        "editsLeft": part.edits_left,
        "written": None if text is None else text[:_LONGEST],
        "answers": answer,
        "read": read,
        "target": _answer(row, fields.target),
    }


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
    explanation: Any, original: str | None, edits: Sequence[Edit]
) -> tuple[dict[str, Any], int]:
    """Return the outcome of `perturb explain`, and the kinds of the edits that flip, as bits.

    Its `status` is that of `minimal_edits`, "" for none. Its `causes` are the numbers of
    those edits among all, and its `tries` say how often was asked, how often these edits flipped,
    and how often the original did.
    """
    if explanation is None:
        return {"status": "", "causes": [], "causeCount": 0, "tries": []}, 0
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
    told = {"status": status, "causes": at, "causeCount": len(causes), "tries": tries}
    return told, int(kinds_of([original], read_many([notation_of(BARE, causes)]))[0])


def _said(row: Row, fields: Fields) -> tuple[str | None, str | None]:
    """Return an answer, and what the grader reads in it, where that is something else."""
    answer = _answer(row, fields.prediction)
    if answer is None or fields.grade is None:
        return answer, None
    ((_, read),) = fields.grade([row])
    read = "" if read is None else str(read)
    return answer, None if read == answer else read[:_LONGEST]


def _answer(row: Mapping[str, Any], field: str | None) -> str | None:
    if field is None or row.get(field) is None:
        return None
    answer = plain_text(row[field])
    left, end = len(answer) - 2 * _EITHER_END, _EITHER_END
    return answer if left <= 0 else f"{answer[:end]} … {left:,} characters … {answer[-end:]}"
