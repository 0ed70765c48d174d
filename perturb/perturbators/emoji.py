"""Words and emoji in place of each other."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.characters import Alternatives
from perturb.engine.sites import Chosen, Sites
from perturb.engine.strings import Strings, column, concatenate, repeated
from perturb.lexicon.phrases import Phrases
from perturb.registry import perturbator
from perturb.tables import read_rows

_PICTURE = "\ufe0f"  # asks for the colourful form of the character before


@perturbator(
    "emoji",
    unit="word",
    summary="Put an emoji after a word, or in its place; or write the name of an emoji.",
    label_risk="low",
    source="own table of words (wordlists/english/emoji.tsv), names of CLDR 48",
    intensities=(0.05, 0.1, 0.3, 0.5, 0.7, 0.9),
)
def emoji(batch: Batch, *, mode: Literal["insert", "replace", "to_text"] = "insert") -> Sites:
    """Exchange English words and emoji.

    Args:
        batch: the texts.
        mode: "insert" puts an emoji behind a word that it shows, "replace" in its place; "to_text"
            writes the English name of an emoji, and `p` is a share of the emoji. One with a skin
            tone, or made of several, is no site.
    """
    if mode == "to_text":
        return _named(batch)
    phrases, pictures = _words()
    found = phrases.find(batch)
    inserts = mode == "insert"
    starts = found.ends if inserts else found.starts

    def shown(chosen: Chosen) -> Strings:
        rows = found.rows[np.searchsorted(starts, chosen.texts.starts)]
        drawn = pictures.take(rows)
        return concatenate(repeated(" ", len(chosen)), drawn) if inserts else drawn

    return Sites(starts, found.ends, "word", shown)


@cache
def _words() -> tuple[Phrases, Strings]:
    """The words, and the emoji of each."""
    rows = read_rows("english", "emoji.tsv")
    table = {word: picture for picture, words in rows for word in words.split(" ")}
    phrases = Phrases((word, "") for word in table)
    return phrases, column(table[word] for word in phrases.keys)


def _named(batch: Batch) -> Sites:
    """A site at each emoji that has a name, with or without its variation selector."""
    names = _names()
    starts = np.flatnonzero(names.characters.mask(batch.codes))
    ends = starts + 1 + (batch.codes[starts + 1] == ord(_PICTURE))
    return Sites(starts, ends, "place", lambda chosen: names.draw(chosen.first, chosen.draw()))


@cache
def _names() -> Alternatives:
    return Alternatives({char: [name] for char, name in read_rows("unicode", "emoji_names.tsv")})
