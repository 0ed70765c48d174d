"""English tables are for English prose, not for other languages, code, URLs and addresses.

Some word tables have languages besides English: `wordlists/languages/`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cache, wraps
from typing import Any, Literal

import numpy as np
import regex

from perturb.engine.batch import Batch
from perturb.engine.places import covered
from perturb.engine.presets import PRESETS
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Script, set_of
from perturb.engine.text.scripts import of_texts
from perturb.engine.text.strings import decode
from perturb.lexicon.english import is_foreign
from perturb.resources import read_rows
from perturb.values.arrays import Bool

Language = Literal["auto", "en"]
AnyLanguage = Literal["auto", "en", "de", "es", "fr", "it", "nl", "pt"]
# English comes first: it is the language that "auto" looks for.
LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")
_LATIN = frozenset({Script.LATIN})
_ARGUMENT = """
    language: "auto" leaves texts alone that are evidently not English; "en" treats all as
        English."""
# Paths, /big/car, and URLs without a scheme, example.org/car.
_PATH = regex.compile(
    r"(?<![\w/.~:])(?:[a-zA-Z]:|~|\.{1,2})?+/[\w.+-]++(?:/[\w.+-]++)++"
    r"|(?<![\w.@-])[\w-]++(?:\.[\w-]++)++/[^\s<>\"'`]*+"
)
_CODE = regex.compile(PRESETS["code"])
_URL, _EMAIL = (regex.compile(PRESETS[name]) for name in ("url", "email"))


def is_english(language: str) -> bool:
    """Return whether the English tables are asked for."""
    return language in ("auto", "en")


def rows_of(language: str, table: str) -> list[list[str]]:
    """Return the rows of a language without its code, which is the first column."""
    return [row for code, *row in read_rows("languages", table) if code == language]


@cache
def function_words(language: str) -> frozenset[str]:
    """Return words of closed classes, in lower case."""
    ((words,),) = rows_of(language, "function_words.tsv")
    return frozenset(words.split())


def for_english(find: Callable[..., Sites]) -> Callable[..., Sites]:
    """Return a function that finds the same sites `in_english`, with a parameter `language`."""

    @wraps(find)
    def found(batch: Batch, *, language: Language = "auto", **parameters: Any) -> Sites:
        return in_english(batch, find(batch, **parameters), language)

    signature = inspect.signature(find)
    language = inspect.signature(found, follow_wrapped=False).parameters["language"]
    parameters = [*signature.parameters.values(), language]
    found.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    found.__annotations__ = find.__annotations__ | {"language": Language}
    found.__doc__ = inspect.cleandoc(find.__doc__ or "") + _ARGUMENT
    return found


def in_english(batch: Batch, sites: Sites, language: str) -> Sites:
    """Return the sites in prose, and refuse texts that are evidently not English.

    Args:
        batch: the texts.
        sites: the sites where English would be written.
        language: "auto" looks at each text; any other treats all as that language.
    """
    refused = foreign = is_foreign(batch) if language == "auto" else None
    if sites.refused is not None:
        refused = sites.refused if foreign is None else foreign | sites.refused
    found = in_prose(batch, sites).limited(scripts=_LATIN, refused=refused)
    found.foreign = foreign
    return found


def in_prose(batch: Batch, sites: Sites) -> Sites:
    """Return the sites outside of code, URLs, paths and email addresses."""
    elsewhere = batch.once(_outside_prose)
    return sites if elsewhere is None else sites.free(elsewhere)


def in_latin_script(batch: Batch, sites: Sites) -> Sites:
    """Return the sites in texts with most words in the script of English, or in none."""
    texts = np.isin(of_texts(batch), (Script.LATIN, Script.OTHER))
    return sites.keep(texts[batch.text_of(sites.starts)])


def _outside_prose(batch: Batch) -> Bool | None:
    """Mark code, URLs, paths and email addresses; None if there are none."""
    spans = [*_unspaced(batch), *_code(batch)]
    if not spans:
        return None
    starts, ends = np.array(spans, np.intp).T
    return covered(starts, ends, len(batch.codes))


def _code(batch: Batch) -> Iterator[tuple[int, int]]:
    """Yield the spans of code."""
    if not set_of("`~").is_in(batch.codes):
        return
    places = np.flatnonzero((batch.codes == ord("`")) | (batch.codes == ord("~")))
    texts = batch.texts.take(np.flatnonzero(batch.count(places)))
    for start, text in zip(texts.starts.tolist(), texts.to_list(), strict=True):
        if "`" in text or "~~~" in text:
            for match in _CODE.finditer(text):
                yield start + match.start(), start + match.end()


def _unspaced(batch: Batch) -> Iterator[tuple[int, int]]:
    """Yield the spans of URLs, paths and email addresses: no spaces, but . / : or @ inside."""
    codes = batch.codes
    # A full stop and a slash are neighbours in ASCII.
    (places,) = ((codes - codes.dtype.type(ord(".")) < 2) | (codes == ord("@"))).nonzero()
    for back in (1, 2, 3):
        signs, before = codes.take(places) != ord("."), codes.take(places - back) | 32
        places = places[signs | (before == ord("w"))]
    # Three characters between two spaces are none of them, but often a fraction: 1/2.
    around = codes.take(places - 2), codes.take(places + 2, mode="clip")
    places = places[(around[0] != ord(" ")) | (around[1] != ord(" "))]
    if not len(places):
        return
    texts, all_texts = batch.texts.take(batch.text_of(places)), decode(codes)
    edges = zip(places.tolist(), texts.starts.tolist(), texts.ends.tolist(), strict=True)
    end = 0
    for place, text_start, text_end in edges:
        if place >= end:
            start = all_texts.rfind(" ", text_start, place) + 1 or text_start
            end = all_texts.find(" ", place, text_end)
            end = text_end if end < 0 else end
            for pattern in _patterns_for(all_texts[start:end]):
                yield from (match.span() for match in pattern.finditer(all_texts, start, end))


def _patterns_for(piece: str) -> Iterator[regex.Pattern[str]]:
    """Yield the patterns that a part of a text between two spaces may match."""
    if "://" in piece or "www." in piece or "WWW." in piece:
        yield _URL
    if "@" in piece:
        yield _EMAIL
    # A fraction, or two words, has no other punctuation.
    if "/" in piece and ("." in piece or piece.count("/") > 1):
        yield _PATH
