"""Marks on letters: removed, added, heaped up, or encoded in another form."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import are_among, touching
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import capitals
from perturb.engine.text.characters import Alternatives, Kind, Script, scripts, set_of
from perturb.engine.text.normalization import (
    combining_classes,
    compositions,
    decomposed,
    firm,
    normalized,
    unsettled,
)
from perturb.engine.text.strings import Strings, concatenate, packed, runs, same, stack
from perturb.errors import unknown
from perturb.perturbators.declaration import letter_perturbator, place_perturbator
from perturb.perturbators.shared.written import Written
from perturb.registry.definition import LETTERS, Range
from perturb.values.arrays import Bool, Int64, distinct

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]
_EUROPEAN = (Script.LATIN, Script.GREEK, Script.CYRILLIC)
# The scripts whose readers know a word without its marks: accents, points and hamza.
_OPTIONAL = (*_EUROPEAN, Script.ARABIC, Script.HEBREW, Script.SYRIAC)


@place_perturbator(
    "normalize",
    version=2,
    touches={"letters"},
    source="UAX #15 with the tables of Unicode 18 (wordlists/unicode/decompositions.tsv)",
    example="Zoë ate crème brûlée in Ångström’s café for ½ of the ﬁxed price.",
)
def normalize(batch: Batch, *, form: Form = "NFD") -> Sites:
    """Write characters in a Unicode normalization form: e and an accent for é.

    Normalize the characters that a form changes; `p` is a share of these.

    A site is as short as possible: all sites together normalize the whole text, but for numbers
    that would run into another: 10² and 3½ stay, which Unicode turns into 102 and 31⁄2.

    Args:
        batch: the texts.
        form: "NFC" composes letters with their marks, "NFD" decomposes them; "NFKC" and "NFKD" also
            replace variants of characters, such as ﬁ, ² and Ａ.
    """
    places = np.flatnonzero(unsettled(form).mask(batch.codes))
    pieces = _pieces(batch, form, places)
    written = normalized(pieces, form)
    is_site = ~same(pieces, written)
    if form in ("NFKC", "NFKD"):
        is_site &= ~_behind_digits(batch, pieces.starts)
    return Written(pieces.starts, pieces.ends, written).keep(is_site).sites("place")


def _behind_digits(batch: Batch, places: Int64) -> Bool:
    """Return at which places there is a fraction or power of the digit before it."""
    codes = batch.codes
    starts, ends = runs(of_kind(Kind.NUMBER).mask(codes) | set_of("⁺⁻₊₋").mask(codes))
    is_behind = of_kind(Kind.DIGIT).mask(codes[starts - 1])
    before, within = (edges[is_behind].searchsorted(places, "right") for edges in (ends, starts))
    return within > before


def _pieces(batch: Batch, form: Form, places: Int64) -> Strings:
    """Return the parts of the texts around `places` that can be normalized on their own."""
    begins = firm(form).mask(batch.codes) | (batch.codes == 0)
    if batch.boundaries is not None:
        begins &= batch.boundaries
    begins[batch.texts.starts] = True
    edges = np.append(np.flatnonzero(begins), len(batch.codes))
    rows = distinct(edges.searchsorted(places, "right") - 1)
    return Strings(batch.codes, edges[rows], edges[rows + 1])


# Letters with a mark that Unicode doesn't decompose, and the same without it.
_FIRM = dict(zip("đĐħĦıłŁøØŧŦة", "dDhHilLoOtTه", strict=True))
# The usual spellings of letters that a keyboard lacks.
_SPELLED = dict(zip("äæöøœüåßþð", "ae ae oe oe oe ue aa ss th dh".split(), strict=True))


@place_perturbator(
    "strip_diacritics",
    version=3,
    scripts=(
        "latin greek cyrillic hebrew arabic syriac devanagari bengali gurmukhi gujarati oriya "
        "tamil telugu kannada malayalam sinhala thai lao tibetan myanmar khmer ethiopic "
        "hiragana katakana"
    ).split(),
    touches={"letters"},
    source="canonical decompositions of Unicode 18 (wordlists/unicode/decompositions.tsv)",
    example="Zoë ordered crème brûlée and a jalapeño in Málaga; पढ़ना is to read.",
)
def strip_diacritics(
    batch: Batch, *, script: str | None = None, style: Literal["bare", "spelled"] = "bare"
) -> Sites:
    """Remove the marks of a letter: e for é.

    Remove accents and other marks; `p` is a share of the letters that have any.

    With p = 1 Vietnamese becomes text typed without tones (Viet Nam dep for Việt Nam đẹp), and
    Arabic loses vowel marks and hamza.

    Args:
        batch: the texts.
        script: the script of the letters, such as "arabic", "hebrew" or "hiragana"; by default
            Latin, Greek, Cyrillic, Arabic, Hebrew and Syriac. Only marks with a combining class
            go, so most vowel signs stay.
        style: "bare" leaves the letter without marks; "spelled" changes only letters of German and
            the Scandinavian languages, into two: ae for ä and æ, oe for ö and ø, ss for ß.
    """
    if style == "spelled":
        return _in_two_letters(batch)
    known = {member.name.lower(): member for member in Script if member}
    if script is not None and script not in known:
        raise unknown("script", script, known)
    bared = _OPTIONAL if script is None else (known[script],)
    clusters, codes = batch.characters, batch.codes
    firm_letters = set_of("".join(_FIRM)).mask(codes)
    places = np.flatnonzero(unsettled("NFD").mask(codes) | firm_letters)
    rows = distinct(clusters.starts.searchsorted(places, "right") - 1)
    rows = rows[np.isin(scripts()[codes[clusters.starts[rows]]], bared)]
    letters = clusters.take(rows)
    parts = decomposed(letters)
    stays = combining_classes()[parts.codes] == 0
    # A cluster may begin with a mark, which then has no letter.
    stays[parts.starts] = True
    ends = np.cumsum(stays)[parts.ends - 1]
    bare = packed(parts.codes[stays], np.diff(ends, prepend=0))
    firm_rows = touching(firm_letters, letters.starts, letters.ends)
    for letter, plain in _FIRM.items() if firm_rows.any() else ():
        bare.codes[bare.codes == ord(letter)] = ord(plain)
    written = Written(letters.starts, letters.ends, bare)
    return written.keep((bare.lengths < parts.lengths) | firm_rows).sites("place")


def _in_two_letters(batch: Batch) -> Sites:
    """Return a site at each letter that has a spelling in two, in the case of its neighbours."""
    small, large = _spelled()

    def spelled(chosen: Chosen) -> Strings:
        codes, starts, draws = batch.codes, chosen.texts.starts, chosen.draw()
        shouted = capitals().mask(codes[starts - 1]) | capitals().mask(codes[starts + 1])
        forms = stack(small.draw(chosen.first, draws), large.draw(chosen.first, draws))
        return forms.take(np.arange(len(chosen)) + len(chosen) * shouted)

    return batch.sites_where(small.characters, spelled, unit="place")


@cache
def _spelled() -> tuple[Alternatives, Alternatives]:
    """Return the spellings of letters as two letters; Ä as Ae, and as AE."""
    large = {letter.upper(): two for letter, two in _SPELLED.items() if letter != "ß"}
    both = {**_SPELLED, **large, "ẞ": "ss"}
    cased = {letter: two.title() if letter.isupper() else two for letter, two in both.items()}
    shouted = {letter: two.upper() if letter.isupper() or letter == "ß" else two
               for letter, two in both.items()}  # fmt: skip
    first, second = ({key: [two] for key, two in way.items()} for way in (cased, shouted))
    return Alternatives(first), Alternatives(second)


@letter_perturbator(
    "add_diacritics",
    scripts=("latin", "greek", "cyrillic"),
    intensities=LETTERS,
    source="canonical decompositions of Unicode 18 (wordlists/unicode/decompositions.tsv)",
)
def add_diacritics(batch: Batch) -> Sites:
    """Put an accent or another mark on a letter: é for e.

    Replace bare letters by the same with a mark, as European languages have them.

    Args:
        batch: the texts.
    """
    return batch.substitutions(_accented())


@cache
def _accented() -> Alternatives:
    table: dict[str, list[str]] = {}
    first, _, composite = compositions()
    bare = ~are_among(first, np.sort(composite)) & np.isin(scripts()[first], _EUROPEAN)
    # Latin up to Extended-A, and the letters of Romanian and Latvian beyond it; Greek and Cyrillic
    # without archaic letters.
    common = (composite < 0x180) | ((composite >= 0x218) & (composite < 0x21C))
    common |= (composite >= 0x370) & (composite < 0x460)
    for letter, accented in zip(first[bare & common], composite[bare & common], strict=True):
        table.setdefault(chr(letter), []).append(chr(accented))
    return Alternatives(table)


# Combining Diacritical Marks on one letter that are not letters, nor part of another mark.
_MARKS = np.array(
    [*range(0x300, 0x340), 0x342, *range(0x346, 0x34F), *range(0x350, 0x35C)], np.uint32
)
# The most marks on a letter: Unicode's stream-safe format allows 30 in a row, so programs need to
# handle no more, and 32 tests just that.
_Marks = Annotated[int, Range(1, 32)]


@letter_perturbator(
    "combining_marks", version=2, source="the block Combining Diacritical Marks of Unicode"
)
def combining_marks(batch: Batch, *, marks: _Marks = 1, digits: bool = False) -> Sites:
    """Heap combining marks on a letter, as in Zalgo text.

    They are random ones, above, below and through the letter.

    Args:
        batch: the texts.
        marks: the number of marks on each letter.
        digits: whether digits get marks as well.
    """

    def heaped(chosen: Chosen) -> Strings:
        drawn = np.stack([_MARKS[chosen.below(len(_MARKS), lane)] for lane in range(marks)], axis=1)
        return concatenate(chosen.texts, packed(drawn.ravel(), np.full(len(chosen), marks)))

    kinds = (Kind.LETTER, Kind.DIGIT) if digits else (Kind.LETTER,)
    return batch.sites_at_clusters(of_kind(*kinds), heaped)
