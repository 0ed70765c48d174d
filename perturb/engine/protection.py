"""Protection: spans of the raw text where no edit may be, found before anything else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import regex

from perturb.engine.presets import PRESETS, environments
from perturb.engine.text.characters import CharacterSet
from perturb.errors import DataError, UsageError, suggestion
from perturb.user_patterns import compiled, matches

_PREFIXES = ("word:", "regex:")

# The one rule that is no pattern: the values of a text that is JSON.
JSON = "json"
_JSON_STRING = regex.compile(r'"((?:[^"\\]|\\.)*+)"(\s*+:)?')
_JSON_PLAIN = regex.compile(r"\\(?:u.{4}|.)|([^\\]+)")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules for the places to protect, or to which edits are restricted.

    Attributes:
        written: the rules as they are recorded, without the offsets.
        patterns: what each of them matches.
        offsets: spans given by their offsets; they hold for one text.
    """

    written: tuple[str, ...] = ()
    patterns: tuple[regex.Pattern[str], ...] = ()
    offsets: tuple[Span, ...] = ()

    @classmethod
    def of(cls, rules: Any) -> Rules:
        """Read rules.

        Args:
            rules: one or several of: a preset's name, `"word:..."` (a literal that stands as whole
                words), `"regex:..."`, a compiled pattern, a span `(start, end)`; or `"json"`
                alone, which is where a text that is JSON may be edited and stay JSON with the same
                keys: in the strings of its values, between escapes.

        Raises:
            UsageError: a rule that is none of these.
        """
        if isinstance(rules, Rules):
            return rules
        if isinstance(rules, str) or not isinstance(rules, Iterable):
            rules = [rules]
        rules = list(rules)
        if len(rules) == 2 and all(isinstance(rule, int) for rule in rules):
            rules = [rules]
        offsets = tuple(_span(rule) for rule in rules if _is_offsets(rule))
        written = tuple(dict.fromkeys(_written(rule) for rule in rules if not _is_offsets(rule)))
        if JSON in written and (len(written) > 1 or offsets):
            raise UsageError("the rule json can't be combined with others: the text must stay JSON")
        return cls(written, tuple(_pattern(rule) for rule in written if rule != JSON), offsets)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of `text` that the rules name.

        Raises:
            UsageError: offsets that do not lie in the text.
            DataError: the rule is json, and the text is not; or a pattern takes too long on it.
        """
        if self.written == (JSON,):
            return _json_values(text)
        for start, end in self.offsets:
            if not 0 <= start <= end <= len(text):
                raise UsageError(
                    f"the span ({start}, {end}) does not lie in its text of {len(text)} "
                    "code points; offsets are indices of the Python string"
                )
        found = [match.span() for pattern in self.patterns for match in matches(pattern, text)]
        if "latex" in self.written:
            found += environments(text)
        return [*found, *self.offsets]

    @property
    def unwritten(self) -> CharacterSet | None:
        """The characters that edits can't write under these rules: those that JSON escapes."""
        return _escaped_in_json() if self.written == (JSON,) else None

    def with_offsets(self, offsets: Iterable[Span]) -> Rules:
        """Return the same rules with further spans."""
        return Rules(
            self.written, self.patterns, (*self.offsets, *((start, end) for start, end in offsets))
        )

    def __bool__(self) -> bool:
        """Return true if there is any rule."""
        return bool(self.written or self.offsets)

    def to_list(self) -> list[Any]:
        """Return the rules in JSON-able form, which `of` reads back."""
        return [*self.written, *map(list, self.offsets)]


def _is_offsets(rule: Any) -> bool:
    return not isinstance(rule, (str, regex.Pattern)) and isinstance(rule, Sequence)


def _span(rule: Sequence[Any]) -> Span:
    if len(rule) != 2 or not all(isinstance(index, int) for index in rule) or rule[0] > rule[1]:
        raise UsageError(f"a span is a pair (start, end) with start <= end; got {rule!r}")
    return rule[0], rule[1]


def _written(rule: Any) -> str:
    if isinstance(rule, str):
        return rule
    pattern = getattr(rule, "pattern", None)
    if isinstance(pattern, str):
        flags = "".join(
            letter
            for letter, flag in (("i", regex.I), ("m", regex.M), ("s", regex.S), ("x", regex.X))
            if rule.flags & flag
        )
        return f"regex:(?{flags}:{pattern})" if flags else f"regex:{pattern}"
    raise UsageError(
        f"can't read the rule {rule!r}: give a preset ({', '.join(PRESETS)}), "
        "'word:...', 'regex:...', a compiled pattern, or a span (start, end)"
    )


def _json_values(text: str) -> list[Span]:
    """Return the spans of a JSON text in which strings that are no keys stand as they are read."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"the rule json is for texts that are JSON, but {text[:40]!r} is not: {error}"
        ) from error
    return [
        plain.span(1)
        for string in _JSON_STRING.finditer(text)
        if string[2] is None
        for plain in _JSON_PLAIN.finditer(text, *string.span(1))
        if plain[1] is not None
    ]


@cache
def _escaped_in_json() -> CharacterSet:
    return CharacterSet.of(['"', "\\", *map(chr, range(32))])


@lru_cache(maxsize=256)
def _pattern(rule: str) -> regex.Pattern[str]:
    kind, _, rest = rule.partition(":")
    if rule in PRESETS:
        return regex.compile(PRESETS[rule])
    if kind == "word" and rest:
        return regex.compile(rf"(?<!\w){regex.escape(rest)}(?!\w)")
    if kind != "regex" or not rest:
        known = suggestion(rule, [*PRESETS, JSON, *(f"{prefix}..." for prefix in _PREFIXES)])
        if known.startswith("known"):
            known += f"; a word of the text is protected by word:{rule}"
        raise UsageError(f"unknown protection {rule!r}: {known}")
    return compiled(rest)
