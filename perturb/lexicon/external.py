"""External resources: any WordNet that nltk has on the machine, and any tagger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from perturb.boundary import imported
from perturb.engine.batch import Batch
from perturb.errors import UsageError, shown
from perturb.lexicon.tags import TAG
from perturb.values.arrays import UInt8

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
