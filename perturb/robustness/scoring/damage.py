"""Damage: edits that change what a question asks, by touching numbers, negations or options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from perturb.robustness.scoring.remember import remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.records.edit import Edit

KINDS = ("numbers", "negations", "options")
# Bits, so that the damage of a row is one byte of a column: DAMAGED has those of the three kinds.
_NUMBERS, _NEGATIONS, _OPTIONS = 1, 2, 4
DAMAGED, WRITES_DIGITS, UNKNOWN = 7, 8, 16
# The presets of protection that keep edits off each kind.
PROTECT = ("number", "negation", "option_label")
ADVICE = " To leave them alone, perturb with --protect "

_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
# Of a text in lower case. The contractions are looked for apart, since few texts have one.
_NEGATION = re.compile(r"\b(?:n(?:o(?:t|ne|body|thing|r|where)?|ever|either)|without|cannot)\b")
_CONTRACTION = re.compile(r"\b\w+n['’]t\b")
_OPTION = re.compile(r"^[ \t]*\(?(?:[A-Za-z]|\d{1,2}|[ivxIVX]{1,4})[.):](?=[ \t])", re.MULTILINE)
_DIGIT = re.compile(r"\d")
# Each of the words contains one of these.
_SIGNS = ("no", "never", "neither", "without")
# One line that begins like an option, such as "A. Smith wrote", is no list of options.
_FEWEST_OPTIONS = 2


def damage(original: str, edits: Sequence[Edit], options_move: bool) -> int:
    """Return which kinds an edit touches, as bits in the order of KINDS, and WRITES_DIGITS.

    A number is one that the original holds: a digit that is written into a word makes no other
    number, one beside a number does. A negation in other case is the same negation.

    Args:
        original: the text that the edits refer to.
        edits: in order.
        options_move: whether the answer follows the options, so that moving them is no damage.
    """
    marks, kinds = _marks(original), 0
    for start, end, text, _ in edits:
        touched = 0
        plain = text.isalpha()  # and so has no digit
        if marks is not None:
            characters, gaps, near = marks
            inside = characters[start:end] or gaps[start : start + 1]
            if inside.strip(b"\0"):  # as few edits
                for bits in set(inside):
                    touched |= bits
                if touched & _NEGATIONS and original[start:end].lower() == text.lower():
                    touched &= ~_NEGATIONS
            around = near[start : start + 1] + near[end : end + 1]
            if b"\1" in around and _joins(original, start, end, text):
                touched |= _NUMBERS
        if not (plain or touched & _NUMBERS) and _DIGIT.search(text):
            touched |= WRITES_DIGITS
        kinds |= touched
    return kinds & ~_OPTIONS if options_move else kinds


def _joins(original: str, start: int, end: int, text: str) -> bool:
    """Return true if an edit makes a number longer, by its text or by joining digits."""
    # A number goes on behind one separator, so two characters show it.
    left, right = original[max(start - 2, 0) : start], original[end : end + 2]
    around = left + text + right
    borders = len(left), len(left) + len(text)
    numbers = (number.span() for number in _NUMBER.finditer(around))
    return any(first < border < last for first, last in numbers for border in borders)


@remembered
def _marks(original: str) -> tuple[bytes, bytes, bytes] | None:
    """Return for each character, and for the gap before it, which kinds it is inside of, as bits.

    And for each gap whether a number is so near that an edit there may join it. An edit touches
    the text that it replaces; an insertion, only the text that it parts. None for none of them.
    """
    kinds = _matches(original)
    if not any(kinds):
        return None
    characters, gaps = bytearray(len(original)), bytearray(len(original))
    near = bytearray(len(original) + 1)
    for number in kinds[0]:
        for at in range(max(number.start() - 1, 0), min(number.end() + 2, len(near))):
            near[at] = 1
    for bit, matches in enumerate(kinds):
        for match in matches:
            characters[match.start()] |= 1 << bit
            for at in range(match.start() + 1, match.end()):
                characters[at] |= 1 << bit
                gaps[at] |= 1 << bit
    return bytes(characters), bytes(gaps), bytes(near)


def _matches(original: str) -> tuple[list[re.Match[str]], ...]:
    """Return the places of each kind."""
    lower = original.lower()
    if len(lower) != len(original):  # as of a capital I with a dot
        lower = "".join(old if len(new := old.lower()) > 1 else new for old in original)
    negations: list[re.Match[str]] = []
    if any(sign in lower for sign in _SIGNS):
        negations += _NEGATION.finditer(lower)
    if "n't" in lower or "n’t" in lower:
        negations += _CONTRACTION.finditer(lower)
    options = list(_OPTION.finditer(original)) if "\n" in original else []
    few = len(options) < _FEWEST_OPTIONS
    return list(_NUMBER.finditer(original)), negations, [] if few else options
