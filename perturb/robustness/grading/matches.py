"""Compare texts that a system said with right answers, in each of the ways with its formula."""

from __future__ import annotations

import logging
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Any
from unicodedata import normalize

import regex

from perturb import user_patterns
from perturb.boundary import import_file
from perturb.errors import UsageError
from perturb.robustness.grading.boxed import keyed
from perturb.robustness.grading.number_words import may_say_number
from perturb.robustness.grading.numbers import (
    NUMBER,
    decimal_or_fraction,
    in_one_notation,
    value_of,
    without_grouping,
)
from perturb.robustness.grading.powers import MOST_DIGITS, is_too_long
from perturb.robustness.grading.quantities import last_number, last_quantity
from perturb.robustness.metrics.checks import checked_score
from perturb.values.patterns import lazy_regex

# From a reply and a right answer to a score and the answer that was read; None for none.
# ValueError, with words that follow the target's name, if the right answer can't be read.
Match = Callable[[str | None, str], tuple[float, str | None]]

# The replies that are remembered: versions of one original mostly get the same reply, one after
# another, and more would only take memory.
_REPLIES = 1 << 10
_ARTICLE = lazy_regex(r"\b(?:a|an|the)\b")
# Not the point within a number, nor its sign.
_PUNCTUATION = lazy_regex(
    r"(?:(?<!\d)\.|\.(?!\d)|(?<=\w)-|-(?!\d)|[[\p{P}\p{S}]--[.\-]])", regex.V1
)
# A word, which a formula has only as a command or within one.
PROSE = lazy_regex(r"(?<![\\{\p{L}])(?:\p{L}{3,}|(?i:an|as|at|be|by|in|is|it|of|so|to|we)\b)")
# Of Markdown: strong, and as code; 2**3 is a power.
_EMPHASIS = lazy_regex(r"(?<![\w*_`])(\*\*|__|`)(?=\S)([^*_`\n]+)(?<=\S)\1(?!\w)")
_BASED = lazy_regex(r"(?<![\w.])(\d[\dA-Fa-f]*)_(?:\{\s*)?(?:\\text\{\s*)?(\d{1,2})(?!\d)")
# Numbers whose end the library would pass over.
_SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SCALED = lazy_regex(
    rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?)(?:[eE]([-+]?\d{{1,3}})| ({'|'.join(_SCALES)}))\b"
)
_LONE_NUMBER = lazy_regex(rf"[-+]?(?:{NUMBER})")
_WORDS = lazy_regex(r"[\p{L}\p{M}\p{N}]+")


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
    folded = normalize("NFKC", text).casefold().replace("\u2212", "-")
    words = _PUNCTUATION.sub("", folded)
    return " ".join(_ARTICLE.sub(" ", words).split() or words.split())


def contains(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the normalized reply contains the normalized right answer, as whole words."""
    if reply is None:
        return 0.0, None
    answer = plain(reply)
    return float(f" {plain(right)} " in f" {answer} "), answer


def number(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the last quantity in each is the same, in whatever notation (`last_quantity`).

    Units count where both have one that is known, and `90 min` is `1.5 h`. A reply that says no
    number is read, and wrong; one that may say a number that can't be read is not read, and neither
    is the right number of something else.
    """
    expected = last_quantity(right)
    if expected is None:
        raise ValueError("holds no number")
    answer = None if reply is None else last_quantity(reply)
    if answer is None:
        return 0.0, no_number(reply)
    is_right = answer.equals(expected)
    if is_right is None:
        return 0.0, None
    # All right answers are one, whether or not they say the unit; wrong ones of another unit than
    # they should have are several.
    kinds, known = ({kind for kind, _ in each.readings} for each in (answer, expected))
    unit = min(kinds) if kinds and known and kinds.isdisjoint(known) else ""
    return float(is_right), expected.number if is_right else f"{answer.number} {unit}".rstrip()


def lone_number(text: str) -> str | None:
    r"""Return the number that a text is, in one notation; None for any other text.

    Examples:
        >>> lone_number(r"-\frac{2}{4}"), lone_number("1,200.0"), lone_number("5 km")
        ('-0.5', '1200', None)
    """
    number = in_one_notation(text)
    is_number = _LONE_NUMBER.fullmatch(number) is not None and not number.endswith("/0")
    return last_number(number) if is_number else None


def no_number(reply: str | None) -> str | None:
    """Return the answer in a reply in which no number was found; None where it may say one."""
    return "no number" if reply and reply.strip() and not may_say_number(reply) else None


def dice(shared: int, *lengths: int) -> float:
    """Return the share of two lengths that both share; two that are empty are alike."""
    return 2 * shared / sum(lengths) if all(lengths) else float(not any(lengths))


def by_pattern(pattern: str) -> Match:
    """Compare the last match, or its first group if it has one, plainly."""
    find = last_match(pattern)

    def matched(reply: str | None, right: str) -> tuple[float, str | None]:
        answer = None if reply is None else find(reply)
        expected = find(right) or right
        return float(answer is not None and answer.strip() == expected.strip()), answer

    return matched


def last_match(pattern: str) -> Callable[[str], str | None]:
    """Return the finder of the last match of a pattern, or of its first group if it has one.

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

    def parsed(text: str) -> list[list[Any]]:
        """Return what each way of reading a text gives, that as prose first where it has words."""
        text = without_grouping(text)
        ways = (text, _as_tex(text)) if PROSE.search(text) else (_as_tex(text), text)
        return list(filter(None, (parse(way, parsing_timeout=None) for way in ways)))

    # It takes some ms, and most replies to the versions of an original are the same.
    @lru_cache(_REPLIES)
    def equal(reply: str | None, right: str) -> tuple[float, str | None]:
        right, reply = _plainly(right), None if reply is None else _plainly(reply)
        # Nothing stops the library once it computes one.
        if is_too_long(right):
            raise ValueError(f"writes a number of more than {MOST_DIGITS:,} digits")
        expected = parsed(right)
        if not expected:
            raise ValueError("holds no formula")
        if reply is None or is_too_long(reply):
            return 0.0, None
        said = parsed(reply)
        answer = str(said[0][-1]) if said else None
        known, here = _in_base(right), _in_base(reply)
        is_right = any(
            verify(one, other, timeout_seconds=None) for one in expected for other in said
        )
        return float(is_right if None in (known, here) else known == here), answer

    return equal


def _plainly(text: str) -> str:
    """Return what a text answers without the emphasis of Markdown, with numbers in one notation.

    That is a lone one, and any with an exponent or a scale: 1e3, 2.5 million.
    """
    text = _EMPHASIS.sub(r"\2", (keyed(text) or text).replace("\u2212", "-")).strip()
    return lone_number(text) or _SCALED.sub(_written_out, text)


def _written_out(match: Any) -> str:
    exponent = int(match[2] or _SCALES[match[3]])
    return decimal_or_fraction(value_of(match[1]) * Fraction(10) ** exponent)


def _in_base(text: str) -> int | None:
    """Return the last number that has its base below it, as in 1011_2, which the library skips."""
    numbers = _BASED.findall(text)
    try:
        return int(numbers[-1][0], int(numbers[-1][1])) if numbers else None
    except ValueError:  # it has other digits, or there is no such base
        return None


def _as_tex(text: str) -> str:
    return text if "$" in text or "\\boxed" in text else f"${text}$"


def by_rouge(_: str) -> Match:
    """ROUGE-L: F1 of the longest common subsequence of words.

    `2 P R / (P + R)` with P and R the share of it of the words said and of the right answer's.
    Words are runs of letters and digits in lower case, without stemming: on texts in ASCII it is
    `rougeL` of rouge-score, which drops all other alphabets.

    Source: Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 3.
    """
    from rapidfuzz.distance import LCSseq

    def rated(reply: str | None, right: str) -> tuple[float, str | None]:
        if reply is None:
            return 0.0, None
        said, words = (_WORDS.findall(text.lower()) for text in (reply, right))
        return dice(LCSseq.similarity(said, words), len(said), len(words)), " ".join(said)

    return rated


def function_at(place: str) -> Callable[..., Any]:
    """Return a function of a caller's that is named as FILE.py:FUNCTION.

    Raises:
        UsageError: it isn't named so, or the file can't be run or doesn't have it.
    """
    path, colon, name = place.rpartition(":")
    if not colon or not path.endswith(".py"):
        raise UsageError(f"a function is named as python:FILE.py:FUNCTION; got 'python:{place}'")
    found: Callable[..., Any] | None = getattr(import_file(path), name, None)
    if not callable(found):
        raise UsageError(f"{path} has no function {name!r}")
    return found


def by_place(place: str) -> Match:
    """Return the comparison of a function that is named as FILE.py:FUNCTION."""
    return by_function(function_at(place), place.rpartition(":")[2])


def by_function(function: Callable[[str, str], Any], name: str) -> Match:
    """Return the comparison that a function of a reply and a right answer makes."""

    def graded(reply: str | None, right: str) -> tuple[float, str | None]:
        if reply is None:
            return 0.0, None
        return checked_score(function(reply, right), f"what {name} returns"), reply

    return graded
