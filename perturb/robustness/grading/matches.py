"""Compare texts that a system said with right answers, in each of the ways with its formula."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache
from itertools import product
from typing import Any
from unicodedata import normalize

import regex

from perturb import user_patterns
from perturb.boundary import import_file
from perturb.errors import UsageError
from perturb.robustness.grading.boxed import keyed
from perturb.robustness.grading.number_words import may_say_number
from perturb.robustness.grading.numbers import NUMBER, PLAIN, in_one_notation, without_grouping
from perturb.robustness.grading.powers import MOST_DIGITS, is_too_long
from perturb.robustness.grading.quantities import Quantity, find_last, last_number, last_quantity
from perturb.robustness.grading.stated import stated, without_emphasis
from perturb.robustness.grading.units import SCALES
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
_BASED = lazy_regex(r"(?<![\w.])(\d[\dA-Fa-f]*)_(?:\{ *|\\text\{ *){0,2}(\d{1,2})(?!\d)\}*")
# Numbers whose end the library would pass over. Shorter words may be variables.
_SCALES = "|".join(word for word in SCALES if len(word) > 3)
_SCALED = lazy_regex(rf"(?<![\w.,])(?:{PLAIN})(?:[eE][-+]?\d{{1,3}}| ?(?:{_SCALES}))\b")
# What ends what stands before it; and what makes a number (\0) a part of a formula or a list.
_CLOSED = lazy_regex(r"[:\n]|[.;] ")
_FORMULA = lazy_regex(r"[(\[{].*|[^A-Za-z]*\d ?-[^A-Za-z]*")
_OF_FORMULA = lazy_regex(
    r"[\d\\^*+=√π∞!|<>≤≥_{]|(?:[A-Za-z]|[-–)\]] ?)\0|\0 ?(?:[-–(\[]|(?!a )[A-Za-z]\b)"
    r"|/(?![A-Za-z]{2})|\0(?!(?:st|nd|rd|th)\b)[A-Za-z]|\b(?:sin|cos|tan|log|ln|exp|sqrt)\b"
)
# The unit of a formula, and what stands before it.
_UNIT = lazy_regex(r"(?:[\d)}\]π∞]|\\[a-zA-Z]++)((?:\s|[°%‰]|[^\W\d_]{2})\D{0,60})$")
_ROOT = lazy_regex(r"√ ?(\d+(?:\.\d+)?|[A-Za-z]|[({]([^(){}]*)[)}])")
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
    return float(is_right), expected.notation if is_right else f"{answer.notation} {unit}".rstrip()


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
    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    # It warns that nothing stops it, once for parsing and once for comparing.
    logging.getLogger("math_verify").setLevel(logging.ERROR)
    in_tex = [LatexExtractionConfig()]

    def parsed(text: str, lone: Quantity | None) -> list[list[Any]]:
        """Return what each way of reading a text gives, that as prose first where it has words.

        Prose has one number, its last, and so is no way to read a formula, a list or a range. The
        library knows no scale but percent, and takes the letters of others for variables.
        """
        if lone and not lone.how and "percent" not in dict(lone.readings):
            text = lone.number
        text = _BASED.sub(r"\1", without_grouping(text))
        is_prose = PROSE.search(text) is not None
        prose, formula = (text, [*in_tex, ExprExtractionConfig()]), (f"${text}$", in_tex)
        if any(mark in text for mark in ("$", "\\boxed", "\\(", "\\[")):
            ways = [prose]
        elif (quantity := last_quantity(text)) is None or quantity.how:
            ways = [formula]
        else:
            ways = [prose, formula] if is_prose else [formula, prose]
        values = list[list[Any]]()
        for way, kinds in ways:
            values.append(parse(way, extraction_config=kinds, parsing_timeout=None))
            if len(values[-1]) > 1 and not is_prose:  # a value, and its words
                break
        return [*filter(None, values)]

    # It takes some ms, and most replies to the versions of an original are the same.
    @lru_cache(_REPLIES)
    def equal(reply: str | None, right: str) -> tuple[float, str | None]:
        right, reply = _plainly(right), None if reply is None else _plainly(reply)
        # Nothing stops the library once it computes one.
        if is_too_long(right):
            raise ValueError(f"writes a number of more than {MOST_DIGITS:,} digits")
        known = _lone_quantity(right)
        expected = parsed(right, known)
        if not expected and known is None:
            raise ValueError("holds no formula")
        if reply is None or is_too_long(reply):
            return 0.0, None
        here = _lone_quantity(reply)
        said = parsed(reply, here)
        answer = str(said[0][-1]) if said else here and here.notation
        if here and known:  # units are those of `number`
            is_equal = here.equals(known)
            if is_equal is not False or (here.readings and known.readings):
                return float(is_equal or 0), None if is_equal is None else answer
        pairs = [*product(expected, said), *(product(said, expected) if "=" in right else ())]
        is_right = any(verify(*pair, timeout_seconds=None) for pair in pairs)
        is_right = is_right and not _differ_in_unit(reply, right)
        base, other = _in_base(right), _in_base(reply)
        return float(is_right if None in (base, other) else base == other), answer

    return equal


def _lone_quantity(text: str) -> Quantity | None:
    r"""Return the last quantity of a text where it is no part of a formula, or of a list.

    Sentences before that with the quantity are of no matter.
    """
    place = find_last(stated(text))
    if place is None or _FORMULA.fullmatch(place.text, place.start, place.end):
        return None
    around = f"{_CLOSED.split(place.text[: place.start])[-1]}\0{place.text[place.end :]}"
    return None if _OF_FORMULA.search(around) else place.quantity


def _plainly(text: str) -> str:
    """Return what a text answers without emphasis, and without exponents and scales of numbers."""
    text = without_emphasis((keyed(text) or text).replace("\u2212", "-")).strip()
    text = _ROOT.sub(lambda root: f"\\sqrt{{{root[2] or root[1]}}}", text)
    return _SCALED.sub(lambda number: last_number(number[0]) or "", text)


def _differ_in_unit(*texts: str) -> bool:
    """Return whether two formulas have units, and others: that of one of each."""
    units = ((_UNIT.search(stated(text)) or ("", ""))[1] for text in texts)
    one, other = (last_quantity(f"1{unit}") for unit in units)
    return one is not None and other is not None and one.equals(other) is False


def _in_base(text: str) -> int | None:
    """Return the last number that has its base below it, as in 1011_2, which the library skips."""
    numbers = _BASED.findall(text)
    try:
        return int(numbers[-1][0], int(numbers[-1][1])) if numbers else None
    except ValueError:  # it has other digits, or there is no such base
        return None


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
