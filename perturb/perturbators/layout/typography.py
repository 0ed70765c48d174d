"""White space and punctuation as printers and word processors set them, and back."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import Literal, get_args

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Sites
from perturb.engine.text.characters import Alternatives, CharacterSet, Kind
from perturb.engine.text.strings import column, repeated, runs
from perturb.perturbators.declaration import place_perturbator
from perturb.perturbators.layout.punctuation import is_elided
from perturb.perturbators.shared.character_tables import is_blank
from perturb.perturbators.shared.written import Written, side_by_side
from perturb.values.arrays import Bool, Codes, Int64

Direction = Literal["smart", "plain", "both"]
Marks = Literal["any", "quotes", "dashes", "ellipses"]

Space = Literal[
    "any", "tab", "no_break", "en", "em", "figure", "thin", "hair", "narrow_no_break", "ideographic"
]
_SPACES = dict(
    zip(get_args(Space)[1:], "\t\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", strict=True)
)


@place_perturbator(
    "exotic_whitespace",
    touches={"space"},
    source="spaces of the Unicode Character Database, category Zs, and the tab",
    example="There are five spaces in here.",
)
def exotic_whitespace(batch: Batch, *, kind: Space = "any") -> Sites:
    """Replace a space by another one: no-break, thin or ideographic, or a tab.

    Replace spaces, of any kind, by others; `p` is a share of the spaces. Line breaks stay.

    Args:
        batch: the texts.
        kind: the space to write, or "any".
    """
    return batch.substitutions(_spaces(kind), unit="place")


@cache
def _spaces(kind: str) -> Alternatives:
    written = list(_SPACES.values()) if kind == "any" else [_SPACES[kind]]
    spaces = [" ", *_SPACES.values(), *map(chr, (0x1680, *range(0x2000, 0x200B), 0x205F))]
    return Alternatives({space: [each for each in written if each != space] for space in spaces})


# The typewriter form of each typographic character.
_TYPED = {
    "quotes": {**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛", "'")},
    "dashes": {"–": "-", "—": "--"},
    "ellipses": {"…": "..."},
}
# The curly quotes, and the number of each.
_CURLY = "“”‘’"
_ROW = {text: row for row, text in enumerate(_CURLY)}
_UNCLEAR = -1
_QUOTES = CharacterSet.of("\"'")
_HYPHENS, _PERIODS = CharacterSet.of("-"), CharacterSet.of(".")
_BRACKETS, _RULES = CharacterSet.of("([{<"), CharacterSet.of("|:+")
_OPENERS, _CLOSERS = CharacterSet.of("([{<–—-/¿¡“‘„‚«"), CharacterSet.of(")]}>.,;:!?…”’»")


@place_perturbator(
    "smart_punctuation",
    touches={"punctuation"},
    source="automatic substitutions of word processors",
    example="\"Don't go,\" she said -- 'not now'... “Well” – it’s late…",
)
def smart_punctuation(batch: Batch, *, direction: Direction = "both", kind: Marks = "any") -> Sites:
    """Exchange typewriter quotes, dashes and ellipses for those of print, or back.

    Exchange typographic and typewriter punctuation; `p` is a share of the places for it.

    The characters around a straight quote decide whether it opens or closes. A quote that could do
    either, or mean feet or inches, stays; so does a hyphen between numbers, in a word, or in a
    rule.

    Args:
        batch: the texts.
        direction: "smart" writes “ ” ‘ ’ – — …, "plain" writes " ' - -- and three periods, "both"
            does either.
        kind: the punctuation to exchange, or "any".
    """
    places = []
    if direction != "plain":
        places += [find(batch) for name, find in _SMART.items() if kind in ("any", name)]
    if direction != "smart":
        (typed,) = batch.marked(_typed(kind).characters).nonzero()
        texts = _typed(kind).draw(batch.codes[typed], np.zeros(len(typed), np.uint32))
        places.append(Written(typed, typed + 1, texts))
    return side_by_side(places).sites()  # a quote and a dash may be neighbours


@cache
def _typed(kind: str) -> Alternatives:
    """Return the typewriter form of each typographic character."""
    tables = (table for name, table in _TYPED.items() if kind in ("any", name))
    typed = chain.from_iterable(table.items() for table in tables)
    return Alternatives({character: [text] for character, text in typed})


def _straight_quotes(batch: Batch) -> Written:
    """Return the straight quotes, and the curly ones that they mean."""
    quotes = batch.marked(_QUOTES)
    (places,) = quotes.nonzero()
    # Adjacent quotes have the same surroundings.
    starts, ends = runs(quotes)
    left, right = (batch.codes[edge].repeat(ends - starts) for edge in (starts - 1, ends))
    opens = (is_blank(left) | _OPENERS.mask(left)) & ~(is_blank(right) | _CLOSERS.mask(right))
    closes = ~opens & ~(is_blank(left) | _BRACKETS.mask(left))
    double = batch.codes[places] == ord('"')
    line = np.flatnonzero(of_kind(Kind.NEWLINE).mask(batch.codes)).searchsorted(places)
    line += np.searchsorted(batch.texts.starts, places, "right")
    rows = np.full(len(places), _UNCLEAR)
    rows[double] = _double(opens[double], closes[double], left[double], line[double])
    (single,) = (~double).nonzero()
    if len(single):
        elided = is_elided(batch, places[single])
        rows[single] = _single(
            opens[single], closes[single], left[single], right[single], line[single], elided
        )
    known = rows != _UNCLEAR
    return Written(places[known], places[known] + 1, column(_CURLY).take(rows[known]))


def _double(opens: Bool, closes: Bool, left: Codes, line: Int64) -> Int64:
    """Return the replacement of each double quote, if that is clear."""
    # After a digit it may mean inches, unless the one before it in the line opens.
    opened = np.append(False, opens[:-1] & (line[1:] == line[:-1]))[: len(line)]
    closes = closes & (opened | ~of_kind(Kind.DIGIT).mask(left))
    return np.select([opens, closes], [_ROW["“"], _ROW["”"]], _UNCLEAR)


def _single(
    opens: Bool, closes: Bool, left: Codes, right: Codes, line: Int64, elided: Bool
) -> Int64:
    """Return the replacement of each single quote, if that is clear."""
    inside, digit = of_kind(Kind.LETTER, Kind.MARK).mask(right), of_kind(Kind.DIGIT)
    # After a digit it may mean feet.
    closes = closes & (inside | ~digit.mask(left))
    shuts = np.flatnonzero(closes & ~inside & ~digit.mask(right))
    following = np.searchsorted(shuts, np.arange(len(line)), "right")
    shut = np.append(line[shuts], -1)[following] == line
    elided = elided | (~shut & digit.mask(right))
    return np.select(
        [opens & elided, opens & shut, closes], [_ROW["’"], _ROW["‘"], _ROW["’"]], _UNCLEAR
    )


def _hyphens(batch: Batch) -> Written:
    """Return hyphens that mean dashes: two or three together, or one between spaces."""
    starts, ends = runs(batch.marked(_HYPHENS))
    codes, lengths = batch.codes, ends - starts
    left, right = codes[starts - 1], codes[ends]
    space, digit = of_kind(Kind.SPACE), of_kind(Kind.DIGIT)
    spaced = space.mask(left) & space.mask(right)
    beyond = codes[starts - 2], codes[np.minimum(ends + 1, len(codes) - 1)]
    free = ~(is_blank(beyond[0]) | is_blank(beyond[1]))
    numbers = digit.mask(beyond[0]) | digit.mask(beyond[1])
    inside = ~(is_blank(left) | is_blank(right))
    long = ((lengths == 2) | (lengths == 3)) & (inside | (spaced & free))
    short = (lengths == 1) & spaced & free & ~numbers
    # A rule of a table, |:---| or | --- |, is no dash.
    ruled = _RULES.mask(left) | _RULES.mask(right)
    ruled |= spaced & (_RULES.mask(beyond[0]) | _RULES.mask(beyond[1]))
    rows = np.flatnonzero((long & ~ruled) | short)
    return Written(starts[rows], ends[rows], column("–—").take(long[rows].astype(np.intp)))


def _periods(batch: Batch) -> Written:
    """Return the places of three periods together."""
    starts, ends = runs(batch.marked(_PERIODS))
    (three,) = (ends - starts == 3).nonzero()
    return Written(starts[three], ends[three], repeated("…", len(three)))


_SMART = {"quotes": _straight_quotes, "dashes": _hyphens, "ellipses": _periods}
