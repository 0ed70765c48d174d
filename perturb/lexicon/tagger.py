"""Part of speech and inflection of words: counts of WordNet, corrected by what stands beside.

Everything works on whole batches: a neighbour is an array shifted by one. The words between which a
sentence ends or a comma stands are not neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from perturb.arrays import Bool, Float32, Intp, UInt8, UInt32
from perturb.lexicon.features import NAME, NOBODY, NOUN, VBG, VERB, Sight, has, noun_form, verb_form
from perturb.lexicon.store import load
from perturb.lexicon.tagger_rules import AGAIN
from perturb.lexicon.tagger_tables import (
    MASKS,
    NOTHING,
    NUMBER,
    POSSESSOR,
    Known,
    blank_sight,
    known,
    looked_through,
)
from perturb.lexicon.tags import FIRST_TAG
from perturb.lexicon.tokens import DIGITS, MIXED, POSSESSIVE, TITLE, UPPER, Words

if TYPE_CHECKING:
    from perturb.arrays import UInt32

# A tag is given only if its part of speech is this many times as likely as the next.
_MARGIN = 1.5

# Column of the lowest bit of a mask; -1 for none.
_LOWEST = np.array([-1, *((mask & -mask).bit_length() - 1 for mask in range(1, 32))])


class _Around(NamedTuple):
    """For each word of a batch: its mask, the kinds of its neighbours, and what all seem to be."""

    masks: UInt8
    kinds: UInt8
    before: UInt8
    governor: UInt8
    after: UInt8
    first: Bool
    names: Bool


def tag(words: Words, wanted: Bool | None = None) -> UInt8:
    """Tag the words of a batch.

    Args:
        words: from `read_words`.
        wanted: shape (n,); which words to tag, all if None. The fewer, the faster.

    Returns:
        Shape (n,): numbers of `tags.TAGS`. 0 for words to leave alone: unknown ones, function
        words, numbers, names, parts of compounds such as "ice cream" and of phrases such as "gave
        up", and words whose part of speech or inflection the context does not settle. 0 also for
        words that are not wanted.

    Examples:
        >>> from perturb.lexicon.tags import TAGS
        >>> from perturb.lexicon.tokens import read_words
        >>> codes = np.frombuffer(b"She watches mice", np.uint8)
        >>> words = read_words(codes, np.array([0, 4, 12]), np.array([3, 11, 16]), np.array([0]))
        >>> [TAGS[number] for number in tag(words)]
        ['-', 'VBZ', 'NNS']
    """
    tags = np.zeros(len(words.surfaces), np.uint8)
    if not len(tags):
        return tags
    facts = known()
    around = _look(words, facts)
    content = np.flatnonzero((words.surfaces >= 0) & (around.kinds == NOTHING))
    scores = _first_scores(words, around, facts, content)
    seems = np.full(len(tags), NOBODY, np.int8)
    seems[content], _, _ = _ranked(scores)
    seems[around.names] = NAME
    chosen = _choose(words, around, content, wanted)
    places, scores = content[chosen], scores[chosen]
    sight = _sight(seems, around, words, facts, places)
    for rule in AGAIN:
        scores[rule.holds(sight)] *= np.array(rule.factors, np.float32)
    pos, best, second = _ranked(scores)
    sure = (best > 0) & (best >= _MARGIN * second)
    found = _inflections(pos, load().masks[words.surfaces[places]], sight)
    tags[places] = np.where(sure, found, 0)
    return tags


def is_function_word(words: Words) -> Bool:
    """Say which words are function words of English or numbers."""
    found: Bool = known().kinds[words.surfaces] != NOTHING
    return found


# Numbers that are not 64 bits wide look up faster by `take` than in brackets.
def _look(words: Words, facts: Known) -> _Around:
    kinds = facts.kinds.take(words.surfaces)
    kinds[words.shapes == DIGITS] = NUMBER
    kinds[words.shapes == POSSESSIVE] = POSSESSOR
    before = _shifted(kinds, words.apart)
    through = looked_through(facts.bits).take(before)
    governor = np.where(through, _shifted(before, words.apart), before)
    polite = has(facts.bits, "interjection").take(before)
    capital = (words.shapes == TITLE) | (words.shapes == MIXED)
    named = facts.names.take(words.surfaces) | (words.surfaces < 0) | ~words.first
    return _Around(
        facts.masks.take(words.surfaces),
        kinds,
        before,
        governor,
        _unshifted(kinds, words.apart, NOTHING),
        words.first | polite,
        capital & named & (kinds == NOTHING),
    )


def _choose(words: Words, around: _Around, content: Intp, wanted: Bool | None) -> Intp:
    """Return which of the words with meaning to tag: no names, acronyms and parts of compounds."""
    usable = ~around.names & (words.shapes != MIXED)
    if wanted is not None:
        usable &= wanted
    chosen = np.flatnonzero(usable[content])
    places = content[chosen]
    return chosen[~_acronyms(words, places) & ~_collocated(words, places)]


def _first_scores(words: Words, around: _Around, facts: Known, places: Intp) -> Float32:
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


def _sight(
    seems: NDArray[np.int8], around: _Around, words: Words, facts: Known, places: Intp
) -> Sight:
    """Return what the other rules see of the words at `places`."""
    bits, apart = facts.bits, words.apart
    after = (places + 1) % len(apart)
    return blank_sight(around.masks[places])._replace(
        before=bits.take(around.before[places]),
        governor=bits.take(around.governor[places]),
        after=bits.take(around.after[places]),
        first=around.first[places],
        asked=_since(has(bits, "modal").take(around.kinds), words.first, places),
        verbed=_verbed(around, seems, words, bits, places),
        left=np.where(apart[places], np.int8(NOBODY), seems[places - 1]),
        # The word after the last is the first, and that stands apart.
        right=np.where(apart[after], np.int8(NOBODY), seems[after]),
        left_nouns=np.where(apart[places], np.uint8(0), around.masks[places - 1] & np.uint8(3)),
    )


def _verbed(
    around: _Around, seems: NDArray[np.int8], words: Words, bits: UInt32, places: Intp
) -> Bool:
    """Say of the words at `places` whether a finite verb seems to stand before in their clause."""
    verbs = np.flatnonzero((seems == VERB) & (around.masks >> 2 != VBG))
    finite = has(bits, "modal", "be", "have").take(around.kinds)
    finite[verbs] |= ~has(bits, "to", "be", "have")[around.governor[verbs]]
    opens = words.apart | has(bits, "conjunction", "question", "subject").take(around.kinds)
    return _since(finite, opens, places)


def _since(marks: Bool, opens: Bool, places: Intp) -> Bool:
    """Say before which of `places` a mark stands, no further back than where a stretch opens."""
    counts = np.cumsum(marks, dtype=np.int32)
    counts -= marks
    begins = np.where(opens, np.arange(len(opens), dtype=np.int32), np.int32(0))
    found: Bool = counts[places] > counts[np.maximum.accumulate(begins)[places]]
    return found


def _shifted(values: NDArray[Any], apart: Bool, nothing: int = 0) -> NDArray[Any]:
    """Return the value of the word before, `nothing` for a word that stands apart, as the first."""
    shifted = np.empty_like(values)
    shifted[1:] = values[:-1]
    np.copyto(shifted, nothing, where=apart)
    return shifted


def _unshifted(values: NDArray[Any], apart: Bool, nothing: int) -> NDArray[Any]:
    """Return the value of the word after, `nothing` where that stands apart or there is none."""
    shifted = np.empty_like(values)
    shifted[:-1] = values[1:]
    shifted[-1] = nothing
    np.copyto(shifted[:-1], nothing, where=apart[1:])
    return shifted


def _acronyms(words: Words, places: Intp) -> Bool:
    """Say which words are in capitals among others that are not, where all would be shouting."""
    loud = words.shapes == UPPER
    found: Bool = loud[places] & ~loud[places - 1] & ~loud[(places + 1) % len(loud)]
    return found


def _collocated(words: Words, places: Intp) -> Bool:
    """Say which words are half of a two-word entry of WordNet."""
    after = (places + 1) % len(words.apart)
    found = _are_one(words, places - 1, places) & ~words.apart[places]
    found |= _are_one(words, places, after) & ~words.apart[after]
    return found


def _are_one(words: Words, first: Intp, second: Intp) -> Bool:
    collocations, facts = load().collocations, known()
    one, other = words.surfaces[first], words.surfaces[second]
    found = facts.leads.take(one) & facts.trails.take(other)
    able = np.flatnonzero(found)
    pairs = (one[able].astype(np.int64) << 32 | other[able]).astype(np.uint64)
    places = np.searchsorted(collocations, pairs)
    places[places == len(collocations)] = 0
    found[able] = collocations[places] == pairs
    return found


def _ranked(scores: Float32) -> tuple[NDArray[np.int8], Float32, Float32]:
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


def _inflections(pos: NDArray[np.int8], masks: UInt8, sight: Sight) -> UInt8:
    """Return the tag of each word as its likeliest part of speech, 0 if that is left open."""
    column = _LOWEST[masks[np.arange(len(pos)), pos]]
    column = np.where(pos == VERB, verb_form(sight), column)
    column = np.where(pos == NOUN, noun_form(sight), column)
    return np.where(column < 0, 0, np.array(FIRST_TAG)[pos] + column).astype(np.uint8)
