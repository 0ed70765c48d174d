"""Part of speech and inflection of words: counts of WordNet, corrected by their neighbours.

Everything works on whole batches: a neighbour is an array shifted by one. Words with the end of a
sentence or a comma between them are not neighbours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.engine.native import contexts
from perturb.engine.places import are_among
from perturb.lexicon.store import load
from perturb.lexicon.tagger_tables import (
    MASKS,
    NOTHING,
    NUMBER,
    POSSESSOR,
    Known,
    columns_of,
    known,
    sieve_places,
    tables_of,
)
from perturb.lexicon.tags import FIRST_TAG, NAME, NN, NOBODY, NOUN, VBG, VERB
from perturb.lexicon.tokens import DIGITS, MIXED, POSSESSIVE, TITLE, UPPER, Words
from perturb.values.arrays import Bool, Float32, Intp, NDArray, UInt8, UInt16

# A tag is given only if its part of speech is this many times as likely as the next. On the marked
# sentences of the tests, 97.7% of the tags are then correct and 5% of the words get none; without
# the margin 97.1% and 4%, with 3 98.4% and 9%.
_MARGIN = 1.5

# The side of `Known.left` by what the word before seems to be; a noun's is that of its tags.
_SIDE = np.array([0, 4, 5, 6, 7, 8])
# Column of the lowest bit of a mask; -1 for none.
_LOWEST = np.array([-1, *((mask & -mask).bit_length() - 1 for mask in range(1, 32))])


class Around(NamedTuple):
    """The surroundings of each word; every array has shape (words,).

    Attributes:
        masks: which tags of nouns and verbs it can have.
        kinds: its own kind.
        before: the kind of the word before; NOTHING if something separates them.
        governor: the same, looking through one adverb or negation.
        after: the kind of the word after.
        first: whether it begins a sentence, ignoring a "please".
        names: whether it seems to be a name.
        seems: its likeliest part of speech, NAME for a name, NOBODY for a word without meaning.
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


def tag(words: Words, wanted: Bool | None = None) -> UInt8:
    """Tag the words of a batch.

    Args:
        words: from `read_batch`.
        wanted: shape (n,); which words to tag, all if None. The fewer, the faster.

    Returns:
        Shape (n,): numbers of `tags.TAGS`. 0 for words to leave alone: unknown ones, function
        words, numbers, names, parts of compounds such as "ice cream" and of phrases such as "gave
        up", and words whose part of speech or inflection the context does not settle. 0 also for
        words that are not wanted.

    Examples:
        >>> from perturb.engine.batch import Batch
        >>> from perturb.lexicon.tags import TAGS
        >>> from perturb.lexicon.tokens import read_batch
        >>> words = read_batch(Batch.of(["She watches mice"]))
        >>> [TAGS[number] for number in tag(words)]
        ['-', 'VBZ', 'NNS']
    """
    if not len(words.surfaces):
        return np.zeros(0, np.uint8)
    facts = known()
    native = contexts.tags(words, wanted, columns_of(facts), tables_of(facts))
    return _tag_by_numpy(words, facts, wanted) if native is None else native


def _tag_by_numpy(words: Words, facts: Known, wanted: Bool | None) -> UInt8:
    tags, around = np.zeros(len(words.surfaces), np.uint8), _look_around(words, facts)
    places = _choose(words, around, wanted)
    beside = _beside(words, around, facts, places)
    scores = first_scores(words, around, facts, places)
    scores *= facts.left.take(beside.left, axis=0)
    scores *= facts.right.take(beside.right, axis=0)
    pos, best, second = ranked(scores)
    column = _LOWEST[load().masks[words.surfaces[places], pos]]
    column = np.where(pos == NOUN, facts.nouns.take(beside.nouns), column)
    column = np.where(pos == VERB, facts.verbs.take(beside.verbs), column)
    known_form = (best > 0) & (best >= _MARGIN * second) & (column >= 0)
    tags[places] = np.where(known_form, np.array(FIRST_TAG)[pos] + column, 0)
    return tags


def is_function_word(words: Words) -> Bool:
    """Mark the words that are function words of English or numbers."""
    marks: Bool = known().kinds[words.surfaces] != NOTHING
    return marks


def _choose(words: Words, around: Around, wanted: Bool | None) -> Intp:
    """Return the words to tag: none without meaning, no names, acronyms or parts of compounds."""
    fit = around.kinds == NOTHING if wanted is None else wanted
    places = np.flatnonzero(fit)
    fit = (words.surfaces[places] >= 0) & (around.kinds[places] == NOTHING)
    fit &= ~around.names[places] & (words.shapes[places] != MIXED)
    places = places[fit]
    rows: Intp = places[~_acronyms(words, places) & ~_collocated(words, places)]
    return rows


class _Beside(NamedTuple):
    """The rows of words in the tables of `Known`; every array has shape (words,)."""

    left: Intp
    right: Intp
    nouns: Intp
    verbs: Intp


def _beside(words: Words, around: Around, facts: Known, places: Intp) -> _Beside:
    """Return the neighbours of the words at `places`."""
    # The word after the last is the first, and nothing is its neighbour.
    following = (places + 1) % len(words.apart)
    masks, seems = around.masks[places].astype(np.intp), around.seems
    left = np.where(words.apart[places], NOBODY, seems[places - 1])
    noun_after = (seems[following] == NOUN) & ~words.apart[following]
    side = np.where(left == NOUN, around.masks[places - 1] & 3, _SIDE[left])
    before = around.before[places].astype(np.intp)
    of_before, of_governor = facts.roles.take(before), facts.roles.take(around.governor[places])
    of_after = facts.roles.take(around.after[places]).astype(np.intp)
    row = side * 4 + of_after // contexts.OPENS_OBJECT
    verb_row = around.asked[places] * 2 + around.first[places]
    for mark in (
        (of_governor & contexts.ONE > 0) | (left == NAME) | (side == NN),
        of_governor & contexts.TAKES_BASE > 0,
        (of_governor & contexts.TAKES_PARTICIPLE > 0) | (of_before & contexts.LEADS_NOUN > 0),
    ):
        verb_row = verb_row * 2 + mark
    return _Beside(
        (row * 2 + around.verbed[places]) * MASKS + masks,
        (before * 2 + noun_after) * 2 + (left == VERB),
        before * 4 + (masks & 3),
        verb_row * 32 + (masks >> 2),
    )


def _acronyms(words: Words, places: Intp) -> Bool:
    """Mark the words in capitals among others that aren't; if all are, the text shouts."""
    loud = words.shapes == UPPER
    marks: Bool = loud[places] & ~loud[places - 1] & ~loud[(places + 1) % len(loud)]
    return marks


def _collocated(words: Words, places: Intp) -> Bool:
    """Mark the words that are half of a two-word entry of WordNet."""
    after = (places + 1) % len(words.apart)
    found = _are_one(words, places - 1, places) & ~words.apart[places]
    found |= _are_one(words, places, after) & ~words.apart[after]
    return found


def _are_one(words: Words, first: Intp, second: Intp) -> Bool:
    collocations, facts = load().collocations, known()
    one, other = words.surfaces[first], words.surfaces[second]
    pairs = (one.astype(np.int64) << 32 | other).view(np.uint64)
    places = sieve_places(pairs)
    found = (facts.sieve.take(places >> 3) >> (places & 7) & 1 > 0) & (one >= 0) & (other >= 0)
    found[found] = are_among(pairs[found], collocations)
    return found


# Numbers that are not 64 bits wide look up faster by `take` than in brackets.
def _look_around(words: Words, facts: Known) -> Around:
    """Return the surroundings of each word."""
    kinds = facts.kinds.take(words.surfaces)
    kinds[words.shapes == DIGITS] = NUMBER
    kinds[words.shapes == POSSESSIVE] = POSSESSOR
    # The first word has no neighbour before it, and nothing follows the last.
    before = np.where(words.apart, NOTHING, np.roll(kinds, 1))
    after = np.where(np.roll(words.apart, -1), NOTHING, np.roll(kinds, -1))
    through = facts.roles.take(before) & contexts.LOOKED_THROUGH > 0
    further = np.where(words.apart, NOTHING, np.roll(before, 1))
    governor = np.where(through, further, before)
    polite = facts.roles.take(before) & contexts.POLITE > 0
    capital = (words.shapes == TITLE) | (words.shapes == MIXED)
    named = facts.names.take(words.surfaces) | (words.surfaces < 0) | ~words.first
    around = Around(
        facts.masks.take(words.surfaces),
        kinds,
        before,
        governor,
        after,
        words.first | polite,
        capital & named & (kinds == NOTHING),
        np.full(len(kinds), NOBODY, np.int8),
        _since(facts.roles.take(kinds) & contexts.MODAL > 0, words.first),
        words.first,
    )
    content = np.flatnonzero((words.surfaces >= 0) & (kinds == NOTHING))
    around.seems[content], _, _ = ranked(first_scores(words, around, facts, content))
    around.seems[around.names] = NAME
    return around._replace(verbed=_verbed(words, around, facts.roles))


def first_scores(words: Words, around: Around, facts: Known, places: Intp) -> Float32:
    """Return the score of each part of speech of the words, by the rules on one neighbour."""
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
    """Return the column of the highest of four scores (the first of equals), it and the next.

    Written out, since argmax and sort over such a short axis cost more; on columns, since strides
    of four do too.
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


def _verbed(words: Words, around: Around, roles: UInt16) -> Bool:
    """Mark the words that a finite verb seems to precede in their clause."""
    verbs = np.flatnonzero((around.seems == VERB) & (around.masks >> 2 != VBG))
    own = roles.take(around.kinds)
    finite = own & contexts.FINITE > 0
    finite[verbs] |= roles.take(around.governor[verbs]) & contexts.NOT_FINITE == 0
    return _since(finite, words.apart | (own & contexts.OPENS_CLAUSE > 0))


def _since(marks: Bool, opens: Bool) -> Bool:
    """Mark the words that a marked one precedes, no further back than the start of a stretch."""
    counts = np.cumsum(marks, dtype=np.int32)
    counts -= marks
    begins = np.where(opens, np.arange(len(opens), dtype=np.int32), np.int32(0))
    return counts > counts[np.maximum.accumulate(begins)]
