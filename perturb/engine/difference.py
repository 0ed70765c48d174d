"""The edits between two texts, found by comparing their grapheme clusters."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from perturb.engine.batch import Batch
from perturb.values.arrays import Int64, NDArray

Replacement = tuple[int, int, str]
# Start and end among the clusters before, and among those after.
_Change = tuple[int, int, int, int]

# The most pairs of clusters compared for the fewest changes: two texts of 2,048 clusters without
# anything in common take 13 ms and 1.5 MB. Time and memory grow with the pairs; below, more long
# texts are cut at passages, which can give more changes than needed.
_MOST_PAIRS = 1 << 22
# Longer texts are cut where a passage of so many clusters occurs once in each of them. Chosen by
# hand: about two words, so that by chance it rarely repeats, and one survives between most edits.
_WINDOW = 12
# The fewest clusters in such a part. Chosen by hand: shorter parts save no time.
_PART = 32


def difference(before: str, after: str) -> list[Replacement]:
    """Return the replacements that turn one text into another with the fewest changes.

    Changes are counted in grapheme clusters, and no cluster is split. Changes that touch become one
    replacement, and so do those that leave less of a word between them than either changes. Time
    grows with the texts, not with their square: where more than about 2,000 clusters in a row
    differ, the texts are cut at passages that occur once in both; a longer part without such a
    passage is one replacement.

    Args:
        before: a text.
        after: the text that it became.

    Returns:
        Replacements (start, end, text) in order that neither touch nor overlap, in code points of
        `before`.

    Examples:
        >>> difference("the cat sat", "a cat set")
        [(0, 3, 'a'), (9, 10, 'e')]
    """
    if before == after:
        return []
    clusters, clusters_after = _clusters(before), _clusters(after)
    starts, others = ([0, *accumulate(map(len, side))] for side in (clusters, clusters_after))
    changes: list[_Change] = []
    for change in changed_parts(clusters, clusters_after):
        if changes and _is_one(changes[-1], change, clusters):
            (a, _, c, _), (_, b, _, d) = changes.pop(), change
            change = (a, b, c, d)
        changes.append(change)
    return [(starts[a], starts[b], after[others[c] : others[d]]) for a, b, c, d in changes]


def _is_one(first: _Change, second: _Change, before: Sequence[str]) -> bool:
    """Return whether two changes touch, or leave less of a word between them than either changes.

    Otherwise "big" would become "large" in two edits around its "g", and a span of "big" "larg".
    """
    between = before[first[1] : second[0]]
    smaller = min(max(b - a, d - c) for a, b, c, d in (first, second))
    return not between or (len(between) <= smaller and not any(map(str.isspace, between)))


def changed_parts(before: Sequence[str], after: Sequence[str]) -> Iterator[_Change]:
    """Yield the spans of clusters that differ."""
    whole = _trimmed(before, after, (0, len(before), 0, len(after)))
    for part in _parts(before, after, whole):
        a, b, c, d = _trimmed(before, after, part)
        if a < b and c < d and (b - a) * (d - c) <= _MOST_PAIRS:
            for start, end, first, last in _fewest(before[a:b], after[c:d]):
                yield a + start, a + end, c + first, c + last
        elif a < b or c < d:
            yield a, b, c, d


def _trimmed(before: Sequence[str], after: Sequence[str], part: _Change) -> _Change:
    """Return a part without the common clusters at its ends."""
    a, b, c, d = part
    while a < b and c < d and before[a] == after[c]:
        a, c = a + 1, c + 1
    while a < b and c < d and before[b - 1] == after[d - 1]:
        b, d = b - 1, d - 1
    return a, b, c, d


def _parts(before: Sequence[str], after: Sequence[str], whole: _Change) -> Iterator[_Change]:
    """Yield the parts of two texts that correspond; short texts are one part."""
    a, b, c, d = whole
    if (b - a) * (d - c) > _MOST_PAIRS:
        for place, other in _same_places(before[a:b], after[c:d]):
            if place + whole[0] - a >= _PART:
                yield a, whole[0] + place, c, whole[2] + other
                a, c = whole[0] + place, whole[2] + other
    yield a, b, c, d


def _same_places(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return where windows that occur once in each text lie: the longest run in one order."""
    numbers: dict[str, int] = {}
    (hashes, places), (other_hashes, others) = (
        _windows([numbers.setdefault(cluster, len(numbers)) for cluster in text])
        for text in (before, after)
    )
    _, first, second = np.intersect1d(hashes, other_hashes, assume_unique=True, return_indices=True)
    pairs = sorted(zip(places[first].tolist(), others[second].tolist(), strict=True))
    # The longest rising sequence: the least end for each length, and the pair before it.
    ends: list[int] = []
    best: list[int] = []
    before_it: list[int] = []
    for number, (_, place) in enumerate(pairs):
        length = bisect_left(ends, place)
        before_it.append(best[length - 1] if length else -1)
        ends[length : length + 1], best[length : length + 1] = [place], [number]
    passages = []
    number = best[-1] if best else -1
    while number >= 0:
        passages.append(pairs[number])
        number = before_it[number]
    return passages[::-1]


def _windows(numbers: Sequence[int]) -> tuple[NDArray[np.uint64], Int64]:
    """Return the hashes of the windows that occur once in a text, and where they start."""
    codes = np.array(numbers, np.uint64)
    hashes = np.zeros(max(len(codes) - _WINDOW + 1, 0), np.uint64)
    for at in range(_WINDOW if len(hashes) else 0):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + codes[at : at + len(hashes)]
    windows, places, counts = np.unique(hashes, return_index=True, return_counts=True)
    return windows[counts == 1], places[counts == 1]


def _fewest(before: Sequence[str], after: Sequence[str]) -> list[_Change]:
    """Return the fewest changes, each of one cluster, in order.

    Hyyrö's form of Myers' algorithm (2003): one column of the table of distances is two integers,
    whose bits say where it rises by one and where it falls, from one cluster of `before` to the
    next. So Python walks over clusters, not over pairs of them.
    """
    size = len(before) // 8 + 1
    bits = {cluster: bytearray(size) for cluster in set(after)}
    for at, cluster in enumerate(before):
        if cluster in bits:
            bits[cluster][at >> 3] |= 1 << (at & 7)
    masks = {cluster: int.from_bytes(marks, "little") for cluster, marks in bits.items()}
    full = (1 << len(before)) - 1
    rises, falls = full, 0
    columns = []
    for cluster in after:
        same = masks[cluster]
        diagonal = (((same & rises) + rises) ^ rises) | same | falls
        grows = (falls | (full & ~(diagonal | rises))) << 1 | 1
        shrinks = (diagonal & rises) << 1
        rises, falls = (shrinks | ~(diagonal | grows)) & full, grows & diagonal & full
        columns.append((rises.to_bytes(size, "little"), falls.to_bytes(size, "little")))
    changes: list[_Change] = []
    a, c = len(before), len(after)
    while a or c:
        if not c or (a and _bit(columns[c - 1][0], a - 1)):
            a -= 1
            changes.append((a, a + 1, c, c))
        elif not a or (c > 1 and _bit(columns[c - 2][1], a - 1)):
            c -= 1
            changes.append((a, a, c, c + 1))
        else:
            a, c = a - 1, c - 1
            if before[a] != after[c]:
                changes.append((a, a + 1, c, c + 1))
    return changes[::-1]


def _bit(bits: bytes, at: int) -> int:
    return bits[at >> 3] >> (at & 7) & 1


def _clusters(text: str) -> list[str]:
    if text.isascii() and "\r" not in text:
        return list(text)
    edges = [0, *accumulate(map(len, Batch.of([text]).characters.to_list()))]
    return [text[a:b] for a, b in pairwise(edges)]
