"""Edits of one text: apply them, undo them, move spans through them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

from perturb.engine.difference import difference
from perturb.errors import DataError


class Edit(NamedTuple):
    """The replacement of `original[start:end]` by `text`.

    Attributes:
        start: index of the first replaced code point of the original.
        end: index after the last; equal to `start` for an insertion.
        text: what was written; empty for a deletion.
    """

    start: int
    end: int
    text: str


_MEMBERS, _new_edit = itemgetter(*Edit._fields), tuple.__new__


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """Return the edits that turn one text into another, found by their fewest changes.

    They are counted in grapheme clusters, none of which is split. Changes that touch are one edit,
    and so are those that leave less of a word between them than either changes.

    Args:
        before: a text.
        after: the text that it became.

    Raises:
        UsageError: the package rapidfuzz is not installed; the message says how to get it.

    Examples:
        >>> edits_between("the cat sat", "a cat set")
        (Edit(start=0, end=3, text='a'), Edit(start=9, end=10, text='e'))
    """
    return tuple(Edit(*replacement) for replacement in difference(before, after))


def rebuild(original: str, edits: Iterable[Edit]) -> str:
    """Apply edits, which are in order and do not overlap, to the text they refer to."""
    parts: list[str] = []
    at = 0
    for start, end, text in edits:
        parts += (original[at:start], text)
        at = end
    return "".join([*parts, original[at:]])


def restore(text: str, edits: Iterable[Edit], removed: Iterable[str]) -> str:
    """Undo edits, given what each removed."""
    parts: list[str] = []
    at = grown = 0
    for (start, end, written), was in zip(edits, removed, strict=True):
        parts += (text[at : start + grown], was)
        at = start + grown + len(written)
        grown += len(written) - (end - start)
    return "".join([*parts, text[at:]])


def project(edits: Sequence[Edit], start: int, end: int) -> tuple[int, int]:
    """Move a span of the original through edits; see `Record.project`."""
    grown = [0, *accumulate(len(e.text) - (e.end - e.start) for e in edits)]
    first = bisect_right(edits, start, key=lambda edit: edit.end)
    last = bisect_left(edits, end, key=lambda edit: edit.start)
    moved_start, moved_end = start + grown[first], end + grown[max(first, last)]
    if first < last:
        if edits[first].start < start:
            moved_start = edits[first].start + grown[first]
        if edits[last - 1].end > end:
            moved_end = edits[last - 1].end + grown[last]
    return moved_start, moved_end


def _edits_of(entries: Any) -> list[Edit]:
    """Read the edits of a record; raises as `edit_of`."""
    try:
        return [_new_edit(Edit, told) for told in map(_MEMBERS, entries)]
    except TypeError:  # of contract 1
        return list(map(edit_of, entries))


def edit_of(entry: Any) -> Edit:
    """Read an edit of a record of contract 2, an object, or of contract 1, a list.

    Raises:
        TypeError: it is neither; or KeyError, IndexError, ValueError.
    """
    if isinstance(entry, dict | Mapping):  # most are dict, which is told at once
        return Edit(entry["start"], entry["end"], entry["text"])
    return Edit(*entry[:3])


def removed_by(entry: Any) -> str:
    """Read what an edit of a compact record removed; raises as `edit_of`."""
    removed: str = entry["removed"] if isinstance(entry, Mapping) else entry[3]
    return removed


def edits_and_original(
    linkage: Mapping[str, Any], text: str | None
) -> tuple[list[Edit], str | None]:
    """Read the edits and the original of a record of either contract.

    Args:
        linkage: the `perturbation` object of a row.
        text: the text after the edits; None where it is not known.

    Returns:
        The edits; and the original, which is restored where the record leaves it out, and None
        where it can't be.

    Raises:
        DataError: the edits are damaged.
    """
    entries, original = linkage["edits"], linkage.get("original")
    try:
        edits = _edits_of(entries)
        if original is None and text is not None:
            original = restore(text, edits, map(removed_by, entries))
        if original is not None:
            _check(original, edits)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        what = f"no {error}" if isinstance(error, KeyError) else error
        raise DataError(f"the edits of the perturbation record are damaged: {what}") from error
    return edits, original


def _check(original: str, edits: Sequence[Edit]) -> None:
    at, size = 0, len(original)
    for start, end, text in edits:
        if not at <= start <= end <= size or original[start:end] == text:
            raise ValueError(
                f"{[start, end, text]} must change the original, of {size} code points, at or "
                f"after {at}"
            )
        if type(text) is not str:
            raise TypeError(f"{[start, end, text]} must write a string")
        at = end
