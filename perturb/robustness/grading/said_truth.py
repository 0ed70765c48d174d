"""What a reply says to a question of yes or no."""

from __future__ import annotations

from typing import Any

from perturb.robustness.grading.chosen_option import bare_texts, first, is_denied, said_at
from perturb.values.patterns import lazy_regex

TRUTHS = ("yes", "no", "maybe")
_SAME = {"true": "yes", "false": "no", "not true": "no", "not false": "yes"}
_WORD = r"(?P<word>(?i:yes|no|maybe|(?:not\s+)?(?:true|false)))"
# "No idea", "yes and no" and "no later than" are no answers.
_END = (
    r"(?=[ \t]*(?:$|[.,;:!?)\]\n–—-])"
    r"|\s+(?i:because|since|as|it|its|they|he|she|you|we|I|this|that|these|those|there)\b)"
)
_WHOLE = lazy_regex(rf"\W*{_WORD}\W*")
_STATED = lazy_regex(_WORD + _END)
_OPENING = lazy_regex(rf"\W*{_WORD}{_END}")
_CONCLUDED = lazy_regex(
    r"(?i:\b(?:say|believe|think|guess|so|therefore|thus|hence|(?:statement|claim|sentence)\s+is)"
    rf"\b[\s,:]{{1,9}}){_WORD}{_END}"
)


def truth_of(value: Any) -> int | None:
    """Return the place of a right answer in `TRUTHS`; None of another."""
    name = " ".join(str(value).lower().split())
    name = _SAME.get(name, name)
    return TRUTHS.index(name) if name in TRUTHS else None


def said_truth(reply: str) -> int | None:
    """Return the place in `TRUTHS` of what a reply says; None where it says none of them.

    It is read as a choice is: the content of the last box or tag before the reply, and there the
    whole, what follows "the answer is", the first word, and the word with which it concludes.

    Examples:
        >>> [said_truth(said) for said in ("Yes, it is.", "The answer is **false**.", "No idea.")]
        [0, 1, None]
    """
    return first(map(_truth_in, bare_texts(reply)))


def _truth_in(text: str) -> int | None:
    if whole := _WHOLE.fullmatch(text):
        return truth_of(whole["word"])
    stated = (_STATED.match(text, at) for at in said_at(text))
    concluded = (
        each for each in reversed([*_CONCLUDED.finditer(text)]) if not is_denied(text, each)
    )
    match = first((*stated, _OPENING.match(text), *concluded))
    return None if match is None else truth_of(match["word"])
