"""English tables are for English prose: not for other languages, code, URLs and addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import regex

from perturb.arrays import Bool
from perturb.engine.batch import Batch
from perturb.engine.places import covered
from perturb.engine.presets import PRESETS
from perturb.engine.sites import Sites
from perturb.engine.text.characters import set_of
from perturb.engine.text.scripts import of_texts
from perturb.engine.text.unicode import Script
from perturb.lexicon.english import is_foreign

Language = Literal["auto", "en"]
_LATIN = frozenset({Script.LATIN})
# Paths, /big/car, and URLs without a scheme, example.org/car.
_PATH = (
    r"(?<![\w/.~:])(?:[a-zA-Z]:|~|\.{1,2})?+/[\w.+-]++(?:/[\w.+-]++)++"
    r"|(?<![\w.@-])[\w-]++(?:\.[\w-]++)++/[^\s<>\"'`]*+"
)
_CODE = regex.compile(PRESETS["code"])
# What holds no space, and one of these strings: it is searched around them only.
_UNSPACED = (
    (("://", "www.", "WWW."), regex.compile(PRESETS["url"])),
    (("@",), regex.compile(PRESETS["email"])),
    (("/",), regex.compile(_PATH)),
)
_SIGNS = "`~@/"


def in_english(batch: Batch, sites: Sites, language: str) -> Sites:
    """Return the sites in prose, with the texts refused that are evidently not English.

    Args:
        batch: the texts.
        sites: where English would be written.
        language: "auto" looks at each text; any other takes all for that language.
    """
    refused = is_foreign(batch) if language == "auto" else None
    return in_prose(batch, sites).limited(scripts=_LATIN, refused=refused)


def in_prose(batch: Batch, sites: Sites) -> Sites:
    """Return the sites outside of code, URLs, paths and email addresses."""
    elsewhere = batch.once(_outside_prose)
    return sites if elsewhere is None else sites.free(elsewhere)


def in_other_script(batch: Batch) -> Bool:
    """Mark the texts of which most words are in another script than English ones."""
    found: Bool = ~np.isin(of_texts(batch), (Script.LATIN, Script.OTHER))
    return found


def _outside_prose(batch: Batch) -> Bool | None:
    """Mark code, URLs, paths and email addresses; None where there are none."""
    signs = set_of(_SIGNS).mask(batch.codes).copy()
    small = batch.codes | 32
    signs[3:] |= (batch.codes[3:] == ord(".")) & (
        (small[2:-1] == ord("w")) & (small[1:-2] == ord("w")) & (small[:-3] == ord("w"))
    )
    (places,) = signs.nonzero()
    if not len(places):
        return None
    rows = np.unique(batch.text_of(places))
    texts = batch.texts.take(rows)
    spans = [
        (base + match.start(), base + match.end())
        for base, text in zip(texts.starts.tolist(), texts.to_list(), strict=True)
        for match in _matches(text)
    ]
    if not spans:
        return None
    starts, ends = np.array(spans, np.int64).T
    return covered(starts, ends, len(batch.codes))


def _matches(text: str) -> Iterator[regex.Match[str]]:
    """Yield the matches of all patterns in a text."""
    if "`" in text or "~~~" in text:
        yield from _CODE.finditer(text)
    for signs, pattern in _UNSPACED:
        for sign in signs:
            for start, end in _pieces(text, sign):
                yield from pattern.finditer(text, start, end)


def _pieces(text: str, sign: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text between two spaces in which a sign stands."""
    end = 0
    while (at := text.find(sign, end)) >= 0:
        start = text.rfind(" ", end, at) + 1 or end
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        yield start, end
