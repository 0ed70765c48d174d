"""The tagger's tables of every word and every kind of neighbour, computed at first use.

Function words fall into some forty kinds by their classes. So the rules are evaluated once, for
every kind (or the part of it that counts) and every set of possible tags, and are tables from then
on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.native import contexts
from perturb.lexicon.store import load
from perturb.lexicon.tagger_rules import (
    AFTER,
    BEFORE,
    GOVERNOR,
    LEFT,
    OPENING,
    RIGHT,
    Rule,
    Sight,
    has,
    is_one,
    noun_form,
    verb_form,
)
from perturb.lexicon.tags import BIT, FUNCTION_BITS, NAME, NOBODY, NOUN, VERB
from perturb.values.arrays import Bool, Float32, Int64, NDArray, UInt8, UInt16, UInt32, UInt64

# Tenths of a count that every part of speech starts with: half a count, as a word that SemCor never
# has as a verb may still be one. On the marked sentences any value from 1 to 50 leaves 97% to 98%
# of the tags correct.
_SMOOTHING = np.float32(5)
# Possible noun tags (2 bits) and verb tags (5 bits) in one number.
MASKS = 1 << 7
# Bits of a place in the sieve: 6% of its 128 KB are set by the 63,943 two-word entries, so few
# other pairs are looked up. One bit less would double that share, one more the memory.
_SIEVE = 20
# Bits of the first word of a pair that leave it in its block, as contexts.h has them.
_PAIR_BITS = 5
# Kinds of words that are not in the lexicon.
NOTHING, NUMBER, POSSESSOR = range(3)
# The sides that the rules tell apart in the word before: a noun by its possible tags, and others.
SIDES = 9
_UNKNOWN_BITS = [0, BIT["number"], BIT["determiner"] | BIT["possessive"]]


class Known(NamedTuple):
    """Facts of each surface; the last row is for unknown words, so -1 leads to it.

    Attributes:
        kinds: shape (surfaces + 1,); the kind of each, NOTHING for words that have meaning.
        masks: the possible noun and verb tags of each.
        scores: shape (surfaces + 1, 4); how likely each is as each part of speech, by counts.
        names: whether each is also a name.
        sieve: a bit at `sieve_places` of each two-word entry of WordNet, and few others.
        edges: where in `Lexicon.collocations` the pairs of each block of first words begin, and the
            end of all.
        bits: shape (kinds,); the classes of each kind.
        roles: shape (kinds,); the role of a word of a kind for its neighbours, as in contexts.h.
        before: shape (kinds * MASKS, 4); the factors of the rules on the word before, for its kind
            and the mask of the word itself; with those of the governor, if that is the same word.
        governor: the same of the rules on the governor.
        after: shape (2 * kinds * MASKS, 4); the same of the word after, for words inside a sentence
            and then for first words.
        left: shape (SIDES * 4 * 2 * MASKS, 4); the factors of the rules on what the word before
            seems to be, for its side, the two highest roles of the word after, whether a verb
            stands before, and the mask of the word itself.
        right: shape (kinds * 2 * 2, 4); the same of the word after, for the kind of the word
            before, whether that after seems to be a noun, and that before a verb.
        nouns: shape (kinds * 4,); the column of a noun's tag, for the kind of the word before and
            the possible tags; -1 for none.
        verbs: shape (32 * 32,); the same of a verb, for the arguments of `verb_form` but the first,
            a bit each, and the possible tags.
    """

    kinds: UInt8
    masks: UInt8
    scores: Float32
    names: Bool
    sieve: UInt8
    edges: NDArray[np.int32]
    bits: UInt32
    roles: UInt16
    before: Float32
    governor: Float32
    after: Float32
    left: Float32
    right: Float32
    nouns: NDArray[np.int8]
    verbs: NDArray[np.int8]


def columns_of(facts: Known) -> tuple[NDArray[Any], ...]:
    """Return the columns of Facts in contexts.h."""
    columns = facts.kinds, facts.masks, facts.names, facts.scores, facts.roles
    return *columns, facts.before, facts.governor, facts.after


def tables_of(facts: Known) -> tuple[NDArray[Any], ...]:
    """Return the columns of Tables in contexts.h."""
    rules = facts.left, facts.right, facts.nouns, facts.verbs
    return *rules, load().masks, facts.sieve, load().collocations, facts.edges


@cache
def known() -> Known:
    """Prepare the facts; the first call takes some milliseconds."""
    lexicon = load()
    classes = np.append(lexicon.facts & np.uint32(FUNCTION_BITS), np.uint32(0))
    functional = np.flatnonzero(classes)
    bits, numbers = np.unique(classes[functional], return_inverse=True)
    kinds = np.zeros(len(classes), np.uint8)
    kinds[functional] = numbers + len(_UNKNOWN_BITS)
    bits = np.concatenate((np.array(_UNKNOWN_BITS, np.uint32), bits))
    masks = np.append(lexicon.masks[:, NOUN] | lexicon.masks[:, VERB] << 2, np.uint8(0))
    scores = np.zeros((len(classes), 4), np.float32)
    scores[:-1] = (lexicon.weights + _SMOOTHING) * (lexicon.masks > 0)
    scores[classes > 0] = 0
    names = np.append(lexicon.facts & np.uint32(BIT["name"]) > 0, False)
    sieve = np.zeros(1 << _SIEVE, np.bool_)
    sieve[sieve_places(lexicon.collocations)] = True
    governor = _factors(GOVERNOR, "governor", bits)
    through = np.repeat(_looked_through(bits), MASKS)[:, None]
    return Known(
        kinds,
        masks,
        scores,
        names,
        np.packbits(sieve, bitorder="little"),
        _edges(lexicon.collocations, len(classes)),
        bits,
        _roles(bits),
        _factors(BEFORE, "before", bits) * np.where(through, np.float32(1), governor),
        governor,
        np.concatenate([_factors(AFTER, "after", bits, first=first) for first in (False, True)]),
        _left_factors(),
        _right_factors(bits),
        _noun_columns(bits),
        _verb_columns(),
    )


def sieve_places(pairs: UInt64) -> Int64:
    """Return the places in `Known.sieve` of pairs of surfaces, as contexts.h has them."""
    return (pairs * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(64 - _SIEVE)).astype(np.intp)


def _edges(pairs: UInt64, surfaces: int) -> NDArray[np.int32]:
    blocks = np.arange((surfaces >> _PAIR_BITS) + 2, dtype=np.uint64)
    return pairs.searchsorted(blocks << np.uint64(32 + _PAIR_BITS)).astype(np.int32)


def _roles(bits: UInt32) -> UInt16:
    """Return the roles of each kind of words."""
    roles = _looked_through(bits) * np.uint16(contexts.LOOKED_THROUGH)
    roles |= is_one(bits) * np.uint16(contexts.ONE)
    for role, names in (
        (contexts.POLITE, ["interjection"]),
        (contexts.MODAL, ["modal"]),
        (contexts.FINITE, ["modal", "be", "have"]),
        (contexts.OPENS_CLAUSE, ["conjunction", "question", "subject"]),
        (contexts.NOT_FINITE, ["to", "be", "have"]),
        (contexts.TAKES_PARTICIPLE, ["have", "be"]),
        (contexts.TAKES_BASE, ["modal", "to"]),
        (contexts.LEADS_NOUN, ["determiner", "preposition"]),
        (contexts.OPENS_OBJECT, OPENING),
        (contexts.DETERMINER, ["determiner"]),
    ):
        roles |= has(bits, *names) * np.uint16(role)
    return roles


def _looked_through(bits: UInt32) -> Bool:
    """Mark the words that hide no governor: "not", but not "don't", which governs itself."""
    return has(bits, "adverb", "degree", "negation") & ~has(bits, "modal", "be", "have")


def _factors(rules: Iterable[Rule], side: str, bits: UInt32, *, first: bool = False) -> Float32:
    """Evaluate the rules on one neighbour for every kind that it can be and every mask."""
    kinds, masks = np.divmod(np.arange(len(bits) * MASKS), MASKS)
    around: dict[str, Any] = {side: bits[kinds], "first": np.full(len(masks), first)}
    return _product(rules, blank_sight(masks.astype(np.uint8))._replace(**around))


def _left_factors() -> Float32:
    """Evaluate the rules on the likely part of speech of the word before; see `Known.left`."""
    side, after, verbed, masks = np.indices((SIDES, 4, 2, MASKS), np.uint8).reshape(4, -1)
    seems = np.array([NOUN] * 4 + [*range(VERB, NAME + 1), NOBODY], np.int8)
    # By the roles OPENS_OBJECT and DETERMINER; the latter alone there is not.
    roles = np.array([0, BIT["to"], 0, BIT["determiner"]], np.uint32)
    sight = blank_sight(masks)._replace(
        after=roles[after],
        verbed=verbed > 0,
        left=seems[side],
        left_nouns=np.where(side < 4, side, np.uint8(0)),
    )
    return _product(LEFT, sight)


def _right_factors(bits: UInt32) -> Float32:
    """Evaluate the rules on the likely part of speech of the word after; see `Known.right`."""
    kinds, noun, verb = np.indices((len(bits), 2, 2), np.uint8).reshape(3, -1)
    sight = blank_sight(np.zeros_like(kinds))._replace(
        before=bits[kinds],
        right=np.where(noun, np.int8(NOUN), np.int8(NOBODY)),
        left=np.where(verb, np.int8(VERB), np.int8(NOBODY)),
    )
    return _product(RIGHT, sight)


def _noun_columns(bits: UInt32) -> NDArray[np.int8]:
    kinds, nouns = np.indices((len(bits), 4), np.uint8).reshape(2, -1)
    return noun_form(blank_sight(nouns)._replace(before=bits[kinds])).astype(np.int8)


def _verb_columns() -> NDArray[np.int8]:
    *marks, verbs = np.indices((2, 2, 2, 2, 2, 32), np.uint8).reshape(6, -1)
    asked, first, alone, base, participle = (mark > 0 for mark in marks)
    return verb_form(verbs, participle, base, alone, first, asked).astype(np.int8)


def _product(rules: Iterable[Rule], sight: Sight) -> Float32:
    """Return the products of the factors of all rules that hold."""
    factors = np.ones((len(sight.nouns), 4), np.float32)
    for rule in rules:
        factors[rule.holds(sight)] *= np.array(rule.factors, np.float32)
    return factors


def blank_sight(masks: UInt8) -> Sight:
    """Return the features of words with nothing around them."""
    none, false = np.zeros(len(masks), np.uint32), np.zeros(len(masks), np.bool_)
    nobody, nouns = np.full(len(masks), NOBODY, np.int8), masks & np.uint8(3)
    verbs, left_nouns = (masks >> 2).astype(np.uint8), np.zeros_like(masks)
    return Sight(nouns, verbs, none, none, none, false, false, false, nobody, nobody, left_nouns)
