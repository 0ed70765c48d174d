"""Damage: edits that change what a question asks, by touching numbers, negations or options."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.records.edit import Edit

KINDS = ("numbers", "negations", "options")
PROTECT = ("number", "no not never none nobody nothing neither nor without", "option_label")

_NEGATION = (
    r"(?i)\b(?:no|not|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|\w+n['’]t)\b"
)
_OPTION = r"(?m)^[ \t]*\(?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=[ \t])"
_MEANT = tuple(map(regex.compile, (r"\d+(?:[.,:/]\d+)*", _NEGATION, _OPTION)))
_DIGIT = regex.compile(r"\d")


def damage(original: str, edits: Sequence[Edit], options_move: bool) -> int:
    """Return which kinds an edit touches, as bits in the order of KINDS.

    Args:
        original: the text that the edits refer to.
        edits: in order.
        options_move: whether the answer follows the options, so that moving them is no damage.
    """
    found = 0
    for bit, spans in enumerate(_spans(original)):
        if bit == 2 and (options_move or len(spans) < 4):
            continue
        if any(_touches(spans, edit) for edit in edits):
            found |= 1 << bit
    if not found & 1 and any(_DIGIT.search(edit.text) for edit in edits):
        found |= 1
    return found


@lru_cache(maxsize=64)
def _spans(original: str) -> tuple[tuple[int, ...], ...]:
    """The starts and ends of each kind, in turn, ascending."""
    return tuple(
        tuple(at for match in pattern.finditer(original) for at in match.span())
        for pattern in _MEANT
    )


def _touches(spans: Sequence[int], edit: Edit) -> bool:
    """Tell whether an edit overlaps a span or inserts inside one."""
    before, after = bisect_right(spans, edit.start), bisect_right(spans, edit.end - 1)
    if edit.start == edit.end:  # inside, not at a border
        return before % 2 == 1 and spans[before - 1] != edit.start
    return before % 2 == 1 or after != before
