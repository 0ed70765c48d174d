"""Read whether a reply says that it can't know the answer.

The phrases are English. Grade replies in other languages yourself, and give the field as a score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from perturb.robustness.linking.conditions import ABSTAIN
from perturb.robustness.linking.record_text import expect_of
from perturb.values.patterns import lazy_regex

if TYPE_CHECKING:
    from perturb.robustness.linking.sources import Row

_NOT = r"(?:n['’]?t| not)"
_IS = r"(?:is|are|was|were)"
_CANT = (
    rf"(?:can(?:no|['’]?)t|can not|could{_NOT}|(?:un|not |n['’]t )able to|failed to|"
    r"(?:impossible|not possible|no way) to)"
)
_LEARN = (
    r"(?:access|answer|calculate|check|complete|compute|confirm|determine|establish|fetch|find|get|"
    r"give|help|know|load|look (?:(?:it|that|them|this) )?up|obtain|provide|reach|read|rely|report|"
    r"retrieve|say|see|tell|trust|verify)"
)
_LEARNED = (
    r"(?:answered|calculated|computed|determined|established|found|known|loaded|obtained|retrieved|"
    r"verified)"
)
_FACTS = r"(?:answers?|context|data|details|information|mention|records?|results?)"
_SOURCE = (
    r"(?:(?:article|context|data|document|information|output|passage|record|response|result|source|"
    r"table|text)s?)"
)
_SAY = r"(?:contain|have|include|list|mention|provide|return|say|show|specify|state|tell)"
_KNOWN = r"(?:given|known|mentioned|provided|specified|stated)"
# Who doesn't know in a story.
_OTHERS = r"(?<!\b(?:he|she|they|who) )"
# What a tool is asked for, unlike a room or a colour.
_VALUE = (
    r"(?:answer|balance|data|date|details|figure|information|number|price|rate|result|score|service|"
    r"status|sum|temperature|time|total|unit|value)s?"
)
_SIGNS = (
    # It can't be learned, or wasn't.
    rf"{_OTHERS}{_CANT} (?:\w+ ){{0,2}}{_LEARN}\b",
    rf"{_CANT} be (?:sure|certain|(?:\w+ ){{0,2}}{_LEARNED})\b",
    rf"{_OTHERS}\b(?:do|did){_NOT} (?:\w+ )?know\b",
    r"\bno way of (?:knowing|telling)\b|\bnothing (?:that )?i can (?:say|report|tell)\b",
    r"\bi(?:['’]m| am) (?:not (?:sure|certain)|unsure)\b|\bi wasn['’]?t given\b",
    r"\bi(?:['’]m| am) having (?:trouble|difficulty|problems)\b|\btry again (?:later|in)\b",
    r"\b(?:only|just) be guessing\b|\brather not (?:answer|guess|say)\b",
    # A tool failed, and the reply ends with that.
    r"\b(?:api|lookup|request|search|server|service|tool) (?:\w+ )?(?:failed|timed out)\b"
    r"[^.!?,;:]*\W*$",
    rf"\b(?:{_IS}|did){_NOT} respond(?:ing)?\b|\bsomething went wrong\b",
    r"\b(?:connection|gateway|request) time-?out\b",
    r"\b(?:shall i|should i|would you like me to) (?:retry|try (?:it )?again)\b",
    # The source doesn't tell.
    rf"\b(?:do|does|did){_NOT} (?:\w+ )?{_SAY}\b[^.,;!?]*\b(?:{_FACTS}|access|that|this|it)\b",
    rf"\b{_SOURCE} (?:do|does|did){_NOT} {_SAY}\b|\bnone of the {_SOURCE} {_SAY}s?\b",
    rf"\b{_IS}{_NOT} in the {_SOURCE}\b|\b{_IS} missing from the {_SOURCE}\b",
    rf"\b(?:no|not enough|insufficient|without) (?:\w+ ){{0,2}}{_FACTS} (?:{_IS}|to)\b",
    rf"\b(?:there {_IS}|there['’]s|i have|i got|contains?) (?:no|not enough|insufficient) "
    rf"(?:\w+ ){{0,2}}{_FACTS}\b|\bi lack (?:\w+ ){{0,2}}{_FACTS}\b",
    rf"\b{_IS}{_NOT} (?:enough|sufficient) {_FACTS}\b",
    rf"\bno (?:\w+ )?{_VALUE} (?:{_IS} )?(?:available|found|given)\b",
    rf"\b{_VALUE} (?:\w+ ){{0,3}}{_IS}(?:{_NOT} available| (?:\w+ )?unavailable)\b",
    rf"\b(?:{_IS}|it['’]s)(?: \w+)? (?:inconclusive|unanswerable|unclear|unknown)\b",
    rf"\b{_IS}{_NOT} (?:clear|{_KNOWN})\b",
    r"\b(?:came|sent) back (?:empty|nothing|html)\b|\breturned (?:nothing|an empty)\b",
    # A whole reply, perhaps behind "Answer:" or in a box.
    r"^\W*(?:(?:the )?(?:final )?answer\W*(?:is\W+)?)?(?:boxed\W*)?(?:text\W*)?"
    r"(?:idk|n/?a|none|null|inconclusive|unanswerable|unavailable|unknown|unsure|no answer|"
    rf"not (?:available|{_KNOWN})|(?:cannot|can['’]t) be determined|unable to \w+|"
    rf"(?:no|not enough|insufficient) (?:data|information)(?: (?:available|found|{_KNOWN}))?)"
    rf"(?: (?:by|from|in) the (?:\w+ )?{_SOURCE})?\W*$",
)
_ABSTAINS = lazy_regex("|".join(_SIGNS), regex.IGNORECASE)
# "I can't check, but it's probably 21" is an answer; "but I can't multiply 3 by 7" is none.
_GUESSES = lazy_regex(
    r"\b(?:approximately|assuming|best guess|estimated?|i(?:['’]d| would) (?:guess|say)|"
    r"i(?:['’]ll| will) assume|let['’]s say|most likely|presumably|probably|roughly)\b|"
    r"[,;–—] (?:it|that|the answer) (?:is|was|would be) [^.!?]*\d|"
    rf"\b(?:but|however|nevertheless|so|still)\b(?![^.!?]*(?:{_CANT}|failed))[^.!?]*\d",
    regex.IGNORECASE,
)


def abstains(reply: str) -> bool:
    """Return whether a reply says that it can't know the answer, and guesses none.

    Examples:
        >>> abstains("I couldn't reach the weather service."), abstains("It is 21 degrees.")
        (True, False)
        >>> abstains("The service timed out, but it's probably 21 degrees.")
        False
    """
    return _ABSTAINS.search(reply) is not None and _GUESSES.search(reply) is None


def is_unknowable(row: Row) -> bool:
    """Return whether nobody can know the answer to a row, so that a system should abstain."""
    return bool(expect_of(row) == ABSTAIN)
