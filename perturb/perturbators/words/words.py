"""Changes to whole words: swap, delete, duplicate, split, merge, mask."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch, letters, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import Kind
from perturb.engine.text.scripts import of_words, unspaced
from perturb.engine.text.strings import Strings, concatenate, optional, repeated, same
from perturb.errors import UsageError
from perturb.perturbators.declaration import word_perturbator
from perturb.values.arrays import Bool, Int64


@word_perturbator(
    "word_swap",
    version=3,
    share=lambda p, **_: p / 2,  # each swap moves two words
    touches={"order"},
    source="H2O Eval Studio, Word Swap Perturbation",
)
def word_swap(batch: Batch, *, fix_case: bool = False) -> Sites:
    """Swap two neighbouring words.

    Swap neighbouring words with only spaces between them, or adjacent segments.

    `p` is the share of the words that move, two in each swap.

    Args:
        batch: the texts.
        fix_case: whether a capital at the start of the first word stays at the start of the pair
            ("The fox" becomes "Fox the", not "fox The").
    """
    words = batch.words
    touching = bool(batch.segmented) & (words.ends[:-1] == words.starts[1:])
    left = np.flatnonzero(spaces_between(batch) | touching)
    left = left[~same(words.take(left), words.take(left + 1))]

    def swapped(chosen: Chosen) -> Strings:
        first = left[chosen.rows]
        second = first + 1
        gap = Strings(batch.codes, words.ends[first], words.starts[second])
        pair = concatenate(words.take(second), gap, words.take(first))
        return _recased(pair, words.take(first), words.take(second)) if fix_case else pair

    return Sites(words.starts[left], words.ends[left + 1], "word", swapped)


def _recased(pairs: Strings, first: Strings, second: Strings) -> Strings:
    """Move a capital from the first word, which is now last, to the second."""
    lower, upper = case_maps()
    codes = pairs.codes.astype(np.uint32)
    capital, heads = capitals(), (first.codes[first.starts], second.codes[second.starts])
    led = capital.mask(heads[0]) & ~capital.mask(heads[1])
    for table, places in ((upper, pairs.starts), (lower, pairs.ends - first.lengths)):
        codes[places[led]] = table[codes[places[led]]]
    return Strings(codes, pairs.starts, pairs.ends)


@word_perturbator(
    "word_delete",
    version=2,
    touches={"words", "digits", "space", "meaning"},
    source="J. Wei, K. Zou, EDA: Easy Data Augmentation Techniques, EMNLP 2019",
)
def word_delete(batch: Batch) -> Sites:
    """Delete a word and the space next to it.

    A word goes with the spaces before it, the first word of a line with those after it.

    Args:
        batch: the texts.
    """
    words, codes, space = batch.words, batch.codes, of_kind(Kind.SPACE)
    starts = space.back(codes, words.starts)
    ends = np.where(starts < words.starts, words.ends, space.past(codes, words.ends))
    return Sites(starts, ends, "word")


@word_perturbator(
    "word_duplicate",
    version=3,
    touches={"words", "digits", "space"},
    source="repeated words in hasty typing",
)
def word_duplicate(batch: Batch) -> Sites:
    """Write a word twice.

    Repeat words, with a space between if the script has them; not parts of fractions, since 1 1/4
    is another number than 1/4.

    Args:
        batch: the texts.
    """
    words, codes, digit = batch.words, batch.codes, of_kind(Kind.DIGIT)
    parts = (codes[words.ends] == ord("/")) & digit.mask(codes[words.ends - 1])
    parts |= (codes[words.starts - 1] == ord("/")) & digit.mask(codes[words.starts])
    (rows,) = (~parts).nonzero()
    words = words.take(rows)

    def again(chosen: Chosen) -> Strings:
        copies = words.take(chosen.rows)
        return concatenate(optional(~unspaced(of_words(copies)), " "), copies)

    return Sites(words.ends, words.ends, "word", again)


@word_perturbator(
    "comma_insert",
    version=3,
    touches={"punctuation"},
    source="H2O Eval Studio, Comma Perturbation",
    aliases={"comma": {}},
)
def comma_insert(batch: Batch) -> Sites:
    """Put a comma after a word.

    Only spaces separate the word from the next, and they are not both numbers, as in 12 000.

    Args:
        batch: the texts.
    """
    ends = batch.words.ends[rows_before_spaces(batch)]
    return Sites(ends, ends, "word", lambda chosen: repeated(",", len(chosen)))


@word_perturbator(
    "word_split",
    version=3,
    touches={"space"},
    source="nlpaug, SplitAug; W&B Weave's robustness scorer",
)
def word_split(batch: Batch) -> Sites:
    """Put a space inside a word.

    Split words of two characters or more that begin with a letter, but not next to a digit.

    Args:
        batch: the texts.
    """
    words = batch.words
    first = batch.clusters_before(words.starts)
    sizes = batch.clusters_before(words.ends) - first
    rows = np.flatnonzero(letters().mask(batch.codes[words.starts]) & (sizes > 1))
    into = 1 + batch.chosen(words.take(rows)).below(sizes[rows] - 1, lane=1)
    places = batch.clusters_at(first[rows] + into)
    sites = Sites(places, places, "word", lambda chosen: repeated(" ", len(chosen)))
    return batch.outside_numbers(sites)


@word_perturbator(
    "word_merge", version=2, touches={"space"}, source="W&B Weave's robustness scorer"
)
def word_merge(batch: Batch) -> Sites:
    """Drop the space between two words.

    Delete the spaces between words, if there is nothing else; never between two numbers.

    Args:
        batch: the texts.
    """
    rows = rows_before_spaces(batch)
    return Sites(batch.words.ends[rows], batch.words.starts[rows + 1], "word")


@word_perturbator(
    "word_mask",
    version=2,
    touches={"words", "digits", "meaning"},
    source="W. L. Taylor, Cloze procedure, Journalism Quarterly, 1953",
)
def word_mask(batch: Batch, *, token: str = "___") -> Sites:
    """Write a blank in place of a word.

    Args:
        batch: the texts.
        token: the replacement of each word, such as "[MASK]"; a word that equals `token` already
            stays.
    """
    if not token:
        raise UsageError("word_mask: token must not be empty; to remove words, use word_delete")
    words = batch.words
    rows = np.flatnonzero(~same(words, repeated(token, len(words))))
    words = words.take(rows)
    return Sites(words.starts, words.ends, "word", lambda chosen: repeated(token, len(chosen)))


def rows_before_spaces(batch: Batch) -> Int64:
    """Return the words that only spaces separate from the next; never a number from a number."""
    words, digit = batch.words, of_kind(Kind.DIGIT)
    rows = np.flatnonzero(spaces_between(batch))
    number = digit.mask(batch.codes[words.ends[rows] - 1])
    separate: Int64 = rows[~(number & digit.mask(batch.codes[words.starts[rows + 1]]))]
    return separate


def spaces_between(batch: Batch) -> Bool:
    """Mark each word, except the last, that only spaces separate from the next word."""
    starts, ends = batch.words.ends[:-1], batch.words.starts[1:]
    between: Bool = of_kind(Kind.SPACE).past(batch.codes, starts) == ends
    return between & (starts < ends)
