"""Compare values rather than texts: lists, labels with scores, ranked ids, spans, edit rates."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import islice
from typing import Any

import orjson

from perturb.errors import DataError, UsageError, shown
from perturb.io.jsonl import loads
from perturb.robustness.grading.matches import Match, dice, no_number, plain
from perturb.robustness.grading.quantities import last_quantity
from perturb.robustness.metrics.checks import checked_score
from perturb.values.patterns import lazy_regex
from perturb.values.spans import ends_of

# The names of the label of a span, and how tokens are tagged under the last of them.
_LABELS = "label", "entity_group", "entity"
_TAGGED = lazy_regex(r"([BIESLU])-(.+)")
_INSIDE = "I", "E", "L"
_NO_FRACTION = lazy_regex(r"(?<=^-?\d+)\.0+$")
_SEPARATOR = lazy_regex(r"[,;\n]|\band\b")


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
    told = " ".join(_listed(reply) or [reply])  # a list of words is their text
    said = plain(told).split() if items is None else _items(reply)
    shared = (Counter(said) & Counter(words)).total()
    return dice(shared, len(said), len(words)), " ".join(said)


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
    return dice(len(known) - len(left), len(said), len(known)), reply


def _entities(text: str) -> list[tuple[int, int, str]]:
    """Return the spans with their labels, in their order in the text.

    Of tokens with tags, as transformers writes them without an aggregation, those of one entity are
    one span.

    Raises:
        DataError: it's no list of spans.
    """
    found = list[tuple[int, int, str]]()
    spans = _parsed(text, list, 'spans such as [[0, 5, "PER"]]')
    for start, end, name, tag in sorted((*ends_of(span), *_named(span)) for span in spans):
        if tag in _INSIDE and found and found[-1][2] == name and start - found[-1][1] < 2:
            found[-1] = found[-1][0], end, name
        else:
            found.append((start, end, name))
    return found


def _named(span: Any) -> tuple[str, str]:
    """Return the label of a span, and the tag of a token in front of it: of B-PER, PER and B."""
    if not isinstance(span, dict):
        return str(span[2] if len(span) > 2 else None), ""
    if tagged := _TAGGED.fullmatch(str(span.get("entity"))):
        return tagged[2], tagged[1]
    return str(next((span[key] for key in _LABELS if key in span), None)), ""


def _parsed(text: str, kind: Any, words: str) -> Any:
    """Return the value of one kind that a text has as JSON.

    Raises:
        DataError: it has none.
    """
    try:
        value = loads(text.encode())
    except (DataError, UnicodeEncodeError):
        value = text
    if not isinstance(value, kind):
        raise DataError(f"this way to compare takes {words}; got {shown(value)}")
    return value


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
        items = [item for part in _SEPARATOR.split(text) if (item := _item(part))]
    return items


def _listed(text: str) -> list[str] | None:
    """Return the items of a list of JSON, texts normalized; None if the text isn't a list."""
    if not text.startswith("["):
        return None
    try:
        items = loads(text.encode())
        # An item that isn't a text is compared as a value: [0, 3, "A"] is a place with its label.
        return [_item(item) if isinstance(item, str) else _value(item) for item in items]
    except (DataError, UnicodeEncodeError, RecursionError):
        return None


def _item(text: str) -> str:
    return _NO_FRACTION.sub("", plain(text))


def _value(item: Any) -> str:
    """Return a value as JSON, equal ones as one text: 1.0 is 1."""
    item = json.loads(json.dumps(item), parse_float=_number)
    return json.dumps(item, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _number(text: str) -> int | float:
    number = float(text)
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def label(reply: str | None, right: str) -> tuple[float, str | None]:
    """Score 1 where the label with the highest score is the right one, or that of the right answer.

    Where several have it, it is the first. Lists of labels are compared as sets.
    """
    answer = None if reply is None else highest(reply)
    expected = highest(right)
    if answer is not None and _listed(expected) is not None:
        return as_set(answer, expected)
    return float(answer == expected), answer


def highest(text: str) -> str:
    """Return the name of the highest number; the text where it holds no named ones.

    A label alone needs no score, a list of one is its item, and of an object with a text it is the
    text.

    Raises:
        DataError: it is an object, or a list of objects, without a number for each label.
    """
    value = _parsed(text, object, "") if text[:1] in ("[", "{") else text
    lone = value[0] if isinstance(value, list) and len(value) == 1 else value
    if isinstance(lone, dict):
        for key, kinds in (("label", (str, int)), ("text", str)):
            if isinstance(name := lone.get(key), kinds):
                return str(name)
    if not {*(scores := _numbers(text))} <= {""}:
        return str(max(scores, key=lambda name: scores[name]))
    if isinstance(lone, dict) or (type(lone) is list and any(type(one) is dict for one in lone)):
        raise DataError(
            'a label is a text, or that with the highest score in {"neg": 0.1, "pos": 0.9} or '
            f'[{{"label": "pos", "score": 0.9}}, ...]; got {shown(value)}'
        )
    return lone if isinstance(lone, str) else text


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
        return float(near), no_number(reply) if apart is None else reply

    return close


def _apart(reply: str | None, right: str) -> float | None:
    """Return the distance of the numbers in two texts; None where a reply has others, or none.

    A label that one of them lacks has the score 0 there. Of quantities in texts the unit counts.
    """
    if reply is not None and _as_json(reply) is reply and _as_json(right) is right:
        said, known = last_quantity(reply), last_quantity(right)
        if known is None or known.to_float() is None:
            raise ValueError("holds no number")
        return None if said is None else said.apart(known)
    expected = _numbers(right)
    if not expected:
        raise ValueError("holds no number")
    values = {} if reply is None else _numbers(reply)
    both = {*expected, *values}
    if not values or any(name in ("", *range(len(both))) for name in {*expected} ^ {*values}):
        return None
    return max(abs(values.get(name, 0.0) - expected.get(name, 0.0)) for name in both)


def _as_json(text: str) -> Any:
    """Return the value of a text that is JSON, or any other text as it is."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return text


def _numbers(text: str) -> dict[str | int, float]:
    """Return the numbers of a text by their labels or places; by "" where there is but one.

    Examples:
        >>> _numbers("[0.1, 0.9]"), _numbers('{"label": "pos", "score": 0.9}'), _numbers("4 m")
        ({0: 0.1, 1: 0.9}, {'pos': 0.9}, {'': 4.0})
    """
    if (value := _as_json(text)) is text:
        quantity = last_quantity(text)
        number = None if quantity is None else quantity.to_float()
        return {} if number is None else {"": number}
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        (value,) = value  # as a pipeline of one text gives its scores
    items = value if isinstance(value, list) else [value]
    if items and all(isinstance(item, dict) and {"label", "score"} <= {*item} for item in items):
        value = {str(item["label"]): item["score"] for item in items}
    elif isinstance(value, list):
        value = dict(enumerate(value))
    elif not isinstance(value, dict):
        value = {"": value}
    known = all(type(each) in (int, float) for each in value.values())
    return {name: float(each) for name, each in value.items()} if known else {}
