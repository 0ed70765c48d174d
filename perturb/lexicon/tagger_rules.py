"""The context rules of the tagger, which weigh the parts of speech of a word by its neighbours.

A rule multiplies how likely a word is as noun, verb, adjective and adverb where its condition
holds. The factors were set by hand on sentences like those of `tests/lexicon/sentences.tsv`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.lexicon.features import (
    ADJECTIVE,
    NAME,
    NNS,
    NOUN,
    VB,
    VBD,
    VBG,
    VBN,
    VBZ,
    VERB,
    Sight,
    agrees,
    has,
    has_all,
    plural_subject,
    third,
)
from perturb.values.arrays import Bool

if TYPE_CHECKING:
    from collections.abc import Callable


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
    Rule(lambda s: third(s) & (s.verbs & VBZ > 0), (0.3, 10, 0.3, 1)),
    Rule(lambda s: plural_subject(s) & (s.verbs & VB > 0), (0.3, 10, 0.3, 1)),
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

# Depend on what the neighbours seem to be after the rules above.
AGAIN = (
    # the light box, the light
    Rule(lambda s: has(s.before, "determiner") & (s.right == NOUN), (1, 1, 3, 1)),
    Rule(lambda s: has(s.before, "determiner") & (s.right != NOUN), (1, 1, 0.3, 1)),
    # a red watch
    Rule(lambda s: (s.left == ADJECTIVE) & ~has(s.after, "determiner"), (4, 0.03, 1, 1)),
    # Josh watches
    Rule(lambda s: (s.left == NAME) & (s.verbs & (VBZ | VBD) > 0), (0.5, 6, 0.5, 1)),
    # the dog barks, the dogs bark
    Rule(lambda s: agrees(s) & ~s.verbed, (0.7, 3, 1, 1)),
    Rule(lambda s: agrees(s) & _opens_object(s) & ~s.verbed, (1, 3, 1, 1)),
    # sells school supplies
    Rule(lambda s: s.verbed & (s.left == NOUN) & (s.nouns > 0), (3, 0.3, 1, 1)),
    Rule(lambda s: (s.left == NOUN) & ~agrees(s), (1, 0.3, 1, 1)),
    # ran fast
    Rule(lambda s: (s.left == VERB) & (s.right != NOUN), (1, 1, 0.3, 2)),
    Rule(lambda s: s.left == VERB, (1, 0.3, 1, 2)),
    Rule(lambda s: (s.right == NOUN) & ~has(s.before, "be"), (1, 1, 2, 1)),
)


def _opens_object(sight: Sight) -> Bool:
    """Say where the word after begins what a verb takes."""
    return has(sight.after, "determiner", "preposition", "particle", "object", "number", "to")
