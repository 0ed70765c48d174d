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
from perturb.robustness.scoring.columns import Selection

if TYPE_CHECKING:
    from perturb.robustness.scoring.join import Pairs
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
_SEEN = (
    "mean score of originals",
    "mean score of perturbed replies",
    "mean distance between the two",
)


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
    human = scores[:, measures].copy()
    columns = pairs.columns._replace(scores=scores[:, :measures], human=human)
    pairs = replace(pairs, columns=columns, means=pairs.means[:, :measures])
    read = pairs.take(np.flatnonzero((pairs.state == READ) & (pairs.clean_state == READ)))
    known = ~np.isnan(np.stack([human[read.clean_place], human[read.place]], axis=1))
    count = columns.originals.size
    rows, all_known, any_known = (
        np.bincount(read.original, each, count)
        for each in (None, known.all(axis=1), known.any(axis=1))
    )
    whole, begun = (rows > 0) & (all_known == rows), any_known > 0
    places = {key64(name): place for name, place in draw.items()}
    place = np.array([places.get(key, 0) for key in columns.originals.tolist()])
    outside, note = begun & (place == 0), ""
    if places:
        unfinished = (place > 0) & (place < place[whole].max(initial=0)) & ~whole & (rows > 0)
        human[outside[columns.original]] = math.nan
        if outside.any():
            note = f"Originals graded outside the draw are left out: {outside.sum():,}."
    else:
        unfinished = begun & ~whole
        unfinished &= unfinished.sum() > 1  # the person may be at work on one
    if unfinished.any():
        reason = (
            f"a person left out grades of {unfinished.sum():,} originals, and graded others "
            f"{'drawn after them' if places else 'whole'}: hard ones may be missing, so grade them"
        )
    else:
        reason = "" if places else _chosen(read, whole)
        note = note or "" if places else _UNKNOWN
    return replace(pairs, columns=columns._replace(selection=Selection(reason, note)))


def _chosen(pairs: Pairs, graded: Bool) -> str:
    """Return why originals weren't drawn at random, by what the judge sees in them; "" otherwise.

    Args:
        pairs: joined rows whose replies are read.
        graded: whether a person graded each original.
    """
    pairs = pairs.take(np.flatnonzero(pairs.counted))
    clean, noisy = pairs.clean[:, 0], pairs.perturbed[:, 0]
    rows = np.bincount(pairs.original, minlength=graded.size)
    there, found = rows > 0, []
    chosen = graded[there]
    some, every = int(chosen.sum()), chosen.size
    if some in (0, every):
        return ""
    for name, values in zip(_SEEN, (clean, noisy, np.abs(noisy - clean)), strict=True):
        means = (np.bincount(pairs.original, values, graded.size) / np.maximum(rows, 1))[there]
        # The variance of the mean of originals that are drawn without replacement.
        error = math.sqrt(means.var(ddof=1) * (1 / some - 1 / every))
        if error > 0:
            z = (means[chosen].mean() - means.mean()) / error
            found.append((normal_two_sided(z), name, means))
    p_value, name, means = min(found, key=lambda one: one[0], default=(1.0, "", clean))
    p_value = min(1.0, len(_SEEN) * p_value)
    if p_value >= _CHOSEN:
        return ""
    return (
        f"the {some:,} originals that a person graded aren't like a random draw: their {name} is "
        f"{means[chosen].mean():.3f} by the judge, that of the other {every - some:,} "
        f"{means[~chosen].mean():.3f}; perturb score --draw draws some"
    )
