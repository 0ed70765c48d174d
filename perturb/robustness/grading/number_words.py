"""The number that a reply says in English words, where it plainly is the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ONES = "one two three four five six seven eight nine".split()
_TEENS = ("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {"trillion": 10**12, "billion": 10**9, "million": 10**6, "thousand": 10**3}
_VALUES = {
    **{word: value for value, word in enumerate(["zero", *_ONES, *_TEENS])},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "a": 1,
}
_WORD = "|".join((*_VALUES, "hundred", *_SCALES))
_BELOW_100 = (
    rf"(?:(?:{'|'.join(_TENS)})(?:[\s-]+(?:{'|'.join(_ONES)}))?|{'|'.join((*_TEENS, *_ONES))})\b"
)
_BELOW_1000 = (
    rf"(?:(?:a|{_BELOW_100})[\s-]+hundred(?:\s+(?:and\s+)?{_BELOW_100})?\b|{_BELOW_100}|a(?=\s))"
)
_PHRASE = (
    rf"(?=(?:{_WORD})\b)(?:zero\b|"
    + "".join(
        rf"(?:{_BELOW_1000}[\s-]+{scale}\b(?:,?\s+(?:and\s+)?(?=(?:{_WORD})\b))?)?"
        for scale in _SCALES
    )
    + rf"(?:(?!a\s+(?!hundred)){_BELOW_1000})?)(?<=\w)"
)
# What says a value, right before it.
_SAYS = r"(?:\b(?:is|are|was|were|be|equals|makes|gives|gets|has|have|had|costs|earns|pays)\s|[=:])"
# A unit is one word or two; no word among them changes the number or comments on it.
_UNIT = (
    rf"(?!(?:{_WORD}|of|and|or|to|in|from|by|for|per|if|as|that|who|which|is|are|was|were|but|not|than"
    r"|so|at|the|an|half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?|dozens?"
    r"|scores?|point|plus|minus|times|squared|cubed|percent|hundreds|hundredths?|thousands"
    r"|thousandths?|millions|others?|different)\b)[a-z]+"
)
# Compiled at the first search: that takes 40 ms, as long as all else that judging imports.
_SAID = (
    rf"(?i)(?:^|{_SAYS})[\s*_\"'(]*(?P<sign>(?:minus|negative)\s+)?(?P<phrase>{_PHRASE})"
    rf"(?P<unit>(?:\s+{_UNIT}){{0,2}})[\s.!*_\"')]*$"
)
_ANY = rf"(?i)(?<![\w-])(?:{_PHRASE})(?![\w-])"
# The characters at the end of a reply that are searched: no number below a million is so long.
_LONGEST = 200


def number_in_words(text: str) -> int | None:
    """Return the number in words that a reply is, or ends with; None if there is none.

    It may have a unit of one or two words. "One" is as often a pronoun, so it has to be all.

    Examples:
        >>> number_in_words("Now she has twenty-one eggs.")
        21
        >>> number_in_words("one hundred and five"), number_in_words("one or two")
        (105, None)
    """
    match = re.search(_SAID, text[-_LONGEST:].strip())
    # What begins at the cut may not be the beginning of the reply.
    if match is None or (not match.start() and len(text) > _LONGEST):
        return None
    value = _value(re.findall(rf"\b(?:{_WORD})\b", match["phrase"].lower()))
    if value == 1 and (match.start() or match["unit"]):
        return None
    return -value if match["sign"] else value


def numbers_in_words(text: str) -> Iterator[int]:
    """Yield the numbers that English words in a text say, but for one, as often a pronoun.

    Examples:
        >>> list(numbers_in_words("One of the twenty-two sold three hundred and five eggs."))
        [22, 305]
    """
    for match in re.finditer(_ANY, text):
        value = _value(re.findall(rf"\b(?:{_WORD})\b", match[0].lower()))
        if value != 1:
            yield value


def _value(words: list[str]) -> int:
    """Return the number that the words of a phrase make."""
    total = group = 0
    for word in words:
        if word == "hundred":
            group *= 100
        elif word in _SCALES:
            total, group = total + group * _SCALES[word], 0
        else:
            group += _VALUES[word]
    return total + group
