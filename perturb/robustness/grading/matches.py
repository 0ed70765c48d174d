"""Compare what a system said with the right answer, in each of the ways with its formula."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any
from unicodedata import normalize

import orjson
import regex

from perturb import user_patterns
from perturb.boundary import import_file
from perturb.errors import DataError, UsageError, shown
from perturb.robustness.grading.numbers import NUMBER, is_decimal_comma, without_grouping
from perturb.robustness.grading.quantities import last_number, last_quantity
from perturb.values.spans import ends_of

# From a reply and a right answer to a score and the answer that was read; None for none.
# ValueError, with words that follow the target's name, if the right answer can't be read.
Match = Callable[[str | None, str], tuple[float, str | None]]

# No score is larger, or less than its negative: the square of one must be a number as well.
_LARGEST = 1e100
# The replies that are remembered: versions of one original mostly get the same reply, one after
# another, and more would only take memory.
_REPLIES = 1 << 10
_ARTICLE = regex.compile(r"\b(?:a|an|the)\b")
# Not the point within a number, nor its sign.
_PUNCTUATION = regex.compile(
    r"(?:(?<!\d)\.|\.(?!\d)|(?<=\w)-|-(?!\d)|[[\p{P}\p{S}]--[.\-]])", regex.V1
)
# A word, which a formula has only as a command or within one.
PROSE = regex.compile(r"(?<![\\{\p{L}])(?:\p{L}{3,}|(?i:an|as|at|be|by|in|is|it|of|so|to|we)\b)")
# Of Markdown: strong, and as code; 2**3 is a power.
_EMPHASIS = regex.compile(r"(?<![\w*_`])(\*\*|__|`)(?=\S)([^*_`\n]+)(?<=\S)\1(?!\w)")
_LONE_NUMBER = regex.compile(rf"[-+]?(?:{NUMBER})")
_WORDS = regex.compile(r"[\p{L}\p{M}\p{N}]+")
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

    Units count where both have one that is known, and `90 min` is `1.5 h`. Where the right answer
    has decimals, a comma before other than three digits is a decimal comma.
    """
    expected = last_quantity(right, is_decimal_comma(right))
    if expected is None:
        raise ValueError("holds no number answer")
    answer = None if reply is None else last_quantity(reply, "." in expected.number)
    if answer is None:
        return 0.0, None
    # All right answers are one, whether or not they say the unit.
    is_right = answer.equals(expected)
    return float(is_right), (expected if is_right else answer).number


def f1(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score `2 P R / (P + R)` of the normalized words that both share, counted as often as in both.

    P is their share of the words that were said, R that of the right answer's. Where the right
    answer is a list, its items take the place of words.

    Source: Rajpurkar et al. (2016), SQuAD, the evaluation of F1.
    """
    if reply is None:
        return 0.0, None
    items = _listed(right)
    words = plain(right).split() if items is None else items
    said = plain(reply).split() if items is None else _items(reply)
    shared = (Counter(said) & Counter(words)).total()
    return _dice(shared, len(said), len(words)), " ".join(said)


def _dice(shared: int, *lengths: int) -> float:
    """Return the share of two lengths that both share; two that are empty are alike."""
    return 2 * shared / sum(lengths) if all(lengths) else float(not any(lengths))


def entities(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score F1 of spans with labels; one is found if one with its label overlaps with it.

    Each is found once. Two empty lists are alike.

    Source: Segura-Bedmar et al. (2013), SemEval-2013 Task 9, evaluation by type.
    """
    if not right:
        raise ValueError("holds no list of spans")
    if reply is None:
        return 0.0, None
    said, known = _entities(reply), _entities(right)
    left = [*known]
    for start, end, name in said:
        for each in left:
            if each[2] == name and start < each[1] and each[0] < end:
                left.remove(each)
                break
    return _dice(len(known) - len(left), len(said), len(known)), reply


def _entities(text: str) -> list[tuple[int, int, str]]:
    """Return the spans with their labels, in their order in the text.

    Raises:
        DataError: it's no list of spans.
    """
    found = []
    for span in _parsed(text, list, 'spans such as [[0, 5, "PER"]]'):
        if isinstance(span, dict):
            name = span.get("label", span.get("entity_group"))
        else:
            name = span[2] if isinstance(span, list) and len(span) > 2 else None
        found.append((*ends_of(span), str(name)))
    return sorted(found)


def _parsed(text: str, kind: Any, words: str) -> Any:
    """Return the value of one kind that a text has as JSON.

    Raises:
        DataError: it has none.
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = text
    if not isinstance(value, kind):
        raise DataError(f"this way to compare takes {words}; got {shown(value)}")
    return value


def by_word_errors(_: str) -> Match:
    """Word error rate: edits of words per word of the right answer; words are parted by spaces."""
    return _by_edits(str.split)


def by_character_errors(_: str) -> Match:
    """Character error rate: edits of characters per character of the right answer."""
    return _by_edits(str.strip)


def _by_edits(units: Callable[[str], Sequence[str]]) -> Match:
    from rapidfuzz.distance import Levenshtein

    def rate(reply: str | None, right: str) -> tuple[float, str | None]:
        expected = units(right)
        return Levenshtein.distance(units(reply or ""), expected) / max(len(expected), 1), reply

    return rate


def by_recall(argument: str) -> Match:
    """Score the share of the right ids that are among the first K."""
    first = _first_of(argument, "recall")

    def recall(reply: str | None, right: str) -> tuple[float, str | None]:
        gains = _gains(right)
        return len({*_ranked(reply)[:first]} & {*gains}) / len(gains), reply

    return recall


def reciprocal_rank(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 by the place of the first right id; 0 without one."""
    gains = _gains(right)
    return next((1 / at for at, one in enumerate(_ranked(reply), 1) if one in gains), 0.0), reply


def by_ndcg(argument: str) -> Match:
    """Score the first K ids by nDCG, with gains that count as they are, as in trec_eval.

    Source: Järvelin and Kekäläinen (2002), Cumulated gain-based evaluation of IR techniques.
    """
    first = _first_of(argument, "ndcg")

    def ndcg(reply: str | None, right: str) -> tuple[float, str | None]:
        gains = _gains(right)
        best = sorted(gains.values(), reverse=True)
        said = (gains.get(one, 0.0) for one in _ranked(reply))
        cumulated = (
            sum(gain / math.log2(at) for at, gain in enumerate(islice(each, first), 2))
            for each in (said, best)
        )
        return next(cumulated) / next(cumulated), reply

    return ndcg


def _first_of(argument: str, way: str) -> int:
    if not argument.isdecimal() or int(argument) < 1:
        raise UsageError(f"--match {way}:K takes a whole number of at least 1; got {argument!r}")
    return int(argument)


def _ranked(reply: str | None) -> list[str]:
    """Return the different ids of a list, best first; of an object, by their scores."""
    if reply is None:
        return []
    ids = _parsed(reply, (list, dict), 'a list of ids, best first, such as ["p7", "p2"]')
    if isinstance(ids, dict):
        ids = sorted(ids, key=lambda one: -checked_score(ids[one], "the score of an id"))
    return [*dict.fromkeys(map(str, ids))]


def _gains(right: str) -> dict[str, float]:
    """Return the right ids with their gains, 1 where they have none."""
    gains = _parsed(right, object, "")
    if not isinstance(gains, dict):
        ids = gains if isinstance(gains, list) else [right]
        gains = dict.fromkeys(map(str, ids), 1)
    rated = {str(one): checked_score(gain, "the gain of an id") for one, gain in gains.items()}
    if not (known := {one: gain for one, gain in rated.items() if gain > 0}):
        raise ValueError("holds no right id")
    return known


def as_set(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where both list the same normalized items, in any order; commas part them.

    Semicolons, line breaks and "and" part items as well, unless it is a list of JSON.
    """
    if reply is None:
        return 0.0, None
    answer = {*_items(reply)}
    return float(answer == {*_items(right)}), ", ".join(sorted(answer))


def _items(text: str) -> list[str]:
    """Return the items of a list of JSON, or those that a text parts."""
    items = _listed(text)
    if items is None:
        items = [item for part in _SEPARATOR.split(text) if (item := plain(part))]
    return items


def _listed(text: str) -> list[str] | None:
    """Return the items of a list of JSON, texts normalized; None if the text isn't a list."""
    if not text.startswith("["):
        return None
    try:
        items = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    # An item that isn't a text is compared as a value: [0, 3, "A"] is a place with its label.
    return [plain(item) if isinstance(item, str) else _value(item) for item in items]


def _value(item: Any) -> str:
    return orjson.dumps(item, option=orjson.OPT_SORT_KEYS).decode()


def label(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the label with the highest score is the right one, or that of the right answer.

    Where several have it, it is the first. Lists of labels are compared as sets.
    """
    answer = None if reply is None else _highest(reply)
    expected = _highest(right)
    if answer is not None and _listed(expected) is not None:
        return as_set(answer, expected)
    return float(answer == expected), answer


def _highest(text: str) -> str:
    """Return the name of the highest number; the text where it holds no named ones."""
    scores = _numbers(text)
    return text if {*scores} <= {""} else str(max(scores, key=lambda name: scores[name]))


def distance(reply: str | None, right: str) -> tuple[float, str | None]:
    """Return how far two numbers are apart, and of several the largest such distance.

    Raises:
        DataError: the reply holds no number.
    """
    apart = _apart(reply, right)
    if apart is None:
        raise DataError(
            f"a reply holds no numbers like those of {shown(right)}, and so has no distance; got "
            f"{shown(reply)}; --match close:DISTANCE counts it as far"
        )
    return apart, reply


def by_closeness(argument: str) -> Match:
    """Score 1 where two numbers are at most so far apart, and of several each.

    Raises:
        UsageError: the argument is no number of at least 0.
    """
    try:
        most = float(argument)
    except ValueError:
        most = math.nan
    if not 0 <= most < math.inf:
        raise UsageError(f"--match close:DISTANCE takes a number of at least 0; got {argument!r}")

    def close(reply: str | None, right: str) -> tuple[float, str | None]:
        apart = _apart(reply, right)
        # 1.1 - 0.6 is more than 0.5, as numbers of 64 bits.
        near = apart is not None and apart <= most * (1 + 1e-9)
        return float(near), None if apart is None else reply

    return close


def _apart(reply: str | None, right: str) -> float | None:
    """Return the distance of the numbers in two texts; None where a reply has others, or none.

    A label that one of them lacks has the score 0 there.
    """
    expected = _numbers(right)
    if not expected:
        raise ValueError("holds no number")
    values = {} if reply is None else _numbers(reply)
    both = {*expected, *values}
    if not values or any(name in ("", *range(len(both))) for name in {*expected} ^ {*values}):
        return None
    return max(abs(values.get(name, 0.0) - expected.get(name, 0.0)) for name in both)


def _numbers(text: str) -> dict[str | int, float]:
    """Return the numbers of a text by their labels or places; by "" where there is but one.

    Examples:
        >>> _numbers("[0.1, 0.9]"), _numbers('{"label": "pos", "score": 0.9}'), _numbers("4 m")
        ({0: 0.1, 1: 0.9}, {'pos': 0.9}, {'': 4.0})
    """
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        quantity = last_quantity(text)
        number = None if quantity is None else quantity.to_float()
        return {} if number is None else {"": number}
    items = value if isinstance(value, list) else [value]
    if items and all(isinstance(item, dict) and {"label", "score"} <= {*item} for item in items):
        value = {str(item["label"]): item["score"] for item in items}
    elif isinstance(value, list):
        value = dict(enumerate(value))
    elif not isinstance(value, dict):
        value = {"": value}
    known = all(type(each) in (int, float) for each in value.values())
    return {name: float(each) for name, each in value.items()} if known else {}


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
        text = without_grouping(_plainly(text))
        ways = (text, _as_tex(text)) if PROSE.search(text) else (_as_tex(text), text)
        return list(filter(None, (parse(way, parsing_timeout=None) for way in ways)))

    # It takes some ms, and most replies to the versions of an original are the same.
    @lru_cache(_REPLIES)
    def equal(reply: str | None, right: str) -> tuple[float, str | None]:
        expected = parsed(right)
        if not expected:
            raise ValueError("holds no math answer")
        if reply is None:
            return 0.0, None
        said = parsed(reply)
        answer = str(said[0][-1]) if said else None
        is_right = any(
            verify(one, other, timeout_seconds=None) for one in expected for other in said
        )
        return float(is_right), answer

    return equal


def _plainly(text: str) -> str:
    """Return a text without the emphasis of Markdown, and a lone number in one notation."""
    text = _EMPHASIS.sub(r"\2", text.replace("\u2212", "-")).strip()
    return (last_number(text) if _LONE_NUMBER.fullmatch(text) else None) or text


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
        return _dice(LCSseq.similarity(said, words), len(said), len(words)), " ".join(said)

    return rated


def by_bleu(_: str) -> Match:
    """BLEU of one text by sacreBLEU, with the orders of n-grams that a short text has.

    Source: Papineni et al. (2002), BLEU; Post (2018), A Call for Clarity in Reporting BLEU Scores.
    """
    from sacrebleu.metrics.bleu import BLEU

    return _by_sentence(BLEU(effective_order=True))


def by_chrf(_: str) -> Match:
    """Return chrF of one text, the F-score of its character n-grams, by sacreBLEU.

    Source: Popović (2015), chrF: character n-gram F-score for automatic MT evaluation.
    """
    from sacrebleu.metrics.chrf import CHRF

    return _by_sentence(CHRF())


def _by_sentence(metric: Any) -> Match:
    def rated(reply: str | None, right: str) -> tuple[float, str | None]:
        if reply is None:
            return 0.0, None
        if not reply.split() and not right.split():  # alike, but without an n-gram to share
            return 1.0, reply
        # BLEU of equal texts is 100.00000000000004, and a score above 1 would count as unbounded.
        return min(float(metric.sentence_score(reply, [right]).score) / 100, 1.0), reply

    return rated


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
    """Return the comparison that a function of a reply and a right answer makes."""

    def graded(reply: str | None, right: str) -> tuple[float, str | None]:
        if reply is None:
            return 0.0, None
        return checked_score(function(reply, right), f"what {name} returns"), reply

    return graded
