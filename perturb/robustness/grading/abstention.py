"""Read whether a reply says that it can't know the answer.

The phrases are English. Grade replies in other languages yourself, and give the field as a score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from perturb.robustness.grading.grade import plain_text
from perturb.robustness.scoring.record_text import expect_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.grading.grade import Grade, Graded
    from perturb.robustness.scoring.sources import Row

# What becomes of a right answer that nobody can know any more.
ABSTAIN = "abstain"

_CANT = (
    r"(?:can(?:no|['’]?)t|can not|could(?:n['’]?t| not)|(?:un|not |n['’]t )able to|failed to|"
    r"(?:impossible|not possible|no way) to)"
)
_LEARN = (
    r"(?:access|answer|calculate|check|complete|compute|confirm|determine|establish|fetch|find|get|"
    r"give|help|know|load|look up|obtain|provide|reach|read|rely|retrieve|say|see|tell|trust|"
    r"verify)"
)
_FACTS = r"(?:answers?|context|data|details|evidence|information|records?|results?)"
# A whole reply, perhaps behind "Answer:" or in a box.
_UNKNOWN = (
    r"(?:idk|n/?a|none|null|unanswerable|unavailable|unknown|unsure|not (?:available|given|known)|"
    r"no answer|(?:no|not enough|insufficient) (?:data|information))"
)
_ABSTAINS = regex.compile(
    rf"{_CANT} (?:\w+ ){{0,2}}{_LEARN}\b|"
    r"(?:do|did)(?:n['’]?t| not) (?:\w+ )?know\b|"
    rf"(?:do|does|did)(?:n['’]?t| not) (?:\w+ )?(?:have|contain|include|mention|provide|return|say|"
    rf"specify|state)\b[^.,;!?]*\b(?:{_FACTS}|access|answer|that|this|it)\b|"
    rf"\b(?:no|not enough|insufficient|without) (?:\w+ ){{0,2}}{_FACTS} (?:is|are|was|were|to)\b|"
    rf"\b(?:there (?:is|are|was|were)|i have|i got) (?:no|not enough|insufficient) "
    rf"(?:\w+ ){{0,2}}{_FACTS}\b|"
    r"\b(?:is|are|was|were)(?: \w+)? (?:unanswerable|unavailable|unclear|unknown)\b|"
    r"\b(?:is|are|was|were)(?:n['’]?t| not) (?:available|clear|given|known|mentioned|provided|"
    r"specified|stated)\b|"
    r"\bi(?:['’]m| am) (?:not sure|unsure)\b|"
    rf"^\W*(?:(?:the )?(?:final )?answer\W*(?:is\W+)?)?(?:boxed\W*)?(?:text\W*)?{_UNKNOWN}\W*$",
    regex.IGNORECASE,
)
# "I can't check, but it's probably 21" is an answer.
_GUESSES = regex.compile(
    r"\b(?:approximately|assuming|best guess|estimated?|i(?:['’]d| would) (?:guess|say)|"
    r"i(?:['’]ll| will) assume|most likely|presumably|probably|roughly)\b|"
    r"\b(?:but|however|nevertheless|so|still)\b[^.!?]*\d",
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


def with_abstention(grade: Grade, prediction: str) -> Grade:
    """Grade rows whose answer nobody can know by whether the reply says so, all others as before.

    Args:
        grade: what grades the others.
        prediction: the field of the reply.
    """

    def graded(rows: Sequence[Row]) -> Iterator[Graded]:
        for row, (scores, answer) in zip(rows, grade(rows), strict=True):
            reply = row.get(prediction)
            if reply is None or not is_unknowable(row):
                yield scores, answer
            else:
                said = plain_text(reply)
                yield (float(abstains(said)),), said

    return graded
