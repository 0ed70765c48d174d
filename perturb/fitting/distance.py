"""The distance of generated edits from real ones, and of real ones from each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from perturb.fitting.pairs import Aligned
from perturb.rng import key64
from perturb.values.arrays import Bool, Float64, Int64

# The classifier sees this many characters on each side of an edit, and strings up to this length.
# On 71 questions with keyboard and human typos, 2 or 8 on each side and strings of up to 3 told the
# two apart less reliably, and longer strings no better.
_AROUND, _LONGEST = 4, 5
# On the same questions, two parts gave an AUC of 0.79 rather than 0.85, since each fit sees less,
# and ten took twice the time for no more. With so many edits a side, the standard error of the AUC
# is below 0.007: more edits would only cost time.
_FOLDS, _MOST_EDITS = 5, 4000
# The AUC has settled by then: 300 steps moved it by less than 0.005, ten times the decay or a tenth
# of it by less than 0.01.
_STEPS, _DECAY = 150, 1e-4


class Distance(NamedTuple):
    """The distance between two sets of edits.

    Attributes:
        kinds: the total variation of their kinds, such as a letter lost, in [0, 1].
        edits: the total variation of the edits themselves: the strings removed and written.
        auc: how well a classifier separates them in context; at 0.5 it can't. NaN for fewer than 20
            of either.
    """

    kinds: float
    edits: float
    auc: float


def distance(real: Aligned, made: Aligned) -> Distance:
    """Return the distance between the edits of two lists of pairs.

    The classifier is a logistic regression on strings of up to five characters of an edit in
    context. Cross-validation in five parts tests it on texts that it was not fitted to.

    Args:
        real: pairs with real noise.
        made: pairs with other noise.
    """
    sides = [_contexts(pairs) for pairs in (real, made)]
    size = min(_MOST_EDITS, *map(len, sides))
    auc = float("nan")
    if size >= 4 * _FOLDS:
        both = [side[row] for side in sides for row in _thinned(len(side), size)]
        auc = _auc(both, np.arange(2 * size) < size)
    edits = [[(c.removed, c.written) for c in pairs.changes] for pairs in (real, made)]
    kinds = [[_kind(*edit) for edit in side] for side in edits]
    return Distance(total_variation(*kinds), total_variation(*edits), auc)


def total_variation(some: Iterable[Hashable], others: Iterable[Hashable]) -> float:
    """Return half the sum of the differences between two relative frequencies, in [0, 1].

    Examples:
        >>> total_variation("aab", "abb")
        0.3333333333333333
    """
    counts = Counter(some), Counter(others)
    sizes = [max(count.total(), 1) for count in counts]
    keys = counts[0].keys() | counts[1].keys()
    return sum(abs(counts[0][k] / sizes[0] - counts[1][k] / sizes[1]) for k in keys) / 2


def _kind(removed: str, written: str) -> tuple[str, str]:
    """Return the kind of an edit: the sorts of characters on both sides."""
    if removed.lower() == written.lower():
        return "case", "case"
    sorts = [
        "".join("a" if c.isalpha() else "0" if c.isdigit() else c and "." for c in side[:4])
        for side in (removed.replace(" ", "_"), written.replace(" ", "_"))
    ]
    if sorted(removed) == sorted(written):
        sorts[1] = "swapped"
    return sorts[0], sorts[1]


def _contexts(pairs: Aligned) -> list[tuple[int, str]]:
    """Return each edit in its context, and the number of its text."""
    contexts = []
    for text, start, removed, written, _ in pairs.changes:
        clean, end = pairs.clean[text], start + len(removed)
        before, behind = clean[max(start - _AROUND, 0) : start], clean[end : end + _AROUND]
        contexts.append((text, f"{before}\0{removed}\1{written}\2{behind}"))
    return contexts


def _thinned(count: int, size: int) -> list[int]:
    """Return `size` of the numbers below `count`, the same in each run."""
    order = sorted(range(count), key=lambda number: key64("edit", number))
    return sorted(order[:size])


def _auc(contexts: Sequence[tuple[int, str]], is_real: Bool) -> float:
    """Return the mean over the folds of the area under the curve of a classifier."""
    rows, features = _features([context for _, context in contexts])
    fold = np.array([key64("text", text) % _FOLDS for text, _ in contexts])
    areas = []
    for number in range(_FOLDS):
        held = fold == number
        if not (0 < is_real[held].sum() < held.sum()):
            continue
        weights = _regression(rows, features, is_real, ~held)
        scores = np.bincount(rows, weights[features], len(contexts))
        areas.append(_area(scores[held & is_real], scores[held & ~is_real]))
    return float(np.mean(areas)) if areas else float("nan")


def _features(texts: Sequence[str]) -> tuple[Int64, Int64]:
    """Return the row and the number of each string of characters in each text, none twice."""
    numbers: dict[str, int] = {}
    pairs = {
        (row, numbers.setdefault(text[at : at + size], len(numbers)))
        for row, text in enumerate(texts)
        for size in range(1, _LONGEST + 1)
        for at in range(len(text) - size + 1)
    }
    rows, features = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    counts = np.bincount(features)
    seen = counts[features] > 1  # a string in a single edit says nothing about others
    return rows[seen], features[seen]


def _regression(rows: Int64, features: Int64, truth: Bool, taught: Bool) -> Float64:
    """Return the weights of a ridge-penalised logistic regression, by Nesterov's descent."""
    size = int(features.max(initial=0)) + 1
    scale = np.bincount(rows).max(initial=1) / 4  # bounds the curvature, as features are 0 or 1
    weights = ahead = np.zeros(size)
    count = max(int(taught.sum()), 1)
    for step in range(_STEPS):
        scores = np.bincount(rows, ahead[features], len(truth))
        errors = np.where(taught, 1 / (1 + np.exp(-scores)) - truth, 0) / count
        slope = np.bincount(features, errors[rows], size) + _DECAY * ahead
        new = ahead - slope * 30 / scale
        ahead = new + step / (step + 3) * (new - weights)
        weights = new
    return weights


def _area(positive: Float64, negative: Float64) -> float:
    """Return the share of pairs in which the positive is the higher, ties counted half."""
    ordered = np.sort(negative)
    below = ordered.searchsorted(positive) + ordered.searchsorted(positive, "right")
    return float(below.mean() / 2 / len(negative))
