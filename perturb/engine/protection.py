"""Protection: spans of the raw text where no edit may be, found before anything else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from perturb.errors import UsageError
from perturb.values.frozen import Frozen

if TYPE_CHECKING:
    import regex

    from perturb.engine.text.characters import CharacterSet

# The one rule that is no pattern: the values of a text that is JSON.
JSON = "json"

Span = tuple[int, int]


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
        if isinstance(rules, Rules):
            return rules
        from perturb.engine.rules import read  # most runs have no rules

        return cls(*read(rules))

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
        if self.written != (JSON,):
            return None
        from perturb.engine.rules import escaped_in_json

        return escaped_in_json()

    def __bool__(self) -> bool:
        """Return true if there is any rule."""
        return bool(self.written or self.offsets)

    def to_list(self) -> list[Any]:
        """Return the rules in JSON-able form, which `of` reads back."""
        return [*self.written, *map(list, self.offsets)]
