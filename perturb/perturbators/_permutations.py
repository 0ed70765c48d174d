"""Orders of the parts of texts: which part comes to stand in which place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from perturb.engine.sites import Chosen
from perturb.engine.text.strings import same
from perturb.rng import Int64

_LANES = 32


def shuffled(parts: Chosen, group: Int64) -> Int64:
    """Draw an order of the parts of each group, each as likely that is not the one they have.

    Args:
        parts: what is put in order.
        group: shape (parts,); never decreasing; the group of each.

    Returns:
        Shape (parts,); for each place, which part comes to stand there. Groups all of whose parts
        are equal stay as they are.
    """
    order: Int64 = np.arange(len(group))
    for lane in range(_LANES):
        rows = np.flatnonzero(_unchanged(parts, group, order))
        if not len(rows):
            break
        draws = parts.draw(lane)[rows]
        order[rows] = rows[np.lexsort((draws, group[rows]))]
    return order


def rotated(group: Int64, by: int) -> Int64:
    """The order in which every part of a group is `by` places further on, cyclically."""
    _, first, place, size = np.unique(
        group, return_index=True, return_inverse=True, return_counts=True
    )
    starts, sizes = first[place], size[place]
    order: Int64 = starts + (np.arange(len(group)) - starts - by) % sizes
    return order


def places(order: Int64) -> Int64:
    """For each part, at which place it comes to stand."""
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse


def _unchanged(parts: Chosen, group: Int64, order: Int64) -> NDArray[np.bool_]:
    """Which parts are in groups that an order leaves as they are."""
    moved = ~same(parts.texts.take(order), parts.texts)
    left: NDArray[np.bool_] = ~np.isin(group, group[moved])
    return left
