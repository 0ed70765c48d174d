"""Copies of perturbed texts elsewhere in their rows: told of, or changed by the same edits."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

import orjson

from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.jsonl import value_of_json
from perturb.io.text_tables import TextTable
from perturb.plan.job import Job
from perturb.records.edit import Edit
from perturb.records.notation import written_text, written_value
from perturb.records.option_sets import listings, options_in, value_at, with_line_ends
from perturb.rows.counts import COPIES_IN, RowCounts
from perturb.rows.row_texts import RowText, RowTexts, row_texts
from perturb.rows.span_field import EXACT, check_span, labels_of
from perturb.values.spans import rebuild

# If so many first rows have none, the layout has none: to look at a row costs as much as perturbing
# it by a kernel, and small files would take twice as long.
_FEW = 100
# A text within another is a copy if it is no shorter: of fewer characters, words coincide.
_LEAST = 20
# Shorter texts that are equal as a whole are words such as yes, which answers and labels have too.
_LEAST_EQUAL = 5
# Parts of texts are in other fields by chance too; fewer than one row in twenty are no layout.
_HOLDS_PART, _LISTS_PARTS, _SHARE = "holds a part of", "lists parts of", 20
_BY_CHANCE = re.compile(f"' ({_HOLDS_PART}|{_LISTS_PARTS}) '")
_REPEATS, _IS_VALUE = "repeats the items of", "holds the value of"
_TOKENS, OFFSETS = "holds the tokens of", "has offsets into"
_NUMBERS = re.compile(r"\[[0-9]+\]")


class Window(NamedTuple):
    """A part of a text, and where a string of the row has it too.

    Attributes:
        inside: where the string is within the copy; empty for the copy itself.
        at: where the part starts in the string.
        start: where the part starts in the text.
        end: where it ends there.
        opens: whether an insertion at its start belongs to it.
        closes: whether one at its end does.
    """

    inside: json_path.Location
    at: int
    start: int
    end: int
    opens: bool = False
    closes: bool = False


class Copy(NamedTuple):
    """A value of a row that depends on a text of it.

    Attributes:
        location: where it stands.
        value: the value.
        owner: the number of the text.
        how: how it depends on the text.
        windows: the parts of the text that it has, none of offsets, which are spans; None where
            their edits can't be followed.
        told: these words in full, with the paths of both.
    """

    location: json_path.Location
    value: Any
    owner: int
    how: str
    windows: Sequence[Window] | None
    told: str


def noting(
    blocks: Iterator[tuple[int, Any]], job: Job, copies: Counter[str]
) -> Iterator[tuple[int, Any]]:
    """Yield blocks, and count the first rows with copies of the texts that a job perturbs.

    Fields that the job names are no copies, since the job says what becomes of them.

    Args:
        blocks: the number of the first row, and whole lines or a table.
        job: the instructions for each row.
        copies: the counts, by the words for a copy.
    """
    left, named = COPIES_IN, {job.id_field, *(path for path in job.paths if path.isidentifier())}
    for first, data in blocks:
        for row in _rows_in(data, left) if left else ():
            left -= 1
            with contextlib.suppress(DataError):  # perturbing the row says so
                if not row.keys() <= named:
                    copies.update({copy.told for copy in copies_in(row_texts(row, job), job)})
            if not copies and COPIES_IN - left == _FEW:
                left = 0
                break
        yield first, data
    for how in [how for how in copies if _BY_CHANCE.search(how)]:
        if copies[how] * _SHARE < COPIES_IN - left:
            del copies[how]


def _rows_in(data: Any, most: int) -> Iterator[dict[str, Any]]:
    if isinstance(data, bytes):
        for line in data.split(b"\n", most)[:most]:
            with contextlib.suppress(ValueError):  # perturbing the row says so
                row = orjson.loads(line)
                if isinstance(row, dict):
                    yield row
        return
    part = data.slice(0, most)
    yield from part.rows() if isinstance(part, TextTable) else part.to_pylist()


def copies_in(row: RowTexts, job: Job) -> list[Copy]:
    """Return the values of a row that depend on its texts, but for those that the job names."""
    named: set[json_path.Location] = {(job.id_field,)}
    for path in job.paths:
        with contextlib.suppress(DataError):
            named.update(location for location, _ in json_path.locate(row.row, path))
    texts: dict[str, tuple[int, RowText]] = {}
    for owner, text in enumerate(row.texts):
        if text.is_json or (text.options is not None and text.options.is_json):
            continue  # whole items are no texts
        if text.text and not (text.follows and text.options is None):
            texts.setdefault(text.text, (owner, text))
        if text.options is not None:  # these follow, whatever becomes of other copies
            options = options_in(text.text)
            named.update(at for at, _, _ in listings(row.row, text.options, options, options[::-1]))
    if not texts:
        return []
    lists: dict[json_path.Location, list[tuple[int, RowText]]] = {}
    for owner, text in texts.values():
        if isinstance(text.location[-1], int):
            lists.setdefault(text.location[:-1], []).append((owner, text))
    several = [texts_of for texts_of in lists.values() if len(texts_of) > 1]
    return [*copies_of(row.row, (), named, [*texts.values()], several)]


def copies_of(
    value: Any,
    location: json_path.Location,
    named: set[json_path.Location],
    texts: Sequence[tuple[int, RowText]],
    lists: Sequence[Sequence[tuple[int, RowText]]] = (),
) -> Iterator[Copy]:
    """Yield a value or those in it, without those that are named, once for each text.

    Args:
        value: the value.
        location: where it is.
        named: the places that are no copies.
        texts: the texts, each with its number.
        lists: those of them that are items of one list.
    """
    if location in named:
        return
    found = [
        (owner, text, how, windows)
        for owner, text in (texts if location else ())
        for how, windows in (_relation(value, text),)
        if how
    ]
    for items in lists if isinstance(value, str) else ():
        if all(text.text in value for _, text in items):
            places = [_only_place(text.text, value) for _, text in items]
            found = [
                (owner, text, _REPEATS, _whole(at, text.text) if min(places) >= 0 else None)
                for at, (owner, text) in zip(places, items, strict=True)
            ]
    for owner, text, how, windows in found:
        paths = (_NUMBERS.sub("[*]", path) for path in (json_path.written(location), text.path))
        told = f"{next(paths)!r} {how} {next(paths)!r}"
        yield Copy(location, value, owner, how, windows, told)
    if not found and isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from copies_of(part, (*location, key), named, texts, lists)


def _whole(at: int, text: str, start: int = 0) -> list[Window]:
    """Return the part of a text that a string has at a place, with all that is inserted there."""
    return [Window((), at, start, start + len(text), True, True)]


def _relation(value: Any, source: RowText) -> tuple[str, Sequence[Window] | None]:
    """Say how a value depends on a text, "" if it doesn't; and which parts of it it has."""
    text = source.text
    if source.items is not None or source.options is not None:
        items = options_in(text)
        if not isinstance(value, str) or len(items) < 2 or not all(item in value for item in items):
            return "", ()
        windows, start = [], 0
        for item in items:
            at = _only_place(item, value)
            windows += _whole(at, item, start) * (at >= 0)
            start += len(item) + 1
        return _REPEATS, windows if len(windows) == len(items) else None
    if isinstance(value, str):
        if value == text:
            return "holds the text of" * (len(text) >= _LEAST_EQUAL), _whole(0, text)
        if len(text) >= _LEAST and text in value:
            found = (at.start() for at in re.finditer(f"(?={re.escape(text)})", value))
            return "contains the text of", [each for at in found for each in _whole(at, text)]
        if len(value) < _LEAST:
            return "", ()
        if (start := text.find(value)) >= 0:
            is_one = text.find(value, start + 1) < 0
            return _HOLDS_PART, [Window((), 0, start, start + len(value))] if is_one else None
        is_written = len(text) >= _LEAST and _plain(text) in _plain(value)
        return "contains, written otherwise, the text of" * is_written, None
    if isinstance(value, dict | list) and value and value == _value_of(text):
        return _IS_VALUE, ()
    if isinstance(value, dict):
        return OFFSETS * _has_offsets(value, text), ()
    if not isinstance(value, list) or len(value) < 2 or not all(map(_is_text, value)):
        return "", ()
    if tokens := _tokens(value, text):
        return _TOKENS, tokens
    if not all(part in text for part in value):
        return "", ()
    places = [_only_place(part, text) for part in value]
    spans = zip(places, value, strict=True)
    parts = [Window((n,), 0, at, at + len(part)) for n, (at, part) in enumerate(spans)]
    return _LISTS_PARTS, parts if min(places) >= 0 else None


def _tokens(value: Sequence[str], text: str) -> list[Window]:
    """Return the places of tokens that are all of a text but white space; none if they aren't."""
    windows: list[Window] = []
    end = 0
    for number, token in enumerate(value):
        start = text.find(token, end)
        if start < 0 or text[end:start].strip() or len(token.split()) != 1:
            return []
        windows.append(
            Window((number,), 0, start, start + len(token), start > end or not end, True)
        )
        end = start + len(token)
    return [] if text[end:].strip() else windows


@lru_cache(maxsize=64)  # it is asked for beside each value of a row
def _value_of(text: str) -> Any:
    """Return the object or the list that a text is in JSON; None if it is none."""
    with contextlib.suppress(DataError):
        return value_of_json(text) if text.lstrip()[:1] in ("{", "[") else None
    return None


def _only_place(part: str, text: str) -> int:
    """Return where a text has a part as words of its own; -1 if it has it at several places."""
    found = [at.start() for at in re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", text)]
    return found[0] if len(found) == 1 else -1


def _plain(text: str) -> str:
    """Return a text without what programs normalize: case, white space, forms of characters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _has_offsets(value: dict[str, Any], text: str) -> bool:
    """Return true if an object has the place of its text in a text, or lists of them."""
    parts = next((value[key] for key in EXACT if key in value), None)
    starts = next((value[key] for key in value if "start" in key or "offset" in key), None)
    if not isinstance(parts, list) or not isinstance(starts, list):
        parts, starts = [parts], [starts]
    return any(
        _is_text(part) and type(start) is int and text.startswith(part, start)
        for part, start in zip(parts, starts, strict=False)
    )


def with_copies(row: RowTexts, job: Job) -> RowTexts:
    """Return a row with the copies in it; offsets become spans of their texts."""
    copies: list[Copy] = []
    labels = [*row.labels]
    for copy in copies_in(row, job):
        path = json_path.written(copy.location)
        try:
            # A record names the place by its path, which a key with a dot in it is not.
            is_found = json_path.locate(row.row, path) == [(copy.location, copy.value)]
            if copy.how == OFFSETS and is_found:
                own = labels_of(copy.location, copy.value, None)
                for span in own.spans:
                    check_span(span, path, row.texts[copy.owner].text)
                labels.append((copy.owner, own))
        except (DataError, UsageError):
            is_found = False
        copies.append(copy if is_found else copy._replace(windows=None))
    return row._replace(copies=copies, labels=labels)


def put_copies(
    perturbed: dict[str, Any], row: RowTexts, edits: Sequence[Sequence[Edit]], counts: RowCounts
) -> tuple[list[str], bool]:
    """Put the copies of texts as they are now into a row, each wholly or not at all.

    Args:
        perturbed: the row.
        row: the row as it was.
        edits: those of each of its texts.
        counts: the counts of what followed, and of what did not.

    Returns:
        The changes; and whether a part of a text was changed, which may be the right answer.
    """
    changes: list[str] = []
    values: list[tuple[json_path.Location, Any]] = []
    mapped, seen = False, {True: set[str](), False: set[str]()}
    for _, group in groupby(row.copies, attrgetter("location")):
        copies = [*group]
        if copies[0].how == _IS_VALUE and copies[0].windows is not None:
            location, before, owner = copies[0][:3]
            seen[False].add(copies[0].told)
            if edits[owner]:  # no value at all where the text is no JSON any more
                now = _value_of(rebuild(row.texts[owner].text, edits[owner]))
                changes.append(written_value(json_path.written(location), before))
                values.append((location, now))
            continue
        edited = _edited(copies, row, edits)
        seen[edited is None].update(copy.told for copy in copies)
        for location, value, own in edited or ():
            changes.append(written_text(json_path.written(location), own))
            values.append((location, rebuild(value, own)))
            mapped |= bool(own) and copies[0].how in (_HOLDS_PART, _LISTS_PARTS)
    json_path.put_into(perturbed, values)
    counts.copies.update(seen[True])
    counts.followed.update(seen[False])
    return [*filter(None, changes)], mapped


def _edited(
    copies: Sequence[Copy], row: RowTexts, edits: Sequence[Sequence[Edit]]
) -> list[tuple[json_path.Location, str, list[Edit]]] | None:
    """Return the strings of a value with their edits; None where these can't be told.

    Args:
        copies: the value, once for each text that it depends on.
        row: the row.
        edits: those of each of its texts.
    """
    parts: dict[json_path.Location, list[tuple[Window, int]]] = {}
    for copy in copies:
        if copy.windows is None:
            return None
        for window in copy.windows:
            place = (*copy.location, *window.inside)
            parts.setdefault(place, []).append((window, copy.owner))
    edited = []
    for location, windows in parts.items():
        together: list[Edit] = []
        end = 0
        for window, owner in sorted(windows, key=lambda pair: pair[0].at):
            own = _within(edits[owner], window, row.texts[owner].options is not None)
            if own is None or window.at < end:
                return None
            end = window.at + window.end - window.start
            together += own
        edited.append((location, value_at(row.row, location), together))
    if copies[0].how == _TOKENS:
        before = row.texts[copies[0].owner].text
        after = rebuild(before, edits[copies[0].owner]).split()
        tokens = [rebuild(token, own) for _, token, own in edited]
        is_one_each = all(len(token.split()) == 1 for token in tokens)
        is_all = len(after) == len(before.split()) and "".join(after) == "".join(tokens)
        if not is_one_each or not is_all:
            return None
    return edited


def _within(edits: Sequence[Edit], window: Window, of_options: bool) -> list[Edit] | None:
    """Return the edits within a window, as those of the string; None if one crosses its ends."""
    start, end = window.start, window.end
    own: list[Edit] = []
    for edit in edits:
        if edit.start == edit.end:
            is_inside = start < edit.start < end
            is_inside |= edit.start == start and window.opens
            is_inside |= edit.start == end and window.closes
        else:
            is_inside = edit.start < end and edit.end > start
        if is_inside:
            if edit.start < start or edit.end > end:
                return None
            shift = window.at - start
            moved = Edit(edit.start + shift, edit.end + shift, edit.text, edit.removed)
            own.append(with_line_ends(moved) if of_options else moved)
    return own
