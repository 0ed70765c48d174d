"""The words of a batch and those beside a place, as the lexicon has them."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.lexicon.lookup import surfaces_of_words
from perturb.lexicon.store import load
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import FUNCTION_BITS
from perturb.lexicon.tokens import read_batch
from perturb.values.arrays import Bool, Int64, UInt8


def surfaces_of(batch: Batch, rows: Int64) -> Int64:
    """Return the surfaces of the words at `rows`; -1 where the lexicon has none, or for -1."""
    surfaces = batch.once(_surfaces)
    found: Int64 = np.where(rows >= 0, surfaces.take(rows, mode="wrap"), -1)
    return found


def tags_of(batch: Batch) -> UInt8:
    """Return `tag` of all words of a batch."""
    return batch.once(_tags)


def _surfaces(batch: Batch) -> Int64:
    if not len(batch.words):
        return np.array([-1])
    return surfaces_of_words(batch).astype(np.int64)


def _tags(batch: Batch) -> UInt8:
    return tag(read_batch(batch))


def is_function(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are function words; a row of -1 is none."""
    surfaces = surfaces_of(batch, rows)
    function: Bool = (surfaces >= 0) & (load().facts[surfaces] & FUNCTION_BITS > 0)
    return function
