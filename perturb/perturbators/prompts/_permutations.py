"""Permutations of the parts of texts, as the part that moves to each place."""

from __future__ import annotations

import numpy as np

from perturb.engine.sites import Chosen
from perturb.engine.text.strings import same
from perturb.values.arrays import Int64

# The most attempts at a new order. With two parts, half of the attempts keep the old one, so 1
# group in 4 billion does in the end; with more parts, fewer.
_LANES = 32


def shuffled(parts: Chosen, group: Int64) -> Int64:
    """Draw a new order of the parts of each group; all but the present one are equally likely.

    Args:
        parts: the parts to put in order.
        group: shape (parts,); never decreasing; the group of each.

    Returns:
        Shape (parts,); for each place, the part that moves there. Groups of equal parts stay.
    """
    order: Int64 = np.arange(len(group))
    for lane in range(_LANES):
        moved = np.flatnonzero(order != np.arange(len(group)))
        moved = moved[~same(parts.texts.take(order[moved]), parts.texts.take(moved))]
        # The parts of groups that the order leaves unchanged.
        rows = np.flatnonzero(~np.isin(group, group[moved]))
        if not len(rows):
            break
        draws = parts.draw(lane)[rows]
        order[rows] = rows[np.lexsort((draws, group[rows]))]
    return order


def rotated(group: Int64, by: int) -> Int64:
    """Return the order in which every part of a group is `by` places further on, cyclically."""
    _, first, place, size = np.unique(
        group, return_index=True, return_inverse=True, return_counts=True
    )
    starts, sizes = first[place], size[place]
    return starts + (np.arange(len(group)) - starts - by) % sizes


def places(order: Int64) -> Int64:
    """Return for each part the place to which it moves."""
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return inverse
