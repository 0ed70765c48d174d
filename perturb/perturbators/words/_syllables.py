"""Chinese characters that are typed alike."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column
from perturb.engine.text.unicode import Script, scripts
from perturb.resources import read_rows
from perturb.values.arrays import Int64


def same_syllable(batch: Batch) -> Sites:
    """Return a site at each character that shares its syllable with others, but beside kana."""
    characters, firsts, counts = _syllables()
    written = scripts().take(batch.codes)
    kana = batch.count(((written == Script.HIRAGANA) | (written == Script.KATAKANA)).nonzero()[0])
    (starts,) = (written == Script.HAN).nonzero()
    starts = starts[kana[batch.text_of(starts)] == 0]
    order = np.argsort(characters.codes)
    places = characters.codes.searchsorted(batch.codes[starts], sorter=order)
    rows = order[np.minimum(places, len(order) - 1)]
    known = characters.codes[rows] == batch.codes[starts]
    starts, rows = starts[known], rows[known]

    def write(chosen: Chosen) -> Strings:
        own = rows[chosen.rows]
        other = firsts[own] + chosen.below(counts[own] - 1)
        return characters.take(other + (other >= own))

    return Sites(starts, starts + 1, "place", write)


@cache
def _syllables() -> tuple[Strings, Int64, Int64]:
    """Return the characters by syllable, where those of the same begin, and how many they are."""
    groups = [own for _, own in read_rows("languages", "pinyin.tsv")]
    counts = np.array([len(own) for own in groups])
    return column("".join(groups)), (counts.cumsum() - counts).repeat(counts), counts.repeat(counts)
