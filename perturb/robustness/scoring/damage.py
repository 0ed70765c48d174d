"""Damage: edits that change what a question asks, by touching numbers, negations or options."""

from __future__ import annotations

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
_FEWEST_OPTIONS = 2


def damage(original: str, edits: Sequence[Edit], options_move: bool) -> int:
    """Return which kinds an edit touches, as bits in the order of KINDS.

    Args:
        original: the text that the edits refer to.
        edits: in order.
        options_move: whether the answer follows the options, so that moving them is no damage.
    """
    characters, gaps = _marks(original)
    touched = b"".join(
        [gaps[at : at + 1] if at == end else characters[at:end] for at, end, _ in edits]
    )
    found = 0
    for bits in set(touched):
        found |= bits
    if not found & 1 and _DIGIT.search("\n".join([edit.text for edit in edits])):
        found |= 1
    return found & 3 if options_move else found


@lru_cache(maxsize=64)
def _marks(original: str) -> tuple[bytes, bytes]:
    """Return for each character, and for the gap before it, which kinds it is inside of, as bits.

    An edit touches what it replaces; an insertion, only what it parts.
    """
    characters, gaps = bytearray(len(original)), bytearray(len(original))
    for bit, pattern in enumerate(_MEANT):
        spans = [match.span() for match in pattern.finditer(original)]
        if bit == 2 and len(spans) < _FEWEST_OPTIONS:
            continue
        for start, end in spans:
            for at in range(start, end):
                characters[at] |= 1 << bit
                gaps[at] |= 1 << bit if at > start else 0
    return bytes(characters), bytes(gaps)
