"""Changes to line ends, and to white space at the ends of lines."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Annotated, Any, Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import holding
from perturb.engine.sites import Chosen, MaskSites, Sites
from perturb.engine.text import scripts as writing
from perturb.engine.text.characters import Kind, Script, blank, of_script, scripts, set_of
from perturb.engine.text.sentences import line_ends, partings
from perturb.engine.text.strings import Strings, column, optional, repeated, runs
from perturb.errors import UsageError, installing, unknown
from perturb.lexicon.stray import in_code
from perturb.perturbators.declaration import own_perturbator, place_perturbator
from perturb.perturbators.shared.english import in_prose
from perturb.registry.definition import PLACES, Range
from perturb.values.arrays import Bool, Codes, Int64

Mode = Literal["wrap", "join", "crlf", "hyphenate"]
Width = Annotated[int, Range(2)]

_VOWELS = "aeiouyàáâãäåæèéêëìíîïòóôõöøœùúûüýÿаеёиоуыэюяіїєαεηιουωάέήίόύώ"
# Letters, and the letters that follow them at the start of a syllable.
_TOGETHER = (("bcdfgkptvбвгдкптфβγδθκπτφχ", "rрρ"), ("bcfgkpбвгкпфβγθκπφχ", "lлλ"), ("ctsp", "h"))
# The signs that may touch a word that is cut.
_OPENING, _CLOSING = "(¿¡“‘«„", ").,;:!?…”’“»"
_SPACES = {"line": (" ", "  ", "    ", "\t"), "text": (" ", "  ", "\t", "\n")}


@place_perturbator(
    "line_breaks",
    version=3,
    touches={"space", "layout"},
    source="copies out of e-mails, terminals and PDF files",
    example="The train left the station early in the morning,\nand everyone on board was asleep "
    "before it had reached the river. Nobody saw the bridge, the mill, or the deer by the road, "
    "and nobody heard the whistle as it came out of the long tunnel into the snow, where "
    "a herd of goats had just crossed the line and the signal was still red.",
)
def line_breaks(
    batch: Batch, *, mode: Mode = "wrap", width: Width = 72, dictionary: str = ""
) -> Sites:
    """Wrap lines, join wrapped lines, end lines with CRLF, or hyphenate as in print.

    Move line ends; `p` is a share of the places where the mode would act on the whole text.

    Args:
        batch: the texts.
        mode: "wrap" replaces spaces by line ends so that no line is longer than `width`, words
            permitting; "join" replaces a line end within a paragraph by a space, or by nothing in
            Chinese and Japanese; "crlf" puts a carriage return before a line feed; "hyphenate"
            wraps too, and cuts Latin, Cyrillic and Greek words at the line end between syllables,
            with a hyphen, as in text copied from print; code, URLs, and words with quotes or other
            signs around or in them stay whole.
        width: the length of a line in characters; for "wrap" and "hyphenate".
        dictionary: for "hyphenate", a hyphenation dictionary of pyphen, such as "en_US" or "de_DE";
            the extra `hyphenation` installs it. Without a dictionary, a rule of
            vowels and consonants decides, which suits Spanish, German, Italian and Russian better
            than English.
    """
    if mode == "crlf":
        bare = batch.codes == ord("\n")
        bare[1:] &= batch.codes[:-1] != ord("\r")
        return MaskSites(bare, "place", lambda chosen: repeated("\r", len(chosen)), inserts=True)
    if dictionary and mode != "hyphenate":
        raise UsageError(f"line_breaks: dictionary needs mode=hyphenate; got mode={mode}")
    if mode == "join":
        return _joins(batch)
    if mode == "wrap":
        return _wraps(batch, width, np.zeros(0, np.intp))
    cuts = _looked_up(batch, dictionary) if dictionary else np.flatnonzero(_cuts(batch.codes))
    return _wraps(batch, width, _of_prose(batch, cuts))


def _joins(batch: Batch) -> Sites:
    """Return a site at the white space around each line end within a paragraph."""
    codes = batch.codes
    starts, ends = line_ends(codes)
    starts, ends = blank().back(codes, starts), blank().past(codes, ends)
    inner = (codes[starts - 1] != 0) & (codes[ends] != 0) & ~np.isin(starts, partings(codes).starts)
    starts, ends = starts[inner], ends[inner]

    def joined(chosen: Chosen) -> Strings:
        sides = [codes[chosen.texts.starts - 1], codes[chosen.texts.ends]]
        solid = np.all([writing.solid(scripts()[side]) for side in sides], axis=0)
        return optional(~solid, " ")

    return Sites(starts, ends, "place", joined)


def _wraps(batch: Batch, width: int, cuts: Int64) -> Sites:
    """Return a site at each new line end that keeps lines within `width` characters.

    Args:
        batch: the texts.
        width: the length of a line.
        cuts: where words may be cut.
    """
    codes = batch.codes
    starts, ends = runs(of_kind(Kind.SPACE).mask(codes))
    edge = of_kind(Kind.NEWLINE).mask(codes) | (codes == 0)
    between = ~edge[starts - 1] & ~edge[ends]
    starts, ends = starts[between], ends[between]
    order = np.argsort(np.concatenate([starts, cuts]), kind="stable")
    hyphen = (np.arange(len(order)) >= len(starts))[order]
    starts, ends = (np.concatenate([border, cuts])[order] for border in (starts, ends))
    taken = _greedy(batch, starts, ends, hyphen, width)
    starts, ends = starts[taken], ends[taken]
    breaks = column(["\n", "-\n"])

    def ended(chosen: Chosen) -> Strings:
        return breaks.take((chosen.texts.lengths == 0).astype(np.intp))

    return Sites(starts, ends, "place", ended)


def _greedy(batch: Batch, starts: Int64, ends: Int64, hyphen: Bool, width: int) -> Int64:
    """Select, from the places where a line may end, the latest possible end for each line.

    The next line end is computed for all places at once; only the chosen ones are walked.
    """

    def column_of(places: Int64) -> Int64:
        return batch.clusters_before(places + 1)

    limits = np.append(column_of(starts) + hyphen, len(batch.codes))
    begins, stops = column_of(batch.lines.starts), column_of(batch.lines.ends)
    resumed = column_of(ends)

    def next_end(at: Int64, stops: Int64) -> Int64:
        """Return the end of a line that begins in column `at`; past all if it needs none."""
        least = np.searchsorted(resumed, at, "right")
        row = np.maximum(np.searchsorted(limits[:-1], at + width, "right") - 1, least)
        return np.where((stops - at > width) & (limits[row] < stops), row, len(starts))

    line = np.searchsorted(batch.lines.starts, starts, "right") - 1
    follows = next_end(resumed, stops[line]).tolist()
    taken = []
    for row in next_end(begins, stops).tolist():
        while row < len(follows):
            taken.append(row)
            row = follows[row]
    return np.array(taken, np.intp)


def _of_prose(batch: Batch, cuts: Int64) -> Int64:
    """Return the cuts in words that punctuation of prose alone may touch: in no URL, key or code.

    Text that begins as JSON does stays whole, for a line end within its strings breaks it.
    """
    cuts = in_prose(batch, Sites(cuts, cuts, "place")).starts
    codes, rows = batch.codes, batch.words.starts.searchsorted(cuts, "right") - 1
    word = batch.words.take(rows)
    free = blank().mask(codes) | (codes == 0)
    opens = free | set_of(_OPENING).mask(codes)
    closes = set_of(_CLOSING).mask(codes[word.ends])
    plain: Bool = opens[word.starts - 1] & free[word.ends + closes] & ~in_code(batch)[rows]
    plain &= ~holding(word, set_of("_"))
    json = set_of("{[").mask(codes[batch.texts.starts])
    free_cuts: Int64 = cuts[plain & ~json[batch.text_of(cuts)]]
    return free_cuts


def _looked_up(batch: Batch, dictionary: str) -> Int64:
    """Return where a dictionary of pyphen cuts the words."""
    positions = cache(_hyphenator(dictionary).positions)
    words = zip(batch.words.starts.tolist(), batch.words.to_list(), strict=True)
    cuts = [start + int(place) for start, word in words for place in positions(word)]
    return np.array(cuts, np.intp)


@cache
def _hyphenator(dictionary: str) -> Any:
    try:
        pyphen = import_module("pyphen")
    except ImportError as error:
        raise UsageError(
            f"line_breaks: dictionary={dictionary} needs pyphen: {installing('hyphenation')}"
        ) from error
    if dictionary not in pyphen.LANGUAGES:
        raise unknown("dictionary of pyphen", dictionary, pyphen.LANGUAGES)
    return pyphen.Pyphen(lang=dictionary, left=2, right=3)


def _cuts(codes: Codes) -> Bool:
    """Mark where a word may be cut: behind a vowel, before a consonant and a vowel.

    At least two letters stay before the cut, and three behind it, as TeX has it for English.
    Consonants that begin a syllable together (br, cl, th) stay together.
    """
    letter = of_script(Script.LATIN, Script.CYRILLIC, Script.GREEK).mask(codes)
    vowel = set_of(_VOWELS + _VOWELS.upper()).mask(codes)
    onset = np.zeros(len(codes), np.bool_)
    onset[2:-3] = letter[2:-3] & ~vowel[2:-3] & vowel[3:-2] & letter[1:-4] & letter[3:-2]
    pair = np.zeros(len(codes), np.bool_)
    for first, second in _TOGETHER:
        leads = set_of(first + first.upper()).mask(codes[:-1])
        pair[1:] |= leads & set_of(second + second.upper()).mask(codes[1:])
    cuts = onset & ~pair
    cuts[:-1] |= (onset & pair)[1:]
    cuts[3:-2] &= letter[1:-4] & letter[2:-3] & letter[3:-2] & letter[4:-1] & letter[5:]
    cuts[:3], cuts[-2:] = False, False
    place = np.arange(len(codes))
    word = np.maximum.accumulate(np.where(letter, 0, place))
    voiced = np.maximum.accumulate(np.where(vowel, place, 0))
    cuts[1:] &= voiced[:-1] > word[:-1]
    return cuts


@own_perturbator(
    "edge_whitespace",
    unit="line",
    touches={"space", "layout"},
    source="white space that editors leave behind or strip",
    intensities=PLACES,
    example="- milk\n- two eggs  \n- bread",
)
def edge_whitespace(
    batch: Batch,
    *,
    mode: Literal["add", "remove"] = "add",
    unit: Literal["line", "text"] = "line",
    where: Literal["start", "end"] = "end",
) -> Sites:
    """Add white space at the ends of lines or texts, or remove it.

    Add or remove white space at one end of lines or texts; blank ones get none.

    Args:
        batch: the texts.
        mode: "add" writes one, two or four spaces or a tab, for a text also a line end, and `p` is
            a share of the lines or texts; "remove" deletes all white space there, and `p` is a
            share of the lines or texts that have some.
        unit: "line" or "text".
        where: "start" or "end".
    """
    codes, units = batch.codes, batch.lines if unit == "line" else batch.texts
    white = of_kind(Kind.SPACE) if unit == "line" else blank()
    first = white.past(codes, units.starts)
    visible = first < units.ends
    if mode == "add":
        places = (units.starts if where == "start" else units.ends)[visible]
        options = column(_SPACES[unit])
        return Sites(places, places, unit, lambda chosen: options.take(chosen.below(len(options))))
    starts = units.starts if where == "start" else white.back(codes, units.ends)
    ends = first if where == "start" else units.ends
    some = starts < ends
    return Sites(starts[some], ends[some], "place")
