"""Nouns of another language in English text."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.lookup import lookup
from perturb.lexicon.phrases import among, before
from perturb.lexicon.store import load
from perturb.lexicon.tags import TAG
from perturb.perturbators.shared.english import Language, in_english
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.neighbours import surfaces_of, tags_of
from perturb.perturbators.shared.written import Written
from perturb.registry.definition import PLACES
from perturb.registry.registry import perturbator
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

To = Literal["es", "ca", "gl", "it", "zh"]

_LANGUAGES = ("es", "ca", "gl", "it", "zh")
_A = frozenset(["a"])
_VOWELS = "aeiouàèéíòóúáì"


@perturbator(
    "code_switch",
    unit="place",
    summary="Write a noun in another language, as speakers of both do: the acqua is cold.",
    label_risk="medium",
    languages=("en",),
    touches={"words", "meaning"},
    expect="same",
    source="S. Poplack, Sometimes I'll start a sentence in Spanish y termino en español, 1980 "
    "(single nouns are switched most); Open Multilingual Wordnet "
    "(wordlists/languages/code_switch.tsv)",
    intensities=PLACES,
    example="The horse crossed the river in winter, and the farmer fed it in the kitchen.",
)
def code_switch(batch: Batch, *, to: To = "it", language: Language = "auto") -> Sites:
    """Write nouns in another language; `p` is a share of the nouns that the table has.

    Only a noun in the singular, in its main sense, is replaced, and the words around it stay
    English, as where speakers switch for a word: no plurals, no agreement, and no word where "a" or
    "an" would be wrong before it. What a noun means beside its main sense is not told apart.

    Args:
        batch: the texts.
        to: the language: "es" (Spanish), "ca" (Catalan), "gl" (Galician), "it" (Italian) or "zh"
            (Chinese).
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    table = _table(to)
    rows = np.flatnonzero(tags_of(batch) == TAG["NN"])
    own = table.rows[surfaces_of(batch, rows)]
    left = before(batch, rows)
    an = among(batch, left, frozenset(["an"]))
    fits = (own >= 0) & ~has_capital(batch, rows)
    fits &= np.where(an, table.vowel[own], ~table.vowel[own] | ~among(batch, left, _A))
    rows, own = rows[fits], own[fits]
    words = batch.words
    written = Written(words.starts[rows], words.ends[rows], table.words.take(own))
    return in_english(batch, written.sites("place"), language)


class _Table(NamedTuple):
    """The words of a language; `rows` has the row of each surface of the lexicon, -1 for none."""

    rows: Int64
    words: Strings
    vowel: Bool


@cache
def _table(to: To) -> _Table:
    at = _LANGUAGES.index(to)
    pairs = [(noun, words[at]) for noun, *words in read_rows("languages", "code_switch.tsv")]
    pairs = [(noun, word) for noun, word in pairs if word != "-"]
    nouns = column(noun for noun, _ in pairs)
    surfaces = lookup(nouns.flat(), nouns.starts, nouns.ends)
    rows = np.full(len(load().bounds) + 1, -1)
    rows[surfaces[surfaces >= 0]] = np.flatnonzero(surfaces >= 0)
    vowel = np.array([word[0] in _VOWELS for _, word in pairs])
    return _Table(rows, column(word for _, word in pairs), vowel)
