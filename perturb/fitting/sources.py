"""Pairs of clean and noisy texts from the files in which people have them.

These are rows with both texts; two files side by side, a text a line; sentences of M2 with their
corrections (CoNLL-2014, BEA-2019); and a recogniser's words with their times (CTM) beside the
segments that were said (STM), as NIST's scoring tools read them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import zip_longest
from typing import Any

from perturb.errors import DataError, UsageError
from perturb.io import json_path
from perturb.io.inputs import Inputs, open_input

Pair = tuple[str, str]

# Spaces that running text lacks beside such tokens; both texts of a pair lose the same.
_JOINED = re.compile(r" (?=[.,;:!?%)\]}…]|n't\b|['’](?:s|re|ve|d|ll|m)\b)|(?<=[(\[{$£€]) ")
# A choice of words in STM, `{ a / b }`: the first counts; and marks of optional words.
_CHOICE, _OPTIONAL = re.compile(r"\{([^/}]*)(?:/[^}]*)?\}"), re.compile(r"[()@]|<[^>]*>")
_IGNORED = "IGNORE_TIME_SEGMENT_IN_SCORING"


def pairs_of(
    path: str, beside: str | None = None, form: str | None = None, names: Pair = ("clean", "noisy")
) -> tuple[list[str], list[str]]:
    """Read pairs of clean and noisy texts.

    Args:
        path: a file of rows with both texts, an .m2 file, or the clean texts, a line each or .stm.
        beside: the noisy texts, a line each, or .ctm.
        form: the format of rows; None for that of the file's suffix.
        names: the paths to the clean and the noisy text of a row.

    Returns:
        The clean texts, and the noisy ones.

    Raises:
        UsageError: the two files don't belong together.
        DataError: a row, a line or a time is damaged; the message names its place.
    """
    if path.endswith(".m2"):
        if beside is not None:
            raise UsageError(f"{path} has both texts of each pair; leave out {beside}")
        found = _corrected(path)
    elif path.endswith(".stm") or (beside or "").endswith(".ctm"):
        if not path.endswith(".stm") or not (beside or "").endswith(".ctm"):
            raise UsageError("segments and words are two files: REFERENCE.stm HYPOTHESIS.ctm")
        found = _recognised(path, beside or "")
    elif beside is not None:
        found = _side_by_side(path, beside)
    else:
        found = _rows(path, form, names)
    clean, noisy = list[str](), list[str]()
    for right, wrong in found:
        clean.append(right)
        noisy.append(wrong)
    return clean, noisy


def _rows(path: str, form: str | None, names: Pair) -> Iterator[Pair]:
    with closing(open_input(path, form)) as file:
        for number, row in file.rows():
            right, wrong = (_text(row, field, file.at(number)) for field in names)
            yield right, wrong


def _text(row: Any, field: str, place: str) -> str:
    """Return the text of a field of a row."""
    texts: list[Any] = []
    if isinstance(row, dict):
        with suppress(DataError):
            texts = [value for _, value in json_path.locate(row, field)]
    if texts == [None]:
        return ""  # the report counts such pairs, and says which
    if len(texts) != 1 or not isinstance(texts[0], str):
        there = ", ".join(row) if isinstance(row, dict) else "none"
        raise DataError(
            f"{place} has no text in the field {field!r}; name the fields with --clean and "
            f"--noisy; its fields are {there}"
        )
    return texts[0]


def _lines(file: Inputs) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file of plain text, each with its place for messages."""
    for number, row in file.rows():
        yield row["text"], file.at(number)


def _side_by_side(path: str, beside: str) -> Iterator[Pair]:
    with closing(open_input(path, "text")) as clean, closing(open_input(beside, "text")) as noisy:
        for right, wrong in zip_longest(_lines(clean), _lines(noisy)):
            if right is None or wrong is None:
                shorter, (_, place) = (path, wrong) if right is None else (beside, right)
                raise DataError(f"{shorter} ends before {place}: each line needs its pair")
            if right[0].strip() or wrong[0].strip():
                yield right[0], wrong[0]


def _corrected(path: str) -> Iterator[Pair]:
    """Yield the sentences of M2, corrected by annotator 0, as most evaluations read it."""
    with closing(open_input(path, "text")) as file:
        words, edits, place = list[str](), list[tuple[int, int, str]](), ""
        for line, at in [*_lines(file), ("", "")]:
            kind, _, rest = line.partition(" ")
            if kind == "S" and not words:
                words, edits, place = rest.split(), [], at
            elif kind == "A" and words:
                edits += _edit(rest, len(words), at)
            elif not line.strip() and words:
                yield _in_order(words, edits, place)
                words = []
            elif line.strip():
                raise DataError(f"{at}: a line of M2 begins with S or A; got {line!r:.60}")


def _edit(rest: str, words: int, at: str) -> list[tuple[int, int, str]]:
    parts = rest.split("|||")
    numbers = re.fullmatch(r"(-?\d+) (-?\d+)", parts[0])
    if numbers is None or len(parts) != 6:
        raise DataError(
            f"{at}: an edit of M2 is START END|||TYPE|||CORRECTION|||...|||...|||ANNOTATOR; got "
            f"{rest!r:.60}"
        )
    start, end = int(numbers[1]), int(numbers[2])
    if parts[1] == "noop" or parts[5].strip() != "0":
        return []
    if not 0 <= start <= end <= words:
        raise DataError(f"{at}: the edit {parts[0]} is beyond its sentence of {words} words")
    return [(start, end, parts[2].replace("-NONE-", "").strip())]


def _in_order(words: list[str], edits: list[tuple[int, int, str]], place: str) -> Pair:
    """Return a sentence with its corrections, and as it was, as running text."""
    corrected, at = list[str](), 0
    for start, end, correction in sorted(edits, key=lambda edit: edit[:2]):
        if start < at:
            raise DataError(f"{place}: two edits of this sentence overlap")
        corrected += [*words[at:start], *correction.split()]
        at = end
    corrected += words[at:]
    right, wrong = (_JOINED.sub("", " ".join(each)) for each in (corrected, words))
    return right, wrong


def _recognised(path: str, beside: str) -> Iterator[Pair]:
    """Yield the segments of STM, each with the words of CTM whose middle lies in it."""
    heard: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    other = False  # words after <ALT> are another way to write those before it
    for fields, at in _fields(beside, "words of CTM have a file, a channel and two times; {!r}"):
        if fields[4].startswith("<ALT"):
            other = fields[4] == "<ALT>"
        elif not other:
            middle = _seconds(fields[2], at) + _seconds(fields[3], at) / 2
            heard[fields[0], fields[1]].append((middle, fields[4]))
    for words in heard.values():
        words.sort(key=lambda word: word[0])
    for fields, at in _fields(path, "a segment of STM has two names, a speaker and two times"):
        said = fields[6:] if fields[5:6] and fields[5].startswith("<") else fields[5:]
        words = heard.get((fields[0], fields[1]), [])
        first, last = (bisect_left(words, (_seconds(each, at),)) for each in fields[3:5])
        text = " ".join(_OPTIONAL.sub("", _CHOICE.sub(r"\1", " ".join(said))).split())
        if text and said[0].upper() != _IGNORED:
            yield text, " ".join(word for _, word in words[first:last])


def _fields(path: str, problem: str) -> Iterator[tuple[list[str], str]]:
    """Yield the fields of each line but comments, and its place; too few of them are `problem`."""
    with closing(open_input(path, "text")) as file:
        for line, at in _lines(file):
            fields = line.split()
            if not fields or line.startswith(";;"):
                continue
            if len(fields) < 5:
                raise DataError(f"{at}: {problem.format(line)}")
            yield fields, at


def _seconds(text: str, at: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise DataError(f"{at}: a time is a number of seconds; got {text!r}") from None
