"""The rules of a job for where edits may be, and fields of a row with spans of its texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from perturb.engine.protection import NO_RULES, Rules, listed_rules
from perturb.plan.recipe_text import cut
from perturb.values.frozen import Frozen


class SpanSource(Frozen):
    """A field of a row that holds spans of a text.

    Attributes:
        path: to the spans.
        text: the path to their text; empty if the row has only one.
    """

    path: str
    text: str = ""

    @classmethod
    def of(cls, spec: str | SpanSource) -> SpanSource:
        """Read `[TEXT=]PATH`, split at the first = outside brackets."""
        return spec if isinstance(spec, SpanSource) else cls(*reversed(cut(spec)))

    def __str__(self) -> str:
        return f"{self.text}={self.path}" if self.text else self.path


def _is_source(rule: Any) -> bool:
    return isinstance(rule, str) and rule.startswith("field:")


def span_sources(rules: Iterable[Any]) -> tuple[SpanSource, ...]:
    """Return the fields with spans that rules name."""
    return tuple(SpanSource.of(rule.removeprefix("field:")) for rule in rules if _is_source(rule))


def rules_of(rules: Iterable[Any]) -> Rules:
    """Read the rules that name no field and so apply to every text."""
    general = [rule for rule in rules if not _is_source(rule)]
    return Rules.of(general) if general else NO_RULES


def in_order(rules: Any) -> tuple[Any, ...]:
    """Return rules in the order of jobs and recipes: patterns, then spans, then fields."""
    listed = listed_rules(rules)
    return tuple(sorted(listed, key=lambda rule: (_is_source(rule), isinstance(rule, tuple))))


def rule_texts(rules: Iterable[Any]) -> list[str]:
    """Return the rules of a job as text, with a span as START-END."""
    return [f"{rule[0]}-{rule[1]}" if isinstance(rule, tuple) else rule for rule in rules]
