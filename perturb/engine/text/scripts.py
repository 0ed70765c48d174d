"""The scripts in which words and texts are written, and those that put spaces between words."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.arrays import Bool, UInt8
from perturb.engine.batch import Batch
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Script, scripts

_KANA = (Script.HIRAGANA, Script.KATAKANA)
_SOLID = (*_KANA, Script.HAN, Script.BOPOMOFO)
_UNSPACED = (
    *_SOLID,
    Script.THAI,
    Script.LAO,
    Script.KHMER,
    Script.MYANMAR,
    Script.TIBETAN,
)


def of_words(words: Strings) -> UInt8:
    """Return the `Script` of the first character of each word; OTHER for numbers."""
    found: UInt8 = scripts()[words.codes[words.starts]]
    return found


def of_texts(batch: Batch) -> UInt8:
    """Return the `Script` of most words of each text; HIRAGANA for Japanese, OTHER for none.

    Long words count for more, and numbers for nothing; a text with kana in it is Japanese.
    """
    words = batch.words
    text = np.repeat(np.arange(len(batch.texts)), batch.count(words.starts))
    of_word = of_words(words)
    weights = np.where(of_word == Script.OTHER, 0, words.lengths)
    cells = len(batch.texts) * len(Script)
    table = np.bincount(text * len(Script) + of_word, weights, cells).reshape(-1, len(Script))
    found: UInt8 = table.argmax(axis=1).astype(np.uint8)
    if batch.codes.dtype != np.uint8:
        found[batch.count(np.flatnonzero(_kana().mask(batch.codes))) > 0] = Script.HIRAGANA
    return found


def unspaced(written: UInt8) -> Bool:
    """Mark the scripts that put no space between words."""
    return np.isin(written, _UNSPACED)


def solid(written: UInt8) -> Bool:
    """Mark the scripts that put no space between sentences either."""
    return np.isin(written, _SOLID)


@cache
def _kana() -> CharacterSet:
    return CharacterSet(np.isin(scripts(), _KANA))
