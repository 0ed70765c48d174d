"""Texts with what was removed and what was written between marks."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from perturb.records.edit import Edit

# Two edits of a word with at most this many characters between them are shown as one.
_CLOSE = 2


class Marks(NamedTuple):
    """The strings to put before and behind removed text, and before and behind written text."""

    removed: tuple[str, str]
    written: tuple[str, str]


PLAIN = Marks(("[-", "-]"), ("{+", "+}"))
COLOURS = Marks(("\x1b[31;9m", "\x1b[0m"), ("\x1b[32;1m", "\x1b[0m"))


def of_output() -> Marks:
    """Colours on a terminal, brackets elsewhere."""
    return COLOURS if sys.stdout.isatty() and "NO_COLOR" not in os.environ else PLAIN


def inline(original: str, edits: Iterable[Edit], marks: Marks = PLAIN) -> str:
    r"""A text with its edits; in these, what would not show, or looks the same, is escaped.

    Examples:
        >>> from perturb.records.edit import Edit
        >>> inline("two eggs", [Edit(3, 4, chr(0xA0)), Edit(7, 8, "")])
        'two[- -]{+\\xa0+}egg[-s-]'
    """
    parts, at = [], 0
    for start, end, replacement in edits:
        removed = original[start:end]
        parts.append(_visible(original[at:start], kept="\t\n\r"))
        shown = _escaped if normalize("NFC", removed) == normalize("NFC", replacement) else _visible
        for mark, text in zip(marks, (removed, replacement), strict=True):
            if text:
                parts += [mark[0], shown(text), mark[1]]
        at = end
    return "".join([*parts, _visible(original[at:], kept="\t\n\r")])


def _visible(text: str, kept: str = "") -> str:
    """Return a text with its invisible characters escaped, except those in `kept`."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char in kept else _escaped(char) for char in text)


def _escaped(text: str) -> str:
    return text.encode("unicode_escape").decode()


def joined(original: str, edits: Iterable[Edit]) -> list[Edit]:
    """The edits; deletions that touch are one, and changes close together in a word.

    Examples:
        >>> from perturb.records.edit import Edit
        >>> inline("eggs", joined("eggs", [Edit(0, 1, "E"), Edit(2, 3, "G")]))
        '[-egg-]{+EgG+}s'
    """
    made: list[Edit] = []
    for edit in edits:
        if made and _as_one(original, made[-1], edit):
            last = made.pop()
            written = last.text + original[last.end : edit.start] + edit.text
            edit = edit._replace(start=last.start, text=written)
        made.append(edit)
    return made


def _as_one(original: str, one: Edit, other: Edit) -> bool:
    """Return true if two deletions touch, or two edits replace parts of a word close together."""
    between = original[one.end : other.start]
    removed = original[one.start : one.end] + original[other.start : other.end]
    written = one.text + other.text
    if not written:
        return not between
    in_a_word = len(between) <= _CLOSE and all(map(str.isalnum, between))
    in_a_word &= not any(map(str.isspace, removed + written))
    return in_a_word and bool(removed)
