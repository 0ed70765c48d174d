"""Checks of the scores that are passed to the measures."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from perturb.errors import DataError, shown
from perturb.values.arrays import Bool, Float64, Intp, NDArray

# A difference of two doubles of size m is known to about EPSILON * m, not better: each score is
# rounded, and so are their mean and each difference from it.
EPSILON = 4 * float(np.finfo(np.float64).eps)
# No score is larger, or less than its negative: the square of one must be a number as well.
_LARGEST = 1e100


def checked_score(value: Any, name: str) -> float:
    """Return a score as a number.

    Args:
        value: the score.
        name: of its field or function, for the message.

    Raises:
        DataError: it is no finite number, or so large that its square is not.
    """
    if not isinstance(value, (bool, int, float)) or not abs(value) <= _LARGEST:
        raise DataError(
            f"{name} must be true, false or a number within {_LARGEST:g}; got {shown(value)}"
        )
    return float(value)


def as_scores(values: ArrayLike, name: str) -> Float64:
    """Return one number or a flat sequence of numbers as an array of finite floats.

    Raises:
        ValueError: `values` is empty, nested, not numeric, or holds NaN or an infinity.
    """
    try:
        array = np.atleast_1d(np.asarray(values))
        if array.dtype.kind in "SU":
            raise TypeError(f"got text, {array.flat[0]!r}")
        scores = array.astype(np.float64, copy=False)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be a number or a flat list of numbers: {error}") from None
    if scores.ndim != 1:
        raise ValueError(f"{name} must be flat, got an array of shape {scores.shape}")
    if not scores.size:
        raise ValueError(f"{name} is empty: a measure needs at least one score")
    hint = ": score this row, or leave it out and report that you did"
    return _checked(scores, ~np.isfinite(scores), name, hint)


def as_proportions(values: ArrayLike, name: str) -> Float64:
    """Return scores that all lie in [0, 1].

    Raises:
        ValueError: a score lies outside [0, 1], or `as_scores` refuses `values`.
    """
    scores = as_scores(values, name)
    hint = ", outside [0, 1]: give proportions, not percentages"
    return _checked(scores, (scores < 0) | (scores > 1), name, hint)


def _checked(scores: Float64, is_bad: Bool, name: str, hint: str) -> Float64:
    """Refuse scores if one is bad; the message names the first, and goes on with the hint."""
    if is_bad.any():
        where = int(is_bad.argmax())
        raise ValueError(f"{name}[{where}] is {scores[where]}{hint}")
    return scores


def is_constant(values: Float64, magnitude: float) -> bool:
    """Return true if all values are equal within the rounding error of numbers of this size."""
    return float(values.max() - values.min()) <= EPSILON * magnitude


def cluster_index(values: NDArray[Any], clusters: ArrayLike) -> tuple[Intp, int]:
    """Return the number of each value's cluster, counted from 0, and how many clusters there are.

    Raises:
        ValueError: there are not as many labels as values.
    """
    labels = np.asarray(clusters)
    if labels.shape != values.shape:
        raise ValueError(
            f"{values.size} values need {values.size} cluster labels, got {labels.shape}"
        )
    if (
        labels.dtype.kind == "i"
        and 0 <= labels.min(initial=0) <= labels.max(initial=0) < labels.size
    ):
        # Numbers of originals are counted, which takes less time and memory than to sort them.
        there = np.bincount(labels) > 0
        places = np.cumsum(there, dtype=np.int32) - 1
        return places[labels], int(places[-1]) + 1
    names, index = np.unique(labels, return_inverse=True)
    return index, names.size


def clustered(
    values: ArrayLike, clusters: ArrayLike, level: float, name: str = "values"
) -> tuple[Float64, Intp, int]:
    """Return values that an interval needs: themselves, each one's cluster, and how many there are.

    Raises:
        ValueError: fewer than two clusters, unequal numbers of values and labels, NaN, or a level
            of confidence outside (0, 1).
    """
    x = as_scores(values, name)
    index, count = cluster_index(x, clusters)
    if count < 2:
        raise ValueError("all values belong to 1 cluster: an interval needs at least 2")
    check_level(level)
    return x, index, count


def check_level(level: float) -> None:
    """Refuse a level of confidence outside (0, 1)."""
    if not 0 < level < 1:
        raise ValueError(f"level must lie between 0 and 1, got {level!r}")
