"""Damage: edits that change what a question asks, by touching numbers, negations or options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perturb.robustness.scoring.remember import remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.records.edit import Edit

KINDS = ("numbers", "negations", "options")
# The presets of protection that keep edits off each kind.
PROTECT = ("number", "negation", "option_label")

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
# Of a text in lower case. The contractions are looked for apart, since few texts have one.
_NEGATION = re.compile(r"\b(?:n(?:o(?:t|ne|body|thing|r|where)?|ever|either)|without|cannot)\b")
_CONTRACTION = re.compile(r"\b\w+n['’]t\b")
_OPTION = re.compile(r"^[ \t]*\(?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=[ \t])", re.MULTILINE)
_DIGIT = re.compile(r"\d")
# One of these stands in each of the words.
_SIGNS = ("no", "never", "neither", "without")
_FEWEST_OPTIONS = 2


def damage(original: str, edits: Sequence[Edit], options_move: bool) -> int:
    """Return which kinds an edit touches, as bits in the order of KINDS.

    Args:
        original: the text that the edits refer to.
        edits: in order.
        options_move: whether the answer follows the options, so that moving them is no damage.
    """
    marks, found = _marks(original), 0
    if marks is not None:
        characters, gaps = marks
        touched = b"".join(
            [gaps[at : at + 1] if at == end else characters[at:end] for at, end, _ in edits]
        )
        for bits in set(touched):
            found |= bits
    if not found & 1 and _DIGIT.search("\n".join([text for _, _, text in edits])):
        found |= 1
    return found & 3 if options_move else found


@remembered
def _marks(original: str) -> tuple[bytes, bytes] | None:
    """Return for each character, and for the gap before it, which kinds it is inside of, as bits.

    An edit touches what it replaces; an insertion, only what it parts. None where there is nothing
    to touch.
    """
    kinds = _spans(original)
    if not any(kinds):
        return None
    characters, gaps = bytearray(len(original)), bytearray(len(original))
    for bit, spans in enumerate(kinds):
        for start, end in spans:
            characters[start] |= 1 << bit
            for at in range(start + 1, end):
                characters[at] |= 1 << bit
                gaps[at] |= 1 << bit
    return bytes(characters), bytes(gaps)


def _spans(original: str) -> tuple[list[tuple[int, int]], ...]:
    """Return the spans of each kind."""
    numbers = [found.span() for found in _NUMBER.finditer(original)]
    lower = original.lower()
    if len(lower) != len(original):  # as of a capital I with a dot
        lower = "".join(one if len(one.lower()) > 1 else one.lower() for one in original)
    negations = []
    if any(sign in lower for sign in _SIGNS):
        negations += [found.span() for found in _NEGATION.finditer(lower)]
    if "n't" in lower or "n’t" in lower:
        negations += [found.span() for found in _CONTRACTION.finditer(lower)]
    options = []
    if "\n" in original:
        options = [found.span() for found in _OPTION.finditer(original)]
    return numbers, negations, options if len(options) >= _FEWEST_OPTIONS else []
