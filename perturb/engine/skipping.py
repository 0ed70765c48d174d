"""Words that a step leaves alone: at the start and at the end of a text, and short ones."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import covered, marked_before
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Bool, Int64


def skipped(batch: Batch, first: int, last: int, shorter: int) -> Bool | None:
    """Mark the code points that a step leaves alone; None if it may act on all.

    Args:
        batch: the texts as the step finds them.
        first: how many words at the start of each text stay, with all before them.
        last: how many words at its end stay, with all after them.
        shorter: words of fewer characters stay.
    """
    if not (first or last or shorter):
        return None
    words, texts = batch.words, batch.texts
    counts = batch.count(words.starts)
    ends = np.cumsum(counts)
    spans = []
    if shorter:
        short = np.flatnonzero(_characters(batch, words) < shorter)
        spans.append((words.starts[short], words.ends[short]))
    (some,) = counts.nonzero()
    if first:
        until = ends[some] - counts[some] + np.minimum(first, counts[some]) - 1
        spans.append((texts.starts[some], words.ends[until]))
    if last:
        since = ends[some] - np.minimum(last, counts[some])
        spans.append((words.starts[since], texts.ends[some]))
    starts, stops = map(np.concatenate, zip(*spans, strict=True))
    return covered(starts, stops, len(batch.codes))


def _characters(batch: Batch, words: Strings) -> Int64:
    """Count the characters of each word; a part of a character counts as one."""
    if batch.boundaries is None:
        return words.lengths
    before = marked_before(batch.boundaries)
    counts = 1 + before[words.ends] - before[words.starts + 1]
    return counts.astype(np.int64)
