"""The edits between two texts, found by comparing their grapheme clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from perturb.engine.batch import Batch
from perturb.errors import UsageError

Replacement = tuple[int, int, str]
# Start and end among the clusters before, and among those after.
_Change = tuple[int, int, int, int]


def difference(before: str, after: str) -> list[Replacement]:
    """Return the replacements that turn one text into another, found by their fewest changes.

    They are counted in grapheme clusters, none of which is split. Changes that touch are one
    replacement, and so are those that leave less of a word between them than either changes.

    Args:
        before: a text.
        after: the text that it became.

    Returns:
        Replacements (start, end, text) in order that neither touch nor overlap, in code points of
        `before`.

    Raises:
        UsageError: the package rapidfuzz is not installed.

    Examples:
        >>> difference("the cat sat", "a cat set")
        [(0, 3, 'a'), (9, 10, 'e')]
    """
    if before == after:
        return []
    one, other = _clusters(before), _clusters(after)
    starts, others = ([0, *accumulate(map(len, clusters))] for clusters in (one, other))
    found: list[_Change] = []
    for change in _changes(one, other):
        if found and _is_one(found[-1], change, one):
            (a, _, c, _), (_, b, _, d) = found.pop(), change
            change = (a, b, c, d)
        found.append(change)
    return [(starts[a], starts[b], after[others[c] : others[d]]) for a, b, c, d in found]


def _is_one(first: _Change, second: _Change, before: Sequence[str]) -> bool:
    """Return whether two changes touch, or leave less of a word between them than either changes.

    Otherwise "big" would become "large" in two edits around its "g", and a span of "big" "larg".
    """
    between = before[first[1] : second[0]]
    smaller = min(max(b - a, d - c) for a, b, c, d in (first, second))
    return not between or (len(between) <= smaller and not any(map(str.isspace, between)))


def _changes(before: Sequence[str], after: Sequence[str]) -> list[_Change]:
    """Return the spans of clusters that differ."""
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise UsageError(
            "finding the edits between two texts needs the package rapidfuzz: "
            "pip install 'perturb-text[functions]'"
        ) from error
    changes = [one for one in Levenshtein.opcodes(before, after) if one.tag != "equal"]
    return [(o.src_start, o.src_end, o.dest_start, o.dest_end) for o in changes]


def _clusters(text: str) -> list[str]:
    if text.isascii() and "\r" not in text:
        return list(text)
    edges = [0, *accumulate(map(len, Batch.of([text]).characters.to_list()))]
    return [text[a:b] for a, b in pairwise(edges)]
