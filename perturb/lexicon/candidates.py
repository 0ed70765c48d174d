"""Candidates to replace a word: the words related to it, inflected as it is.

They come from the embedded lexicon, or from any WordNet that nltk has on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from perturb.boundary import imported
from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.errors import UsageError, shown, unknown
from perturb.lexicon import store
from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.phrases import taboo_words
from perturb.lexicon.store import load, slots_of, surfaces_of_hashes
from perturb.lexicon.tags import COMMON, FIRST_TAG, MULTIWORD, RELATIONS, TAG, TAGS, WIDTHS
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
        UsageError: there is no such relation or profile.

    Examples:
        >>> len(candidates("antonyms").targets) < len(candidates("antonyms", "all").targets)
        True
    """
    if relation not in RELATIONS:
        raise unknown("relation of the lexicon", relation, RELATIONS)
    if profile not in PROFILES:
        raise unknown("profile of the lexicon", profile, PROFILES)
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
        surfaces: shape (n,); -1 for unknown words.
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


Tagger = Callable[[Sequence[str]], Sequence[str]]

# Penn tags for the same form as one of ours.
_SAME = {"VBP": "VB"}


@lru_cache(maxsize=1 << 16)
def related_words(
    lexicon: str, word: str, relation: str, profile: str, multiword: bool
) -> tuple[str, ...]:
    """Return the words that a WordNet of nltk relates to a word.

    Args:
        lexicon: "nltk:" and a language in three letters, such as "nltk:fra".
        word: in lower case.
        relation: "synonyms", "antonyms" or "hypernyms".
        profile: "common" takes the first sense alone, "all" every sense.
        multiword: whether to return phrases of several words as well.

    Raises:
        UsageError: there is no such lexicon on this machine; the message says how to get it.
    """
    wordnet, language = _wordnet(lexicon)
    try:
        senses = wordnet.synsets(word, lang=language)
    except LookupError as error:
        raise _missing(language) from error
    if profile == "common":
        senses = senses[:1]
    found: dict[str, None] = {}
    for sense in senses:
        for name in _names(sense, relation, language):
            spelled = name.replace("_", " ")
            if spelled.lower() != word and (multiword or " " not in spelled):
                found[spelled] = None
    return tuple(found)


def _names(sense: Any, relation: str, language: str) -> list[str]:
    if relation == "antonyms":
        lemmas = sense.lemmas(lang=language)
        return [other.name() for lemma in lemmas for other in lemma.antonyms()]
    related = [sense] if relation == "synonyms" else sense.hypernyms()
    return [name for one in related for name in one.lemma_names(lang=language)]


@cache
def _wordnet(lexicon: str) -> tuple[Any, str]:
    source, _, language = lexicon.partition(":")
    if source != "nltk" or not language:
        raise UsageError(
            f"lexicon is 'wordnet', or 'nltk:LANGUAGE' such as 'nltk:fra'; got {lexicon!r}"
        )
    try:
        from nltk.corpus import wordnet
    except ImportError as error:
        raise UsageError(f"the lexicon {lexicon!r} needs nltk: pip install nltk") from error
    try:
        known = wordnet.langs()
    except LookupError as error:
        raise _missing(language) from error
    if language not in known:
        raise UsageError(
            f"nltk's WordNet has no language {language!r}; it has {', '.join(sorted(known))}; "
            "more come with: python -m nltk.downloader omw-1.4"
        )
    return wordnet, language


def _missing(language: str) -> UsageError:
    return UsageError(
        f"nltk has no WordNet for {language!r} on this machine: "
        "python -m nltk.downloader wordnet omw-1.4"
    )


def tags_of(batch: Batch, tagger: str) -> UInt8:
    """Return the tags that a function gives to the words of each text; 0 for unknown tags.

    Args:
        batch: the texts.
        tagger: "module:function"; the function takes the words of a text and gives as many Penn
            tags.

    Raises:
        UsageError: there is no such function, or it gave another number of tags.
    """
    function = _imported(tagger)
    words = batch.words.to_list()
    tags: list[str] = []
    for count in batch.count(batch.words.starts).tolist():
        answer = _called(function, tagger, words[len(tags) : len(tags) + count]) if count else []
        if len(answer) != count:
            raise UsageError(f"the tagger {tagger} gave {len(answer)} tags for {count} words")
        tags += answer
    return np.array([TAG.get(_SAME.get(tag, tag), 0) for tag in tags], np.uint8)


def _called(function: Tagger, name: str, words: Sequence[str]) -> list[str]:
    """Return what a tagger says of some words."""
    try:
        answer = list(function(words))
    except Exception as error:
        raise UsageError(
            f"the tagger {name} failed on {len(words)} words: {type(error).__name__}: {error}"
        ) from error
    if not all(isinstance(tag, str) for tag in answer):
        raise UsageError(f"the tagger {name} must return a list of strings; got {shown(answer)}")
    return answer


@cache
def _imported(name: str) -> Tagger:
    try:
        function: Tagger = imported(name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(
            f"can't import the tagger {name!r}: it is written module:function ({error})"
        ) from error
    return function
