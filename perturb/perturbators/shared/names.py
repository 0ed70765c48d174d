"""Words that are names, judging by their capitals."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.lexicon.phrases import Found, after, before, is_capital
from perturb.lexicon.store import surfaces_of
from perturb.values.arrays import Bool, Int64


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
