"""Features of a word for the tagger: its possible tags and the classes of its neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from perturb.lexicon.tags import BIT
from perturb.values.arrays import Bool, Intp, NDArray, UInt8, UInt32

NOUN, VERB, ADJECTIVE, ADVERB = range(4)
NOBODY = -1
# The likeliest part of speech of a neighbour that is a name.
NAME = 4

# Bits of the masks: columns of `tags.POS_TAGS`.
NN, NNS = 1, 2
VB, VBZ, VBD, VBN, VBG = 1, 2, 4, 8, 16


class Sight(NamedTuple):
    """The features of each word of a batch that a rule looks at.

    Attributes:
        nouns: which noun tags the word can have, bits in the order of `tags.POS_TAGS`.
        verbs: the same of verb tags.
        before: class bits of the word before, 0 if something stands between.
        governor: the same, looking through one adverb or negation.
        after: class bits of the word after.
        first: the word begins a sentence, but for a "please".
        asked: an auxiliary that takes the base form stands before it in the sentence.
        verbed: a finite verb seems to stand before the word in its clause.
        left: likeliest part of speech of the word before, NAME for a name, -1 for others.
        right: the same of the word after.
        left_nouns: which noun tags the word before can have.
    """

    nouns: UInt8
    verbs: UInt8
    before: UInt32
    governor: UInt32
    after: UInt32
    first: Bool
    asked: Bool
    verbed: Bool
    left: NDArray[np.int8]
    right: NDArray[np.int8]
    left_nouns: UInt8


def has(classes: UInt32, *names: str) -> Bool:
    """Say which words have any of the classes."""
    found: Bool = classes & np.uint32(sum(BIT[name] for name in names)) != 0
    return found


def has_all(classes: UInt32, *names: str) -> Bool:
    """Say which words have all of the classes."""
    bits = np.uint32(sum(BIT[name] for name in names))
    found: Bool = classes & bits == bits
    return found


def third(sight: Sight) -> Bool:
    """Say where a subject pronoun of the third person singular governs the word."""
    return has(sight.governor, "subject") & has(sight.governor, "singular")


def plural_subject(sight: Sight) -> Bool:
    """Say where a subject pronoun governs the word that takes a verb without -s."""
    return has_all(sight.governor, "subject", "plural")


def agrees(sight: Sight) -> Bool:
    """Say where the word before is a noun that the word, as a finite verb, agrees with."""
    singular = (sight.left_nouns & NN > 0) & (sight.verbs & VBZ > 0)
    plural = (sight.left_nouns & NNS > 0) & (sight.verbs & VB > 0)
    found: Bool = (sight.left == NOUN) & (singular | plural | (sight.verbs & VBD > 0))
    return found


def noun_form(sight: Sight) -> Intp:
    """Return the column of the noun tag: 0 singular, 1 plural, -1 where both are possible."""
    plural = has(sight.before, "number") | has_all(sight.before, "determiner", "plural")
    one = has_all(sight.before, "determiner", "singular")
    both = np.where(one, 0, np.where(plural, 1, -1))
    return np.where(sight.nouns == NN | NNS, both, np.where(sight.nouns == NNS, 1, 0))


def verb_form(sight: Sight) -> Intp:
    """Return the column of the verb tag, -1 where the context leaves it open."""
    verbs = sight.verbs
    participle = has(sight.governor, "have", "be") | has(sight.before, "determiner", "preposition")
    participle &= verbs & VBN > 0
    alone = (sight.left == NAME) | third(sight) | ((sight.left == NOUN) & (sight.left_nouns == NN))
    open_past = verbs & (VB | VBD) == VB | VBD
    choices = [
        (participle, 3),
        (open_past & has(sight.governor, "modal", "to"), 0),
        (open_past & sight.first, 0),
        (open_past & alone & ~sight.asked, 2),
        (open_past, -1),
        (verbs & VB > 0, 0),
        (verbs & VBZ > 0, 1),
        (verbs & VBD > 0, 2),
        (verbs & VBN > 0, 3),
    ]
    columns = np.full(len(verbs), 4)
    # The first that holds decides, so it is written last.
    for held, column in reversed(choices):
        np.copyto(columns, column, where=held)
    return columns
