"""Places where no related word reads well, though its part of speech is clear.

They are of three kinds: an adjective that a number or "how" makes a measure (6 feet wide, how old);
a noun or adjective in a text without capitals that may be part of a name (the red sox, hall of
fame); a verb without an object whose replacement needs one (where to eat).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.arrays import Bool, UInt8
from perturb.engine.batch import Batch
from perturb.lexicon.features import has
from perturb.lexicon.phrases import among
from perturb.lexicon.tagger import is_function_word
from perturb.lexicon.tagger_tables import known
from perturb.lexicon.tags import TAG
from perturb.lexicon.tokens import DIGITS, Words
from perturb.resources import read_rows

_NOUNS = np.array([TAG["NN"], TAG["NNS"]])
_ADJECTIVES = np.array([TAG["JJ"], TAG["JJR"], TAG["JJS"]])
_PLAIN = np.array([TAG["JJ"], TAG["RB"]])
_ACTIVE = np.array([TAG["VB"], TAG["VBZ"], TAG["VBD"], TAG["VBG"]])
# After a noun these give a measure: half a mile long.
_DIMENSIONS = frozenset("long wide high tall deep thick old".split())
# A question with one of these may have the object in front: what did they eat?
_FRONTED = frozenset("what which whom that many much".split())


def is_unfit(batch: Batch, words: Words, tags: UInt8) -> Bool:
    """Mark the words of a batch that are to stay, whatever their tags."""
    unfit: Bool = _measures(batch, words, tags)
    unfit |= _in_bare_names(batch, words, tags)
    unfit |= _lacks_object(batch, words, tags)
    return unfit


def _measures(batch: Batch, words: Words, tags: UInt8) -> Bool:
    """Mark adjectives and adverbs after how, a number and its unit, and in "twice as big"."""
    plain = np.isin(tags, _PLAIN)
    rows = np.arange(len(tags))
    before = np.maximum(rows - 1, 0)
    near = ~words.apart
    nearer = near & np.roll(near, 1)
    number = (words.shapes == DIGITS) | has(known().bits, "number")[known().kinds[words.surfaces]]
    found = near & among(batch, before, frozenset(["how"]))
    found |= nearer & np.roll(number, 2)
    found |= near & among(batch, before, frozenset(["as"]))
    found |= near & among(batch, rows, _DIMENSIONS) & np.roll(_has_meaning(words), 1)
    measured: Bool = plain & found
    return measured


def _in_bare_names(batch: Batch, words: Words, tags: UInt8) -> Bool:
    """Mark nouns and adjectives beside another word with meaning in texts without capitals."""
    nominal = np.isin(tags, _NOUNS) | np.isin(tags, _ADJECTIVES)
    capital = (batch.codes >= ord("A")) & (batch.codes <= ord("Z"))
    bare = batch.count(np.flatnonzero(capital)) == 0
    bare_words = bare.repeat(batch.count(batch.words.starts))
    candidates: Bool = nominal & bare_words
    if not candidates.any():
        return candidates
    rows = np.arange(len(tags))
    named = _has_meaning(words) | among(batch, rows, frozenset(["of"]))
    left = np.roll(named, 1) & ~words.apart
    right = np.roll(named & ~words.apart, -1)
    right[-1:] = False
    named_parts: Bool = candidates & (left | right)
    return named_parts


def _lacks_object(batch: Batch, words: Words, tags: UInt8) -> Bool:
    """Mark verbs that need an object and have none behind them, nor perhaps in front."""
    rows = np.arange(len(tags))
    verbs = np.isin(tags, _ACTIVE)
    verbs[verbs] = among(batch, rows[verbs], _object_verbs())
    if not verbs.any():
        return verbs
    bits, kinds = known().bits, known().kinds[words.surfaces]
    opens = has(bits, "determiner", "possessive", "number", "object", "pronoun")[kinds]
    opens |= _has_meaning(words) | (words.shapes == DIGITS)
    follows = np.roll(opens & ~words.apart, -1)
    follows[-1:] = False
    fronted = np.cumsum(among(batch, rows, _FRONTED))
    first = np.maximum.accumulate(np.where(words.first, rows, 0))
    asked = fronted > fronted[first] - among(batch, first, _FRONTED)
    to = np.append(among(batch, rows[1:], frozenset(["to"])), False)
    return verbs & (to | ~(follows | asked))


def _has_meaning(words: Words) -> Bool:
    """Mark words outside the lexicon, such as names, and those that are no function words."""
    found: Bool = (words.surfaces < 0) | ~is_function_word(words)
    return found


@cache
def _object_verbs() -> frozenset[str]:
    return frozenset(
        form for _, forms in read_rows("english", "object_verbs.tsv") for form in forms.split(" ")
    )
