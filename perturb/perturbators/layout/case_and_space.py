"""Changes to case and white space, and `identity`, which changes nothing."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import touching
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import case_maps, cased
from perturb.engine.text.characters import CharacterSet, Kind, set_of
from perturb.engine.text.strings import Strings, column, packed, repeated, same, single, with_rows
from perturb.lexicon.phrases import count_among
from perturb.perturbators.declaration import own_perturbator
from perturb.registry.definition import Range

Style = Literal["random", "lower", "upper", "title"]
Mode = Literal["both", "add", "remove", "double"]
Several = Annotated[int, Range(2)]

# Code points of letters whose other case may be several letters.
_CASED = (0x80, 0x588), (0x1E00, 0x2000)
# A text with one of these letters is Turkish or Azerbaijani, unless one of these words makes it an
# English text with a Turkish name.
_TURKISH = "ığİĞ"
_ENGLISH = frozenset("the of and to in is was with".split())
# Greek has no accents in words of capitals.
_ACCENTED = "ΆΈΉΊΌΎΏ"
_WITHOUT_ACCENTS = str.maketrans(_ACCENTED + "άέήίόύώΐΰ", "ΑΕΗΙΟΥΩ" * 2 + "ΪΫ")


@own_perturbator(
    "identity",
    unit="character",
    touches=(),
    source="the control condition",
    aliases={"copy": {}},  # as H2O Eval Studio calls it
)
def identity(batch: Batch) -> Sites:  # noqa: ARG001
    """Change nothing: the control of an experiment.

    Args:
        batch: the texts.
    """
    nowhere = np.zeros(0, np.intp)
    return Sites(nowhere, nowhere, "character")


@own_perturbator(
    "case",
    unit="character",
    version=3,
    scripts=("latin", "greek", "cyrillic", "armenian"),
    touches={"case"},
    source="random capitalisation as in W&B Weave's robustness scorer",
)
def case(batch: Batch, *, style: Style = "random") -> Sites:
    """Flip the case of letters, or write words in lower, upper or title case.

    Change case; single letters only if both cases are one code point.

    Words follow the rules of their language: STRASSE for Straße, ΕΝΑΣ for ένας, and İ for i and I
    for ı in words and texts with a letter that only Turkish has; in English texts only in such
    words.

    Args:
        batch: the texts.
        style: "random" flips single letters, and `p` is a share of characters; "lower", "upper" and
            "title" rewrite words, and `p` is a share of words. Words already in that style stay.
    """
    lower, upper = case_maps()
    if style == "random":

        def turned(chosen: Chosen) -> Strings:
            letter = chosen.first.astype(np.uint32)
            small = lower[letter]
            return single(np.where(small == letter, upper[letter], small))

        return batch.sites_where(cased(), turned)

    def written(words: Strings) -> Strings:
        codes = words.flat().astype(np.uint32)
        texts = packed((upper if style == "upper" else lower)[codes], words.lengths)
        if style == "title":
            texts.codes[texts.starts] = upper[texts.codes[texts.starts]]
        return _by_language(batch, words, texts, style)

    words = batch.words
    words = words.take(np.flatnonzero(~same(words, written(words))))
    return Sites(words.starts, words.ends, "word", lambda chosen: written(chosen.texts))


def _by_language(batch: Batch, words: Strings, cased: Strings, style: Style) -> Strings:
    """Return the words in another case, rewritten where single letters don't suffice."""
    if batch.codes.dtype == np.uint8 and b"\xdf" not in batch.codes.tobytes():
        return cased
    codes = batch.codes
    letters = set_of(_TURKISH).mask(codes)
    turkish = batch.count(letters.nonzero()[0]) > 0
    if turkish.any():
        turkish &= count_among(batch, _ENGLISH) == 0
    of_turkish = turkish[batch.text_of(words.starts)] | touching(letters, words.starts, words.ends)
    asks = touching(_irregular().mask(codes), words.starts, words.ends)
    asks |= of_turkish & touching(set_of("iI").mask(codes), words.starts, words.ends)
    (rows,) = asks.nonzero()
    if not len(rows):
        return cased
    pairs = zip(words.take(rows).to_list(), of_turkish[rows].tolist(), strict=True)
    return with_rows(cased, rows, column(_cased(word, style, turk) for word, turk in pairs))


def _cased(word: str, style: Style, turkish: bool) -> str:
    """Return a word in another case, by the rules of Unicode, of Greek and of Turkish."""
    up, down = (str.maketrans(*pair) if turkish else {} for pair in (("iı", "İI"), ("Iİ", "ıi")))
    if style == "upper":
        return word.translate(up).translate(_WITHOUT_ACCENTS).upper()
    if style == "title":
        return word[0].translate(up).upper() + word[1:].translate(down).lower()
    return word.translate(down).lower()


@cache
def _irregular() -> CharacterSet:
    """Return the letters whose other case depends on the word: ß, Σ, and Greek with accents."""
    lower, upper = case_maps()
    letters = (chr(code) for first, last in _CASED for code in range(first, last))
    irregular = {
        letter
        for letter in letters
        if (letter.upper(), letter.lower()) != (chr(upper[ord(letter)]), chr(lower[ord(letter)]))
    }
    return CharacterSet.of(irregular - {"µ"} | set("Σ" + _ACCENTED.lower() + _ACCENTED))


@own_perturbator(
    "whitespace",
    unit="character",
    version=2,
    touches={"space"},
    source="D. Dhole et al., NL-Augmenter, 2021, whitespace perturbation",
)
def whitespace(batch: Batch, *, mode: Mode = "both", longest: Several = 2) -> Sites:
    """Add a space inside a line, or remove one.

    Add and remove spaces; line breaks stay, and numbers are neither split nor joined.

    Args:
        batch: the texts.
        mode: "remove" deletes spaces, and `p` is a share of the spaces; "double" repeats those of
            the space bar, and `p` is a share of these; "add" inserts one before a visible
            character, except at the start of a line or after a space; "both" adds and removes.
        longest: the most spaces that "double" writes for one.
    """
    codes, space = batch.codes, of_kind(Kind.SPACE).mask(batch.codes)
    spaces = batch.marked(of_kind(Kind.SPACE))
    if mode == "double":
        ends = np.flatnonzero(spaces & (codes == ord(" "))) + 1

        def more(chosen: Chosen) -> Strings:
            copies = repeated(" " * (longest - 1), len(chosen))
            copies.ends = 1 + chosen.below(longest - 1)
            return copies

        return Sites(ends, ends, "place", more)
    # A space next to a removed one would leave the text as it was; and no line begins with one.
    alone = of_kind(Kind.NEWLINE).mask(codes) | (codes == 0)
    adds = ~(spaces | alone)
    adds[1:] &= ~(space | alone)[:-1]
    if batch.boundaries is not None:
        adds &= batch.boundaries
    starts = np.flatnonzero((spaces & (mode != "add")) | (adds & (mode != "remove")))
    ends = starts + spaces[starts]

    def toggled(chosen: Chosen) -> Strings:
        inserts = chosen.texts.lengths == 0
        return packed(np.full(inserts.sum(), ord(" "), np.uint8), inserts.astype(np.intp))

    unit = "place" if mode == "remove" else "character"
    return batch.outside_numbers(Sites(starts, ends, unit, toggled))
