"""Text that looks the same, or nearly so, but is made of other characters."""

from __future__ import annotations

from functools import cache
from typing import Literal, get_args

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, MaskSites, Sites
from perturb.engine.text.characters import (
    Alternatives,
    Break,
    CharacterSet,
    Kind,
    Script,
    breaks,
    kinds,
    scripts,
)
from perturb.engine.text.strings import Strings, concatenate, packed, ranges, repeated, single
from perturb.perturbators.declaration import letter_perturbator, word_perturbator
from perturb.perturbators.shared.character_tables import without_digits
from perturb.registry.definition import LETTERS
from perturb.resources import read_rows

Mode = Literal["mixed_script", "single_script"]

# A font of one of these often has the others; a Malayalam letter among them stands out.
_ALPHABETS = (Script.LATIN, Script.GREEK, Script.CYRILLIC, Script.ARMENIAN)
_ATTACKS = "N. Boucher et al., Bad Characters: Imperceptible NLP Attacks, IEEE S&P 2022"


@letter_perturbator(
    "homoglyph",
    version=3,
    scripts=(
        "latin greek cyrillic armenian georgian hebrew arabic devanagari bengali gurmukhi "
        "gujarati oriya tamil telugu kannada malayalam sinhala thai lao myanmar khmer "
        "ethiopic hiragana katakana han"
    ).split(),
    intensities=LETTERS,
    source="confusables of UTS #39, Unicode 17 (wordlists/unicode/homoglyphs.tsv)",
)
def homoglyph(batch: Batch, *, mode: Mode = "mixed_script", digits: bool = False) -> Sites:
    """Replace a letter by one that looks the same: a Cyrillic а for a Latin a.

    In scripts other than Latin, Greek, Cyrillic and Armenian few letters look like another one, so
    whatever `p` is, few of them change.

    Args:
        batch: the texts.
        mode: "mixed_script" writes a character of another script, among Latin, Greek, Cyrillic and
            Armenian for a letter of these; "single_script" writes another one of the same script (I
            for l).
        digits: whether to replace digits by confusable digits as well.
    """
    return batch.substitutions(_homoglyphs(mode, digits))


@cache
def _homoglyphs(mode: str, digits: bool) -> Alternatives:
    rows = read_rows("unicode", "homoglyphs.tsv")
    column = 1 if mode == "single_script" else 2
    table = {row[0]: _near(row[0], row[column]) for row in rows}
    return Alternatives(table if digits else without_digits(table))


def _near(char: str, others: str) -> list[str]:
    """Return the lookalikes of a character that the same font is likely to have."""
    alike = scripts()[ord(char)] in _ALPHABETS
    return [other for other in others if not alike or scripts()[ord(other)] in _ALPHABETS]


Style = Literal[
    "bold", "italic", "bold_italic", "script", "bold_script", "fraktur", "bold_fraktur",
    "double_struck", "sans", "sans_bold", "monospace", "fullwidth", "circled", "small_caps",
]  # fmt: skip


@letter_perturbator(
    "styled_letters",
    version=2,
    scripts=("latin", "greek"),
    source="letters of the Unicode Character Database (wordlists/unicode/letter_styles.tsv)",
)
def styled_letters(batch: Batch, *, style: Style = "bold", digits: bool = False) -> Sites:
    """Write letters as mathematical, fullwidth or circled ones: 𝐛𝐨𝐥𝐝.

    Args:
        batch: the texts.
        style: the style; all have the Latin letters without marks, some also digits and Greek
            letters, and small_caps only small Latin letters except x.
        digits: whether to style digits as well, if the style has them.
    """
    return batch.substitutions(_style(style, digits))


@cache
def _style(name: str, digits: bool) -> Alternatives:
    rows = {style: letters for style, *letters in read_rows("unicode", "letter_styles.tsv")}
    table = dict(zip(*rows[name], strict=True))
    return Alternatives(table if digits else without_digits(table))


Invisible = Literal["any", "space", "word_joiner", "no_break_space", "non_joiner", "joiner"]
# Those of "any" join nothing and change no letter's shape.
_ZERO_WIDTH = dict(
    zip(get_args(Invisible), ["\u200b\u2060\ufeff", *"\u200b\u2060\ufeff\u200c\u200d"], strict=True)
)


@letter_perturbator(
    "zero_width",
    version=2,
    intensities=LETTERS,
    source=_ATTACKS,
    example="Nothing that is in here looks odd to the reader.",
)
def zero_width(batch: Batch, *, kind: Invisible = "any", digits: bool = False) -> Sites:
    """Insert a zero-width character inside a word.

    Insert invisible characters between two characters of a word, never inside one.

    Args:
        batch: the texts.
        kind: "space" (U+200B), "word_joiner" (U+2060), "no_break_space" (U+FEFF), or "any" of
            these; "non_joiner" (U+200C) and "joiner" (U+200D) show in scripts that join letters.
        digits: whether to insert them between digits as well.
    """
    numbers = (Kind.DIGIT, Kind.NUMBER) if digits else ()
    mask = of_kind(Kind.LETTER, Kind.MARK, *numbers).mask(batch.codes).copy()
    mask[1:] &= mask[:-1]
    if batch.boundaries is not None:
        mask &= batch.boundaries
    options = np.array([ord(character) for character in _ZERO_WIDTH[kind]], np.uint32)
    return MaskSites(
        mask, "character", lambda chosen: single(options[chosen.below(len(options))]), inserts=True
    )


# In an isolate, an override from right to left; around it marks that count as letters from left to
# right, since to its neighbours an isolate is neutral.
_OPEN, _CLOSE = "\u200e\u2066\u202e", "\u202c\u2069\u200e"
# Scripts whose letters run from left to right and don't join.
_TURNABLE = ("latin greek cyrillic armenian georgian hangul hiragana katakana bopomofo han").split()


@word_perturbator(
    "bidi",
    scripts=_TURNABLE,
    touches={"letters"},
    source=_ATTACKS,
    example="Nothing that is in here looks odd to the reader.",
)
def bidi(batch: Batch) -> Sites:
    """Write a word backwards between controls that show it forwards.

    Reverse words within an override of direction, so that they are displayed as before.

    Words with digits, and words of scripts that run from right to left or join their letters, stay.

    Args:
        batch: the texts.
    """
    words = batch.words
    first, last = batch.clusters_before(words.starts), batch.clusters_before(words.ends)
    # A mark that begins a word would move onto another letter.
    fits = (last - first > 1) & ~of_kind(Kind.MARK).mask(batch.codes[words.starts])
    fits &= ~touching(_not_turnable().mask(batch.codes), words.starts, words.ends)
    rows = np.flatnonzero(fits)

    def turned(chosen: Chosen) -> Strings:
        word = rows[chosen.rows]
        low, high = first[word], last[word]
        backwards = (low + high - 1).repeat(high - low) - ranges(low, high - low)
        starts, ends = batch.clusters_at(backwards), batch.clusters_at(backwards + 1)
        mirrored = packed(Strings(batch.codes, starts, ends).flat(), chosen.texts.lengths)
        count = len(chosen)
        return concatenate(repeated(_OPEN, count), mirrored, repeated(_CLOSE, count))

    return Sites(words.starts[rows], words.ends[rows], "word", turned)


@cache
def _not_turnable() -> CharacterSet:
    script, kind = scripts(), kinds()
    shared = (script == Script.OTHER) & (kind == Kind.MARK)
    word = np.isin(kind, (Kind.LETTER, Kind.MARK, Kind.DIGIT, Kind.NUMBER, Kind.CONNECTOR))
    # Single letters of Hangul would join to other syllables.
    parts = np.isin(breaks(), (Break.L, Break.V, Break.T))
    turnable = np.isin(script, [Script[name.upper()] for name in _TURNABLE])
    return CharacterSet((word & ~turnable & ~shared) | parts)
