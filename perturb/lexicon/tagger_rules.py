"""The context rules of the tagger, which weigh the parts of speech of a word by its neighbours.

Where its condition holds, a rule multiplies the scores of a word as noun, verb, adjective and
adverb. The factors were set by hand on sentences like those of `tests/lexicon/sentences.tsv`, and
tested on those of `held_out.tsv`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from perturb.lexicon.tags import ADJECTIVE, BIT, NAME, NN, NNS, NOUN, VB, VBD, VBG, VBN, VBZ, VERB
from perturb.values.arrays import Bool, Intp, NDArray, UInt8, UInt32


class Sight(NamedTuple):
    """The features of each word of a batch that a rule looks at.

    Attributes:
        nouns: which noun tags the word can have, bits in the order of `tags.POS_TAGS`.
        verbs: the same of verb tags.
        before: class bits of the word before, 0 if something stands between.
        governor: the same, looking through one adverb or negation.
        after: class bits of the word after.
        first: the word begins a sentence, ignoring a "please".
        asked: an auxiliary that takes the base form precedes it in the sentence.
        verbed: a finite verb seems to precede the word in its clause.
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
    """Mark the words that have any of the classes."""
    return classes & np.uint32(sum(BIT[name] for name in names)) > 0


def has_all(classes: UInt32, *names: str) -> Bool:
    """Mark the words that have all of the classes."""
    bits = np.uint32(sum(BIT[name] for name in names))
    marks: Bool = classes & bits == bits
    return marks


def is_one(classes: UInt32) -> Bool:
    """Mark the words that are subject pronouns of the third person singular."""
    return has_all(classes, "subject", "singular")


def agrees(sight: Sight) -> Bool:
    """Mark the words that, as finite verbs, agree with a noun before them."""
    singular = (sight.left_nouns & NN > 0) & (sight.verbs & VBZ > 0)
    plural = (sight.left_nouns & NNS > 0) & (sight.verbs & VB > 0)
    marks: Bool = (sight.left == NOUN) & (singular | plural | (sight.verbs & VBD > 0))
    return marks


# Classes of words that begin the object or complement of a verb.
OPENING = "determiner", "preposition", "particle", "object", "number", "to"


class Rule(NamedTuple):
    """A context rule: its condition, and its factors for noun, verb, adjective and adverb."""

    holds: Callable[[Sight], Bool]
    factors: tuple[float, float, float, float]


# Look at one neighbour only, besides the word itself.
BEFORE = (
    # the watch, my watch
    Rule(lambda s: has(s.before, "determiner"), (1, 0.05, 1, 0.2)),
    Rule(lambda s: has(s.before, "possessive"), (2, 0.05, 1, 0.1)),
    # a watches
    Rule(lambda s: has_all(s.before, "determiner", "singular") & (s.nouns == NNS), (0.05, 1, 1, 1)),
    # two runs, these runs
    Rule(lambda s: has(s.before, "number") & (s.nouns > 0), (4, 0.05, 1, 1)),
    Rule(lambda s: has_all(s.before, "determiner", "plural") & (s.nouns & NNS > 0), (4, 1, 1, 1)),
    # of watch
    Rule(lambda s: has(s.before, "preposition") & (s.verbs & VBG == 0), (2, 0.05, 1, 0.5)),
    # very light
    Rule(lambda s: has(s.before, "degree"), (0.2, 0.5, 5, 5)),
)
GOVERNOR = (
    # will watch, to watch, don't watch
    Rule(lambda s: has(s.governor, "modal", "to") & (s.verbs & VB > 0), (1, 20, 1, 1)),
    Rule(lambda s: has(s.governor, "modal") & (s.verbs & VB == 0), (1, 0.05, 1, 1)),
    # they watch, she watches, he broke
    Rule(lambda s: has(s.governor, "subject") & (s.verbs & VBD > 0), (0.3, 10, 0.3, 1)),
    Rule(lambda s: is_one(s.governor) & (s.verbs & VBZ > 0), (0.3, 10, 0.3, 1)),
    Rule(
        lambda s: has_all(s.governor, "subject", "plural") & (s.verbs & VB > 0), (0.3, 10, 0.3, 1)
    ),
    # is watching, was broken
    Rule(lambda s: has(s.governor, "be") & (s.verbs & (VBN | VBG) > 0), (0.5, 3, 1, 1)),
    Rule(lambda s: has(s.governor, "be") & (s.verbs & (VBN | VBG) == 0), (0.5, 0.02, 3, 1)),
    # have watched
    Rule(lambda s: has(s.governor, "have") & (s.verbs & VBN > 0), (0.5, 10, 0.5, 1)),
    Rule(lambda s: has(s.governor, "have") & (s.verbs & VBN == 0), (1, 0.05, 1, 1)),
)
AFTER = (
    # watch the, watch him
    Rule(lambda s: has(s.after, "determiner", "object"), (0.5, 3, 1, 1)),
    # costs $5
    Rule(lambda s: has(s.after, "number") & (s.verbs > 0), (0.5, 3, 1, 1)),
    # Watch the
    Rule(
        lambda s: s.first & has(s.after, "determiner", "possessive") & (s.verbs & VB > 0),
        (1, 5, 1, 1),
    ),
    # Watches
    Rule(lambda s: s.first & (s.verbs == VBZ), (1, 0.03, 1, 1)),
    # the watch is
    Rule(lambda s: has(s.after, "be", "modal", "have"), (5, 0.1, 0.3, 1)),
)

# Depend on what the neighbours seem to be after the rules above; these on the word before.
LEFT = (
    # a red watch
    Rule(lambda s: (s.left == ADJECTIVE) & ~has(s.after, "determiner"), (4, 0.03, 1, 1)),
    # Josh watches
    Rule(lambda s: (s.left == NAME) & (s.verbs & (VBZ | VBD) > 0), (0.5, 6, 0.5, 1)),
    # the dog barks, the dogs bark
    Rule(lambda s: agrees(s) & ~s.verbed, (0.7, 3, 1, 1)),
    Rule(lambda s: agrees(s) & has(s.after, *OPENING) & ~s.verbed, (1, 3, 1, 1)),
    # sells school supplies
    Rule(lambda s: s.verbed & (s.left == NOUN) & (s.nouns > 0), (3, 0.3, 1, 1)),
    Rule(lambda s: (s.left == NOUN) & ~agrees(s), (1, 0.3, 1, 1)),
    # ran fast
    Rule(lambda s: s.left == VERB, (1, 0.3, 1, 2)),
)
# These on the word after, with the one before.
RIGHT = (
    # the light box, the light
    Rule(lambda s: has(s.before, "determiner") & (s.right == NOUN), (1, 1, 3, 1)),
    Rule(lambda s: has(s.before, "determiner") & (s.right != NOUN), (1, 1, 0.3, 1)),
    Rule(lambda s: (s.left == VERB) & (s.right != NOUN), (1, 1, 0.3, 2)),
    Rule(lambda s: (s.right == NOUN) & ~has(s.before, "be"), (1, 1, 2, 1)),
)


def noun_form(sight: Sight) -> Intp:
    """Return the column of the noun tag: 0 singular, 1 plural, -1 if both are possible.

    It depends on the word before and on `nouns` alone.
    """
    plural = has(sight.before, "number") | has_all(sight.before, "determiner", "plural")
    one = has_all(sight.before, "determiner", "singular")
    both = np.where(one, 0, np.where(plural, 1, -1))
    return np.where(sight.nouns == NN | NNS, both, np.where(sight.nouns == NNS, 1, 0))


def verb_form(
    verbs: UInt8, participle: Bool, base: Bool, alone: Bool, first: Bool, asked: Bool
) -> Intp:
    """Return the column of the verb tag, -1 if the context leaves it open.

    Args:
        verbs: as in `Sight`, and so are the last two.
        participle: the word before, or the governor, may precede a participle.
        base: the governor takes a base form.
        alone: the subject seems to be one.
        first: see above.
        asked: see above.
    """
    open_past = verbs & (VB | VBD) == VB | VBD
    choices = [
        (participle & (verbs & VBN > 0), 3),
        (open_past & (base | first), 0),
        (open_past & alone & ~asked, 2),
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
