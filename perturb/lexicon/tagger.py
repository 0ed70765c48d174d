"""Part of speech and inflection of words: counts of WordNet, corrected by what stands beside.

Everything works on whole batches: a neighbour is an array shifted by one. The words between which a
sentence ends or a comma stands are not neighbours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from perturb.lexicon.arrays import Bool, Int64, UInt8, UInt32, load
from perturb.lexicon.rules import AGAIN, FIRST, Rule
from perturb.lexicon.sight import (
    NAME,
    NOBODY,
    NOUN,
    VBG,
    VERB,
    Sight,
    has,
    noun_form,
    verb_form,
)
from perturb.lexicon.tags import BIT, FIRST_TAG, FUNCTION_BITS
from perturb.lexicon.words import DIGITS, MIXED, POSSESSIVE, TITLE, UPPER, Words

if TYPE_CHECKING:
    from collections.abc import Iterable

Float = NDArray[np.float32]

# A tag is given only if its part of speech is this many times as likely as the next.
_MARGIN = 1.5
# Tenths of a count that every part of speech has to begin with.
_SMOOTHING = np.float32(5)

# Column of the lowest bit of a mask; -1 for none.
_LOWEST = np.array([-1, *((mask & -mask).bit_length() - 1 for mask in range(1, 32))])
_LOOKED_THROUGH = np.uint32(BIT["adverb"] | BIT["degree"] | BIT["negation"])


def tag(words: Words) -> UInt8:
    """Tag the words of a batch.

    Args:
        words: from `read_words`.

    Returns:
        Shape (n,): numbers of `tags.TAGS`. 0 for words to leave alone: unknown ones, function
        words, numbers, names, parts of compounds such as "ice cream" and of phrases such as "gave
        up", and words whose part of speech or inflection the context does not settle.

    Examples:
        >>> from perturb.lexicon.tags import TAGS
        >>> from perturb.lexicon.words import read_words
        >>> codes = np.frombuffer(b"She watches mice", np.uint8)
        >>> words = read_words(codes, np.array([0, 4, 12]), np.array([3, 11, 16]), np.array([0]))
        >>> [TAGS[number] for number in tag(words)]
        ['-', 'VBZ', 'NNS']
    """
    if not len(words.surfaces):
        return np.zeros(0, np.uint8)
    scores = _prior(words)
    names = _names(words)
    sight = _look(words)
    _apply(FIRST, scores, sight)
    sight = _look_again(sight, scores, names, words)
    _apply(AGAIN, scores, sight)
    tags = _inflections(scores, _masks(words), sight)
    tags[~_sure(scores) | _left_alone(words, names)] = 0
    return tags


def _prior(words: Words) -> Float:
    """Return how likely each word is as each part of speech that it can be, by counts alone."""
    lexicon = load()
    scores = lexicon.weights[words.surfaces] + _SMOOTHING
    scores *= lexicon.masks[words.surfaces] > 0
    scores[_no_content(words)] = 0
    return scores


def _no_content(words: Words) -> Bool:
    facts = load().facts[words.surfaces]
    found: Bool = (words.surfaces < 0) | (facts & np.uint32(FUNCTION_BITS) > 0)
    return found


def _names(words: Words) -> Bool:
    """Say which words seem to be names: capitalised inside a sentence, or unknown at its start."""
    named = has(load().facts[words.surfaces], "name")
    capital: Bool = (words.shapes == TITLE) | (words.shapes == MIXED)
    return capital & ~_functional(words) & (~words.first | named | (words.surfaces < 0))


def _functional(words: Words) -> Bool:
    return (words.surfaces >= 0) & _no_content(words)


def _masks(words: Words) -> UInt8:
    masks = load().masks[words.surfaces]
    masks[words.surfaces < 0] = 0
    return masks


def _classes(words: Words) -> UInt32:
    classes = np.where(words.surfaces >= 0, load().facts[words.surfaces], np.uint32(0))
    classes[words.shapes == DIGITS] |= np.uint32(BIT["number"])
    classes[words.shapes == POSSESSIVE] |= np.uint32(BIT["determiner"] | BIT["possessive"])
    return classes


def _look(words: Words) -> Sight:
    classes = _classes(words)
    before = _shifted(classes, words.apart)
    through = before & _LOOKED_THROUGH > 0
    governor = np.where(through, _shifted(before, words.apart), before)
    masks = _masks(words)
    nobody = np.full(len(classes), NOBODY, np.int8)
    polite = before & np.uint32(BIT["interjection"]) > 0
    return Sight(
        masks[:, NOUN],
        masks[:, VERB],
        before,
        governor,
        _unshifted(classes, words.apart, np.uint32(0)),
        words.first | polite,
        _since(has(classes, "modal"), words.first),
        np.zeros(len(classes), bool),
        nobody,
        nobody,
        _shifted(masks[:, NOUN], words.apart),
    )


def _look_again(sight: Sight, scores: Float, names: Bool, words: Words) -> Sight:
    seems = scores.argmax(axis=1).astype(np.int8)
    seems[scores.max(axis=1) == 0] = NOBODY
    seems[names] = NAME
    apart = words.apart
    left = np.where(apart, np.int8(NOBODY), np.roll(seems, 1))
    return sight._replace(
        verbed=_verbed(sight, seems, words),
        left=left,
        right=_unshifted(seems, apart, np.int8(NOBODY)),
    )


def _verbed(sight: Sight, seems: NDArray[np.int8], words: Words) -> Bool:
    """Say before which words a finite verb seems to stand in their clause."""
    classes = _classes(words)
    finite = (seems == VERB) & (sight.verbs != VBG) & ~has(sight.governor, "to", "be", "have")
    finite |= has(classes, "modal", "be", "have")
    opens = words.apart | has(classes, "conjunction", "question") | has(classes, "subject")
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


def _apply(rules: Iterable[Rule], scores: Float, sight: Sight) -> None:
    for rule in rules:
        scores[rule.holds(sight)] *= np.array(rule.factors, np.float32)


def _sure(scores: Float) -> Bool:
    ordered = np.sort(scores, axis=1)
    found: Bool = (ordered[:, 3] > 0) & (ordered[:, 3] >= _MARGIN * ordered[:, 2])
    return found


def _left_alone(words: Words, names: Bool) -> Bool:
    loud: Bool = words.shapes == UPPER
    # An acronym stands among words in small letters, a shouted word among others like it.
    acronym = loud & ~np.roll(loud, 1) & ~np.roll(loud, -1)
    alone: Bool = (words.surfaces < 0) | (words.shapes == MIXED)
    return alone | names | acronym | _collocated(words)


def _collocated(words: Words) -> Bool:
    """Say which words are half of a two-word entry of WordNet."""
    lexicon = load()
    surfaces = words.surfaces.astype(np.int64)
    pairs = (np.roll(surfaces, 1) << 32 | surfaces).astype(np.uint64)
    places = np.searchsorted(lexicon.collocations, pairs)
    places[places == len(lexicon.collocations)] = 0
    second = (lexicon.collocations[places] == pairs) & ~words.apart
    found: Bool = second | np.roll(second, -1)
    return found


def _inflections(scores: Float, masks: UInt8, sight: Sight) -> UInt8:
    """Return the tag of each word as its likeliest part of speech, 0 if that is left open."""
    pos = scores.argmax(axis=1)
    column = _LOWEST[masks[np.arange(len(pos)), pos]]
    column = np.where(pos == VERB, verb_form(sight), column)
    column = np.where(pos == NOUN, noun_form(sight), column)
    return np.where(column < 0, 0, np.array(FIRST_TAG)[pos] + column).astype(np.uint8)
