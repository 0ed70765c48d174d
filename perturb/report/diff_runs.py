"""A text and its edits as runs for the eye: what stayed, what went, what came."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from perturb.records.edit import Edit

# So much of an untouched stretch is shown on either side of an edit, and so much of a text at most.
_AROUND = 160
_LONGEST = 4000

_KINDS_UNSEEN = {"Zs", "Zl", "Zp", "Cc", "Cf", "Mn", "Me", "Cn", "Co", "Cs"}


class Run(NamedTuple):
    """A stretch of a text.

    Attributes:
        kind: "kept", "edit" or "gap", which stands for text that is not shown.
        removed: what stood in the original.
        written: what stands in the perturbed text.
        cause: whether it is one of the edits that explain a flip.
    """

    kind: str
    removed: str
    written: str
    cause: bool = False


def runs(original: str, edits: Sequence[Edit], causes: Set[Edit] = frozenset()) -> list[Run]:
    """Cut a text at its edits; long stretches without one become gaps.

    Examples:
        >>> from perturb.records.edit import Edit
        >>> [(run.kind, run.removed, run.written) for run in runs("eggs", [Edit(1, 2, "a")])]
        [('kept', 'e', 'e'), ('edit', 'g', 'a'), ('kept', 'gs', 'gs')]
    """
    found: list[Run] = []
    at = shown = 0
    for number, edit in enumerate(edits):
        before = list(_kept(original[at : edit.start], first=not number, last=False))
        shown += sum(len(run.removed) for run in before if run.kind == "kept")
        shown += edit.end - edit.start + len(edit.text)
        if shown > _LONGEST and found:
            left = len(edits) - number
            return [*found, _gap(f"{left} more edit{'s' * (left > 1)}")]
        removed = original[edit.start : edit.end]
        found += [*before, Run("edit", removed, edit.text, edit in causes)]
        at = edit.end
    return [*found, *_kept(original[at:], first=not edits, last=True)]


def _kept(text: str, first: bool, last: bool) -> Iterator[Run]:
    head, tail = 0 if first else _AROUND, 0 if last else _AROUND
    if first and last:
        head = 2 * _AROUND
    if len(text) <= 3 * _AROUND:
        if text:
            yield Run("kept", text, text)
        return
    if head:
        yield Run("kept", text[:head], text[:head])
    yield _gap(f"{len(text) - head - tail:,} characters")
    if tail:
        yield Run("kept", text[-tail:], text[-tail:])


def _gap(what: str) -> Run:
    return Run("gap", what, what)


def unseen(text: str) -> str | None:
    r"""Return an escaped form of a text that is invisible or ambiguous; None if it is neither.

    Examples:
        >>> unseen(" "), unseen("\u200b"), unseen("a")
        ('␣', 'U+200B', None)
    """
    if not text or not all(unicodedata.category(character) in _KINDS_UNSEEN for character in text):
        return None
    return " ".join(_SYMBOLS.get(one, f"U+{ord(one):04X}") for one in text)


_SYMBOLS = {" ": "␣", "\n": "↵", "\t": "⇥"}
