"""The edits between two texts, found by comparing their grapheme clusters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from perturb.engine.batch import Batch
from perturb.errors import UsageError

Replacement = tuple[int, int, str]


def difference(before: str, after: str) -> list[Replacement]:
    """Return the fewest replacements, counted in grapheme clusters, that turn one text to another.

    Neighbouring changes are one replacement, and no cluster is split.

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
    found: list[Replacement] = []
    for a, b, c, d in _changes(one, other):
        text = after[others[c] : others[d]]
        if found and found[-1][1] == starts[a]:
            first, _, so_far = found.pop()
            found.append((first, starts[b], so_far + text))
        else:
            found.append((starts[a], starts[b], text))
    return found


def _changes(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the spans of clusters that differ: start and end before, start and end after."""
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
