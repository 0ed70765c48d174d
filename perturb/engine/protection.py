"""Protection: spans of the raw text where no edit may be, found before anything else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from perturb.engine.scope import Span
from perturb.errors import UsageError
from perturb.values.frozen import Frozen

if TYPE_CHECKING:
    import regex

    from perturb.engine.text.characters import CharacterSet


class Rules(Frozen):
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
        from perturb.engine.rules import read  # most runs have no rules

        return cls(*read(listed_rules(rules)))

    def spans(self, text: str, further: Iterable[Span] = ()) -> list[Span]:
        """Return the spans of `text` that the rules name, and further ones.

        Raises:
            UsageError: offsets that do not lie in the text.
            DataError: the rule is json, and the text is not; or a pattern takes too long on it.
        """
        offsets = [*self.offsets, *((start, end) for start, end in further)]
        for start, end in offsets:
            if not 0 <= start <= end <= len(text):
                raise UsageError(
                    f"the span ({start}, {end}) does not lie in its text of {len(text)} "
                    "code points; offsets are indices of the Python string"
                )
        if not self.written:
            return offsets
        from perturb.engine.rules import matching

        return [*matching(self.written, self.patterns, text), *offsets]

    @property
    def unwritten(self) -> CharacterSet | None:
        """The characters that edits can't write under these rules: those that JSON escapes."""
        if not self.written:
            return None
        from perturb.engine.rules import unwritten

        return unwritten(self.written)

    def __bool__(self) -> bool:
        """Return true if there is any rule."""
        return bool(self.written or self.offsets)


NO_RULES = Rules()


def listed_rules(rules: Any) -> tuple[Any, ...]:
    """Return one rule or several as several."""
    if isinstance(rules, str) or not isinstance(rules, Iterable):
        return (rules,)
    rules = tuple(rules)
    if len(rules) == 2 and all(isinstance(rule, int) for rule in rules):  # one span
        return (rules,)
    return tuple(tuple(rule) if isinstance(rule, list) else rule for rule in rules)
