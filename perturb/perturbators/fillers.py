"""Fillers that speech puts between words."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.arrays import Bool, Int64
from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import capitals, case_maps
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column, concatenate, packed
from perturb.lexicon.lookup import lookup
from perturb.lexicon.phrases import among, latin
from perturb.lexicon.store import load
from perturb.lexicon.tags import BIT, FUNCTION_BITS
from perturb.perturbators._english import Language, in_english
from perturb.registry.registry import PLACES, perturbator
from perturb.resources import read_rows

Kind = Literal["any", "hesitation", "marker", "hedge", "repair"]
_DIGITS = CharacterSet.of("0123456789")
# What a clause, or a part of a list, begins with.
_OPENS = frozenset(
    "and but or because so that which who where when if while although though unless until "
    "since then after before".split()
)
# The forms of a filler in the table: after a word, after a comma, before a sentence.
_BEHIND, _SERVED, _SMALL, _CAPITAL = range(4)


@perturbator(
    "filler",
    unit="place",
    summary="Put a filler at the edge of a clause, as speech does: um, you know, I think.",
    label_risk="low",
    languages=("en",),
    touches={"words", "punctuation", "space", "case"},
    version=5,
    source="own table (wordlists/english/fillers.tsv); that hesitations stand at the edges of "
    "clauses: H. H. Clark, J. E. Fox Tree, Using uh and um in spontaneous speaking, 2002",
    intensities=PLACES,
    example="It was late, so she left the car where it stood and walked. Was that right?",
)
def filler(
    batch: Batch,
    *,
    kind: Kind = "hesitation",
    where: Literal["clause", "word"] = "clause",
    language: Language = "auto",
) -> Sites:
    """Insert fillers, with the commas that they need; none stands beside a digit.

    Args:
        batch: the texts.
        kind: "hesitation" (um), "marker" (you know), "hedge" (I think), "repair" (or rather), or
            "any" of these.
        where: "clause" is before a sentence, after a comma, and before words such as "and",
            "because" and "that"; `p` is a share of these places. "word" is before any word that
            follows another one in the same sentence, and `p` is a share of the words.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    words, codes = batch.words, batch.codes
    ends, starts = words.ends[:-1], words.starts[1:]
    comma = codes[ends] == ord(",")
    fits = (codes[ends + comma] == ord(" ")) & (starts == ends + comma + 1)
    left, right = codes[ends - 1], codes[starts]
    fits &= latin().mask(left) & latin().mask(right)
    fits &= ~(_DIGITS.mask(left) | _DIGITS.mask(right))
    heads, lowered = np.zeros(0, np.int64), np.zeros(0, np.bool_)
    if where == "clause":
        fits &= comma | among(batch, np.arange(1, len(words)), _OPENS)
        heads, lowered = _heads(batch)
    between = (ends + comma)[fits]
    places = np.concatenate([between, heads])
    stops = np.concatenate([between, heads + lowered])
    order = np.argsort(places, kind="stable")
    places, stops = places[order], stops[order]
    is_head = np.isin(places, heads)
    options = _fillers(kind, where)

    def written(chosen: Chosen) -> Strings:
        at = chosen.texts.starts
        # A comma that stands there already serves for the first of the filler's.
        form = np.where(codes[at - 1] == ord(","), _SERVED, _BEHIND)
        led = is_head[chosen.rows]
        form[led] = np.where(capitals().mask(codes[at[led]]), _CAPITAL, _SMALL)
        made = options.take(4 * chosen.below(len(options) // 4) + form)
        return concatenate(made, _small(chosen.texts))

    unit = "place" if where == "clause" else "word"
    return in_english(batch, Sites(places, stops, unit, written), language)


def _heads(batch: Batch) -> tuple[Int64, Bool]:
    """Return where sentences begin, and whether their first letter is to be small after a filler.

    Names and the word I keep their capital; words in capitals, and words that may be names, such
    as Will, are no heads.
    """
    words, codes = batch.words, batch.codes
    rows = np.flatnonzero(np.isin(words.starts, batch.sentences.starts))
    starts, ends = words.starts[rows], words.ends[rows]
    capital = capitals().mask(codes[starts])
    surfaces = lookup(codes, starts, ends)
    function = load().facts[surfaces] & np.uint32(FUNCTION_BITS) > 0
    # A word that WordNet never counted, such as Mara, is rather a name.
    known = (surfaces >= 0) & (function | (load().weights[surfaces].max(axis=1) >= _COUNTED))
    the_i = (codes[starts] == ord("I")) & among(batch, rows, _I)
    shouted = capital & (ends > starts + 1) & capitals().mask(codes[starts + 1])
    doubtful = capital & known & (load().facts[surfaces] & np.uint32(BIT["name"]) > 0)
    fits = (known | capital) & latin().mask(codes[starts]) & ~_DIGITS.mask(codes[starts])
    fits &= ~shouted & (the_i | ~doubtful)
    lowered = capital & known & ~the_i
    return starts[fits], lowered[fits]


_COUNTED = 10
_I = frozenset(["i", "i'm", "i've", "i'd", "i'll"])


def _small(letters: Strings) -> Strings:
    """Return the letters in lower case; some of the strings are empty."""
    lower, _ = case_maps()
    return packed(lower[letters.flat()], letters.lengths)


@cache
def _fillers(kind: str, where: str) -> Strings:
    """Return the text to insert for each filler, in its four forms, as often as its weight."""
    made = []
    for words, own_kind, commas, weight in read_rows("english", "fillers.tsv"):
        if kind in ("any", own_kind) and (where == "word" or commas != "within"):
            first = "," if commas in ("before", "around") else ""
            last = "," if commas == "around" else ""
            capital = words[0].upper() + words[1:]
            forms = [f"{first} {words}{last}", f" {words}{last}", f"{words}{last} ",
                     f"{capital}{last} "]  # fmt: skip
            made += forms * int(weight)
    return column(made)
