"""Errors of grammar, as learners of English make them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Later, Strings, column
from perturb.lexicon.phrases import (
    Phrases,
    after,
    among,
    before,
    begins_with_digit,
    decent,
    words_among,
)
from perturb.lexicon.store import is_function, surfaces_of, takes_an
from perturb.lexicon.tags import NOUN, TAG, VERB
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.clauses import in_question, is_tagged, tags_of
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.written import (
    Written,
    in_order,
    inflected,
    inserted,
    joined,
    rephrased,
)
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

Kind = Literal["any", "article", "noun", "preposition", "agreement", "verb"]

# Missing, wrong and superfluous determiners and prepositions are in these proportions: our own
# estimate.
_MISSING, _OTHER, _TOO_MANY = range(3)
DETERMINERS, PREPOSITIONS = (2230, 609, 1048), (1105, 2618, 822)
_ADDED = DETERMINERS[_TOO_MANY] / sum(DETERMINERS), PREPOSITIONS[_TOO_MANY] / sum(PREPOSITIONS)
_LANE = 16
_NOUNS, _VERBS, _PASTS = ("NN", "NNS"), ("VB", "VBZ", "VBD", "VBG", "VBN"), ("VBD", "VBN", "VBG")
_ARTICLES = frozenset(["a", "an", "the"])
_NUMBERS = {"is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "does": "do"}
_HELPS = frozenset("has have had is are was were am be been".split())
# Before these function words, "to" belongs to a verb.
_NO_NOUNS = frozenset("be have do not also".split())
# Before "of" and the like, these are part of a phrase such as "out of".
_PHRASAL = "out because instead according due up more less than next kind lot one"
_SUBJECTS = frozenset("he she it there who which that".split())
_A, _AN, _THE = 1, 2, 3
# The words before a noun without an article, in addition to verbs; and those that begin an object.
_BEFORE_NOUNS = frozenset(
    "of in on at to for with by about from into during after before between through without over "
    "under as than like and or".split()
)
_OBJECTS = _ARTICLES | frozenset(
    "my your his her its our their this that these those me you him us them it".split()
)


@english_perturbator(
    "grammar_errors",
    touches={"words", "letters", "space", "meaning"},
    expect="same",
    source="H. T. Ng et al., The CoNLL-2013 Shared Task on Grammatical Error Correction; spread of "
    "the sentences of JFLEG (C. Napoles et al., EACL 2017)",
    version=4,
    spread=lambda **_: 0.77,
    example="She goes to the school in the morning and has eaten three apples on a bus.",
)
def grammar_errors(batch: Batch, *, kind: Kind = "any") -> Sites:
    """Make errors of grammar as learners do: articles, plurals, prepositions, verbs.

    Make errors of grammar; `p` is a share of the places for them, about 1 word in 7.

    The places of each kind are thinned so that the errors have the shares of published counts: 42%
    articles, 24% nouns without their plural, 15% prepositions, 10% agreement of subject and verb,
    9% forms of verbs. This holds in running text; other texts have more places for some kinds. By
    our own estimate 57% of the wrong articles are missing, 16% another one, 27% superfluous; 24, 58
    and 18% of the prepositions. Learners' errors depend on their first language; perturb doesn't
    distinguish them.

    Args:
        batch: the texts.
        kind: "article", "noun", "preposition", "agreement" or "verb" for every place of that kind,
            or "any" for all in their shares.
    """
    if kind != "any":
        asked = [sort for name, sort in SORTS.items() if name.endswith(kind)]
        return in_order([sort.find(batch, 1.0) for sort in asked]).sites()
    # The scarcest kind keeps all its places, the others as many as their shares allow.
    most = max(sort.errors / sort.places for sort in SORTS.values())
    found = [sort.find(batch, sort.errors / sort.places / most) for sort in SORTS.values()]
    sites = in_order(found).sites()
    sites.have_places = _have_places
    return sites


def _have_places(batch: Batch) -> Bool:
    """Mark the texts with a place for an error of any kind."""
    return batch.count(in_order([sort.find(batch, 1.0) for sort in SORTS.values()]).starts) > 0


def _are_places(batch: Batch, starts: Int64, share: float) -> Bool:
    """Mark a share of the possible places, by their increasing starts."""
    return batch.uniform(starts, _LANE) < share if share < 1 else np.ones(len(starts), np.bool_)


def _share_of(batch: Batch, rows: Int64, share: float) -> Int64:
    """Return a share of the words at `rows`."""
    return rows[_are_places(batch, batch.words.starts[rows], share)]


def _articles(batch: Batch, share: float) -> Written:
    """Drop an article, or write another one."""
    words = batch.words
    rows = _share_of(batch, words_among(batch, _ARTICLES), share)
    right = after(batch, rows)
    # No label or variable (option A), and no start of a sentence.
    fits = (right >= 0) & ~has_capital(batch, rows) & (before(batch, rows) >= 0)
    fits &= ~is_function(batch, right)
    (places,) = fits.nonzero()
    rows, right = rows.take(places), right.take(places)
    starts, ends = words.starts[rows], words.ends[rows]
    other = batch.uniform(starts, _LANE + 1) >= _lost(DETERMINERS)
    surfaces = surfaces_of(batch, right)
    an = (surfaces >= 0) & takes_an(np.maximum(surfaces, 0))
    the = among(batch, rows, "the")
    article = np.where(other, np.where(the, np.where(an, _AN, _A), _THE), 0)
    return Written(starts, ends + ~other, column(["", "a", "an", "the"]).take(article))


def _nouns(batch: Batch, share: float) -> Written:
    """Write nouns without their plural."""
    (rows,) = (batch.once(tags_of) == TAG["NNS"]).nonzero()
    return inflected(batch, _share_of(batch, rows, share), NOUN, 0)


def _lost(counts: tuple[int, ...]) -> float:
    """Return the share of errors at a word that drop it."""
    return counts[_MISSING] / (counts[_MISSING] + counts[_OTHER])


def _added_articles(batch: Batch, share: float) -> Written:
    """Write "the" before a noun, with its adjective, that has no article."""
    tags = batch.once(tags_of)
    (rows,) = is_tagged(tags, *_NOUNS).nonzero()
    adjective = before(batch, rows)
    first = np.where((adjective >= 0) & (tags[adjective] == TAG["JJ"]), adjective, rows)
    first = _share_of(batch, first, share)
    left = before(batch, first)
    fits = (left >= 0) & ~has_capital(batch, first)
    fits &= among(batch, left, _BEFORE_NOUNS) | is_tagged(tags[left], *_VERBS)
    return inserted(batch.words.starts[first.take(fits.nonzero()[0])], "the ")


def _prepositions(batch: Batch, share: float) -> Written:
    """Drop a preposition, or write another one."""
    matches = _confused().find(batch)
    matches = matches.keep(_are_places(batch, matches.starts, share))
    left, right = before(batch, matches.first), after(batch, matches.last)
    noun = is_function(batch, right) & ~among(batch, right, _NO_NOUNS)
    to = among(batch, matches.first, "to")
    fits = (left >= 0) & (right >= 0) & ~among(batch, left, _PHRASAL) & (noun | ~to)
    fits &= ~begins_with_digit(batch, right) & ~has_capital(batch, matches.first)
    matches = matches.keep(fits)
    lost = batch.uniform(matches.starts, _LANE + 3) < _lost(PREPOSITIONS)
    other = rephrased(batch, _confused(), matches, _LANE + 2).texts

    def texts(rows: Int64) -> Strings:
        written = other.take(rows)
        ends = np.where(lost[rows], written.starts, written.ends)
        return Strings(written.codes, written.starts, ends)

    return Written(matches.starts, matches.ends + lost, Later(texts, len(lost)))


def _added_prepositions(batch: Batch, share: float) -> Written:
    """Write a preposition after a verb that takes none: discuss about it."""
    prepositions = _added()
    rows = words_among(batch, frozenset().union(*prepositions.values()))
    rows = rows[_are_places(batch, batch.words.ends[rows], share)]
    right = after(batch, rows)
    rows = rows[(right >= 0) & (among(batch, right, _OBJECTS) | has_capital(batch, right))]
    verbs = [among(batch, rows, verbs) for verbs in prepositions.values()]
    places = batch.words.ends[rows]
    return Written(places, places, column(prepositions).take(np.argmax(verbs, axis=0)))


@cache
def _added() -> dict[str, frozenset[str]]:
    """Return the prepositions with a space before each, and the verbs that take none."""
    added: dict[str, frozenset[str]] = {}
    for preposition, verbs in read_rows("english", "added_prepositions.tsv"):
        lead = f" {preposition}"
        added[lead] = added.get(lead, frozenset()).union(verbs.split())
    return added


@cache
def _confused() -> Phrases:
    return Phrases(decent(read_rows("english", "prepositions.tsv")))


def _agreement(batch: Batch, share: float) -> Written:
    """Write a verb in the other number than its subject."""
    matches = _numbers().find(batch)
    matches = matches.keep(_are_places(batch, matches.starts, share))
    fits = _has_subject(batch, matches.first) & ~has_capital(batch, matches.first)
    fits &= ~in_question(batch, matches.first) & (after(batch, matches.last) >= 0)
    (thirds,) = (batch.once(tags_of) == TAG["VBZ"]).nonzero()
    thirds = _share_of(batch, thirds, share)
    thirds = thirds[_has_subject(batch, thirds)]
    auxiliaries = rephrased(batch, _numbers(), matches.keep(fits))
    return joined([auxiliaries, inflected(batch, thirds, VERB, 0)])


@cache
def _numbers() -> Phrases:
    return Phrases(_NUMBERS.items())


def _has_subject(batch: Batch, rows: Int64) -> Bool:
    """Mark the verbs after a word that may be their subject."""
    left = before(batch, rows)
    return (left >= 0) & (~is_function(batch, left) | among(batch, left, _SUBJECTS))


def _verbs(batch: Batch, share: float) -> Written:
    """Write the base form of verbs for the past, and for participles after be and have."""
    tags = batch.once(tags_of)
    rows = _share_of(batch, is_tagged(tags, *_PASTS).nonzero()[0], share)
    left = before(batch, rows)
    past, helped = tags[rows] == TAG["VBD"], among(batch, left, _HELPS)
    return inflected(batch, rows[np.where(past, (left >= 0) & ~helped, helped)], VERB, 0)


class Sort(NamedTuple):
    """A sort of errors.

    Attributes:
        find: returns a share of the places for such errors.
        errors: the number of them in NUCLE (H. T. Ng et al., 2013).
        places: the places for them among the words of running text, as counted on the questions
            that ship; see wordlists/SOURCES.md.
    """

    find: Callable[[Batch, float], Written]
    errors: float
    places: float


SORTS = {
    "article": Sort(_articles, 6658 * (1 - _ADDED[0]), 0.060),
    "added article": Sort(_added_articles, 6658 * _ADDED[0], 0.0165),
    "noun": Sort(_nouns, 3779, 0.050),
    "preposition": Sort(_prepositions, 2404 * (1 - _ADDED[1]), 0.062),
    "added preposition": Sort(_added_prepositions, 2404 * _ADDED[1], 0.0045),
    "agreement": Sort(_agreement, 1527, 0.026),
    "verb": Sort(_verbs, 1453, 0.016),
}
