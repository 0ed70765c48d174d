"""Protection: spans of the raw text that no edit may touch, found before anything else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.engine.scope import Span, Spans
from perturb.errors import UsageError
from perturb.values.fields import Frozen, plain

if TYPE_CHECKING:
    import regex

    from perturb.engine.text.characters import CharacterSet
    from perturb.engine.text.strings import Strings


# From so many texts on, what rules find in them is found together.
_MANY = 8


class Rules(Frozen):
    """Rules for spans to protect, or to restrict edits to.

    Attributes:
        written: the rules as records have them, without the offsets.
        patterns: the pattern of each rule.
        offsets: spans given by their offsets, which hold for one text.
    """

    written: tuple[str, ...] = ()
    patterns: tuple[regex.Pattern[str], ...] = ()
    offsets: tuple[Span, ...] = ()

    @classmethod
    def of(cls, rules: Any) -> Rules:
        """Read rules.

        Args:
            rules: one or several of: a preset's name, `"word:..."` (literal whole words, several
                separated by commas), `"regex:..."`, a compiled pattern, a span `(start, end)`; or
                `"json"` alone for texts that are JSON: edits stay in the strings of its values,
                between escapes, so that it stays JSON with the same keys; or `"comments"` or
                `"docstrings"` alone for Python code: edits stay in these.

        Raises:
            UsageError: a rule is none of these.
        """
        from perturb.engine.rules import read  # most runs have no rules

        return cls(*read(listed_rules(rules)))

    def spans(self, text: str, further: Iterable[Span] = ()) -> list[Span]:
        """Return the spans of `text` that the rules match, and further ones.

        Raises:
            UsageError: offsets lie outside the text.
            DataError: the rule is json, comments or docstrings, and the text is no JSON or Python;
                or a pattern takes too long on it.
        """
        offsets = [*self.offsets, *((start, end) for start, end in further)]
        for start, end in offsets:
            if start > end:
                raise UsageError(f"the span ({start}, {end}) ends before it begins")
            if not 0 <= start <= end <= len(text):
                raise UsageError(
                    f"the span ({start}, {end}) lies outside its text of {len(text)} "
                    "code points; offsets are indices of the Python string"
                )
        if not self.written:
            return offsets
        from perturb.engine.rules import matching

        return [*matching(self.written, self.patterns, text), *offsets]

    def spans_of(
        self,
        texts: Strings,
        strings: Callable[[], Sequence[str]],
        further: Sequence[Sequence[Span]] | None = None,
    ) -> Spans:
        """Return the spans of many texts, as `spans` does for each.

        Args:
            texts: the texts.
            strings: returns them as strings, which most rules do without.
            further: further spans of each.
        """
        if self.written and not self.offsets and further is None and len(texts) >= _MANY:
            from perturb.engine.rules import found

            if (places := found(self.written, self.patterns, texts)) is not None:
                return Spans(*places, np.zeros(len(places[0]), np.bool_))
        if not self and further is not None:
            spans = Spans.of(texts, further)
            owner = np.arange(len(texts)).repeat(list(map(len, further)))
            starts, ends = texts.starts[owner], texts.ends[owner]
            inside = (starts <= spans.starts) & (spans.starts <= spans.ends) & (spans.ends <= ends)
            if inside.all():
                return spans
        pairs = zip(strings(), further or repeat(()), strict=False)
        return Spans.of(texts, [self.spans(text, more) for text, more in pairs])

    @property
    def unwritten(self) -> CharacterSet | None:
        """The characters that edits can't write where a text is parsed: those JSON escapes, say."""
        if not self.written:
            return None
        from perturb.engine.rules import unwritten

        return unwritten(self.written)

    def __bool__(self) -> bool:
        """Return true if there is any rule."""
        return bool(self.written or self.offsets)


NO_RULES = Rules()


def listed_rules(rules: Any) -> tuple[Any, ...]:
    """Return rules as a tuple, each as records have it: a string, or a span.

    All rules of callers are read here, from the command line and from Python.

    Raises:
        UsageError: a string doesn't follow the grammar of rules.

    Examples:
        >>> listed_rules(["url,number", "word:the,not", "2-5"])
        ('url', 'number', 'word:the', 'word:not', (2, 5))
    """
    listed = [rules] if isinstance(rules, str) or not isinstance(rules, Iterable) else [*rules]
    if len(listed) == 2 and all(type(plain(rule)) is int for rule in listed):  # one span
        listed = [listed]
    if not listed:
        return ()
    from perturb.engine.rules import separated  # most runs have no rules

    return tuple(dict.fromkeys(one for rule in listed for one in separated(rule)))
