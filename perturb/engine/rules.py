"""Rules of protection: read from callers, and matched with texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import regex

from perturb.engine.presets import PRESETS, environments, may_match, number_spans, parts
from perturb.engine.python_code import comments, docstrings
from perturb.engine.scope import Span
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, ranges
from perturb.errors import DataError, UsageError, suggestion
from perturb.user_patterns import compiled, matches
from perturb.values.arrays import Int64
from perturb.values.fields import plain

_PREFIXES = ("word:", "regex:")
# Words, each followed by a comma, as JSON strings or plain.
_WORDS = regex.compile(r'(?s:\s*+("(?:[^"\\]|\\.)*+"|(?!")(?:[^,]|(?<=\d),(?=\d))*+)\s*+,)++')
_SPAN = regex.compile("([0-9]{1,18})-([0-9]{1,18})")
_JSON_STRING = regex.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?')
_JSON_PLAIN = regex.compile(r"\\(?:u.{4}|.)|([^\\]+)")

Patterns = tuple[regex.Pattern[str], ...]


def separated(rule: Any) -> tuple[Any, ...]:
    """Return the rules in one string, each as records have it: a string, or a span.

    Presets, spans and words may be separated by commas. A word that contains a comma, or begins or
    ends with white space or a quote, is written as a JSON string; commas in numbers need no quotes.

    Raises:
        UsageError: a string or a span can't be read.

    Examples:
        >>> separated("url,3-7"), separated('word:the, 1,000, "a, b"')
        (('url', (3, 7)), ('word:the', 'word:1,000', 'word:"a, b"'))
    """
    if not isinstance(rule, str):
        return (_written(rule),)
    kind, colon, rest = rule.partition(":")
    if kind == "word":
        return tuple(f"word:{_quoted(word)}" for word in _words(rest))
    if colon:
        return (rule,)
    spans = ((word, _SPAN.fullmatch(word)) for word in map(str.strip, rule.split(",")))
    return tuple(_span((int(span[1]), int(span[2]))) if span else word for word, span in spans)


def read(rules: Sequence[Any]) -> tuple[tuple[str, ...], Patterns, tuple[Span, ...]]:
    """Return rules as records have them, their patterns, and the spans among them.

    Args:
        rules: as `separated` gives them.

    Raises:
        UsageError: a rule can't be read.
    """
    offsets = tuple(rule for rule in rules if isinstance(rule, tuple))
    written = tuple(rule for rule in rules if isinstance(rule, str))
    for rule in _PARSED.keys() & written:
        if len(written) > 1 or offsets:
            stays = _PARSED[rule].stays
            raise UsageError(f"the rule {rule} can't be combined with others: {stays}")
    return written, tuple(_pattern(rule) for rule in written if rule not in _PARSED), offsets


def matching(written: tuple[str, ...], patterns: Patterns, text: str) -> list[Span]:
    """Return the spans of a text that rules match.

    Args:
        written: the rules.
        patterns: the pattern of each rule.
        text: the text.

    Raises:
        DataError: the rule is json, comments or docstrings, and the text is no JSON or Python;
            or a pattern takes too long on it.
    """
    if written[0] in _PARSED:
        return _PARSED[written[0]].spans(text)
    spans = [
        match.span()
        for rule, pattern in zip(written, patterns, strict=True)
        if may_match(rule, text)
        for match in matches(pattern, text)
    ]
    if "latex" in written:
        spans += environments(text)
    return spans


def found(
    written: tuple[str, ...], patterns: Patterns, texts: Strings
) -> tuple[Int64, Int64] | None:
    """Return the starts and ends of the spans that presets match in many texts, in any order.

    Most surroundings of a match occur in many texts, and are searched once.

    Returns:
        None if a rule is not a preset, or a preset that reaches far.
    """
    if written[0] in _PARSED:
        return None
    starts, ends = [], []
    for rule, pattern in zip(written, patterns, strict=True):
        if rule == "number" and (spans := number_spans(texts)) is not None:
            starts.append(spans[0])
            ends.append(spans[1])
            continue
        near = parts(rule, texts)
        if near is None:
            return None
        strings = near.to_list()
        numbers = {text: number for number, text in enumerate(dict.fromkeys(strings))}
        found_in = [
            [match.span() for match in matches(pattern, text)] if may_match(rule, text) else []
            for text in numbers
        ]
        which = np.fromiter(map(numbers.__getitem__, strings), np.intp, len(strings))
        each = np.array(list(map(len, found_in)), np.intp)
        flat = np.array([span for some in found_in for span in some], np.intp).reshape(-1, 2)
        counts = each[which]
        taken = flat[ranges((np.cumsum(each) - each)[which], counts)]
        starts.append(near.starts.repeat(counts) + taken[:, 0])
        ends.append(near.starts.repeat(counts) + taken[:, 1])
    return np.concatenate(starts), np.concatenate(ends)


def _words(text: str) -> list[str]:
    """Return words that are separated by commas."""
    match = _WORDS.fullmatch(f"{text},")
    try:
        words = match.captures(1) if match else ['"']
        return [json.loads(w, strict=False) if w[:1] == '"' else w.strip() for w in words]
    except ValueError:
        raise UsageError(
            f"can't read the rule {'word:' + text!r}: put a word that contains a comma or has "
            'quotes around it in double quotes, as in JSON: word:"a, b"'
        ) from None


def _quoted(word: str) -> str:
    """Return a word as `_words` reads it."""
    match = _WORDS.fullmatch(f"{word},")
    is_plain = match and match.captures(1) == [word] == [word.strip()] and word[:1] != '"'
    return word if is_plain else json.dumps(word, ensure_ascii=False)


def _span(rule: Sequence[Any]) -> Span:
    ends = tuple(map(plain, rule))
    if len(ends) != 2 or not all(type(end) is int for end in ends) or ends[0] > ends[1]:
        raise UsageError(f"a span is a pair (start, end) with start <= end; got {rule!r}")
    return ends


def _written(rule: Any) -> str | Span:
    """Return a rule that isn't a string as records have it."""
    pattern = getattr(rule, "pattern", None)
    if isinstance(pattern, str):
        flags = "".join(
            letter
            for letter, flag in (("i", regex.I), ("m", regex.M), ("s", regex.S), ("x", regex.X))
            if rule.flags & flag
        )
        # A comment at the end of the pattern would include the bracket.
        end = "\n" if rule.flags & regex.X and "#" in pattern else ""
        return f"regex:(?{flags}:{pattern}{end})" if flags else f"regex:{pattern}"
    if isinstance(rule, Iterable):
        return _span([*rule])
    raise UsageError(
        f"can't read the rule {rule!r}: give a preset ({', '.join(PRESETS)}), "
        "'word:...', 'regex:...', a compiled pattern, or a span (start, end)"
    )


def _json_values(text: str) -> list[Span]:
    """Return the spans of a JSON text that are plain text within values, between escapes."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"the rule json is for texts that are JSON, but {text[:40]!r} isn't: {error}"
        ) from error
    return [
        plain.span(1)
        for string in _JSON_STRING.finditer(text)
        if string[2] is None
        for plain in _JSON_PLAIN.finditer(text, *string.span(1))
        if plain[1] is not None
    ]


class _Parsed(NamedTuple):
    """A rule without a pattern: a text is parsed whole, and its form stays.

    Attributes:
        spans: returns what may be edited in a text.
        unwritten: the characters that no edit may write there.
        stays: why it is the only rule.
    """

    spans: Callable[[str], list[Span]]
    unwritten: str
    stays: str


_PARSED = {
    "json": _Parsed(
        _json_values, "".join(['"', "\\", *map(chr, range(32))]), "the text must stay JSON"
    ),
    "comments": _Parsed(
        comments,
        "\n\r\0",  # what ends a comment, or the program
        "the program must stay the same",
    ),
    "docstrings": _Parsed(
        docstrings,
        "\"'\\>\n\r\0",  # what ends a string or a program, or begins a doctest
        "the program must stay the same",
    ),
}


# What others call a rule.
_MEANT = {
    "digits": "number",
    "link": "url",
    "links": "url",
    "mail": "email",
    **dict.fromkeys(("name", "names", "person", "entity"), "word:..."),
}


def unwritten(written: tuple[str, ...]) -> CharacterSet | None:
    """Return the characters that no edit may write under rules."""
    return CharacterSet.of(_PARSED[written[0]].unwritten) if written[0] in _PARSED else None


@lru_cache(maxsize=256)
def _pattern(rule: str) -> regex.Pattern[str]:
    kind, _, rest = rule.partition(":")
    if rule in PRESETS:
        return regex.compile(PRESETS[rule])
    if kind == "word" and rest:
        return regex.compile(rf"(?<!\w){regex.escape(_words(rest)[0])}(?!\w)")
    if kind != "regex" or not rest:
        meant = _MEANT.get(rule, rule)
        known = suggestion(meant, [*PRESETS, *_PARSED, *(f"{prefix}..." for prefix in _PREFIXES)])
        if known.startswith("known"):
            known += f"; a word of the text is protected by word:{rule}"
        raise UsageError(f"unknown protection {rule!r}: {known}")
    return compiled(rest)
