"""`a` or `an`: which article the sound of a word takes."""

from __future__ import annotations

import re
from functools import cache

from lexicon_arrays import read_rows

# A name spelled letter by letter takes `an` before the letters whose names begin with a vowel.
_SPELLED = re.compile(r"(?=[A-Z])[^a-z]*[A-Z][^a-z]*")
_VOWEL_NAMES = "AEFHILMNORSX"
# 8, 11, 18, 80-89, 800-, 11,000 but not 110: by the name of the leading group of digits.
_VOWEL_NUMBER = re.compile(r"(8\d{0,2}|11|18)(,?\d{3})*(?![\d,])")
# What words outside the table do, where the letter would be wrong.
_CONSONANT_SOUND = re.compile(r"eu|ewe|one\b|once\b|uni(?!n|m[ap])|us[aeu]|ut[ei]|ubiq|ur[aei]n")


@cache
def _exceptions() -> dict[str, str]:
    return {row[0]: row[1] for row in read_rows("english", "a_an.tsv")}


def article(word: str) -> str:
    """Choose the article of a word by the sound it begins with.

    Args:
        word: as written; capitals in a row are read letter by letter.

    Returns:
        "a" or "an"; "a" for what begins with neither letter nor digit.

    Examples:
        >>> [article(word) for word in ("hour", "MRI", "unit", "8", "apple")]
        ['an', 'an', 'a', 'an', 'an']
    """
    if _SPELLED.fullmatch(word):
        return "an" if word[0] in _VOWEL_NAMES else "a"
    if word[:1].isdigit():
        return "an" if _VOWEL_NUMBER.match(word) else "a"
    lowered = word.lower()
    exceptions = _exceptions()
    for known in (lowered, re.split(r"[ '-]", lowered)[0]):
        if known in exceptions:
            return exceptions[known]
    if _CONSONANT_SOUND.match(lowered):
        return "a"
    return "an" if lowered[:1] in tuple("aeiou") else "a"
