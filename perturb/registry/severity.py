"""Look up the `p` of each severity: the `p` at which a perturbator has that error rate.

A severity is an error rate of characters or of words: the Levenshtein distance between a text and
its perturbed version, divided by the length of the text. It counts words, as speech recognition
does, for perturbators that replace, insert, delete or move whole words, and code points for all
others. There are five, as ImageNet-C has for images (D. Hendrycks, T. Dietterich, 2019), each about
twice the one before: at the first a question of a hundred characters has one error, at the last
every word of five letters has one; or one word in a hundred is edited, and one in five.

`benchmarks/severity.py` measures which `p` gives each rate, and writes the table. Texts differ: one
question has no place for a synonym, and the next has three. So the rate is that of typical texts:
among the texts that a perturbator changes, ordered by their rate at p = 1, the middle third. The
table has the spread as well. On other texts, with limits, with protection, or after another step,
the rate can differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from perturb.errors import OutOfReachError, UsageError, shown
from perturb.registry.definition import WHOLE, Perturbator
from perturb.resources import read_rows
from perturb.values.fields import plain

RATES = {1: 0.01, 2: 0.02, 3: 0.05, 4: 0.1, 5: 0.2}
# The name of the rate in each unit.
SCALES = {"character": "a character error rate", "word": "a word error rate"}


class Measured(NamedTuple):
    """The measured effect of a perturbator, with some parameters, on English texts.

    Attributes:
        unit: the unit of the rates, "character" or "word".
        shares: the `p` of each severity that it reaches, in [0, 1].
        texts: the share of texts that it changes at p = 1.
        low: the tenth percentile of these texts' rates at p = 1.
        typical: the rate at p = 1 of the typical ones among these texts.
        high: the ninetieth percentile of these texts' rates at p = 1.
    """

    unit: str
    shares: Mapping[int, float]
    texts: float
    low: float
    typical: float
    high: float


def share_of(perturbator: Perturbator, settings: str, severity: object) -> float:
    """Return the `p` of a severity.

    Args:
        perturbator: the perturbator.
        settings: its parameters that differ from the defaults, as in a spec: "style=upper".
        severity: 1 to 5, for an error rate of 0.01, 0.02, 0.05, 0.1 or 0.2.

    Raises:
        OutOfReachError: the perturbator can't be that severe, or it wasn't measured.
        UsageError: there is no such severity.
        TypeError: the severity isn't a whole number.
    """
    name = perturbator.name
    severity = plain(severity)
    if type(severity) is not int:
        raise TypeError(
            f"{name}: severity must be a whole number from 1 to 5 (give words such as 'low' as "
            f"intensity); got {shown(severity)}"
        )
    if severity not in RATES:
        raise UsageError(f"{name}: severity must be 1, 2, 3, 4 or 5; got {severity}")
    known = measured(perturbator, settings)
    if known is not None and severity in known.shares:
        return known.shares[severity]
    what = f"{name} has no severity {_unmeasured(perturbator, settings)}"
    if known is not None:
        what = f"{name}: {_out_of_reach(known, severity)}"
    error = OutOfReachError(f"{what}; give p")
    error.limit = f"{name}, which "
    error.limit += f"reaches {max(known.shares)}" if known and known.shares else "has none"
    raise error


def measured(perturbator: Perturbator, settings: str = "") -> Measured | None:
    """Return the measured effect of a perturbator with some parameters; None if there is none."""
    return _table().get((perturbator.name, settings))


def _unmeasured(perturbator: Perturbator, settings: str) -> str:
    known = [spec or "its defaults" for name, spec in _table() if name == perturbator.name]
    if known:
        return f"with {settings}, since it was measured only with {', '.join(known)}"
    if tuple(perturbator.intensities.values()) == WHOLE:
        return "because it changes a text as a whole or not at all, so p is the share of texts"
    return "because only the error rates of built-in perturbators are measured"


def _out_of_reach(known: Measured, severity: int) -> str:
    if not known.typical:
        return f"it has no severity {severity}, since it changes nothing"
    reached = "it reaches no severity"
    if known.shares:
        reached = f"the highest severity that it reaches is {max(known.shares)}"
    return (
        f"severity {severity} is {SCALES[known.unit]} of {RATES[severity]:g}, but a typical text "
        f"has only {known.typical:g} at p = 1; {reached}"
    )


@cache
def _table() -> dict[tuple[str, str], Measured]:
    """Return the measurements by perturbator and parameters."""
    table = {}
    for row in read_rows("english", "severities.tsv"):
        name, settings, unit, *shares, texts, low, typical, high = row
        pairs = zip(RATES, shares, strict=True)
        reached = {severity: float(p) for severity, p in pairs if p != "-"}
        spread = map(float, (texts, low, typical, high))
        table[name, settings] = Measured(unit, reached, *spread)
    return table
