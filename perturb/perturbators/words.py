"""Changes to whole words: swap, delete, duplicate."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.letters import capitals, case_maps
from perturb.engine.sites import Chosen, Sites
from perturb.engine.strings import Strings, concatenate, repeated, same
from perturb.engine.unicode import Kind
from perturb.registry import perturbator

# H2O's scale for words, and what lies outside of its three levels.
_INTENSITIES = (0.05, 0.1, 0.3, 0.5, 0.7, 0.9)


@perturbator(
    "word_swap",
    unit="word",
    summary="Swap two words that stand side by side.",
    label_risk="medium",
    source="H2O Eval Studio, Word Swap Perturbation",
    intensities=_INTENSITIES,
)
def word_swap(batch: Batch, *, fix_case: bool = False) -> Sites:
    """Swap neighbouring words with nothing but spaces between them.

    Args:
        batch: the texts.
        fix_case: whether a capital at the start of the first word stays at the start of the pair
            ("The fox" becomes "Fox the", not "fox The").
    """
    words = batch.words
    left = np.flatnonzero(_spaces_between(batch))
    left = left[~same(words.take(left), words.take(left + 1))]

    def swapped(chosen: Chosen) -> Strings:
        first = np.searchsorted(words.starts, chosen.texts.starts)
        second = first + 1
        gap = Strings(batch.codes, words.ends[first], words.starts[second])
        made = concatenate(words.take(second), gap, words.take(first))
        return _recased(made, words.take(first), words.take(second)) if fix_case else made

    return Sites(words.starts[left], words.ends[left + 1], "word", swapped)


def _recased(made: Strings, first: Strings, second: Strings) -> Strings:
    """Move a capital from the first word, which now stands last, to the second."""
    lower, upper = case_maps()
    codes = made.codes.astype(np.uint32)
    rows = np.flatnonzero(
        capitals().mask(first.codes[first.starts]) & ~capitals().mask(second.codes[second.starts])
    )
    for table, places in (
        (upper, made.starts[rows]),
        (lower, (made.ends - first.lengths)[rows]),
    ):
        codes[places] = table[codes[places]]
    return Strings(codes, made.starts, made.ends)


@perturbator(
    "word_delete",
    unit="word",
    summary="Delete a word and the space beside it.",
    label_risk="high",
    source="J. Wei, K. Zou, EDA: Easy Data Augmentation Techniques, EMNLP 2019",
    intensities=_INTENSITIES,
)
def word_delete(batch: Batch) -> Sites:
    """Delete words.

    With a word go the spaces before it; with the first word of a line those after it.

    Args:
        batch: the texts.
    """
    words = batch.words
    gaps = _spaces(batch)
    before = np.searchsorted(gaps.ends, words.starts)
    after = np.searchsorted(gaps.starts, words.ends)
    ends, starts = np.append(gaps.ends, -1), np.append(gaps.starts, -1)
    preceded = ends[before] == words.starts
    followed = (starts[after] == words.ends) & ~preceded
    return Sites(
        np.where(preceded, starts[before], words.starts),
        np.where(followed, ends[after], words.ends),
        "word",
    )


@perturbator(
    "word_duplicate",
    unit="word",
    summary="Write a word twice.",
    label_risk="low",
    source="the repeated word of hasty typing",
    intensities=_INTENSITIES,
)
def word_duplicate(batch: Batch) -> Sites:
    """Repeat words, with a space between.

    Args:
        batch: the texts.
    """
    words = batch.words

    def again(chosen: Chosen) -> Strings:
        rows = np.searchsorted(words.ends, chosen.texts.starts)
        return concatenate(repeated(" ", len(rows)), words.take(rows))

    return Sites(words.ends, words.ends, "word", again)


@perturbator(
    "comma_insert",
    unit="word",
    summary="Put a comma after a word.",
    label_risk="low",
    source="H2O Eval Studio, Comma Perturbation",
    intensities=_INTENSITIES,
    aliases={"comma": {}},
)
def comma_insert(batch: Batch) -> Sites:
    """Insert commas between words that only spaces part.

    Args:
        batch: the texts.
    """
    ends = batch.words.ends[np.flatnonzero(_spaces_between(batch))]
    return Sites(ends, ends, "word", lambda chosen: repeated(",", len(chosen.keys)))


def _spaces(batch: Batch) -> Strings:
    """The runs of spaces, which do not reach over the end of a line."""
    space = of_kind(Kind.SPACE).mask(batch.codes)
    edges = np.flatnonzero(space[1:] != space[:-1]) + 1
    return Strings(batch.codes, edges[::2], edges[1::2])


def _spaces_between(batch: Batch) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """For each word but the last, whether nothing but spaces stands between it and the next."""
    words, gaps = batch.words, _spaces(batch)
    at = np.searchsorted(gaps.starts, words.ends[:-1])
    starts, ends = np.append(gaps.starts, -1)[at], np.append(gaps.ends, -1)[at]
    between: np.ndarray[tuple[int], np.dtype[np.bool_]] = (starts == words.ends[:-1]) & (
        ends == words.starts[1:]
    )
    return between
