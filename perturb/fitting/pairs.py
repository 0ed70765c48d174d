"""The edits between pairs of texts, and the distance of generated edits from real ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.difference import changed_parts, difference
from perturb.perturbators.shared.noise import LONGEST_REMOVED, LONGEST_WORD, LONGEST_WRITTEN
from perturb.rng import key64
from perturb.values.arrays import Bool, Float64, Int64

# A pair that differs by more than this share of its clean text is rather a paraphrase or a wrong
# match, and would fill the counts with edits that nobody made. Chosen by hand on 23 November 2026.
_LARGEST_SHARE = 0.5


class Change(NamedTuple):
    """An edit of a pair.

    Attributes:
        text: the number of the pair.
        start: its start in the clean text.
        removed: the string that it removes.
        written: the string that it writes.
        is_word: whether it replaces a whole word by an unrelated one.
    """

    text: int
    start: int
    removed: str
    written: str
    is_word: bool = False


class Aligned(NamedTuple):
    """Pairs with their edits.

    Attributes:
        clean: the clean texts, without those of pairs that are left out.
        noisy: the noisy texts.
        changes: their edits, in order.
        left_out: the numbers of the pairs whose texts are too different, or empty.
        unread: the number of edits that are too long to count.
    """

    clean: list[str]
    noisy: list[str]
    changes: list[Change]
    left_out: list[int]
    unread: int

    def part(self, rows: Sequence[int]) -> Aligned:
        """Return the pairs at some rows."""
        number = {row: n for n, row in enumerate(rows)}
        changes = [
            change._replace(text=number[change.text])
            for change in self.changes
            if change.text in number
        ]
        clean, noisy = [self.clean[row] for row in rows], [self.noisy[row] for row in rows]
        return Aligned(clean, noisy, changes, [], self.unread)


def align(clean: Sequence[str], noisy: Sequence[str]) -> Aligned:
    """Align pairs.

    Args:
        clean: the texts as they should be.
        noisy: the same texts with errors.

    Examples:
        >>> align(["the cat sat"], ["the act sta"]).changes[0]
        Change(text=0, start=4, removed='ca', written='ac', is_word=False)
    """
    pairs = Aligned([], [], [], [], 0)
    unread = 0
    for number, (before, after) in enumerate(zip(clean, noisy, strict=True)):
        edits = difference(before, after)
        size = sum(max(end - start, len(text)) for start, end, text in edits)
        if not before.strip() or not after.strip() or size > _LARGEST_SHARE * len(before) + 1:
            pairs.left_out.append(number)
            continue
        changes, lost = _changes(len(pairs.clean), before, edits)
        pairs.clean.append(before)
        pairs.noisy.append(after)
        pairs.changes.extend(changes)
        unread += lost
    return pairs._replace(unread=unread)


def align_words(clean: Sequence[str], noisy: Sequence[str]) -> Aligned:
    """Align pairs by words, without case and punctuation: an edit is of one word.

    Args:
        clean: the texts as they should be.
        noisy: the same texts with errors.

    Examples:
        >>> align_words(["They sat, there."], ["they sat in there"]).changes[0]
        Change(text=0, start=10, removed='', written='in', is_word=True)
    """
    pairs = Aligned([], [], [], [], 0)
    for number, (said, heard) in enumerate(zip(words_of(clean), words_of(noisy), strict=True)):
        sides = [[word for _, word in side] for side in (said, heard)]
        edits = [
            (min(a + n, b), sides[0][a + n : b][:1], sides[1][c + n : d][:1])
            for a, b, c, d in changed_parts(*sides)
            for n in range(max(b - a, d - c))
        ]
        if len(edits) >= len(said):
            pairs.left_out.append(number)
            continue
        starts = [*(start for start, _ in said), len(clean[number])]
        pairs.changes.extend(
            Change(len(pairs.clean), starts[at], "".join(removed), "".join(written), is_word=True)
            for at, removed, written in edits
        )
        pairs.clean.append(clean[number])
        pairs.noisy.append(noisy[number])
    return pairs


def words_of(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Yield the words of each text in small letters, with their starts."""
    batch = Batch.of(texts)
    words, edges = batch.words, batch.words.starts.searchsorted(batch.edges)
    found = [word.lower().replace("’", "'") for word in words.to_list()]
    for first, last, start in zip(edges[:-1], edges[1:], batch.texts.starts, strict=True):
        yield [*zip((words.starts[first:last] - start).tolist(), found[first:last], strict=True)]


def _changes(
    text: int, before: str, edits: Sequence[tuple[int, int, str]]
) -> tuple[list[Change], int]:
    """Return the edits of a text; a word with a long edit becomes one edit of the whole word."""
    words = {
        _word_at(before, start, end)
        for start, end, written in edits
        if end - start > LONGEST_REMOVED or len(written) > LONGEST_WRITTEN
    }
    changes, lost = [], 0
    for first, last in words:
        written, at = "", first
        for start, end, replacement in edits:
            if first <= start and end <= last:
                written += before[at:start] + replacement
                at = end
        removed, written = before[first:last], written + before[at:last]
        if removed.isalnum() and max(len(removed), len(written)) <= LONGEST_WORD:
            changes.append(Change(text, first, removed, written, is_word=True))
        else:
            lost += 1
    changes += [
        Change(text, start, before[start:end], written)
        for start, end, written in edits
        if not any(first <= start and end <= last for first, last in words)
    ]
    return sorted(changes), lost


def _word_at(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span of a text, extended to whole words."""
    while start and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum():
        end += 1
    return start, end


# The classifier sees this many characters on each side of an edit, and strings up to this length.
# On 71 questions with about 130 edits a side, no values from 2 to 8 separated keyboard from human
# typos clearly better.
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
