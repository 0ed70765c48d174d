"""Errors of grammar, as learners of English make them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.features import NOUN, VERB
from perturb.lexicon.forms import forms_of, spelled
from perturb.lexicon.lookup import lookup, takes_an
from perturb.lexicon.phrases import Phrases, after, among, before, words_among
from perturb.lexicon.taboo import decent
from perturb.lexicon.tags import TAG
from perturb.perturbators.shared.clauses import in_question
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.neighbours import is_function, tags_of
from perturb.perturbators.shared.written import Written, in_order
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.rng import uniform
from perturb.values.arrays import Bool, Int64, UInt8

Kind = Literal["any", "article", "noun", "preposition", "agreement", "verb"]

# The errors of each kind in NUCLE (H. T. Ng et al., 2013), and the places for each kind among the
# words of running text, as counted on the questions that ship; see wordlists/SOURCES.md.
ERRORS = {"article": 6658, "noun": 3779, "preposition": 2404, "agreement": 1527, "verb": 1453}
PLACES_OF = {
    "article": 0.060,
    "noun": 0.054,
    "preposition": 0.062,
    "agreement": 0.026,
    "verb": 0.016,
}
_LANE = 16
# Of the errors with articles so many write another one; the others leave it out.
_OTHER_ARTICLE = 0.25
_ARTICLES = frozenset(["a", "an", "the"])
_NUMBERS = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "does": "do"}
_HELPS = frozenset("has have had is are was were am be been".split())
# Function words before which "to" belongs to a verb.
_NO_NOUNS = frozenset("be have do not also".split())
# What parts "out of" and its like from a preposition of its own.
_PHRASAL = frozenset(
    "out because instead according due up more less than next kind lot one".split()
)
_SUBJECTS = frozenset("he she it there who which that".split())
_A, _AN, _THE = 1, 2, 3


@perturbator(
    "grammar_errors",
    unit="place",
    summary="Make errors of grammar as learners do: articles, plurals, prepositions, verbs.",
    label_risk="medium",
    languages=("en",),
    touches={"words", "letters", "space", "meaning"},
    expect="same",
    source="H. T. Ng et al., The CoNLL-2013 Shared Task on Grammatical Error Correction (counts of "
    "the NUS Corpus of Learner English)",
    intensities=PLACES,
    example="She goes to the school in the morning and has eaten three apples on a bus.",
)
def grammar_errors(batch: Batch, *, kind: Kind = "any", language: Language = "auto") -> Sites:
    """Make errors of grammar; `p` is a share of the places for them, about 1 word in 7.

    Of each kind so many places are there that the errors have the shares of the published counts:
    42 % articles (left out, or another one), 24 % nouns without their plural, 15 % prepositions,
    10 % agreement of subject and verb, 9 % forms of verbs. That is so in running text; others have
    more places for some. Which error learners make depends on their first language; that is not
    told apart here.

    Args:
        batch: the texts.
        kind: "article", "noun", "preposition", "agreement", "verb", of which every place is one,
            or "any" for all in their shares.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    tags = tags_of(batch)
    found = []
    for own, find in _FINDERS.items():
        if kind == own:
            found = [find(batch, tags)]
        elif kind == "any":
            places = find(batch, tags)
            draw = uniform(batch.draw(places.starts, _LANE))
            found.append(places.keep(draw < _kept(own)))
    return in_english(batch, in_order(found).sites("place"), language)


@cache
def _kept(kind: str) -> float:
    """Return the share of the places of a kind that are sites; of the scarcest it is all."""
    rates = {own: ERRORS[own] / PLACES_OF[own] for own in ERRORS}
    return rates[kind] / max(rates.values())


def _articles(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """Leave an article out, or write another one."""
    words = batch.words
    rows = words_among(batch, _ARTICLES)
    right = after(batch, rows)
    # No label or variable (option A), and no start of a sentence.
    fits = (right >= 0) & ~has_capital(batch, rows) & (before(batch, rows) >= 0)
    fits &= ~is_function(batch, right)
    rows, right = rows[fits], right[fits]
    other = uniform(batch.draw(words.starts[rows], _LANE + 1)) < _OTHER_ARTICLE
    surfaces = lookup(words.codes, words.starts[right], words.ends[right])
    an = takes_an(np.maximum(surfaces, 0)) & (surfaces >= 0)
    the = among(batch, rows, frozenset(["the"]))
    written = np.where(other, np.where(the, np.where(an, _AN, _A), _THE), 0)
    texts = column(["", "a", "an", "the"]).take(written)
    return Written(words.starts[rows], words.ends[rows] + ~other, texts)


def _nouns(batch: Batch, tags: UInt8) -> Written:
    """Write nouns without their plural."""
    return _inflected(batch, np.flatnonzero(tags == TAG["NNS"]), NOUN, 0)


def _prepositions(batch: Batch, tags: UInt8) -> Written:  # noqa: ARG001
    """Write another preposition."""
    table = _confused()
    found = table.find(batch)
    left, right = before(batch, found.first), after(batch, found.last)
    noun = is_function(batch, right) & ~among(batch, right, _NO_NOUNS)
    to = among(batch, found.first, frozenset(["to"]))
    fits = (left >= 0) & (right >= 0) & ~among(batch, left, _PHRASAL) & (noun | ~to)
    found = found.keep(fits & ~_is_digit(batch, right) & ~has_capital(batch, found.first))
    spans = Strings(batch.codes, found.starts, found.ends)
    texts = table.write(found.rows, spans, batch.draw(found.starts, _LANE + 2))
    return Written(found.starts, found.ends, texts)


@cache
def _confused() -> Phrases:
    return Phrases(decent(read_rows("english", "prepositions.tsv")))


def _agreement(batch: Batch, tags: UInt8) -> Written:
    """Write a verb of the other number than its subject."""
    table = _numbers()
    found = table.find(batch)
    left = before(batch, found.first)
    noun = (left >= 0) & (~is_function(batch, left) | among(batch, left, _SUBJECTS))
    fits = noun & ~has_capital(batch, found.first) & ~in_question(batch, found.starts)
    found = found.keep(fits & (after(batch, found.last) >= 0))
    spans = Strings(batch.codes, found.starts, found.ends)
    texts = table.write(found.rows, spans, np.zeros(len(spans), np.uint32))
    verbs = np.flatnonzero(tags == TAG["VBZ"])
    left = before(batch, verbs)
    verbs = verbs[(left >= 0) & (~is_function(batch, left) | among(batch, left, _SUBJECTS))]
    return in_order([Written(found.starts, found.ends, texts), _inflected(batch, verbs, VERB, 0)])


@cache
def _numbers() -> Phrases:
    return Phrases(_NUMBERS.items())


def _verbs(batch: Batch, tags: UInt8) -> Written:
    """Write verbs in their base form for the past, and for participles behind be and have."""
    pasts, participles = tags == TAG["VBD"], (tags == TAG["VBN"]) | (tags == TAG["VBG"])
    rows = np.flatnonzero(pasts | participles)
    left = before(batch, rows)
    helped = among(batch, left, _HELPS)
    past = pasts[rows] & (left >= 0) & ~helped
    return _inflected(batch, rows[past | (participles[rows] & helped)], VERB, 0)


def _inflected(batch: Batch, rows: Int64, part: int, column_of: int) -> Written:
    """Return the words at `rows` in another form, without those that look the same in it."""
    words = batch.words
    rows = rows[~has_capital(batch, rows)]
    surfaces = lookup(words.codes, words.starts[rows], words.ends[rows])
    made = forms_of(surfaces, part, column_of)
    fits = (made >= 0) & (made != surfaces)
    return Written(words.starts[rows[fits]], words.ends[rows[fits]], spelled(made[fits]))


def _is_digit(batch: Batch, rows: Int64) -> Bool:
    heads = batch.codes[batch.words.starts[rows]]
    digit: Bool = (rows >= 0) & (heads >= ord("0")) & (heads <= ord("9"))
    return digit


_FINDERS: dict[str, Callable[[Batch, UInt8], Written]] = {
    "article": _articles,
    "noun": _nouns,
    "preposition": _prepositions,
    "agreement": _agreement,
    "verb": _verbs,
}
