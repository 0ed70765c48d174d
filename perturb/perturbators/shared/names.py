"""The names of a text, judging by their capitals, and their replacements: no two equal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.engine.sites import FIRST_WRITE
from perturb.engine.text.strings import Strings, packed
from perturb.lexicon.phrases import Found, after, before, is_capital
from perturb.lexicon.store import surfaces_of
from perturb.rng import below, hash32_in_lanes
from perturb.values.arrays import Bool, Int64, distinct

# A prime that mixes the names, which are in order of frequency. Any prime other than the number of
# names reaches all of them.
_MIXING = 7919
# An upper bound on the number of sorts of names: two genders of five origins need ten.
_SORTS = 16
# The number of draws if the text already has the drawn name. Of ten names in a text and 59 to
# choose from, 17% fail at the first draw, 2.6% after two, 0.04% after four. Those keep their name.
_ROUNDS = 4


def is_name(batch: Batch, rows: Int64) -> Bool:
    """Mark the words with a capital inside a sentence, or outside the lexicon.

    A row of -1 never is.
    """
    named = has_capital(batch, rows)
    unknown = surfaces_of(batch, rows[named]) < 0
    named[named] = unknown | ~are_among(batch.words.starts[rows[named]], batch.sentences.starts)
    return named


def in_names(batch: Batch, found: Found) -> Bool:
    """Mark the phrases with a capital of their own, and those beside names: Pearl Harbor.

    Words all in capitals have none of their own.
    """
    starts = batch.words.starts[found.first]
    capital = is_capital(batch.codes[starts]) & ~is_capital(batch.codes[starts + 1])
    named = ~are_among(starts, batch.sentences.starts)
    named |= has_capital(batch, before(batch, found.first))
    return capital & (named | has_capital(batch, after(batch, found.last)))


def has_capital(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` with a capital, except the word I; a row of -1 never is."""
    return batch.once(_capitals).take(rows)


def _capitals(batch: Batch) -> Bool:
    """Mark the words with a capital, except the word I; the last, where -1 leads, has none."""
    words, codes = batch.words, batch.codes
    heads = codes.take(words.starts)
    marks = np.zeros(len(words) + 1, np.bool_)
    marks[:-1] = is_capital(heads)
    marks[:-1] &= (heads != ord("I")) | (words.ends > words.starts + 1)
    return marks


def in_small(names: Strings, small: Bool) -> Strings:
    """Return names, and those of `small` without capitals."""
    codes = names.flat()
    capital = is_capital(codes) & small.repeat(names.lengths)
    return packed(np.where(capital, codes + (ord("a") - ord("A")), codes), names.lengths)


def mixed(rows: Int64) -> Int64:
    """Return some names in mixed order, as many as the largest prime up to their number.

    With a prime number of names, any stride leads to all of them.
    """
    count = max(size for size in range(2, len(rows) + 1) if all(size % d for d in range(2, size)))
    return rows[np.arange(count, dtype=np.int64) * _MIXING % count]


def drawn_apart(
    batch: Batch, ids: Int64, there: Int64, size: int, sorts: Int64, pool_of: Callable[[int], Int64]
) -> Int64:
    """Draw another name for each name, the same at all its places in a text.

    In one text no two names of a sort get the same one, and none gets one that the text has.

    Args:
        batch: the texts.
        ids: shape (n,); the number of the text times `size`, plus the number of the name.
        there: the same for all names in the texts, each once, in order.
        size: the number of all names.
        sorts: shape (n,); the sort of name to draw, a number below 16, the same at all places of a
            name in a text; draws of different sorts are independent.
        pool_of: gives the names of a sort that may be written, from `mixed`.

    Returns:
        Shape (n,): the numbers of names; -1 where a text has too many.
    """
    if not len(ids):
        return np.zeros(0, np.intp)
    known, first = np.unique(ids, return_index=True)
    # The names of each sort and text, in order of appearance.
    sorts = sorts[first]
    groups = known // size * _SORTS + sorts
    order = np.lexsort((first, groups))
    groups, sorts, text = groups[order], sorts[order], known[order] // size
    begins = groups.searchsorted(groups)
    count, number = groups.searchsorted(groups, "right") - begins, np.arange(len(groups)) - begins
    pools = {sort: pool_of(sort) for sort in distinct(sorts).tolist()}
    pool, sizes = np.concatenate([*pools.values()]), np.zeros(_SORTS, np.intp)
    sizes[[*pools]] = [len(names) for names in pools.values()]
    of_sort, limit = (np.cumsum(sizes) - sizes)[sorts], sizes[sorts]
    keys, lanes = batch.keys[text], FIRST_WRITE + 2 * sorts
    base = below(hash32_in_lanes(keys, lanes), limit)
    stride = 1 + below(hash32_in_lanes(keys, lanes + 1), limit - 1)
    drawn = np.full(len(text), -1)
    rows = np.arange(len(text))
    for turn in range(_ROUNDS):
        place = number[rows] + turn * count[rows]
        name = pool[of_sort[rows] + (base[rows] + stride[rows] * place) % limit[rows]]
        fits = (place < limit[rows]) & ~are_among(text[rows] * size + name, there)
        drawn[rows[fits]] = name[fits]
        rows = rows[~fits]
        if not len(rows):
            break
    of_known = np.empty(len(known), np.intp)
    of_known[order] = drawn
    return of_known[np.searchsorted(known, ids)]


def throughout(ids: Int64, fits: Bool) -> Bool:
    """Mark the names that fit wherever their text has them.

    Args:
        ids: shape (n,); the text and the name in one number, for each place.
        fits: shape (n,); the places at which a name can be replaced.
    """
    whole: Bool = fits.copy()
    whole[fits] = ~np.isin(ids[fits], ids[~fits])
    return whole
