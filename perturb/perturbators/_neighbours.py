"""The words beside a place, as the lexicon has them."""

from __future__ import annotations

import numpy as np

from perturb.arrays import Bool, Int64
from perturb.engine.batch import Batch
from perturb.lexicon.lookup import lookup
from perturb.lexicon.store import load
from perturb.lexicon.tags import FUNCTION_BITS


def surfaces_of(batch: Batch, rows: Int64) -> Int64:
    """Return the surfaces of the words at `rows`; -1 where the lexicon has none, or for -1."""
    found = np.full(len(rows), -1)
    some = rows >= 0
    words = batch.words.take(rows[some])
    found[some] = lookup(words.codes, words.starts, words.ends)
    return found


def is_function(batch: Batch, rows: Int64) -> Bool:
    """Mark the words at `rows` that are function words; a row of -1 is none."""
    surfaces = surfaces_of(batch, rows)
    function: Bool = (surfaces >= 0) & (load().facts[surfaces] & FUNCTION_BITS > 0)
    return function
