"""Edits of one text: apply them, undo them, move spans through them, show them between marks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple

from perturb.errors import DataError, shown, unknown

Style = Literal["plain", "ansi", "html"]
Kind = Literal["kept", "removed", "written"]

# Two edits of a word with at most this many characters between them are shown as one.
_CLOSE = 2


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
    if first + 1 == last and len(edits[first].removed) > end - start:
        from perturb.engine.scope import place_in  # with NumPy, for which no help waits

        low, high, text, removed = edits[first]
        is_inside = low <= start and end <= high
        place = place_in(removed, text, start - low, end - low) if is_inside else -1
        if place >= 0:
            return low + grown[first] + place, low + grown[first] + place + end - start
    if first < last:
        if edits[first].start < start:
            moved_start = edits[first].start + grown[first]
        if edits[last - 1].end > end:
            moved_end = edits[last - 1].end + grown[last]
    return moved_start, moved_end


def html_text(text: str) -> str:
    """Return a text as HTML."""
    from html import escape  # it reads all names of characters

    return escape(text)


class _Marks(NamedTuple):
    """The strings around removed text and around written text, and how text itself is shown."""

    removed: tuple[str, str]
    written: tuple[str, str]
    text: Callable[[str], str] = str


_RED, _GREEN = "background:#c6282833", "background:#2e7d3233;text-decoration:none;font-weight:600"
STYLES: Mapping[str, _Marks] = {
    "plain": _Marks(("[-", "-]"), ("{+", "+}")),
    "ansi": _Marks(("\x1b[31;9m", "\x1b[0m"), ("\x1b[32;1m", "\x1b[0m")),
    "html": _Marks(
        (f'<del style="{_RED}">', "</del>"), (f'<ins style="{_GREEN}">', "</ins>"), html_text
    ),
}


def marked(original: str, edits: Iterable[Edit], style: Style = "plain") -> str:
    r"""Return a text with its edits marked.

    Characters that would not show are escaped, and in edits those that look the same.

    Args:
        original: the text before the edits.
        edits: in order, without overlap.
        style: "plain" puts brackets around edits, "ansi" the colours of a terminal, "html" the
            elements `del` and `ins`, with everything else escaped.

    Raises:
        UsageError: the style is none of these.

    Examples:
        >>> marked("two eggs", [Edit(3, 4, chr(0xA0), " "), Edit(7, 8, "", "s")])
        'two[- -]{+\\xa0+}egg[-s-]'
    """
    if style not in STYLES:
        raise unknown("style", style, STYLES)
    marks, show = STYLES[style], STYLES[style].text
    parts = []
    for kind, text in pieces(original, edits):
        before, behind = ("", "") if kind == "kept" else getattr(marks, kind)
        parts += [before, show(text), behind]
    return "".join(parts)


def pieces(original: str, edits: Iterable[Edit]) -> Iterator[tuple[Kind, str]]:
    """Cut a text at its edits.

    Yields:
        The kept, removed and written parts, in the order to show them; no empty ones.
    """
    from unicodedata import normalize  # few texts are shown

    at = 0
    for start, end, replacement, _ in edits:
        if at < start:
            yield "kept", _visible(original[at:start], kept="\t\n\r")
        removed = original[start:end]
        same = normalize("NFC", removed) == normalize("NFC", replacement)
        show = _escaped if same else _visible
        if removed:
            yield "removed", show(removed)
        if replacement:
            yield "written", show(replacement)
        at = end
    if at < len(original):
        yield "kept", _visible(original[at:], kept="\t\n\r")


def joined(original: str, edits: Iterable[Edit]) -> list[Edit]:
    """Return the edits; deletions that touch are one, and changes close together in a word.

    Examples:
        >>> marked("eggs", joined("eggs", [Edit(0, 1, "E", "e"), Edit(2, 3, "G", "g")]))
        '[-egg-]{+EgG+}s'
    """
    merged: list[Edit] = []
    for edit in edits:
        if merged and _as_one(original, merged[-1], edit):
            last = merged.pop()
            written = last.text + original[last.end : edit.start] + edit.text
            removed = original[last.start : edit.end]
            edit = Edit(last.start, edit.end, written, removed)
        merged.append(edit)
    return merged


def _as_one(original: str, edit: Edit, other: Edit) -> bool:
    """Return true if two deletions touch, or two edits replace parts of a word close together."""
    between = original[edit.end : other.start]
    removed = original[edit.start : edit.end] + original[other.start : other.end]
    written = edit.text + other.text
    if not written:
        return not between
    in_a_word = len(between) <= _CLOSE and all(map(str.isalnum, between))
    in_a_word &= not any(map(str.isspace, removed + written))
    return in_a_word and bool(removed)


def _visible(text: str, kept: str = "") -> str:
    """Return a text with its invisible characters escaped, except those in `kept`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else _escaped(char) for char in text)


def _escaped(text: str) -> str:
    return text.encode("unicode_escape").decode()
