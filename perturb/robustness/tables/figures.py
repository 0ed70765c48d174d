"""Figures in a sentence, and the sentences about reactions and about invented answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from perturb.robustness.linking.conditions import ABSTAIN
from perturb.robustness.measures.findings import Contrast, Finding, Result
from perturb.robustness.measures.judgement import CANNOT_JUDGE, UNDECIDED


class Figure(NamedTuple):
    """A number in a sentence, and the form that it has in text."""

    value: float
    form: str

    def __str__(self) -> str:
        return format(self.value, self.form)


def filled(template: str, values: Mapping[str, Any]) -> list[str | Figure]:
    """Return the words and figures of a sentence.

    Examples:
        >>> filled("by {low:.1f}.", {"low": 1.0})
        ['by ', Figure(value=1.0, form='.1f'), '.']
    """
    parts: list[str | Figure] = []
    for words, name, form, _ in Formatter().parse(template):
        parts.append(words)
        if name is not None:
            value = values[name]
            parts.append(value if isinstance(value, str) else Figure(value, str(form)))
    return parts


def _control(finding: Result) -> str:
    """Return the control of a reaction; "" for none."""
    if isinstance(finding, Contrast):
        return finding.control
    none = "" if finding.expect == ABSTAIN else "no control"  # to abstain needs none
    return "" if finding.reaction.reaction is None else finding.reaction.control or none


def reactions(conditions: Sequence[Result], at_least: float) -> list[str | Figure]:
    """Return what the reactions of conditions are beside, which count, and what would decide them.

    Args:
        conditions: the findings, or the contrasts.
        at_least: the smallest reaction, or share of invented answers, that counts.
    """
    return _changes(conditions, at_least) + _inventions(conditions, at_least)


def _changes(conditions: Sequence[Result], at_least: float) -> list[str | Figure]:
    reacting = [each for each in conditions if each.verdict != CANNOT_JUDGE and _control(each)]
    if not reacting:
        return []
    controls, first = dict.fromkeys(map(_control, reacting)), reacting[0]
    values: dict[str, Any] = {"at_least": at_least, "control": ", ".join(controls)}
    if isinstance(first, Contrast):
        text = " Reactions are the share of answers that change, less that under {control}."
    elif len(reacting) > 1:
        text = (
            " A reaction of at least {at_least:g} counts: the share of answers that change beyond "
            "that under {control}."
        )
    else:
        text = (
            " A reaction of at least {at_least:g} counts: {answers_changed:.3f} of the answers "
            "change, {control_changed:.3f} under {control} ({reaction:+.3f}, 95 % interval "
            "{reaction_low:+.3f} to {reaction_high:+.3f}; {reacting:,} originals)."
        )
        values = {**first.reaction._asdict(), **values}
    return filled(text, values) + _more(reacting)


def _inventions(conditions: Sequence[Result], at_least: float) -> list[str | Figure]:
    lost = [
        each
        for each in conditions
        if isinstance(each, Finding) and each.expect == ABSTAIN and each.verdict != CANNOT_JUDGE
    ]
    if not lost:
        return []
    text = " Inventing at least {at_least:g} of the answers counts"
    values: dict[str, Any] = {"at_least": at_least}
    if len(lost) == 1:
        size, high, low = (max(1 - (end or 0.0), 0.0) for end in lost[0].reaction[:3])
        values |= {"size": size, "low": low, "high": high, "count": lost[0].reaction.reacting}
        text += ": {size:.3f}, 95 % interval {low:.3f} to {high:.3f}; {count:,} originals"
    return filled(f"{text}.", values) + _more(lost)


def _more(reacting: Sequence[Result]) -> list[str | Figure]:
    """Return about how many more originals would decide reactions, if more would."""
    counts = [each.more_originals for each in reacting if each.verdict == UNDECIDED]
    known = [count for count in counts if count is not None]
    if not known or len(known) < len(counts):
        return []
    which = "all reactions" if len(known) > 1 else "the reaction"
    return filled(f" About {{more:,}} more originals would decide {which}.", {"more": max(known)})
