"""Rate how likely a perturbator changes the meaning of a text, by a rule over measured shares.

`benchmarks/label_risk.py` takes texts with a number, a negation, labels of options or a name,
counts at the intensity medium in how many of them a reader loses at least one of these, and writes
the table. The rule:

- Each share has a weight. A number or a negation counts in full, since nothing else in a text
  restores it; a name counts by half, since a question with a misread name mostly stays the same
  question; the label of an option by a quarter, since its neighbours restore it.
- The risk is "none" up to 0.5 % for the worst of the weighted shares, "low" up to 5 %, "medium" up
  to 25 %, and "high" above.
- Perturbators that touch letters or words have at least "low", and those that touch the meaning at
  least "medium", whatever the counts: the table doesn't see changes in the meaning of other words.
  A perturbator that writes the opposite, or asks about another place, has "high"; one that turns
  somebody into another person has at least "medium", since the old answer is wrong for a known one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache

from perturb.registry.definition import LABEL_RISKS
from perturb.resources import read_rows

WEIGHTS = {"numbers": 1.0, "negations": 1.0, "options": 0.25, "names": 0.5}
LIMITS = {"none": 0.005, "low": 0.05, "medium": 0.25, "high": 1.0}
AT_LEAST = {"letters": "low", "words": "low", "meaning": "medium"}
ANOTHER_QUESTION = frozenset({"antonym", "entity_swap", "negation", "number_variant"})
ANOTHER_PERSON = frozenset({"gender_swap", "name_swap"})


def risk_of(name: str, shares: Mapping[str, float], touches: Collection[str]) -> str:
    """Return the label risk that the rule gives.

    Args:
        name: the name of the perturbator.
        shares: the share of texts with a loss, by kind; see `WEIGHTS`.
        touches: the kinds of change that the perturbator may make.

    Examples:
        >>> risk_of("x", {"numbers": 0.0, "negations": 0.01, "names": 0.2}, ["letters"])
        'medium'
        >>> risk_of("x", {"numbers": 0.0, "negations": 0.0, "names": 0.0}, ["words"])
        'low'
    """
    if name in ANOTHER_QUESTION:
        return "high"
    worst = max(WEIGHTS[kind] * share for kind, share in shares.items())
    counted = next(risk for risk, limit in LIMITS.items() if worst <= limit)
    floors = (risk for touch, risk in AT_LEAST.items() if touch in touches)
    person = "medium" if name in ANOTHER_PERSON else "none"
    return max(counted, *floors, person, key=LABEL_RISKS.index)


def measured(name: str) -> dict[str, float]:
    """Return the measured shares of a perturbator by kind; {} for one that wasn't measured.

    Args:
        name: the name of the perturbator, not an alias.
    """
    return dict(_table().get(name, {}))


@cache
def _table() -> dict[str, dict[str, float]]:
    rows = read_rows("english", "label_risks.tsv")
    return {name: dict(zip(WEIGHTS, map(float, shares), strict=True)) for name, *shares in rows}
