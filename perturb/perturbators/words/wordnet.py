"""Words for related words: synonyms, antonyms, hypernyms."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from perturb.boundary import Code, Lexicon
from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import case_maps
from perturb.engine.text.strings import Strings, column, packed, ranges
from perturb.lexicon.candidates import Profile, Relation, candidates, related_words, rows, tags_of
from perturb.lexicon.contexts import is_unfit
from perturb.lexicon.phrases import after, among
from perturb.lexicon.store import (
    is_function,
    load,
    may_be,
    spellings,
    surfaces_of,
    takes_an,
    words_marked,
)
from perturb.lexicon.tagger import is_function_word, tag
from perturb.lexicon.tags import ADVERB, NOUN, TAG, VBG, VERB
from perturb.lexicon.tokens import LOWER, TITLE, UPPER, Words, read_batch
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.shared.english import Language, in_english, in_prose
from perturb.registry.definition import Expect, Perturbator
from perturb.values.arrays import Bool, Int64, UInt8, distinct

_BUILT_IN = Lexicon("wordnet")
# The choice of replacements: a relation, a profile, and whether they may have several words.
_Which = tuple[Relation, Profile, bool]
# H2O's scale for its synonyms and antonyms, extended beyond its three levels.
_INTENSITIES = (0.1, 0.3, 0.5, 0.7, 0.9, 1.0)
_SOURCE = (
    "WordNet 3.0 (G. A. Miller, WordNet: a lexical database for English, 1995); own pairs "
    "(wordlists/english/good_pairs.tsv)"
)


_ARGUMENTS = """

`p` is a share of the words that have one.
Function words, numbers, names and words whose part of speech the context leaves open stay as
they are, and so do labels, code, rows of tables, and terms of documentation,
medicine and law. "a" and "an" before a replaced word are corrected, as edits of their own.

Args:
    batch: the texts.
    profile: "common" takes pairs that read well in most places; "all" takes every sense but rare
        and offensive ones, and its replacements often mean something else: read its risk as high.
    multiword: also write replacements of several words, such as "give up".
    lexicon: "wordnet" for the built-in one of English; "nltk:LANGUAGE" for any that nltk has on
        this machine, such as "nltk:fra" (without inflection, context or corrected articles).
    tagger: "module:function", which gives the Penn tags of a list of words; without it parts of
        speech come from WordNet's counts and rules of context.
    language: "auto" leaves texts alone that are evidently not English; "en" treats all as
        English; with a lexicon of nltk, all texts are changed.
"""


def _relation(relation: Relation, doc: str, *, expect: Expect, example: str) -> Perturbator:
    """Return the perturbator that writes words of a relation."""

    def find(
        batch: Batch,
        *,
        profile: Profile = "common",
        multiword: bool = False,
        lexicon: Lexicon = _BUILT_IN,
        tagger: Code | None = None,
        language: Language = "auto",
    ) -> Sites:
        words, which = batch.once(read_batch), (relation, profile, multiword)
        if lexicon != _BUILT_IN:
            sites = _sites(batch.words, words.shapes, _external(batch, words, lexicon, which))
            return in_prose(batch, sites)
        options = _embedded(batch, words, tagger, which)
        sites = _sites(batch.words, words.shapes, options, mends_articles=True)
        return in_english(batch, sites, language)

    name = relation.removesuffix("s")
    find.__name__ = find.__qualname__ = name
    find.__doc__ = doc + _ARGUMENTS
    return place_perturbator(
        name,
        languages=("en",),
        touches={"words", "meaning"},
        expect=expect,
        source=_SOURCE,
        intensities=_INTENSITIES,
        version=16,
        example=example,
    )(find)


synonym = _relation(
    "synonyms",
    "Write a word that means the same, inflected alike.",
    expect="same",
    example="She bought a big car and quickly began to fix the broken lamp at home.",
)
antonym = _relation(
    "antonyms",
    "Write a word that means the opposite, inflected alike.",
    expect="other",
    example="The hot water made a long day easy, and the small room was warm.",
)
hypernym = _relation(
    "hypernyms",
    "Write a more general word, inflected alike: animal for dog.",
    expect="unknown",
    example="A violinist and a surgeon ate salmon, carrots and bread in the kitchen.",
)


class _Options(NamedTuple):
    """The replacements of each of the words `rows` of a batch, in `texts[firsts:lasts]`.

    `an` marks the texts that take "an" before them; a lexicon without that knowledge marks none.
    """

    rows: Int64
    firsts: Int64
    lasts: Int64
    texts: Strings
    an: Bool


def _sites(
    words: Strings, shapes: UInt8, options: _Options, *, mends_articles: bool = False
) -> Sites:
    """Return a site at each word that has replacements."""
    fit = (options.lasts > options.firsts) & (shapes[options.rows] <= UPPER)
    sites, firsts, lasts = (column[fit] for column in options[:3])

    def drawn(chosen: Chosen) -> tuple[Int64, Int64]:
        """Draw replacements for the words of the chosen sites, as places in `texts`."""
        rows = chosen.rows
        return sites[rows], firsts[rows] + chosen.below((lasts - firsts)[rows])

    def write(chosen: Chosen) -> Strings:
        word, option = drawn(chosen)
        return _cased(options.texts.take(option), shapes[word])

    def articles(chosen: Chosen) -> tuple[Int64, Int64, Strings]:
        word, option = drawn(chosen)
        return _mended_articles(words, word, options.an[option], shapes[word] == UPPER)

    follow_up_edits = articles if mends_articles else None
    return Sites(words.starts[sites], words.ends[sites], "place", write, follow_up_edits)


def _embedded(batch: Batch, words: Words, tagger: Code | None, which: _Which) -> _Options:
    table = candidates(*which)
    able = words_marked(batch, table.sources)
    tags = tag(words, able) if tagger is None else tags_of(batch, tagger) * able
    tags = np.where(is_unfit(batch, words, tags), 0, tags)
    (tagged,) = (tags > 0).nonzero()
    tagged = tagged[~_misread(batch, tagged, tags[tagged], which[0])]
    firsts, lasts = rows(table, words.surfaces[tagged], tags[tagged])
    texts, an = _written(which)
    # Words that the text already has are not written: high or low, north and south.
    places, owners = ranges(firsts, lasts - firsts), np.arange(len(tagged)).repeat(lasts - firsts)
    targets, written = table.targets.take(places), np.zeros(len(load().bounds), np.bool_)
    written[targets] = True
    (known,) = words_marked(batch, written).nonzero()
    size = np.int64(len(written))  # a text and a word in one number take more than 32 bits
    here = batch.text_of(batch.words.starts[known]) * size + words.surfaces[known]
    wanted = batch.text_of(batch.words.starts[tagged])[owners] * size + targets
    new = ~are_among(wanted, distinct(here))
    places, lasts = places[new], np.cumsum(np.bincount(owners[new], minlength=len(tagged)))
    return _Options(tagged, np.append(0, lasts)[:-1], lasts, texts.take(places), an[places])


def _misread(batch: Batch, places: Int64, tags: UInt8, relation: Relation) -> Bool:
    """Mark words whose relation means something else in their place.

    The hypernym of a noun before another noun means something else (sodium channels, machine
    language); so does the opposite of a verb before a verb (stop using, begin to fall).
    """
    if relation == "synonyms":
        return np.zeros(len(places), np.bool_)
    behind = after(batch, places)
    if relation == "antonyms":
        leads = may_be(batch, behind, VERB, VBG) | among(batch, behind, "to")
        return leads & (tags >= TAG["VB"]) & (tags <= TAG["VBG"])
    weights = load().weights[surfaces_of(batch, behind)]
    noun = (behind >= 0) & ~is_function(batch, behind)
    noun &= weights[:, NOUN] > np.maximum(weights[:, VERB], weights[:, ADVERB])
    nouns: Bool = noun & (tags == TAG["NN"])
    return nouns


@cache
def _written(which: _Which) -> tuple[Strings, Bool]:
    """Return the replacements of a relation, and mark those that take "an"."""
    targets = candidates(*which).targets
    return spellings(targets), takes_an(targets)


def _external(batch: Batch, words: Words, lexicon: str, which: _Which) -> _Options:
    # In other languages these letters may be a noun; in English "in" isn't an inch, nor "I" iodine.
    function = is_function_word(words) & (lexicon == "nltk:eng")
    options = [
        () if stays else related_words(lexicon, word.lower(), *which)
        for word, stays in zip(batch.words.to_list(), function.tolist(), strict=True)
    ]
    counts = np.array([len(texts) for texts in options], np.intp)
    lasts = np.cumsum(counts)
    texts = column(chain.from_iterable(options))
    return _Options(np.arange(len(lasts)), lasts - counts, lasts, texts, np.zeros(len(texts), bool))


def _cased(strings: Strings, shapes: UInt8) -> Strings:
    """Return the strings in the case of the words that they replace."""
    if (shapes == LOWER).all():
        return strings
    _, upper = case_maps()
    cased = packed(strings.flat().astype(np.uint32), strings.lengths)
    capital = np.repeat(shapes == UPPER, cased.lengths)
    capital[cased.starts[shapes == TITLE]] = True
    cased.codes[capital] = upper[cased.codes[capital]]
    return cased


def _mended_articles(
    words: Strings, rows: Int64, an: Bool, upper: Bool
) -> tuple[Int64, Int64, Strings]:
    """Add or remove the n of the article before each of `rows`, by whether it should be "an"."""
    codes, before = words.codes, np.maximum(rows - 1, 0)
    start, end = words.starts[before], words.ends[before]
    is_a = (rows > 0) & (words.starts[rows] == end + 1) & (codes[end] == ord(" "))
    is_a &= codes[start] | 32 == ord("a")
    add = is_a & an & (end == start + 1)
    take = is_a & ~an & (end == start + 2) & (codes[end - 1] | 32 == ord("n"))
    mended = np.flatnonzero(add | take)
    letters = column(["", "n", "N"]).take((add * (1 + upper))[mended])
    return (end - take)[mended], end[mended], letters
