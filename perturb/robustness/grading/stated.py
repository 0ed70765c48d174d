"""What a reply says its answer is, without the numbers in it that are none."""

from __future__ import annotations

import re

from perturb.robustness.grading.boxed import boxed, keyed
from perturb.robustness.grading.number_words import in_digits
from perturb.robustness.grading.numbers import CURRENCY, FRACTION_SIGN, NUMBER, in_one_notation
from perturb.robustness.grading.units import scale_behind, unit_behind
from perturb.values.patterns import lazy_re

_TEX = lazy_re(r"\\[a-z]+|[{}]")
_FINAL = lazy_re(r"####([^\n]*\w|[^\n]*)")  # one of a line
_DIGIT = lazy_re(rf"\d|{FRACTION_SIGN}")
# Emphasis and code of Markdown, but no powers; mathematics of TeX, but no two amounts of dollars.
_EMPHASIS = lazy_re(
    r"([*_`](?<![\w)*_`].)[*_`]{0,3})(?=\S)([^*_`\n]{1,200})(?<=\S)([*_`]{1,4})(?![\w*_`])"
)
_MATH = lazy_re(r"(?<![\\$])\$+(?=[^\s$])((?:[^$\n\\]|\\.){1,200})(?<=\S)\$+(?!\d)")
_SAID = rf"[-+]?(?:{CURRENCY})?\d(?:[\d.,:/]*\d)?"
# A number that is denied, and those that go on from it: not 5, rather than 5 or 6, not 1 h 30 min.
_DENYING, _SIGNS = ("not", "rather than", "instead of", "as opposed to"), ("n't", "n’t", "≠", "!=")
_DENIED = lazy_re(
    rf"(?:\b(?:{'|'.join(_DENYING)})|{'|'.join(_SIGNS)})"
    rf"(?: (?:the|just|simply|equal to))?[\s*_\"'(]{{0,3}}{_SAID}"
    rf"(?:(?: ?(?!(?:but|so|it|is|we|as|then|thus)\b)[^\W\d]{{1,20}}\.?)?"
    rf"(?:,? (?:or|nor|and) | |, (?=[\d., ]{{1,40}}(?:or|nor)\b)){_SAID})*"
)
# The sign of a source behind the last number and the words that go with it: 7 [3], 7 (see [3]).
_SOURCE = r"(?:\[\d{1,3}(?:, ?\d{1,3}){0,9}\]){1,9}"
_CITED = lazy_re(
    r"(?<=\d)((?:[^\w\s\[\]]{0,3} ?(?!(?:is|are|was|answer|result|total|equals)\b)"
    rf"[^\W\d_]{{1,20}}){{0,3}}[%.°*_]{{0,3}}) ?(?:{_SOURCE}|\((?:[a-z]{{1,9}}\.? )?{_SOURCE}\))"
    r"(?=[.\s]{0,9}$)"
)
# A number with how it comes about: 12 = 3 x 4.
_WORKED = lazy_re(
    rf"(?<![\d.,)+*/×x÷-])(?<![+*/×x÷-] )((?:{CURRENCY})?(?:{NUMBER})[^\W\d_]{{0,9}}) ?= ?{_SAID}"
    rf"(?: ?[-+*/×x÷] ?{_SAID}){{1,20}}(?=[.\s]{{0,9}}$)"
)

# What people and models say behind an answer: how sure they are, and what else they offer.
_ASIDE = lazy_re(
    r"[\s.,;(\[*_-]{1,9}(?:my )?(?:confidence|certainty)(?: level| score)?\s?(?:[:=]|is)?\s?"
    r"\d[\d.]{0,5} ?%?(?:/\d{1,3})?[\s.)\]*_]{0,9}$"
    r"|\n\s{0,9}(?:let me know|i hope|hope this|if you|please|feel free)\b[^\n]{0,300}$",
    re.IGNORECASE,
)
_SUM_BEHIND = lazy_re(rf"(?<=\d) ?\({_SAID}(?: ?[-+*/×x÷] ?{_SAID}){{1,9}}\)(?=[.\s]{{0,9}}$)")
# The characters at the end in which they are looked for.
_LAST = 200


def stated(text: str) -> str:
    r"""Return the part of a text that says its answer, with the numbers in it in one notation.

    Where there is a box with a number, or a number after `####`, it is the last one of these.
    Numbers that are denied are left out, and so are sources in brackets at the end, and at the end
    how a number comes about.

    Examples:
        >>> stated("It is 6, not 5"), stated("12 = 3 x 4."), stated("**7** bridges [1]")
        ('It is 6, ;', '12.', '7 bridges')
        >>> stated(r"So \boxed{18}, in 2 steps."), stated("#### 3,5")
        ('18', ' 3.5')
    """
    text = _final(text)
    text = without_emphasis(text[: -2 * _LAST] + _ASIDE.sub("", text[-2 * _LAST :]))
    if text.count("$") > 1:
        text = _MATH.sub(r"\1", text)
    text = in_one_notation(text)
    if any(word in text for word in (*_DENYING, *_SIGNS)):
        text = _DENIED.sub(";", text)
    start, end = text[:-_LAST], text[-_LAST:]
    if "]" in end:
        end = _CITED.sub(r"\1", end)
    if ")" in end:
        end = _SUM_BEHIND.sub("", end)
    return start + (_WORKED.sub(r"\1", end) if "=" in end else end)


def without_emphasis(text: str) -> str:
    """Return a text without the marks of Markdown around `**18**`, `*18*` and the like."""
    return _EMPHASIS.sub(lambda match: match[2 * (match[1] == match[3][::-1])], text)


def _final(text: str) -> str:
    """Return the part of a text that is said to be the answer, if it holds a number."""
    if (answer := keyed(text)) and _has_number(answer):
        text = answer
    if "\\" in text:
        parts = [_with_unit(boxed(text) or "", text)]
    elif "####" in text:
        parts = _FINAL.findall(text)
    else:
        return text
    return next(filter(_has_number, reversed(parts)), text)


def _with_unit(answer: str, text: str) -> str:
    """Return what a box holds with a unit that stands right behind the box."""
    tail = in_one_notation(text[text.rfind(answer) + len(answer) :][:_LAST]).lstrip(" }$\\)]")
    scale, end = scale_behind(f" {tail}", 0)
    units, end = unit_behind(f" {tail}", 0, end, None)
    is_more = bool(units or scale > 1) and not answer[-1:].isalpha()
    return f"{answer} {tail[:end]}" if is_more else answer


def _has_number(text: str) -> bool:
    return bool(_DIGIT.search(text)) or in_digits(_TEX.sub(" ", text)) is not None
