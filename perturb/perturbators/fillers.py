"""Fillers that speech puts between words."""

from __future__ import annotations

from functools import cache
from typing import Literal

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import CharacterSet
from perturb.engine.text.strings import Strings, column
from perturb.lexicon.phrases import latin
from perturb.perturbators._english import Language, in_english
from perturb.registry.registry import WORDS, perturbator
from perturb.resources import read_rows

Kind = Literal["any", "hesitation", "marker", "hedge", "repair"]
_DIGITS = CharacterSet.of("0123456789")


@perturbator(
    "filler",
    unit="word",
    summary="Put a filler before a word, as speech does: um, you know, I think.",
    label_risk="low",
    languages=("en",),
    touches={"words", "punctuation", "space"},
    version=4,
    source="own table (wordlists/english/fillers.tsv)",
    intensities=WORDS,
)
def filler(batch: Batch, *, kind: Kind = "any", language: Language = "auto") -> Sites:
    """Insert fillers, with the commas that they need.

    One can stand before a word or number that follows another one in the same sentence, with a
    space or a comma and a space between; never between two numbers.

    Args:
        batch: the texts.
        kind: "hesitation" (um), "marker" (you know), "hedge" (I think), "repair" (or rather), or
            "any" of these.
        language: "auto" leaves texts alone that are evidently not English; "en" takes all for
            English.
    """
    words, codes = batch.words, batch.codes
    ends, starts = words.ends[:-1], words.starts[1:]
    comma = codes[ends] == ord(",")
    fits = (codes[ends + comma] == ord(" ")) & (starts == ends + comma + 1)
    left, right = codes[ends - 1], codes[starts]
    fits &= latin().mask(left) & latin().mask(right)
    fits &= ~(_DIGITS.mask(left) & _DIGITS.mask(right))
    places = (ends + comma)[fits]
    options = _fillers(kind)

    def written(chosen: Chosen) -> Strings:
        # A comma that stands there already serves for the first of the filler's.
        served = codes[chosen.texts.starts - 1] == ord(",")
        return options.take(2 * chosen.below(len(options) // 2) + served)

    return in_english(batch, Sites(places, places, "word", written), language)


@cache
def _fillers(kind: str) -> Strings:
    """Return the text to insert for each filler: after a word, and after a comma."""
    made = []
    for words, own_kind, commas in read_rows("english", "fillers.tsv"):
        if kind in ("any", own_kind):
            first, last = {"none": ("", ""), "before": (",", ""), "around": (",", ",")}[commas]
            made += [f"{first} {words}{last}", f" {words}{last}"]
    return column(made)
