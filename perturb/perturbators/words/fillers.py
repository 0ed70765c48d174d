"""Fillers between words, as in speech."""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.places import are_among
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import set_of
from perturb.engine.text.strings import Strings, column, concatenate, packed
from perturb.lexicon.phrases import after, among, is_digit, latin
from perturb.lexicon.store import load, surfaces_of
from perturb.lexicon.tags import BIT, FUNCTION_BITS
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.shared.english import (
    LANGUAGES,
    AnyLanguage,
    function_words,
    in_english,
    is_english,
    rows_of,
)
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Int64, distinct

Kind = Literal["any", "hesitation", "marker", "hedge", "repair"]
# The first words of clauses and parts of lists; for other languages only unambiguous ones.
_OPENS = {
    "en": frozenset(
        "and but or because so that which who where when if while although though unless until "
        "since then after before".split()
    ),
    "de": frozenset("und oder aber sondern weil dass wenn obwohl".split()),
    "es": frozenset("y o pero porque cuando aunque mientras si".split()),
    "fr": frozenset("et ou mais car parce quand lorsque puisque".split()),
    "it": frozenset("e ed o ma perché quando mentre però se".split()),
    "nl": frozenset("en of maar want omdat terwijl toen hoewel".split()),
    "pt": frozenset("e ou mas porque quando embora enquanto".split()),
}
# The forms of a filler in the table: after a word, after a comma, before a sentence.
_BEHIND, _SERVED, _SMALL, _CAPITAL = range(4)
# Tenths of a count of WordNet: a word counted once or more is known.
_COUNTED = 10
_I = frozenset(["i", "i'm", "i've", "i'd", "i'll"])
# Function words that may have a capital of courtesy.
_POLITE = frozenset("sie ihr ihre ihren ihrem ihrer ihnen lei loro u uw".split())


@place_perturbator(
    "filler",
    languages=LANGUAGES,
    touches={"words", "punctuation", "space", "case"},
    version=6,
    source="own tables (wordlists/english/fillers.tsv, wordlists/languages/fillers.tsv); that "
    "hesitations stand at the edges of clauses: H. H. Clark, J. E. Fox Tree, Using uh and um in "
    "spontaneous speaking, 2002",
    example="It was late, so she left the car where it stood and walked. Was that right?",
)
def filler(
    batch: Batch,
    *,
    kind: Kind = "hesitation",
    where: Literal["clause", "word"] = "clause",
    language: AnyLanguage = "auto",
) -> Sites:
    """Put a filler at the edge of a clause, as in speech: um, you know, I think.

    Insert fillers, with the commas that they need; never next to a digit, and behind labels rather
    than before them: "Question: um, what" and "A. Uh, Mars".

    Args:
        batch: the texts.
        kind: "hesitation" (um), "marker" (you know), "hedge" (I think), "repair" (or rather), or
            "any" of these.
        where: "clause" is before a sentence, after a comma, and before words such as "and",
            "because" and "that"; `p` is a share of these places. "word" is before any word except
            the first of a sentence, and `p` is a share of the words.
        language: "auto" leaves texts alone that are evidently not English; any other treats all
            texts as that language.
    """
    words, codes, english = batch.words, batch.codes, is_english(language)
    ends, starts = words.ends[:-1], words.starts[1:]
    comma = codes[ends] == ord(",")
    fits = (codes[ends + comma] == ord(" ")) & (starts == ends + comma + 1)
    left, right = codes[ends - 1], codes[starts]
    fits &= latin().mask(left) & latin().mask(right)
    fits &= ~(is_digit(left) | is_digit(right))
    heads, lowered = np.zeros(0, np.intp), np.zeros(0, np.bool_)
    if where == "clause":
        opens = _OPENS["en" if language == "auto" else language]
        rows = np.arange(1, len(words))
        fits &= comma | among(batch, rows, opens, accents=not english)
        heads, lowered = _heads(batch) if english else _heads_in(batch, language)
    between = (ends + comma)[fits]
    places = np.concatenate([between, heads])
    stops = np.concatenate([between, heads + lowered])
    order = np.argsort(places, kind="stable")
    places, stops = places[order], stops[order]
    is_head = np.isin(places, heads)
    fillers = _fillers(kind, where, language)

    def written(chosen: Chosen) -> Strings:
        at = chosen.texts.starts
        # A comma that is already there serves as the filler's first.
        form = np.where(codes[at - 1] == ord(","), _SERVED, _BEHIND)
        led = is_head[chosen.rows]
        form[led] = np.where(capitals().mask(codes[at[led]]), _CAPITAL, _SMALL)
        drawn = chosen.below(np.where(led, len(fillers.leading), len(fillers.inside)))
        drawn[led] = fillers.leading[drawn[led]]
        drawn[~led] = fillers.inside[drawn[~led]]
        # The letter after it in lower case, if it is replaced.
        small = packed(case_maps()[0][chosen.texts.flat()], chosen.texts.lengths)
        return concatenate(fillers.forms.take(4 * drawn + form), small)

    unit = "place" if where == "clause" else "word"
    return in_english(batch, Sites(places, stops, unit, written), language)


def _firsts(batch: Batch) -> Int64:
    """Return the first words of sentences, or those behind labels: A. Mars, Answer: No."""
    words, codes = batch.words, batch.codes
    rows = np.flatnonzero(are_among(words.starts, batch.sentences.starts))
    starts, ends = words.starts[rows], words.ends[rows]
    label = (ends == starts + 1) & set_of(".)").mask(codes[ends]) | (codes[ends] == ord(":"))
    behind = np.minimum(rows + 1, len(words) - 1)
    follows = (words.starts[behind] == ends + 2) & (codes[ends + label] == ord(" "))
    firsts: Int64 = np.where(label, behind, rows)[follows | ~label]
    return distinct(firsts)


def _heads(batch: Batch) -> tuple[Int64, Bool]:
    """Return the starts of sentences, and whether their first letter becomes small.

    Names and the word I keep their capital; words in capitals, and words that may be names, such as
    Will, don't count as starts.
    """
    words, codes = batch.words, batch.codes
    rows = _firsts(batch)
    starts, ends = words.starts[rows], words.ends[rows]
    first, capital = codes[starts], capitals().mask(codes[starts])
    surfaces = surfaces_of(batch, rows)
    facts, counts = load().facts[surfaces], load().weights[surfaces].max(axis=1)
    # A word that WordNet never counted, such as Mara, is rather a name.
    known = (surfaces >= 0) & ((facts & FUNCTION_BITS > 0) | (counts >= _COUNTED))
    the_i = (first == ord("I")) & among(batch, rows, _I)
    shouted = capital & (ends > starts + 1) & capitals().mask(codes[starts + 1])
    doubtful = capital & known & (facts & BIT["name"] > 0) & ~the_i
    fits = (known | capital) & latin().mask(first) & ~is_digit(first) & ~shouted & ~doubtful
    return starts[fits], (capital & known & ~the_i)[fits]


def _heads_in(batch: Batch, language: str) -> tuple[Int64, Bool]:
    """Return the same for a language other than English: only function words count.

    After a function word that begins a name comes a capital (El Niño), but in German any noun has
    one.
    """
    words, codes = batch.words, batch.codes
    rows = _firsts(batch)
    known = among(batch, rows, function_words(language), accents=True)
    rows = rows[known & ~among(batch, rows, _POLITE)]
    starts, behind = words.starts[rows], after(batch, rows)
    capital, shouted = (capitals().mask(codes[at]) for at in (starts, starts + 1))
    fits = (behind >= 0) & ~shouted
    if language != "de":
        fits &= ~capitals().mask(codes[words.starts[behind]])
    return starts[fits], capital[fits]


class _Fillers(NamedTuple):
    """Fillers in their four forms, and the lists for each place, repeated by weight."""

    forms: Strings
    inside: Int64
    leading: Int64


@cache
def _fillers(kind: str, where: str, language: str) -> _Fillers:
    """Return the fillers of a kind; English ones fit every edge of a clause."""
    if is_english(language):
        rows = [[*row[:3], "any", row[3]] for row in read_rows("english", "fillers.tsv")]
    else:
        rows = rows_of(language, "fillers.tsv")
    forms: list[str] = []
    inside: list[int] = []
    leading: list[int] = []
    for words, sort, commas, place, weight in rows:
        if kind in ("any", sort) and (where == "word" or commas != "within"):
            number = len(forms) // 4
            inside += [number] * int(weight) * (place != "start")
            leading += [number] * int(weight) * (place != "inside")
            first = "," if commas in ("before", "around") else ""
            small = words + ("," if commas == "around" else "")
            capital = small[0].upper() + small[1:]
            forms += [f"{first} {small}", f" {small}", f"{small} ", f"{capital} "]
    return _Fillers(column(forms), np.array(inside), np.array(leading))
