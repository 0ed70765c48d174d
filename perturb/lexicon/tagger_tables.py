"""The tagger's tables of every word and every kind of neighbour, computed at first use.

Function words fall into some fifty kinds by their classes. So the rules that look at one neighbour
are evaluated once for every kind and every set of possible tags, and are a table from then on.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.engine.native.contexts import (
    FINITE,
    LOOKED_THROUGH,
    MODAL,
    NOT_FINITE,
    OPENS_CLAUSE,
    POLITE,
)
from perturb.lexicon.features import NOBODY, NOUN, VERB, Sight, has
from perturb.lexicon.store import load
from perturb.lexicon.tagger_rules import AFTER, BEFORE, GOVERNOR, Rule
from perturb.lexicon.tags import BIT, FUNCTION_BITS
from perturb.values.arrays import Bool, Float32, UInt8, UInt32

if TYPE_CHECKING:
    from collections.abc import Iterable


# Tenths of a count that every part of speech has to begin with.
_SMOOTHING = np.float32(5)
# Possible noun tags (2 bits) and verb tags (5 bits) in one number.
MASKS = 1 << 7
# Kinds of words that are not in the lexicon.
NOTHING, NUMBER, POSSESSOR = range(3)
_UNKNOWN_BITS = [0, BIT["number"], BIT["determiner"] | BIT["possessive"]]


class Known(NamedTuple):
    """Facts of each surface; the last row is that of unknown words, so -1 finds it.

    Attributes:
        kinds: shape (surfaces + 1,); the kind of each, NOTHING for words that have meaning.
        masks: the possible noun and verb tags of each.
        scores: shape (surfaces + 1, 4); how likely each is as each part of speech, by counts.
        names: whether each is also a name.
        leads: whether each begins a two-word entry of WordNet.
        trails: whether each ends one.
        bits: shape (kinds,); the classes of each kind.
        roles: shape (kinds,); what the word of a kind is to those after it, as contexts.h has it.
        before: shape (kinds * MASKS, 4); the factors of the rules on the word before, for its kind
            and the mask of the word itself; with those of the governor, if that is the same word.
        governor: the same of the rules on the governor.
        after: shape (2 * kinds * MASKS, 4); the same of the word after, for words inside a sentence
            and then for first words.
    """

    kinds: UInt8
    masks: UInt8
    scores: Float32
    names: Bool
    leads: Bool
    trails: Bool
    bits: UInt32
    roles: UInt8
    before: Float32
    governor: Float32
    after: Float32


@cache
def known() -> Known:
    """Prepare the facts; the first call takes some milliseconds."""
    lexicon = load()
    classes = np.append(lexicon.facts & np.uint32(FUNCTION_BITS), np.uint32(0))
    functional = np.flatnonzero(classes)
    bits, found = np.unique(classes[functional], return_inverse=True)
    kinds = np.zeros(len(classes), np.uint8)
    kinds[functional] = found + len(_UNKNOWN_BITS)
    bits = np.concatenate((np.array(_UNKNOWN_BITS, np.uint32), bits))
    masks = np.append(lexicon.masks[:, NOUN] | lexicon.masks[:, VERB] << 2, np.uint8(0))
    scores = np.zeros((len(classes), 4), np.float32)
    scores[:-1] = (lexicon.weights + _SMOOTHING) * (lexicon.masks > 0)
    scores[classes > 0] = 0
    names = np.append(lexicon.facts & np.uint32(BIT["name"]) > 0, False)
    leads, trails = np.zeros((2, len(classes)), np.bool_)
    leads[lexicon.collocations >> np.uint64(32)] = True
    trails[lexicon.collocations & np.uint64(0xFFFFFFFF)] = True
    governor = _factors(GOVERNOR, "governor", bits)
    through = np.repeat(looked_through(bits), MASKS)[:, None]
    return Known(
        kinds,
        masks,
        scores,
        names,
        leads,
        trails,
        bits,
        _roles(bits),
        _factors(BEFORE, "before", bits) * np.where(through, np.float32(1), governor),
        governor,
        np.concatenate([_factors(AFTER, "after", bits, first=first) for first in (False, True)]),
    )


def _roles(bits: UInt32) -> UInt8:
    """Return the roles of each kind of words."""
    roles = looked_through(bits) * np.uint8(LOOKED_THROUGH)
    for role, names in (
        (POLITE, ["interjection"]),
        (MODAL, ["modal"]),
        (FINITE, ["modal", "be", "have"]),
        (OPENS_CLAUSE, ["conjunction", "question", "subject"]),
        (NOT_FINITE, ["to", "be", "have"]),
    ):
        roles |= has(bits, *names) * np.uint8(role)
    return roles


def looked_through(bits: UInt32) -> Bool:
    """Say which words a governor is seen through: "not", but not "don't", which governs itself."""
    return has(bits, "adverb", "degree", "negation") & ~has(bits, "modal", "be", "have")


def _factors(rules: Iterable[Rule], side: str, bits: UInt32, *, first: bool = False) -> Float32:
    """Evaluate the rules on one neighbour for every kind that it can be and every mask."""
    kinds, masks = np.divmod(np.arange(len(bits) * MASKS), MASKS)
    sight = blank_sight(masks.astype(np.uint8))
    around: dict[str, Any] = {side: bits[kinds], "first": np.full(len(masks), first)}
    sight = sight._replace(**around)
    factors = np.ones((len(masks), 4), np.float32)
    for rule in rules:
        factors[rule.holds(sight)] *= np.array(rule.factors, np.float32)
    return factors


def blank_sight(masks: UInt8) -> Sight:
    """Return what is seen of words with nothing around them."""
    none = np.zeros(len(masks), np.uint32)
    false = np.zeros(len(masks), bool)
    nobody = np.full(len(masks), NOBODY, np.int8)
    nouns = masks & np.uint8(3)
    verbs = (masks >> 2).astype(np.uint8)
    left_nouns = np.zeros(len(masks), np.uint8)
    return Sight(nouns, verbs, none, none, none, false, false, false, nobody, nobody, left_nouns)
