"""Look up the `p` of each severity: the `p` at which a perturbator makes that many errors.

A severity is a character error rate: the Levenshtein distance between a text and what became of it,
over the length of the text, both in code points, on average. There are five, as ImageNet-C has for
images (D. Hendrycks, T. Dietterich, 2019), each about twice the one before: at the first a question
of a hundred characters has one error, at the last every word of five letters. Of H2O Eval Studio's
shares of characters very_low (0.04) is between the second and the third, and low (0.1) the fourth.

`benchmarks/severity.py` measures which `p` gives each rate on English prose, and writes the table.
On other text, with limits, with protection, or where a step follows another, the rate can differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from perturb.errors import UsageError, shown
from perturb.registry.registry import WHOLE, Perturbator
from perturb.resources import read_rows

RATES = {1: 0.01, 2: 0.02, 3: 0.05, 4: 0.1, 5: 0.2}


class Measured(NamedTuple):
    """The measured effect of a perturbator, with some parameters, on English prose.

    Attributes:
        shares: the `p` of each severity that can be reached, in [0, 1].
        lowest: the character error rate at p = 1 on the kind of question where it is lowest.
        highest: the same where it is highest.
    """

    shares: Mapping[int, float]
    lowest: float
    highest: float


def share_of(found: Perturbator, written: str, severity: object) -> float:
    """Return the `p` of a severity.

    Args:
        found: the perturbator.
        written: its parameters other than the defaults, as a spec has them: "style=upper".
        severity: 1 to 5, for a character error rate of 0.01, 0.02, 0.05, 0.1 or 0.2.

    Raises:
        UsageError: the perturbator can't be that severe, or it was not measured.
        TypeError: the severity is no whole number.
    """
    if type(severity) is not int:
        raise TypeError(
            f"{found.name}: severity is a whole number from 1 to 5; got {shown(severity)}"
        )
    if severity not in RATES:
        raise UsageError(f"{found.name}: severity is 1, 2, 3, 4 or 5; got {severity}")
    measured = _table().get((found.name, written))
    if measured is None:
        raise UsageError(f"{found.name} has no severity {_unmeasured(found, written)}; give p")
    if severity not in measured.shares:
        raise UsageError(f"{found.name}: {_out_of_reach(measured, severity)}; give p")
    return measured.shares[severity]


def shares(found: Perturbator) -> dict[int, float]:
    """Return the `p` of each severity that a perturbator reaches with its default parameters."""
    measured = _table().get((found.name, ""))
    return dict(measured.shares) if measured else {}


def _unmeasured(found: Perturbator, written: str) -> str:
    known = [given or "as it comes" for name, given in _table() if name == found.name]
    if known:
        return f"with {written}: it was measured {' and with '.join(known)}"
    if tuple(found.intensities.values()) == WHOLE:
        return "because it changes a text as a whole or not at all, and p is the share of texts"
    return "because its character error rate was not measured, as that of the built-in ones was"


def _out_of_reach(measured: Measured, severity: int) -> str:
    wanted = f"severity {severity} is a character error rate of {RATES[severity]:g}"
    if measured.shares:
        return (
            f"{wanted}, but at p = 1 it is from {measured.lowest:g} to {measured.highest:g}; "
            f"the highest severity that it reaches is {max(measured.shares)}"
        )
    if not measured.highest:
        return f"{wanted}, but there was nothing that it changes in the texts that were measured"
    return (
        f"{wanted}, but the text decides more than p how much it changes: at p = 1 the rate is "
        f"from {measured.lowest:g} to {measured.highest:g} by the kind of question"
    )


@cache
def _table() -> dict[tuple[str, str], Measured]:
    """Return the measurements by perturbator and parameters."""
    rows = read_rows("english", "severities.tsv")
    return {(name, given): _measured(rest) for name, given, *rest in rows}


def _measured(fields: list[str]) -> Measured:
    *written, lowest, highest = fields
    pairs = zip(RATES, written, strict=True)
    reached = {severity: float(p) for severity, p in pairs if p != "-"}
    return Measured(reached, float(lowest), float(highest))
