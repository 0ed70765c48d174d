"""Candidates to replace a word: the words related to it, inflected as it is."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.places import are_among
from perturb.lexicon import store
from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.phrases import taboo_words
from perturb.lexicon.store import load, slots_of, surfaces_of_hashes
from perturb.lexicon.tags import COMMON, FIRST_TAG, MULTIWORD, RELATIONS, TAGS, WIDTHS
from perturb.values.arrays import Bool, Int32, Int64, UInt8

Relation = Literal["synonyms", "antonyms", "hypernyms"]
Profile = Literal["common", "all"]
PROFILES = ("common", "all")

# Part of speech and column of each tag; tag 0 is none.
_TAG_POS = np.array([0, *(pos for pos, width in enumerate(WIDTHS) for _ in range(width))])
_TAG_COLUMN = np.arange(len(TAGS)) - np.array(FIRST_TAG)[_TAG_POS]


class Candidates(NamedTuple):
    """The replacements of every form of every entry, in rows.

    Attributes:
        pointers: shape (forms + 1,); where the row of each form starts in `targets`.
        targets: surfaces, the most common of a row first.
        sources: shape (surfaces + 1,); which surfaces have any, False for the last, so for -1.
    """

    pointers: Int64
    targets: Int32
    sources: Bool


@cache
def candidates(
    relation: Relation, profile: Profile = "common", multiword: bool = False
) -> Candidates:
    """Select the pairs of a relation and inflect them; made once for each set of arguments.

    Args:
        relation: "synonyms", "antonyms" or "hypernyms".
        profile: "common" keeps pairs that read well in most places: the main sense of a familiar
            word for another such word, and pairs chosen by hand. "all" keeps every pair except
            those that would write a taboo word.
        multiword: also take targets of several words, such as "give up".

    Raises:
        ValueError: no such relation or profile.

    Examples:
        >>> len(candidates("antonyms").targets) < len(candidates("antonyms", "all").targets)
        True
    """
    if relation not in RELATIONS:
        raise ValueError(
            f"no relation {relation!r} in the lexicon; there are {', '.join(RELATIONS)}"
        )
    if profile not in PROFILES:
        raise ValueError(f"no profile {profile!r} of the lexicon; there are {', '.join(PROFILES)}")
    lexicon = load()
    pairs = store.relation(relation)
    fit = pairs.marks & (0 if multiword else MULTIWORD) == 0
    if profile == "common":
        fit &= pairs.marks & COMMON > 0
    sources = np.repeat(np.arange(len(pairs.lengths)), pairs.lengths)[fit]
    slots, targets = _inflected(sources, pairs.targets[fit])
    taboo = surfaces_of_hashes(hash_strings(sorted(taboo_words())))
    fit = ~are_among(targets, np.sort(taboo))
    slots, targets = slots[fit], targets[fit]
    pointers = np.zeros(len(lexicon.forms) + 1, np.intp)
    np.cumsum(np.bincount(slots, minlength=len(lexicon.forms)), out=pointers[1:])
    has_any = np.zeros(len(lexicon.bounds), bool)
    has_any[lexicon.forms[slots]] = True
    return Candidates(pointers, targets[np.argsort(slots, kind="stable")], has_any)


def rows(found: Candidates, surfaces: Int32, tags: UInt8) -> tuple[Int64, Int64]:
    """Return where the replacements of each word start and end in `found.targets`.

    Args:
        found: from `candidates`.
        surfaces: shape (n,); from `lookup`, -1 for unknown words.
        tags: shape (n,); from `tag`, 0 for words to leave alone.

    Returns:
        Two arrays of shape (n,); they are equal where nothing may replace the word.
    """
    lexicon = load()
    pos = _TAG_POS[tags]
    entry = lexicon.entry[surfaces, pos]
    usable = (surfaces >= 0) & (tags > 0) & (entry >= 0)
    slots = np.where(usable, slots_of(entry, pos, _TAG_COLUMN[tags]), 0)
    starts = found.pointers[slots]
    return starts, np.where(usable, found.pointers[slots + 1], starts)


def _inflected(sources: Int64, targets: Int32) -> tuple[Int64, Int32]:
    """Return each pair of entries once for every form that both have and that differ."""
    lexicon = load()
    slots, surfaces = [], []
    for pos, width in enumerate(WIDTHS):
        inside = (sources >= lexicon.first_entry[pos]) & (sources < lexicon.first_entry[pos + 1])
        for column in range(width):
            places = slots_of(sources[inside], pos, column)
            forms = lexicon.forms[slots_of(targets[inside], pos, column)]
            good = (forms >= 0) & (forms != lexicon.forms[places])
            slots.append(places[good])
            surfaces.append(forms[good])
    return np.concatenate(slots), np.concatenate(surfaces)
