"""Words and emoji in place of each other."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import Alternatives, Kind, set_of
from perturb.engine.text.strings import Strings, column, concatenate, optional
from perturb.lexicon.phrases import Phrases
from perturb.perturbators.declaration import english_perturbator
from perturb.perturbators.shared.written import Written
from perturb.registry.definition import WORDS
from perturb.resources import read_rows

_IN_WORD = (Kind.LETTER, Kind.MARK, Kind.DIGIT, Kind.NUMBER)
_PICTURE = "\ufe0f"  # selects the colour form of the character before


@english_perturbator(
    "emoji",
    touches={"words", "punctuation", "space"},
    version=5,
    source="own table of words (wordlists/english/emoji.tsv), names of CLDR 48",
    intensities=WORDS,
    example="My dog ate a pizza in the rain 😀 and ran to the car.",
)
def emoji(batch: Batch, *, mode: Literal["insert", "replace", "to_text"] = "insert") -> Sites:
    """Put an emoji after a word, or in its place; or write the name of an emoji.

    Exchange English words and emoji; `p` is a share of the places for it.

    Args:
        batch: the texts.
        mode: "insert" puts an emoji after a word that it shows, "replace" in its place; "to_text"
            writes the English name of an emoji, except of one with a skin tone or made of several.
    """
    if mode == "to_text":
        return _named(batch)
    phrases, pictures = _words()
    words = phrases.find(batch)
    words = words.keep(~set_of("'’").mask(batch.codes[words.ends]))  # a possessive: dogs'
    shown, starts = pictures.take(words.rows), words.ends
    if mode == "replace":
        shown.starts += 1  # without the space
        starts = words.starts
    return Written(starts, words.ends, shown).sites()


@cache
def _words() -> tuple[Phrases, Strings]:
    """Return the words, and the emoji of each with a space before it."""
    rows = read_rows("english", "emoji.tsv")
    table = {word: picture for picture, words in rows for word in words.split(" ")}
    phrases = Phrases((word, "") for word in table)
    return phrases, column(f" {table[word]}" for word in phrases.keys)


def _named(batch: Batch) -> Sites:
    """Return a site at each emoji that has a name, with or without its variation selector."""
    names, codes = _names(), batch.codes
    starts = np.flatnonzero(names.characters.mask(codes))
    ends = starts + 1 + (codes[starts + 1] == ord(_PICTURE))

    def spelled(chosen: Chosen) -> Strings:
        # Not joined to the word, number or emoji next to it.
        before = of_kind(*_IN_WORD, Kind.SYMBOL).mask(codes[chosen.texts.starts - 1])
        after = of_kind(*_IN_WORD).mask(codes[chosen.texts.ends])
        name = names.draw(chosen.first, chosen.draw())
        return concatenate(optional(before, " "), name, optional(after, " "))

    return Sites(starts, ends, "place", spelled)


@cache
def _names() -> Alternatives:
    return Alternatives({char: [name] for char, name in read_rows("unicode", "emoji_names.tsv")})
