"""Ladders: the conditions that differ in strength alone, read from their recipes."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.registry.described import built_in
from perturb.robustness.scoring.conditions import KEPT, Condition, order

if TYPE_CHECKING:
    from collections.abc import Mapping

# Strengths in the label of a condition: of a step with a name of the user's, or of
# several steps, as a grid labels them.
_LABELLED = re.compile(r":?\b(p|severity|count)=([\d.]+)")
# Strengths that stand among the parameters of a condition.
_STRENGTH = re.compile(r"(?:^|(?<=,))(count|intensity)=(\w+)(?:,|$)")
_PER_WORD = "per=word"
_SHARE = "share"


class Ladder(NamedTuple):
    """The strengths of one step.

    Attributes:
        name: the name of its perturbator, with its parameters, if it has any.
        unit: that of its strengths: a share, such as "share of characters", or "edits"; "severity"
            where the `p` of one is not known.
        severities: the `p` of each, for this step; empty where they are not known.
        expect: as for a condition.
        rungs: each strength, ascending, with the place of its condition.
    """

    name: str
    unit: str
    severities: Mapping[int, float]
    expect: str
    rungs: list[tuple[float, int]]

    def severity(self, p: float | None) -> float | None:
        """Return the severity of a share; None for none.

        Below the least it is in proportion; elsewhere each doubling between two adds the same.
        """
        if p is None or not self.severities:
            return None
        (least, first), *_ = known = sorted(self.severities.items())
        if p <= first or len(known) == 1:
            return least * p / first
        pairs = list(pairwise(known))
        (level, start), (after, end) = next((pair for pair in pairs if p <= pair[1][1]), pairs[-1])
        return level + (after - level) * math.log(p / start) / math.log(end / start)


def ladders(conditions: Mapping[int, Condition]) -> list[Ladder]:
    """Return the ladders of conditions, by their places; those of one strength are among them.

    They come by their names, as conditions do in all tables. Controls are on none, nor is a
    condition without a strength of its own.
    """
    rungs: dict[tuple[Any, ...], dict[float, int]] = {}
    for place, condition in sorted(conditions.items(), key=lambda each: order(each[1])):
        rung = None if condition.control else _rung(condition)
        if rung is not None:
            key, strength = rung
            rungs.setdefault(key, {}).setdefault(strength, place)
    return [_ladder(key, sorted(each.items())) for key, each in rungs.items()]


def _rung(condition: Condition) -> tuple[tuple[Any, ...], float] | None:
    """Return the perturbator, parameters, kind of strength and expectation; and the strength."""
    if labelled := {*_LABELLED.findall(condition.perturbator)}:
        if len(labelled) > 1:
            return None
        ((name, number),) = labelled
        kind = {"p": _SHARE}.get(name, name)
        label = _LABELLED.sub("", condition.perturbator)
        return (label, "", kind, name, condition.expect), float(number)
    strength = _STRENGTH.search(condition.params)
    rest = _STRENGTH.sub("", condition.params).rstrip(",")
    key = condition.perturbator, rest
    if condition.severity is not None:
        known = _severities(*key)
        level = condition.severity
        kind, value = (_SHARE, known[level]) if level in known else ("severity", float(level))
    elif condition.p is not None:
        kind, value = _SHARE, condition.p
    elif strength is not None and strength[1] == "count":
        kind, value = "count", float(strength[2])
    elif strength is not None and condition.perturbator in built_in():
        kind, value = _SHARE, built_in()[condition.perturbator]["intensities"][strength[2]]
    else:
        return None
    typed = condition.severity is not None, strength and strength[1]
    return (*key, kind, typed, condition.expect), value


def _ladder(key: tuple[Any, ...], rungs: list[tuple[float, int]]) -> Ladder:
    name, params, kind, _, expect = key
    unit = {"count": "edits"}.get(kind, kind)
    if kind == _SHARE:
        word = "word" if _PER_WORD in params.split(",") else built_in().get(name, {}).get("unit")
        unit = f"share of {word or 'unit'}s"
    label = f"{name} {params}".rstrip() + ("" if expect == KEPT else f" (expect {expect})")
    severities = _severities(name, params) if kind == _SHARE else {}
    return Ladder(label, unit, severities, expect, rungs)


@cache
def _severities(name: str, params: str) -> Mapping[int, float]:
    """Return the `p` of each severity of a step without parameters; empty where not known."""
    known: Mapping[int, float] = {} if params else built_in().get(name, {}).get("severities", {})
    return known
