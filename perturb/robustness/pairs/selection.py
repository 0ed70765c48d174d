"""How a person chose the originals to grade: a draw that is known, or one that may be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from perturb.rng import key64
from perturb.robustness.grading.reply_state import READ
from perturb.robustness.metrics.distributions import normal_two_sided
from perturb.robustness.pairs.columns import Selection

if TYPE_CHECKING:
    from perturb.robustness.pairs.join import Pairs
    from perturb.values.arrays import Bool

NO_DRAW: Mapping[str, int] = MappingProxyType({})
_UNKNOWN = (
    "Nothing shows that these originals were drawn at random, as by --draw of perturb score: hard "
    "ones may be missing even where the judge sees no difference from the others."
)
# Grades without a draw are refused below this p-value. In simulations in which a person prefers
# some originals by the judge's scores, intervals of sets above it cover as well as above .05,
# which would refuse four times as many sets that are drawn.
_CHOSEN = 0.01
_SEEN = "score of originals", "score of perturbed replies", "distance between the two"


def apart(pairs: Pairs, measures: int, draw: Mapping[str, int] = NO_DRAW) -> Pairs:
    """Return pairs with a person's scores, which stand behind those of the measures, by themselves.

    Where there are none, these are the same pairs. Scores of originals outside the draw are left
    out.

    Args:
        pairs: joined rows.
        measures: how many measures there are.
        draw: the place of each original that was drawn; empty where no draw is known.
    """
    scores = pairs.columns.scores
    if scores.shape[1] == measures:
        return pairs
    human = scores[:, [measures, measures]]
    human[pairs.clean_rows, 1] = pairs.means[:, measures]
    columns = pairs.columns._replace(scores=scores[:, :measures], human=human)
    pairs = replace(pairs, columns=columns, means=pairs.means[:, :measures])
    read = pairs.take(np.flatnonzero((pairs.state == READ) & (pairs.clean_state == READ)))
    known = ~np.isnan(human[[read.clean_place, read.place], 0])
    rows, known_in, begun = (
        np.bincount(read.original, each, columns.originals.size)
        for each in (None, known.all(axis=0), known.any(axis=0))
    )
    whole, places = (rows > 0) & (known_in == rows), {key64(one): at for one, at in draw.items()}
    place = np.array([places.get(key, 0) for key in columns.originals.tolist()])
    if not draw:
        left = (begun > 0) & ~whole
        left &= left.sum() > 1  # the person may be at work on one
        reason, note = "" if left.any() else _chosen(read, whole), _UNKNOWN
    else:
        left = (place > 0) & (place < place[whole].max(initial=0)) & ~whole & (rows > 0)
        outside, reason = (begun > 0) & (place == 0), ""
        human[outside[columns.original]] = math.nan
        note = f"Originals graded outside the draw are left out: {outside.sum():,}."
        note *= bool(outside.any())
    if count := int(left.sum()):
        reason = (
            f"a person left out grades of {count:,} original{'s' * (count > 1)}, and graded others "
            f"{'drawn after them' if draw else 'whole'}: hard ones may be missing, so grade them"
        )
    return replace(pairs, columns=columns._replace(selection=Selection(reason, note)))


def _chosen(pairs: Pairs, graded: Bool) -> str:
    """Return why originals weren't drawn at random, by the judge's scores of them; "" otherwise.

    Args:
        pairs: joined rows whose replies are read.
        graded: whether a person graded each original.
    """
    pairs = pairs.take(np.flatnonzero(pairs.counted))
    clean, noisy = pairs.clean[:, 0], pairs.perturbed[:, 0]
    rows = np.bincount(pairs.original, minlength=graded.size)
    chosen, found = graded[rows > 0], [(1.0, "", 0.0, 0.0)]
    some, every = int(chosen.sum()), chosen.size
    for name, values in zip(_SEEN, (clean, noisy, np.abs(noisy - clean)), strict=True):
        means = np.bincount(pairs.original, values, graded.size)[rows > 0] / rows[rows > 0]
        if 0 < some < every and np.ptp(means) > 0:
            # The variance of the mean of originals that are drawn without replacement.
            error = math.sqrt(means.var(ddof=1) * (1 / some - 1 / every))
            each = float(means[chosen].mean()), float(means[~chosen].mean())
            found.append((normal_two_sided((each[0] - means.mean()) / error), name, *each))
    p_value, name, here, there = min(found, key=lambda one: one[0])
    if len(_SEEN) * p_value >= _CHOSEN:
        return ""
    return (
        f"the {some:,} originals that a person graded aren't like a random draw: their mean {name} "
        f"is {here:.3f} by the judge, that of the other {every - some:,} {there:.3f}; perturb "
        "score --human FIELD --draw N draws some"
    )
