"""Edits of one text: apply them, undo them, move spans through them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from perturb.errors import DataError, shown


class Edit(NamedTuple):
    """The replacement of `original[start:end]` by `text`.

    Attributes:
        start: index of the first replaced code point of the original.
        end: index after the last; equal to `start` for an insertion.
        text: the new text; empty for a deletion.
        removed: the replaced text; empty for an insertion.
    """

    start: int
    end: int
    text: str
    removed: str


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """Return the edits that turn one text into another, found by their fewest changes.

    They are counted in grapheme clusters, and split none. Changes that touch are one edit,
    and so are those that leave less of a word between them than either changes. Where more than
    some 2,000 clusters in a row differ, passages that stand once in both texts are taken for the
    same place, and a stretch without one is one edit: so the time grows with the texts alone.

    Args:
        before: a text.
        after: the text that it became.

    Examples:
        >>> edits_between("the cat", "a cat")
        (Edit(start=0, end=3, text='a', removed='the'),)
    """
    from perturb.engine.difference import difference  # most edits are known, not found

    return tuple(
        Edit(start, end, text, before[start:end]) for start, end, text in difference(before, after)
    )


def rebuild(original: str, edits: Iterable[Edit]) -> str:
    """Apply edits, which are in order and do not overlap, to the text they refer to."""
    parts: list[str] = []
    at = 0
    for start, end, text, _ in edits:
        parts += (original[at:start], text)
        at = end
    return "".join([*parts, original[at:]])


def restore(text: str, edits: Iterable[Edit]) -> str:
    """Undo edits of a text.

    Raises:
        DataError: the text doesn't hold their replacements.
    """
    parts: list[str] = []
    at = grown = 0
    for start, end, new, removed in edits:
        place = start + grown
        if place < at or not text.startswith(new, place):
            raise DataError(
                f"the edits wrote {shown(new)} at {place} of the text, which has "
                f"{shown(text[place : place + len(new)])} there"
            )
        parts += (text[at:place], removed)
        at = place + len(new)
        grown += len(new) - (end - start)
    if at > len(text):
        raise DataError(f"the edits end at {at} of a text of {len(text)} code points")
    return "".join([*parts, text[at:]])


def growth(edits: Sequence[Edit]) -> list[int]:
    """Return by how much the text has grown before each edit, and after the last."""
    return [0, *accumulate(len(e.text) - (e.end - e.start) for e in edits)]


def project(edits: Sequence[Edit], grown: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Move a span of the original through edits, with their growth; see `Record.project`."""
    first = bisect_right(edits, start, key=lambda edit: edit.end)
    last = bisect_left(edits, end, key=lambda edit: edit.start)
    moved_start, moved_end = start + grown[first], end + grown[max(first, last)]
    if first < last:
        if edits[first].start < start:
            moved_start = edits[first].start + grown[first]
        if edits[last - 1].end > end:
            moved_end = edits[last - 1].end + grown[last]
    return moved_start, moved_end
