"""Part of speech and inflection of words: counts of WordNet, corrected by what stands beside.

Everything works on whole batches: a neighbour is an array shifted by one. The words between which a
sentence ends or a comma stands are not neighbours.
"""

from __future__ import annotations

import numpy as np

from perturb.lexicon.neighbours import Around, first_scores, look_around, ranked
from perturb.lexicon.store import load
from perturb.lexicon.tagger_rules import AGAIN, Sight, noun_form, verb_form
from perturb.lexicon.tagger_tables import NOTHING, Known, blank_sight, known
from perturb.lexicon.tags import FIRST_TAG, NOBODY, NOUN, VERB
from perturb.lexicon.tokens import MIXED, UPPER, Words
from perturb.values.arrays import Bool, Intp, NDArray, UInt8

# A tag is given only if its part of speech is this many times as likely as the next.
_MARGIN = 1.5

# Column of the lowest bit of a mask; -1 for none.
_LOWEST = np.array([-1, *((mask & -mask).bit_length() - 1 for mask in range(1, 32))])


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
    around = look_around(words, facts)
    places = _choose(words, around, wanted)
    scores = first_scores(words, around, facts, places)
    sight = _sight(around, words, facts, places)
    for rule in AGAIN:
        scores[rule.holds(sight)] *= np.array(rule.factors, np.float32)
    pos, best, second = ranked(scores)
    sure = (best > 0) & (best >= _MARGIN * second)
    found = _inflections(pos, load().masks[words.surfaces[places]], sight)
    tags[places] = np.where(sure, found, 0)
    return tags


def is_function_word(words: Words) -> Bool:
    """Say which words are function words of English or numbers."""
    marks: Bool = known().kinds[words.surfaces] != NOTHING
    return marks


def _choose(words: Words, around: Around, wanted: Bool | None) -> Intp:
    """Return which words with meaning to tag: no names, acronyms and parts of compounds."""
    fit = around.kinds == NOTHING if wanted is None else wanted
    places = np.flatnonzero(fit)
    fit = (words.surfaces[places] >= 0) & (around.kinds[places] == NOTHING)
    fit &= ~around.names[places] & (words.shapes[places] != MIXED)
    places = places[fit]
    rows: Intp = places[~_acronyms(words, places) & ~_collocated(words, places)]
    return rows


def _sight(around: Around, words: Words, facts: Known, places: Intp) -> Sight:
    """Return what the other rules see of the words at `places`."""
    bits, apart, seems = facts.bits, words.apart, around.seems
    after = (places + 1) % len(apart)
    return blank_sight(around.masks[places])._replace(
        before=bits.take(around.before[places]),
        governor=bits.take(around.governor[places]),
        after=bits.take(around.after[places]),
        first=around.first[places],
        asked=around.asked[places],
        verbed=around.verbed[places],
        left=np.where(apart[places], np.int8(NOBODY), seems[places - 1]),
        # The word after the last is the first, and that stands apart.
        right=np.where(apart[after], np.int8(NOBODY), seems[after]),
        left_nouns=np.where(apart[places], np.uint8(0), around.masks[places - 1] & np.uint8(3)),
    )


def _acronyms(words: Words, places: Intp) -> Bool:
    """Say which words are in capitals among others that are not, where all would be shouting."""
    loud = words.shapes == UPPER
    marks: Bool = loud[places] & ~loud[places - 1] & ~loud[(places + 1) % len(loud)]
    return marks


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


def _inflections(pos: NDArray[np.int8], masks: UInt8, sight: Sight) -> UInt8:
    """Return the tag of each word as its likeliest part of speech, 0 if that is left open."""
    column = _LOWEST[masks[np.arange(len(pos)), pos]]
    column = np.where(pos == VERB, verb_form(sight), column)
    column = np.where(pos == NOUN, noun_form(sight), column)
    return np.where(column < 0, 0, np.array(FIRST_TAG)[pos] + column).astype(np.uint8)
