"""Nouns of another language in English text."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Sites
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.contexts import is_unfit
from perturb.lexicon.hashing import hash_strings
from perturb.lexicon.phrases import after, among, before, begins_with_digit
from perturb.lexicon.store import load, surfaces_of, surfaces_of_hashes
from perturb.lexicon.tagger import tag
from perturb.lexicon.tags import TAG
from perturb.lexicon.tokens import read_batch
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.names import has_capital
from perturb.perturbators.shared.written import Written
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64

To = Literal["es", "ca", "gl", "it", "zh"]

_VOWELS = "aeiouàèéíòóúáì"


@english_perturbator(
    "code_switch",
    version=6,
    touches={"words", "meaning"},
    expect="same",
    source="S. Poplack, Sometimes I'll start a sentence in Spanish y termino en español, 1980 "
    "(single nouns are switched most); Open Multilingual Wordnet "
    "(wordlists/languages/code_switch.tsv)",
    example="The horse crossed the river in winter, and the farmer fed it in the kitchen.",
)
def code_switch(batch: Batch, *, to: To = "es") -> Sites:
    """Write a noun in another language, as bilingual speakers do: the agua is cold.

    Write nouns in another language; `p` is a share of the nouns that the table has.

    Only a singular noun is replaced, in its main sense, and the words around it stay English, as
    when speakers switch for one word: no plurals, no agreement, and no word that would make "a" or
    "an" wrong before it. Other senses of a noun are not recognised.

    Args:
        batch: the texts.
        to: the language: "es" (Spanish), "ca" (Catalan), "gl" (Galician), "it" (Italian) or "zh"
            (Chinese).
    """
    options = _options(to)
    words = batch.once(read_batch)
    tags = tag(words, options.rows[words.surfaces] >= 0)
    rows = np.flatnonzero(tags == TAG["NN"])
    option, left = options.rows[surfaces_of(batch, rows)], before(batch, rows)
    a, an = among(batch, left, "a"), among(batch, left, "an")
    fits = (option >= 0) & ~has_capital(batch, rows) & ~is_unfit(batch, words, tags)[rows]
    # Statue of liberty, House of Lords: no part of a name is switched alone.
    fits &= ~among(batch, after(batch, rows), "of") & ~among(batch, left, "of")
    fits &= ~np.where(options.vowels[option], a, an)
    # After a number a singular is an abbreviation: 8 min.
    fits &= ~begins_with_digit(batch, left)
    spans = batch.words.take(rows[fits])
    return Written(spans.starts, spans.ends, options.words.take(option[fits])).sites()


class _Options(NamedTuple):
    """The words of a language; `rows` has the row of each surface of the lexicon, -1 for none."""

    rows: Int64
    words: Strings
    vowels: Bool


@cache
def _options(to: To) -> _Options:
    place = 1 + get_args(To).index(to)
    pairs = [(row[0], row[place]) for row in read_rows("languages", "code_switch.tsv")]
    nouns, words = zip(*(pair for pair in pairs if pair[1] != "-"), strict=True)
    surfaces = surfaces_of_hashes(hash_strings(nouns))
    rows = np.full(len(load().bounds) + 1, -1)
    rows[surfaces[surfaces >= 0]] = np.flatnonzero(surfaces >= 0)
    return _Options(rows, column(words), np.array([word[0] in _VOWELS for word in words]))
