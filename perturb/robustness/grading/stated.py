"""What a reply says its answer is, without the numbers in it that are none."""

from __future__ import annotations

import re

from perturb.robustness.grading.boxed import boxed, keyed
from perturb.robustness.grading.number_words import in_digits
from perturb.robustness.grading.numbers import CURRENCY, FRACTION_SIGN, NUMBER, in_one_notation
from perturb.values.patterns import lazy_re

_TEX = lazy_re(r"\\[a-z]+|[{}]")
_FINAL = lazy_re(r"####([^\n]*\w|[^\n]*)")  # one of a line
_DIGIT = lazy_re(rf"\d|{FRACTION_SIGN}")
# Bold text, but no powers; and mathematics of TeX, but no two amounts of dollars.
_BOLD = lazy_re(r"(?<![\w)*])\*\*(?=\S)([^*\n]{1,200})(?<=\S)\*\*(?![\w*])")
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
    text = text[: -2 * _LAST] + _ASIDE.sub("", text[-2 * _LAST :])
    if "**" in text:
        text = _BOLD.sub(r"\1", text)
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


def _final(text: str) -> str:
    """Return the part of a text that is said to be the answer, if it holds a number."""
    if _has_number(answer := keyed(text)):
        text = answer
    if "\\" in text:
        parts = [boxed(text) or ""]
    elif "####" in text:
        parts = _FINAL.findall(text)
    else:
        return text
    return next(filter(_has_number, reversed(parts)), text)


def _has_number(text: str) -> bool:
    return bool(_DIGIT.search(text)) or in_digits(_TEX.sub(" ", text)) is not None
