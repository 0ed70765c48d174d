"""Part of speech and inflection of words: counts of WordNet, corrected by what stands beside.

Everything works on whole batches: a neighbour is an array shifted by one. The words between which a
sentence ends or a comma stands are not neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.lexicon.arrays import Bool, Int64, UInt8, load
from perturb.lexicon.context import (
    MASKS,
    NOTHING,
    NUMBER,
    POSSESSOR,
    Float,
    Known,
    blank_sight,
    known,
)
from perturb.lexicon.rules import AGAIN
from perturb.lexicon.sight import NAME, NOBODY, NOUN, VBG, VERB, Sight, has, noun_form, verb_form
from perturb.lexicon.tags import FIRST_TAG
from perturb.lexicon.words import DIGITS, MIXED, POSSESSIVE, TITLE, UPPER, Words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from perturb.lexicon.arrays import UInt32

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
        >>> from perturb.lexicon.words import read_words
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
    usable = (words.surfaces >= 0) & ~around.names & (words.shapes != MIXED)
    usable &= (around.kinds == NOTHING) if wanted is None else (around.kinds == NOTHING) & wanted
    places = np.flatnonzero(usable)
    places = places[~_acronyms(words, places) & ~_collocated(words, places)]
    scores = _first_scores(words, around, facts)
    sight = _sight(scores, around, words, facts, places)
    scores = scores[places]
    for rule in AGAIN:
        scores[rule.holds(sight)] *= np.array(rule.factors, np.float32)
    found = _inflections(scores, load().masks[words.surfaces[places]], sight)
    tags[places] = np.where(_sure(scores), found, 0)
    return tags


def _look(words: Words, facts: Known) -> _Around:
    kinds = facts.kinds[words.surfaces]
    kinds[words.shapes == DIGITS] = NUMBER
    kinds[words.shapes == POSSESSIVE] = POSSESSOR
    before = _shifted(kinds, words.apart)
    through = has(facts.bits, "adverb", "degree", "negation")[before]
    governor = np.where(through, _shifted(before, words.apart), before)
    polite = has(facts.bits, "interjection")[before]
    capital = (words.shapes == TITLE) | (words.shapes == MIXED)
    named = facts.names[words.surfaces] | (words.surfaces < 0) | ~words.first
    return _Around(
        facts.masks[words.surfaces],
        kinds,
        before,
        governor,
        _unshifted(kinds, words.apart, np.uint8(NOTHING)),
        words.first | polite,
        capital & named & (kinds == NOTHING),
    )


def _first_scores(words: Words, around: _Around, facts: Known) -> Float:
    """Return how likely each word is as each part of speech, with the rules on one neighbour."""
    scores = facts.scores[words.surfaces]
    masks = around.masks.astype(np.intp)
    scores *= facts.before[around.before.astype(np.intp) * MASKS + masks]
    scores *= facts.governor[around.governor.astype(np.intp) * MASKS + masks]
    row = around.first.astype(np.intp) * len(facts.bits) + around.after
    scores *= facts.after[row * MASKS + masks]
    return scores


def _sight(
    scores: Float, around: _Around, words: Words, facts: Known, places: NDArray[np.intp]
) -> Sight:
    """Return what the other rules see of the words at `places`."""
    seems = scores.argmax(axis=1).astype(np.int8)
    seems[scores[np.arange(len(seems)), seems] == 0] = NOBODY
    seems[around.names] = NAME
    asked = _since(has(facts.bits, "modal")[around.kinds], words.first)
    return blank_sight(around.masks[places])._replace(
        before=facts.bits[around.before[places]],
        governor=facts.bits[around.governor[places]],
        after=facts.bits[around.after[places]],
        first=around.first[places],
        asked=asked[places],
        verbed=_verbed(around, seems, words, facts.bits)[places],
        left=np.where(words.apart, np.int8(NOBODY), np.roll(seems, 1))[places],
        right=_unshifted(seems, words.apart, np.int8(NOBODY))[places],
        left_nouns=_shifted(around.masks & np.uint8(3), words.apart)[places],
    )


def _verbed(around: _Around, seems: NDArray[np.int8], words: Words, bits: UInt32) -> Bool:
    """Say before which words a finite verb seems to stand in their clause."""
    finite = (seems == VERB) & (around.masks >> 2 != VBG)
    finite &= ~has(bits, "to", "be", "have")[around.governor]
    finite |= has(bits, "modal", "be", "have")[around.kinds]
    opens = words.apart | has(bits, "conjunction", "question", "subject")[around.kinds]
    return _since(finite, opens)


def _since(marks: Bool, opens: Bool) -> Bool:
    """Say before which words a mark stands, no further back than where a stretch opens."""
    counts: Int64 = np.cumsum(marks) - marks
    begins = np.maximum.accumulate(np.where(opens, np.arange(len(opens)), 0))
    found: Bool = counts > counts[begins]
    return found


def _shifted(values: NDArray[Any], apart: Bool) -> NDArray[Any]:
    """Return the value of the word before, 0 for a word that stands apart."""
    return np.where(apart, values.dtype.type(0), np.roll(values, 1))


def _unshifted(values: NDArray[Any], apart: Bool, nothing: np.generic) -> NDArray[Any]:
    """Return the value of the word after, `nothing` where that stands apart."""
    return np.where(np.roll(apart, -1), nothing, np.roll(values, -1))


def _acronyms(words: Words, places: NDArray[np.intp]) -> Bool:
    """Say which words are in capitals among others that are not, where all would be shouting."""
    loud = words.shapes == UPPER
    found: Bool = loud[places] & ~loud[places - 1] & ~np.roll(loud, -1)[places]
    return found


def _collocated(words: Words, places: NDArray[np.intp]) -> Bool:
    """Say which words are half of a two-word entry of WordNet."""
    after = (places + 1) % len(words.apart)
    found = _are_one(words, places - 1, places) & ~words.apart[places]
    found |= _are_one(words, places, after) & ~words.apart[after]
    return found


def _are_one(words: Words, first: NDArray[np.intp], second: NDArray[np.intp]) -> Bool:
    collocations = load().collocations
    surfaces = words.surfaces.astype(np.int64)
    pairs = (surfaces[first] << 32 | surfaces[second]).astype(np.uint64)
    places = np.searchsorted(collocations, pairs)
    places[places == len(collocations)] = 0
    found: Bool = collocations[places] == pairs
    return found


def _sure(scores: Float) -> Bool:
    ordered = np.sort(scores, axis=1)
    found: Bool = (ordered[:, 3] > 0) & (ordered[:, 3] >= _MARGIN * ordered[:, 2])
    return found


def _inflections(scores: Float, masks: UInt8, sight: Sight) -> UInt8:
    """Return the tag of each word as its likeliest part of speech, 0 if that is left open."""
    pos = scores.argmax(axis=1)
    column = _LOWEST[masks[np.arange(len(pos)), pos]]
    column = np.where(pos == VERB, verb_form(sight), column)
    column = np.where(pos == NOUN, noun_form(sight), column)
    return np.where(column < 0, 0, np.array(FIRST_TAG)[pos] + column).astype(np.uint8)
