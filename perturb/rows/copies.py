"""Copies of perturbed texts elsewhere in their rows, which a note tells of or which follow."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import compress
from typing import Any, NamedTuple

import orjson

from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.jsonl import value_of_json
from perturb.io.text_tables import TextTable
from perturb.plan.job import Job
from perturb.records.option_sets import listings, options_in
from perturb.rows.counts import COPIES_IN
from perturb.rows.row_texts import Copy, RowText, RowTexts, Window, row_texts
from perturb.rows.span_field import EXACT

# If so many first rows have none, the layout has none: to look at a row costs as much as perturbing
# it by a kernel, and small files would take twice as long.
_FEW = 100
# A text within another is a copy if it is no shorter: of fewer characters, words coincide.
_LEAST = 20
# Shorter texts that are equal as a whole are words such as yes, which answers and labels have too.
_LEAST_EQUAL = 5
# Parts of texts are in other fields by chance too; fewer than one row in twenty are no layout.
HOLDS_PART, LISTS_PARTS, _SHARE = "holds a part of", "lists parts of", 20
# So many texts are compared with each string; of more those alone that share signs with it.
_FEW_TEXTS, _GRAM = 8, 10
_BY_CHANCE = re.compile(f"' ({HOLDS_PART}|{LISTS_PARTS}) '")
_REPEATS, IS_VALUE = "repeats the items of", "holds the value of"
TOKENS, OFFSETS = "holds the tokens of", "has offsets into"
_HOLDERS, _VALUES = (dict, list), (str, dict, list)  # a union is checked more slowly
_WORDS = re.compile(r"\w")
_NUMBERS = re.compile(r"\[[0-9]+\]")


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
            with contextlib.suppress(DataError, RecursionError):  # perturbing the row says so
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
    for at in range(0, min(most, data.num_rows), _FEW):  # more are hardly ever looked at
        part = data.slice(at, min(_FEW, most - at))
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
            named.update(
                at for at, _, _ in listings(row.row, text.options.labels, options, options[::-1])
            )
    if not texts:
        return []
    lists: dict[json_path.Location, list[tuple[int, RowText]]] = {}
    for owner, text in texts.values():
        if isinstance(text.location[-1], int):
            lists.setdefault(text.location[:-1], []).append((owner, text))
    several = [texts_of for texts_of in lists.values() if len(texts_of) > 1]
    return [*copies_of(row.row, (), named, sources_of([*texts.values()], several))]


class Sources(NamedTuple):
    """The texts of a row that may have copies, each with its number.

    Attributes:
        texts: all of them.
        values: those that may be an object or a list as JSON.
        short: those that a string of fewer than `_LEAST` characters may have, by that string.
        items: those that are several items, which a short string may have too.
        lists: those that are items of one list.
        inside: by some signs, the texts that have them at a multiple of their number.
        whole: by signs of theirs, rare ones, the texts that a string with these may have in it.
        plain: `_plain`, with its results for as long as a row is looked at.
    """

    texts: Sequence[tuple[int, RowText]]
    values: Sequence[tuple[int, RowText]]
    short: Mapping[str, Sequence[tuple[int, RowText]]]
    items: Sequence[tuple[int, RowText]]
    lists: Sequence[Sequence[tuple[int, RowText]]]
    inside: Mapping[str, Sequence[int]]
    whole: Mapping[str, Sequence[int]]
    plain: Callable[[str], str]

    def beside(self, value: Any) -> Sequence[tuple[int, RowText]]:
        """Return the texts with which a value is compared: it may be alike none of the others."""
        if not _may_be_copy(value):
            return self.values
        if isinstance(value, str) and len(value) < _LEAST:
            return self.short.get(value, self.items)
        return self._alike(value) if self.whole and isinstance(value, str) else self.texts

    def _alike(self, value: str) -> Sequence[tuple[int, RowText]]:
        """Return the texts that a string may be a part of, or hold: the others lack its signs."""
        alike = {*self.whole.get("", ())}
        for form in {value, self.plain(value)}:
            for start in range(len(form) - _GRAM + 1):
                alike.update(self.whole.get(form[start : start + _GRAM], ()))
        for start in range(_GRAM):  # where a text has it, one of these is at a multiple
            grams = _grams(value[start:])
            rarest: Sequence[int] = min((self.inside.get(gram, ()) for gram in grams), key=len)
            alike.update(rarest)
        return [self.texts[at] for at in sorted(alike)]


def sources_of(
    texts: Sequence[tuple[int, RowText]], lists: Sequence[Sequence[tuple[int, RowText]]] = ()
) -> Sources:
    """Return texts as sources of copies."""
    values = [each for each in texts if _may_be_value(each[1].text)]
    is_list = [each.items is not None or each.options is not None for _, each in texts]
    items = [*compress(texts, is_list)]
    short = {
        each[1].text: [*items, each]
        for each, several in zip(texts, is_list, strict=True)
        if not several and len(each[1].text) < _LEAST
    }
    plain = cache(_plain)
    inside, whole = _index(texts, is_list, plain) if len(texts) > _FEW_TEXTS else ({}, {})
    return Sources(texts, values, short, items, lists, inside, whole, plain)


def _index(
    texts: Sequence[tuple[int, RowText]], is_list: Sequence[bool], plain: Callable[[str], str]
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Return `inside` and `whole` of sources, under "" the texts that any string may have."""
    inside: dict[str, list[int]] = {}
    whole: dict[str, list[int]] = {}
    forms = [{text.text, plain(text.text)} for _, text in texts]
    often = Counter(gram for each in forms for form in each for gram in _grams(form))
    for at, (_, text) in enumerate(texts):
        for gram in _grams(text.text):
            inside.setdefault(gram, []).append(at)
        for form in forms[at]:
            grams = [] if is_list[at] else _grams(form)
            rare = min(grams, key=often.__getitem__, default="")
            whole.setdefault(rare, []).append(at)
    return inside, whole


def _grams(text: str) -> list[str]:
    """Return the signs of a text, some at a time, without fewer at its end."""
    return [text[at : at + _GRAM] for at in range(0, len(text) - _GRAM + 1, _GRAM)]


def copies_of(
    value: Any, location: json_path.Location, named: set[json_path.Location], sources: Sources
) -> Iterator[Copy]:
    """Yield a value or those in it, without those that are named, once for each text.

    Args:
        value: the value.
        location: where it is.
        named: the places that are no copies.
        sources: the texts.
    """
    if location in named or (
        isinstance(value, list) and all((*location, item) in named for item in range(len(value)))
    ):
        return
    # A row may have as many values as texts: only those are compared that may be alike.
    found = [
        (owner, text, how, windows)
        for owner, text in (sources.beside(value) if location else ())
        for how, windows in (_relation(value, text, sources.plain),)
        if how
    ]
    for items in sources.lists if isinstance(value, str) else ():
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
    if not found and isinstance(value, _HOLDERS):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            # No other value is a copy, and JSON has no keys but strings.
            if isinstance(part, _VALUES) and isinstance(key, str) == isinstance(value, dict):
                yield from copies_of(part, (*location, key), named, sources)


def _may_be_copy(value: Any) -> bool:
    """Return whether a value may depend on a text that isn't the same value as JSON."""
    if isinstance(value, list):
        return len(value) > 1 and all(map(_is_text, value))
    return isinstance(value, str) or (isinstance(value, dict) and bool(_offsets_in(value)))


def _may_be_value(text: str) -> bool:
    return text.lstrip()[:1] in ("{", "[")


def _whole(at: int, text: str, start: int = 0) -> list[Window]:
    """Return the part of a text that a string has at a place, with all that is inserted there."""
    return [Window((), at, start, start + len(text), True, True)]


def _relation(
    value: Any, source: RowText, plain: Callable[[str], str]
) -> tuple[str, Sequence[Window] | None]:
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
            windows = [each for at in _places(text, value) for each in _whole(at, text)]
            return "contains the text of", windows
        if len(value) < _LEAST:
            return "", ()
        if (start := text.find(value)) >= 0:
            is_one = text.find(value, start + 1) < 0
            return HOLDS_PART, [Window((), 0, start, start + len(value))] if is_one else None
        is_written = len(text) >= _LEAST and (
            # ASCII gets no longer.
            (len(value) >= len(plain(text)) or not value.isascii()) and plain(text) in plain(value)
        )
        return "contains, written otherwise, the text of" * is_written, None
    if isinstance(value, _HOLDERS) and value and value == value_of(text):
        return IS_VALUE, ()
    if isinstance(value, dict):
        offsets = _offsets_in(value)
        there = any(
            part in text if at is None else text.startswith(part, at) for part, at in offsets
        )
        return OFFSETS * there, None if None in dict(offsets).values() else ()
    if not isinstance(value, list) or len(value) < 2 or not all(map(_is_text, value)):
        return "", ()
    if tokens := _tokens(value, text):
        return TOKENS, tokens
    if max(map(len, value)) < 2 or not all(part in text for part in value):
        return "", ()  # letters are labels of options, and in any text by chance
    places = [_only_place(part, text) for part in value]
    spans = zip(places, value, strict=True)
    parts = [Window((n,), 0, at, at + len(part)) for n, (at, part) in enumerate(spans)]
    return LISTS_PARTS, parts if min(places) >= 0 else None


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
def value_of(text: str) -> Any:
    """Return the object or the list that a text is in JSON; None if it is none."""
    with contextlib.suppress(DataError):
        return value_of_json(text) if _may_be_value(text) else None
    return None


def _only_place(part: str, text: str) -> int:
    """Return where a text has a part as words of its own; -1 if it has it at several places."""
    places, end = list[int](), 0
    for at in _places(part, text):
        around = text[max(at - 1, 0) : at] + text[at + len(part) :][:1]
        if at >= end and not _WORDS.search(around):
            places.append(at)
            end = at + len(part)
    return places[0] if len(places) == 1 else -1


def _places(part: str, text: str) -> Iterator[int]:
    """Yield where a text has a part; a pattern would be compiled for each."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _plain(text: str) -> str:
    """Return a text without what programs normalize: case, white space, forms of characters."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _offsets_in(value: dict[str, Any]) -> list[tuple[str, int | None]]:
    """Return the texts in an object that may have places in another text, with these.

    A place within an element of HTML, such as "/p[1]/text()[1]", is None.
    """
    parts = next((value[key] for key in EXACT if key in value), None)
    named = [key for key in value if isinstance(key, str) and ("start" in key or "offset" in key)]
    starts = value[named[0]] if named else None
    if not isinstance(parts, list) or not isinstance(starts, list):
        parts, starts = [parts], [starts]
    return [
        (part, start if type(start) is int else None)
        for part, start in zip(parts, starts, strict=False)
        if _is_text(part) and (type(start) is int or str(start).startswith("/"))
    ]
