"""The verdict in what a judge said."""

from __future__ import annotations

from typing import Any

import regex

_RIGHT = ("right", "correct", "yes", "true")
_WRONG = ("wrong", "incorrect", "no", "false")
_WORD = rf"(?P<not>not\s+|in(?=correct))?(?P<word>{'|'.join((*_RIGHT, *_WRONG))})(?![^\W_]|[-/]\w)"
_END = r"(?=[\"'*_]*\s*(?:[,.;!}]|$))"
# A verdict that is announced, as a line, a field of JSON or the answer to a question.
_ANNOUNCED = regex.compile(
    r"(?i)(?<![^\W_])(?:(?:verdict|grade|judge?ment)(?:\W|_|\bis\b)*+(?<=[\W_])"
    rf"|(?:is_)?(?:correct|right)[\"'*_]*\s*[:=?][\W_]*){_WORD}"
    rf"(?:(?<!yes|no|true|false)|{_END})"
)
# A line that says nothing else.
_SAID = regex.compile(
    r"(?i)\W*(?:(?:so|therefore|thus|hence)\W+)?"
    r"(?:(?P<first>yes|no)\W+)?"
    r"(?:(?:(?:(?:the|this|that|its?)\s+)?(?:final\s+|given\s+)?(?:answer|response|reply|it|this|that)"
    rf"\s*(?:is|was|['’]s|:)\s+)?{_WORD})?\W*"
)


def verdict_word(said: Any) -> str | None:
    r"""Return "right" or "wrong" out of a judge's answer; None where it is not clear.

    The last line that announces a verdict counts, else the last line, if it says nothing but the
    verdict. A line that says both is not clear. Correct, yes and true are right, incorrect, no and
    false wrong, and "not" turns a word round.

    Examples:
        >>> verdict_word("Both say 4.\n**Verdict: Right**"), verdict_word("The answer is correct.")
        ('right', 'right')
        >>> verdict_word("Not correct."), verdict_word('{"verdict": "wrong"}')
        ('wrong', 'wrong')
        >>> verdict_word("Hard to say."), verdict_word("Verdict: right or wrong")
        (None, None)
    """
    lines = [line for line in str(said).splitlines() if regex.search(r"\w", line)]
    for line in reversed(lines):
        announced = list(_ANNOUNCED.finditer(line))
        if announced:
            rest = _both(line[announced[-1].end("word") :])
            words = {_word(found) for found in announced}
            return None if rest or len(words) > 1 else words.pop()
    found = _SAID.fullmatch(lines[-1]) if lines else None
    if found is None:
        return None
    words = {_word(found)} if found["word"] else set()
    if found["first"]:
        words.add("right" if found["first"].lower() == "yes" else "wrong")
    return words.pop() if len(words) == 1 else None


def _word(found: regex.Match[str]) -> str:
    return "right" if (found["word"].lower() in _RIGHT) != bool(found["not"]) else "wrong"


def _both(rest: str) -> bool:
    """Return whether a choice between two words goes on."""
    return bool(regex.match(rf"(?i)\W*(?:or|and)\b\W*(?:verdict\W*)?{_WORD}", rest))
