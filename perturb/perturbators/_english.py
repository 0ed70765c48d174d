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
from perturb.engine.text.scripts import of_texts
from perturb.engine.text.unicode import Script
from perturb.lexicon.english import is_foreign

Language = Literal["auto", "en"]
_LATIN = frozenset({Script.LATIN})
# Paths, /big/car, and URLs without a scheme, example.org/car.
_PATH = regex.compile(
    r"(?<![\w/.~:])(?:[a-zA-Z]:|~|\.{1,2})?+/[\w.+-]++(?:/[\w.+-]++)++"
    r"|(?<![\w.@-])[\w-]++(?:\.[\w-]++)++/[^\s<>\"'`]*+"
)
_CODE = regex.compile(PRESETS["code"])
# These hold no space, and a sign: they are searched around it only.
_URL, _EMAIL = (regex.compile(PRESETS[name]) for name in ("url", "email"))
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
    codes = batch.codes
    signs = codes == ord(_SIGNS[0])
    for sign in _SIGNS[1:]:
        signs |= codes == ord(sign)
    dots = np.flatnonzero(codes[3:] == ord(".")) + 3
    for back in (1, 2, 3):
        dots = dots[codes[dots - back] | 32 == ord("w")]
    rows = np.flatnonzero(batch.count(np.flatnonzero(signs)) + batch.count(dots))
    if not len(rows):
        return None
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
    for sign in ("www.", "WWW."):
        for start, end in _pieces(text, sign):
            yield from _URL.finditer(text, start, end)
    for start, end in _pieces(text, "@"):
        yield from _EMAIL.finditer(text, start, end)
    for start, end in _pieces(text, "/"):
        # Else it is a fraction, or two words.
        if text.count("/", start, end) > 1 or text.find(".", start, end) >= 0:
            yield from _PATH.finditer(text, start, end)
        if text.find("://", start, end) >= 0:
            yield from _URL.finditer(text, start, end)


def _pieces(text: str, sign: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text between two spaces in which a sign stands."""
    end = 0
    while (at := text.find(sign, end)) >= 0:
        start = text.rfind(" ", end, at) + 1 or end
        end = text.find(" ", at)
        end = len(text) if end < 0 else end
        yield start, end
