"""Compare what a system said with the right answer, in each of the ways with its formula."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any
from unicodedata import normalize

import regex

from perturb import user_patterns
from perturb.boundary import import_file
from perturb.errors import DataError, UsageError, shown
from perturb.robustness.grading.numbers import is_decimal_comma, last_number, without_grouping

# From what was said and what is right to a score and the answer that was read; None for none.
# ValueError, with words that follow the target's name, where what is right can't be read.
Match = Callable[[str | None, str], tuple[float, str | None]]

# No score is larger, or less than its negative: the square of one must be a number as well.
_LARGEST = 1e100
# So many replies stand for those to all versions of a few originals.
_REPLIES = 1 << 10
_ARTICLE = regex.compile(r"\b(?:a|an|the)\b")
# Not the point within a number, nor its sign.
_PUNCTUATION = regex.compile(
    r"(?:(?<!\d)\.|\.(?!\d)|(?<=\w)-|-(?!\d)|[[\p{P}\p{S}]--[.\-]])", regex.V1
)
# A word, which a formula has only as a command or within one.
_PROSE = regex.compile(r"(?<![\\{\p{L}])(?:\p{L}{3,}|(?i:an|as|at|be|by|in|is|it|of|so|to|we)\b)")
_SEPARATOR = regex.compile(r"[,;\n]|\band\b")


def checked_score(value: Any, name: str) -> float:
    """Return a score as a number.

    Args:
        value: the score.
        name: of its field or function, for the message.

    Raises:
        DataError: it is no finite number, or so large that its square is not.
    """
    if not isinstance(value, (bool, int, float)) or not abs(value) <= _LARGEST:
        raise DataError(
            f"{name} must be true, false or a number within {_LARGEST:g}; got {shown(value)}"
        )
    return float(value)


def exact(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where both are the same string."""
    return float(reply == right), reply


def normalized(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where both are equal without case, punctuation, articles and extra spaces.

    Numbers keep their sign and point.

    Source: Rajpurkar et al. (2016), SQuAD, the evaluation of exact match; numbers as in Dua et al.
    (2019), DROP.
    """
    answer = None if reply is None else plain(reply)
    return float(answer is not None and answer == plain(right)), answer


def plain(text: str) -> str:
    """Return a text in lower case, without punctuation, articles and extra spaces.

    A text that is an article alone keeps it, and characters that are compatible are one.

    Examples:
        >>> plain(" The  Eiffel Tower!"), plain("-3.50 m."), plain("A")
        ('eiffel tower', '-3.50 m', 'a')
    """
    lower = text.lower() if text.isascii() else _folded(text)
    words = _PUNCTUATION.sub("", lower)
    return " ".join(_ARTICLE.sub(" ", words).split() or words.split())


def _folded(text: str) -> str:
    return normalize("NFKC", text).casefold().replace("\u2212", "-")


def contains(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the normalized right answer stands in what was said, as whole words."""
    if reply is None:
        return 0.0, None
    answer = plain(reply)
    return float(f" {plain(right)} " in f" {answer} "), answer


def number(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the last number in each is the same, in whatever notation (`last_number`).

    Where the right answer has decimals, a comma before other than three digits is a decimal comma.
    """
    expected = last_number(right, is_decimal_comma(right))
    if expected is None:
        raise ValueError("holds no number answer")
    answer = None if reply is None else last_number(reply, "." in expected)
    return float(answer == expected), answer


def f1(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score `2 P R / (P + R)` of the normalized words that both share, counted as often as in both.

    P is their share of the words that were said, R that of the right answer's.

    Source: Rajpurkar et al. (2016), SQuAD, the evaluation of F1.
    """
    return _overlap(reply, right, lambda answer, words: (Counter(answer) & Counter(words)).total())


def _overlap(
    reply: str | None, right: str, shared: Callable[[list[str], list[str]], int]
) -> tuple[float, str | None]:
    """Score the words that both share, as a part of all of both."""
    if reply is None:
        return 0.0, None
    answer, words = plain(reply).split(), plain(right).split()
    score = 2 * shared(answer, words) / ((len(answer) + len(words)) or 1)
    return score if answer and words else float(answer == words), " ".join(answer)


def as_set(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where both list the same normalized items, in any order; commas part them.

    Semicolons, line breaks and "and" part items as well.
    """
    if reply is None:
        return 0.0, None
    answer = ", ".join(sorted(_items(reply)))
    return float(_items(reply) == _items(right)), answer


def _items(text: str) -> set[str]:
    return {item for part in _SEPARATOR.split(text) if (item := plain(part))}


def by_pattern(pattern: str) -> Match:
    """The last match, of which the first group if there is one, is the answer; compared plainly."""
    find = last_match(pattern)

    def matched(reply: str | None, right: str) -> tuple[float, str | None]:
        answer = None if reply is None else find(reply)
        expected = find(right) or right
        return float(answer is not None and answer.strip() == expected.strip()), answer

    return matched


def last_match(pattern: str) -> Callable[[str], str | None]:
    """Return what finds the last match of a pattern, of which the first group if there is one.

    Raises:
        UsageError: it is not a regular expression.
    """
    ready = user_patterns.compiled(pattern)
    group = min(ready.groups, 1)

    def found_in(text: str) -> str | None:
        texts = [match[group] for match in user_patterns.matches(ready, text)]
        return texts[-1] if texts else None

    return found_in


def by_math(_: str) -> Match:
    """The answers are parsed as mathematics and compared as values, by the library math-verify."""
    from math_verify import parse, verify

    # It warns that nothing stops it, once for parsing and once for comparing.
    logging.getLogger("math_verify").setLevel(logging.ERROR)

    # It takes some ms, and most replies to the versions of an original are the same.
    @lru_cache(_REPLIES)
    def equal(reply: str | None, right: str) -> tuple[float, str | None]:
        expected = parse(_as_tex(without_grouping(right)), parsing_timeout=None)
        if not expected:
            raise ValueError("holds no math answer")
        if reply is None:
            return 0.0, None
        text = without_grouping(reply)
        ways = (text, _as_tex(text)) if _PROSE.search(text) else (_as_tex(text), text)
        read = (parse(way, parsing_timeout=None) for way in ways)
        values: list[Any] = next(filter(None, read), [])
        answer = str(values[-1]) if values else None
        return float(bool(values) and verify(expected, values, timeout_seconds=None)), answer

    return equal


def _as_tex(text: str) -> str:
    return text if "$" in text or "\\boxed" in text else f"${text}$"


def by_rouge(_: str) -> Match:
    """F1 of the longest common subsequence of normalized words.

    `2 P R / (P + R)` with P and R the share of it of the words said and of the right answer's.

    Source: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 3.
    """
    from rapidfuzz.distance import LCSseq

    return partial(_overlap, shared=LCSseq.similarity)


def by_place(place: str) -> Match:
    """Return the comparison of a function that is named as FILE.py:FUNCTION."""
    path, colon, name = place.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise UsageError(f"a function is named as python:FILE.py:FUNCTION; got 'python:{place}'")
    function = getattr(import_file(path), name, None)
    if not callable(function):
        raise UsageError(f"{path} has no function {name!r}")
    return by_function(function, name)


def by_function(function: Callable[[str, str], Any], name: str) -> Match:
    """Return the comparison that a function makes, from what was said and what is right."""

    def graded(reply: str | None, right: str) -> tuple[float, str | None]:
        if reply is None:
            return 0.0, None
        return checked_score(function(reply, right), f"what {name} returns"), reply

    return graded
