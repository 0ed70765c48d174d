"""What stands around each word of a batch, and what it seems to be by its neighbours alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.native.contexts import (
    FINITE,
    LOOKED_THROUGH,
    MODAL,
    NOT_FINITE,
    OPENS_CLAUSE,
    POLITE,
    contexts,
)
from perturb.lexicon.features import NAME, NOBODY, VBG, VERB
from perturb.lexicon.tagger_tables import MASKS, NOTHING, NUMBER, POSSESSOR, Known
from perturb.lexicon.tokens import DIGITS, MIXED, POSSESSIVE, TITLE, Words
from perturb.values.arrays import Bool, Float32, Intp, NDArray, UInt8


class Around(NamedTuple):
    """What stands around each word; every array has shape (words,).

    Attributes:
        masks: which tags of nouns and verbs it can have.
        kinds: its own kind.
        before: the kind of the word before; NOTHING where something stands between.
        governor: the same, looking through one adverb or negation.
        after: the kind of the word after.
        first: whether it begins a sentence, but for a "please".
        names: whether it seems to be a name.
        seems: its likeliest part of speech, NAME for a name, NOBODY for what has no meaning.
        asked: whether an auxiliary that takes the base form stands before it in the sentence.
        verbed: whether a finite verb seems to stand before it in its clause.
    """

    masks: UInt8
    kinds: UInt8
    before: UInt8
    governor: UInt8
    after: UInt8
    first: Bool
    names: Bool
    seems: NDArray[np.int8]
    asked: Bool
    verbed: Bool


def look_around(words: Words, facts: Known) -> Around:
    """Return what stands around each word."""
    columns = facts.kinds, facts.masks, facts.names, facts.scores, facts.roles
    factors = facts.before, facts.governor, facts.after
    native = contexts(*words, (*columns, *factors))
    return _by_numpy(words, facts) if native is None else Around(*native)


# Numbers that are not 64 bits wide look up faster by `take` than in brackets.
def _by_numpy(words: Words, facts: Known) -> Around:
    kinds = facts.kinds.take(words.surfaces)
    kinds[words.shapes == DIGITS] = NUMBER
    kinds[words.shapes == POSSESSIVE] = POSSESSOR
    before = _of_word_before(kinds, words.apart)
    through = facts.roles.take(before) & LOOKED_THROUGH > 0
    governor = np.where(through, _of_word_before(before, words.apart), before)
    polite = facts.roles.take(before) & POLITE > 0
    capital = (words.shapes == TITLE) | (words.shapes == MIXED)
    named = facts.names.take(words.surfaces) | (words.surfaces < 0) | ~words.first
    around = Around(
        facts.masks.take(words.surfaces),
        kinds,
        before,
        governor,
        _of_word_after(kinds, words.apart),
        words.first | polite,
        capital & named & (kinds == NOTHING),
        np.full(len(kinds), NOBODY, np.int8),
        _since(facts.roles.take(kinds) & MODAL > 0, words.first),
        words.first,
    )
    content = np.flatnonzero((words.surfaces >= 0) & (kinds == NOTHING))
    around.seems[content], _, _ = ranked(first_scores(words, around, facts, content))
    around.seems[around.names] = NAME
    return around._replace(verbed=_verbed(words, around, facts.roles))


def first_scores(words: Words, around: Around, facts: Known, places: Intp) -> Float32:
    """Return how likely the words are as each part of speech, with the rules on one neighbour."""
    scores = facts.scores.take(words.surfaces[places], axis=0)
    masks = around.masks[places].astype(np.intp)
    before, governor = around.before[places], around.governor[places]
    scores *= facts.before.take(before.astype(np.intp) * MASKS + masks, axis=0)
    far = np.flatnonzero(governor != before)
    scores[far] *= facts.governor[governor[far].astype(np.intp) * MASKS + masks[far]]
    row = around.first[places].astype(np.intp) * len(facts.bits) + around.after[places]
    scores *= facts.after.take(row * MASKS + masks, axis=0)
    return scores


def ranked(scores: Float32) -> tuple[NDArray[np.int8], Float32, Float32]:
    """Return the column of the highest of four scores, the first of equals, it and the next.

    By hand, since argmax and sort over so short an axis cost more; on columns, since steps of four
    do too.
    """
    noun, verb, adjective, adverb = np.ascontiguousarray(scores.T)
    one, other = (verb > noun).view(np.int8), (adverb > adjective).view(np.int8)
    upper, lower = np.maximum(noun, verb), np.minimum(noun, verb)
    upper_other, lower_other = np.maximum(adjective, adverb), np.minimum(adjective, adverb)
    later = upper_other > upper
    column = np.where(later, other + np.int8(2), one)
    rest = np.where(later, lower_other, lower)
    second = np.maximum(np.minimum(upper, upper_other), rest)
    return column, np.maximum(upper, upper_other), second


def _verbed(words: Words, around: Around, roles: UInt8) -> Bool:
    """Say of each word whether a finite verb seems to stand before it in its clause."""
    verbs = np.flatnonzero((around.seems == VERB) & (around.masks >> 2 != VBG))
    own = roles.take(around.kinds)
    finite = own & FINITE > 0
    finite[verbs] |= roles.take(around.governor[verbs]) & NOT_FINITE == 0
    return _since(finite, words.apart | (own & OPENS_CLAUSE > 0))


def _since(marks: Bool, opens: Bool) -> Bool:
    """Say before which words a mark stands, no further back than where a stretch opens."""
    counts = np.cumsum(marks, dtype=np.int32)
    counts -= marks
    begins = np.where(opens, np.arange(len(opens), dtype=np.int32), np.int32(0))
    found: Bool = counts > counts[np.maximum.accumulate(begins)]
    return found


def _of_word_before(kinds: UInt8, apart: Bool) -> UInt8:
    """Return the kind of the word before; NOTHING for a word that stands apart, as the first."""
    shifted = np.empty_like(kinds)
    shifted[1:] = kinds[:-1]
    np.copyto(shifted, NOTHING, where=apart)
    return shifted


def _of_word_after(kinds: UInt8, apart: Bool) -> UInt8:
    """Return the kind of the word after; NOTHING where that stands apart or there is none."""
    shifted = np.empty_like(kinds)
    shifted[:-1] = kinds[1:]
    shifted[-1] = NOTHING
    np.copyto(shifted[:-1], NOTHING, where=apart[1:])
    return shifted
