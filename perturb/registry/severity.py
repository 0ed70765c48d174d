"""Look up the `p` of each severity: the `p` at which a perturbator does that much to a text.

A severity is an error rate, of characters or of words: the Levenshtein distance between a text and
what became of it, over the length of the text. Where whole words are replaced, inserted, left out
or moved, it is counted in words, as in speech recognition; everywhere else in code points. There
are five, as ImageNet-C has for images (D. Hendrycks, T. Dietterich, 2019), each about twice the one
before: at the first a question of a hundred characters has one error, at the last every word of
five letters; or one word in a hundred is touched, and one in five.

`benchmarks/severity.py` measures which `p` gives each rate, and writes the table. The texts differ:
a synonym has no place in one question, and three in the next. So the rate is that of the typical
texts: of those that a perturbator changes, ordered by the rate at p = 1, the middle third. The
table has the spread as well. On other text, with limits, with protection, or where a step follows
another, the rate can differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from perturb.errors import OutOfReachError, UsageError, shown
from perturb.registry.definition import WHOLE, Perturbator
from perturb.resources import read_rows
from perturb.values.scalars import plain

RATES = {1: 0.01, 2: 0.02, 3: 0.05, 4: 0.1, 5: 0.2}
# What a rate is a share of: that of characters, or that of words.
SCALES = {"character": "a character error rate", "word": "a word error rate"}


class Measured(NamedTuple):
    """The measured effect of a perturbator, with some parameters, on English texts.

    Attributes:
        unit: "character" or "word": what the rates count.
        shares: the `p` of each severity that can be reached, in [0, 1].
        texts: the share of the texts that it changes at p = 1.
        low: the rate at p = 1 that one in ten of these texts is below.
        typical: the rate at p = 1 of the typical ones of these texts.
        high: the rate at p = 1 that one in ten of these texts is above.
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
        settings: its parameters other than the defaults, as a spec has them: "style=upper".
        severity: 1 to 5, for an error rate of 0.01, 0.02, 0.05, 0.1 or 0.2.

    Raises:
        OutOfReachError: the perturbator can't be that severe, or it was not measured.
        UsageError: there is no such severity.
        TypeError: the severity is no whole number.
    """
    name = perturbator.name
    severity = plain(severity)
    if type(severity) is not int:
        raise TypeError(
            f"{name}: severity is a whole number from 1 to 5; got {shown(severity)} "
            "(words such as 'low' are an intensity)"
        )
    if severity not in RATES:
        raise UsageError(f"{name}: severity is 1, 2, 3, 4 or 5; got {severity}")
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
    known = [spec or "as it comes" for name, spec in _table() if name == perturbator.name]
    if known:
        return f"with {settings}: it was measured {' and with '.join(known)}"
    if tuple(perturbator.intensities.values()) == WHOLE:
        return "because it changes a text as a whole or not at all, and p is the share of texts"
    return "because its error rate was not measured, as that of the built-in ones was"


def _out_of_reach(known: Measured, severity: int) -> str:
    if not known.typical:
        return f"it has no severity {severity}, since it changes nothing"
    return (
        f"severity {severity} is {SCALES[known.unit]} of {RATES[severity]:g}, but at p = 1 it is "
        f"{known.typical:g} in the typical text; "
        + (
            f"the highest severity that it reaches is {max(known.shares)}"
            if known.shares
            else "it reaches no severity"
        )
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
