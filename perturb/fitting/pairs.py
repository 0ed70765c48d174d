"""The edits between pairs of texts, each as short as it can be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perturb.engine.difference import difference
from perturb.perturbators.shared.noise import LONGEST_REMOVED, LONGEST_WORD, LONGEST_WRITTEN

# A pair that differs by more than this share of its clean text is rather a paraphrase or a wrong
# match, and would fill the counts with edits that nobody made. Chosen by hand on 23 November 2026.
_LARGEST_SHARE = 0.5


class Change(NamedTuple):
    """An edit of a pair.

    Attributes:
        text: the number of the pair.
        start: its start in the clean text.
        removed: the string that it removes.
        written: the string that it writes.
        is_word: whether it replaces a whole word by an unrelated one.
    """

    text: int
    start: int
    removed: str
    written: str
    is_word: bool = False


class Aligned(NamedTuple):
    """Pairs with their edits.

    Attributes:
        clean: the clean texts, without those of pairs that are left out.
        noisy: the noisy texts.
        changes: their edits, in order.
        left_out: the numbers of the pairs whose texts are too different, or empty.
        unread: the number of edits that are too long to count.
    """

    clean: list[str]
    noisy: list[str]
    changes: list[Change]
    left_out: list[int]
    unread: int

    def part(self, rows: Sequence[int]) -> Aligned:
        """Return the pairs at some rows."""
        number = {row: n for n, row in enumerate(rows)}
        changes = [
            change._replace(text=number[change.text])
            for change in self.changes
            if change.text in number
        ]
        clean, noisy = [self.clean[row] for row in rows], [self.noisy[row] for row in rows]
        return Aligned(clean, noisy, changes, [], self.unread)


def align(clean: Sequence[str], noisy: Sequence[str]) -> Aligned:
    """Align pairs.

    Args:
        clean: the texts as they should be.
        noisy: the same texts with errors.

    Examples:
        >>> align(["the cat sat"], ["the act sta"]).changes[0]
        Change(text=0, start=4, removed='ca', written='ac', is_word=False)
    """
    pairs = Aligned([], [], [], [], 0)
    unread = 0
    for number, (before, after) in enumerate(zip(clean, noisy, strict=True)):
        edits = difference(before, after)
        size = sum(max(end - start, len(text)) for start, end, text in edits)
        if not before.strip() or not after.strip() or size > _LARGEST_SHARE * len(before) + 1:
            pairs.left_out.append(number)
            continue
        changes, lost = _changes(len(pairs.clean), before, edits)
        pairs.clean.append(before)
        pairs.noisy.append(after)
        pairs.changes.extend(changes)
        unread += lost
    return pairs._replace(unread=unread)


def _changes(
    text: int, before: str, edits: Sequence[tuple[int, int, str]]
) -> tuple[list[Change], int]:
    """Return the edits of a text; a word with a long edit becomes one edit of the whole word."""
    words = {
        _word_at(before, start, end)
        for start, end, written in edits
        if end - start > LONGEST_REMOVED or len(written) > LONGEST_WRITTEN
    }
    changes, lost = [], 0
    for first, last in words:
        written, at = "", first
        for start, end, replacement in edits:
            if first <= start and end <= last:
                written += before[at:start] + replacement
                at = end
        removed, written = before[first:last], written + before[at:last]
        if removed.isalnum() and max(len(removed), len(written)) <= LONGEST_WORD:
            changes.append(Change(text, first, removed, written, is_word=True))
        else:
            lost += 1
    changes += [
        Change(text, start, before[start:end], written)
        for start, end, written in edits
        if not any(first <= start and end <= last for first, last in words)
    ]
    return sorted(changes), lost


def _word_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of a text, extended to whole words."""
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end
