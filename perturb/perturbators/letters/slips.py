"""Typing errors as people make them, at a given character error rate.

The rate of each kind where it is possible comes from counts of typed text (`wordlists/noise`). The
error rate follows from the shares of the kinds as in `typo_mix`: deletions, insertions,
repetitions, substitutions and swaps.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.native.noise import Places
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import case_maps
from perturb.engine.text.characters import CODE_POINTS, Alternatives, Kind
from perturb.engine.text.strings import Strings, column
from perturb.perturbators.declaration import letter_perturbator
from perturb.perturbators.letters import typos
from perturb.perturbators.letters.keyboard import KEYS, slips, typed_scripts
from perturb.perturbators.shared import edit_tables
from perturb.perturbators.shared.national import by_language
from perturb.registry.definition import LETTERS
from perturb.resources import read_json
from perturb.values.arrays import Codes, Float64, Int32, UInt8

Typing = Literal["any", "copied", "own"]
# The kinds, in the order of the numbers of characters that they remove.
INSERT, DOUBLE, STRAY, SPLIT, OMIT, NEIGHBOUR, UNDOUBLE, CONFUSE, CASE, OTHER = range(10)
TRANSPOSE, SKIP, BLEND = range(OTHER + 1, OTHER + 4)
KINDS = """insert double stray split omit neighbour undouble confuse case other
transpose skip blend""".split()
_REMOVING = (SPLIT + 1, OTHER - SPLIT, BLEND - OTHER)  # of kinds that remove none, one and two
# The number of characters that each writes, except `OTHER`, which replaces punctuation by a string.
# Of the kinds that remove two letters, one leaves nothing, and one a wrong letter and the first.
_LENGTHS = np.array([1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 2, 0, 2])
# The counterpart of each in `typo_mix`.
_MIXED = """insert repeat insert insert delete substitute delete substitute substitute substitute
swap swap swap""".split()
# An edit costs this much more than by the counts, since usual texts have less punctuation than the
# counted ones. Without the factor the error rate is about 1% above `p`.
_LETTERS = 1.012
# Units have sorts. A sort is a number made of these bits and of the character: any other letter,
# one of a to z, or a punctuation mark that people leave out. A led unit is the first of a text, or
# follows a capital.
_FIRST, _BEFORE_LETTER, _DOUBLED, _CAPITAL, _LED, _CHARACTER = 1, 2, 4, 8, 16, 32
_ALPHABET, _SIGNS = "abcdefghijklmnopqrstuvwxyz", " '?.,-!"
_SPACE = 1 + len(_ALPHABET)
_SORTS = (_SPACE + len(_SIGNS)) * _CHARACTER
# The numbers of characters: letters that the keyboard types, each with its capital, those outside
# the alphabet first; punctuation; characters that are no unit; marks; doubled letters outside the
# alphabet; and letters that the keyboard can't type.
_TYPED = edit_tables.FIRST
_SIGN = _TYPED + 2 * _SPACE
_REST = _SIGN + len(_SIGNS)
_MARK, _TWICE, _UNTYPED, _NUMBERS = range(_REST + 1, _REST + 9, 2)
# The lane of the random numbers that choose letters.
_WRITTEN = 4


def _share(p: float, *, kind: Typing, layout: str) -> float:  # noqa: ARG001
    """Return the edits a character that give the error rate `p`."""
    weights = dict.fromkeys(typos.KINDS, 0.0)
    for name, share in counts(kind)["shares"].items():
        weights[_MIXED[KINDS.index(name)]] += share
    one, saved = typos.cost(**weights)
    return typos.edits_per_character(p, one * _LETTERS, saved)


@cache
def counts(kind: Typing) -> Any:
    """Return the counted rates, as `wordlists/build/typed_noise.py` writes them."""
    return read_json("noise", "slips.json")[kind]


@letter_perturbator(
    "human_typos",
    scripts=KEYS,
    touches={"letters", "space", "case", "punctuation"},
    source="counts of typed questions in NoiseQA (A. Ravichander et al., EACL 2021) and of the "
    "English Web Treebank (N. Silveira et al., LREC 2014)",
    version=9,
    intensities=LETTERS,
    share=_share,
    spread=lambda **_: 1.15,
)
def human_typos(batch: Batch, *, kind: Typing = "any", layout: str = "auto") -> Sites:
    """Mistype as people do: a letter, punctuation or a space lost, a neighbouring key hit.

    Make typing errors as people do, as often; `p` is the character error rate.

    Letters are dropped, replaced by neighbouring keys, doubled, inserted and swapped, double
    letters are written once, capitals lowered, vowels confused, apostrophes, question marks and
    spaces dropped, and words split, each at its rate in counts of the start, the middle and the end
    of words; and function words are confused, its for it's. Numbers and their neighbours stay. The
    error rate is `p` if most of a text is letters, and falls short of it above 0.4. Rates differ
    from text to text as they were counted, and many texts stay; `spread=0` gives all the same rate.

    Args:
        batch: the texts.
        kind: "copied" for the slips of people who type questions that they read, "own" for those
            that people leave in their own words on the web: apostrophes lost, words split, their
            for there; "any" for both, in equal parts.
        layout: the keyboard: us, gb, de, fr, ru, ... (`wordlists/keyboards`); or "auto" for one by
            the script of each letter or the language of the text, as in `keyboard_typos`.
    """

    def typed(batch: Batch, layout: str) -> Sites:
        closed = edit_tables.beside_numbers(batch)
        return edit_tables.noisy_sites(batch, Slips(kind, layout), closed)

    return by_language(batch, layout, typed)


@lru_cache(maxsize=16)  # a file may have all languages
class Slips(edit_tables.EditTable):
    """The slips on a keyboard, with edits by kind of slip and sort of unit.

    Args:
        kind: see `human_typos`.
        layout: see `human_typos`.
    """

    def __init__(self, kind: Typing, layout: str) -> None:
        keys, self._signs = slips(layout, counts(kind)["same row"]), _signs(kind)
        self._letters = dict.fromkeys((INSERT, NEIGHBOUR, BLEND), keys)
        self._letters |= {CONFUSE: _others(kind, "confused"), STRAY: _others(kind, "strayed")}
        words = _words(kind)
        rates = [rate for some in words.values() for rate in some.values()]
        sizes = [0, *_REMOVING * _SORTS]  # no edits, then the edits of each sort
        sizes += map(len, words.values())
        super().__init__(_ids(keys), _groups(), np.append(_rates(kind), rates), sizes, [*words])
        self._words = column(text for some in words.values() for text in some)
        self.scripts = typed_scripts(layout)

    def numbers(self, codes: Codes) -> UInt8:
        """Return the number of each character, and of two borders after the last."""
        numbers = super().numbers(codes).copy()
        # Double letters of the alphabet have equal numbers, but other letters share theirs.
        twice = numbers[:-3] - np.uint8(_TYPED) < 2
        twice &= codes[1:] == codes[:-1]
        numbers[:-3] += twice * np.uint8(_TWICE - _TYPED)
        return numbers

    def write(self, chosen: Chosen, places: Places, kinds: UInt8) -> Strings:
        """Return the replacement at each chosen site, by the kind of slip."""
        edits = self.drawn(chosen, places, kinds)
        slip, word = edits % len(KINDS), edits - _SORTS * len(KINDS)
        slip[word >= 0] = OMIT
        codes, draws = chosen.first, chosen.draw(_WRITTEN)
        letters = np.stack([codes, codes], axis=1).astype(np.uint32)
        for kind, table in self._letters.items():
            (rows,) = (slip == kind).nonzero()
            letters[rows, 0] = table.draw(codes[rows], draws[rows]).flat()
        letters[slip == SPLIT, 0] = ord(" ")
        (rows,) = (slip == TRANSPOSE).nonzero()
        letters[rows, 0] = chosen.texts.codes[chosen.texts.starts[rows] + 1]
        (rows,) = (slip == CASE).nonzero()
        small, capital = (table[codes[rows]] for table in case_maps())
        letters[rows, 0] = np.where(small == codes[rows], capital, small)
        (rows,) = (slip == OTHER).nonzero()
        signs = self._signs.draw(codes[rows], draws[rows])
        starts = np.arange(0, letters.size, 2)
        ends = starts + _LENGTHS[slip]
        starts[rows], ends[rows] = signs.starts + letters.size, signs.ends + letters.size
        (rows,) = (word >= 0).nonzero()
        words = self._words.take(word[rows])
        size = letters.size + len(signs.codes)
        starts[rows], ends[rows] = words.starts + size, words.ends + size
        codes = np.concatenate([letters.ravel(), signs.codes, words.codes])
        return Strings(codes.astype(np.uint32), starts, ends)


def _ids(keys: Alternatives) -> UInt8:
    """Return the number of each character, for the letters of a keyboard."""
    ids = np.full(CODE_POINTS, _REST, np.uint8)
    ids[of_kind(Kind.MARK).first(CODE_POINTS)] = _MARK
    (letters,) = of_kind(Kind.LETTER).first(CODE_POINTS).nonzero()
    ids[letters] = np.where(keys.characters.mask(letters.astype(np.uint32)), _TYPED, _UNTYPED)
    small = case_maps()[0].take(letters)
    ids[letters] += small != letters
    of_alphabet = (ids[letters] < _UNTYPED) & (small >= ord("a")) & (small <= ord("z"))
    ids[letters[of_alphabet]] += (2 * (small[of_alphabet] - ord("a") + 1)).astype(np.uint8)
    ids[[*map(ord, _SIGNS + "’")]] = [*range(_SIGN, _REST), _SIGN + _SIGNS.index("'")]
    ids[0] = edit_tables.EDGE
    return ids


@cache
def _groups() -> Int32:
    """Return the group of each cell (see `EditTable`) by the sort of the unit in its middle."""
    numbers = np.arange(_NUMBERS, dtype=np.int32)
    is_sign = (numbers >= _SIGN) & (numbers < _REST)
    twice = (numbers >= _TWICE) & (numbers < _UNTYPED)
    typed = (numbers >= _TYPED) & (numbers < _SIGN) | twice
    letter = typed | (numbers >= _UNTYPED)
    capital = letter & (numbers % 2 > 0)
    character = np.where(is_sign, numbers - _SIGN + _SPACE, (numbers - _TYPED) // 2)
    character[twice] = 0
    before, here, behind = np.ogrid[:_NUMBERS, :_NUMBERS, :_NUMBERS]
    sorts = character[here] * _CHARACTER + capital[here] * _CAPITAL + ~letter[before] * _FIRST
    led = (before == edit_tables.EDGE) | capital[before]
    sorts = sorts + typed[behind] * _BEFORE_LETTER + led * _LED
    sorts += (twice[here] | (here == behind) & (character[here] > 0)) * _DOUBLED
    units = typed[here] & (behind != _MARK) | is_sign[here] & typed[before]
    units &= (here != _SIGN) | typed[behind] | (behind == edit_tables.EDGE)
    units &= (before > 0) & (behind > 0)  # not any character
    groups = np.zeros((*units.shape, edit_tables.WORD), np.int32)
    for removed in range(len(_REMOVING)):
        groups[..., removed] = units * (1 + removed + sorts * len(_REMOVING))
    return groups


def _others(kind: Typing, how: str) -> Alternatives:
    """Return the letters that replace or precede any other letter, each as often as counted."""
    others = {letter: [*counts(kind)[how].replace(letter, "")] for letter in _ALPHABET}
    return Alternatives(others | {a.upper(): [*map(str.upper, b)] for a, b in others.items()})


def _signs(kind: Typing) -> Alternatives:
    """Return the replacements of punctuation, each as often as counted."""
    others = {
        sign: [text for text, count in some.items() for _ in range(count)]
        for sign, some in counts(kind)["signs"].items()
    }
    return Alternatives(others | {"’": others.get("'", [])})


def _words(kind: Typing) -> dict[str, dict[str, float]]:
    """Return the replacements of words and their rates, with capitals and curly apostrophes too."""
    return {
        change(word.replace("'", sign)): {change(text): rate for text, rate in some.items()}
        for word, some in counts(kind)["words"].items()
        for sign in "'’"
        for change in (str, str.capitalize)
    }


def _rates(kind: Typing) -> Float64:
    """Return the rate of each kind of error, by the sort of the unit.

    Shape (sorts, kinds).
    """
    counted, sorts = counts(kind), np.arange(_SORTS)
    table, character = counted["rates"], sorts // _CHARACTER
    bits = _FIRST, _BEFORE_LETTER, _DOUBLED, _CAPITAL, _LED
    first, before, doubled, capital, led = (sorts & bit > 0 for bit in bits)
    place = np.where(first, 0, np.where(before, 1, 2))
    rates = np.array([np.resize(table[name], 3)[place] for name in KINDS])
    for name, factors in counted["letters"].items():
        rates[KINDS.index(name)] *= np.array([1, *factors, *[1] * len(_SIGNS)])[character]
    rates[:SKIP, first] *= np.array(counted["first letters"])[capital[first].astype(np.intp)]
    rates[[STRAY, CONFUSE]] *= character > 0
    rates[OMIT] *= ~(before & doubled)
    rates[UNDOUBLE] *= before & doubled
    rates[[TRANSPOSE, SKIP, BLEND]] *= before & ~doubled
    rates[OTHER] = 0
    rates[SPLIT] *= ~first
    rates[CASE] = np.array(table["case"])[first * 4 + led * 2 + capital]
    rates[CASE, character == 0] *= capital[character == 0]
    signs = character >= _SPACE
    rates[:, signs] = 0
    others = [
        rate * (s in counted["signs"]) for s, rate in zip(_SIGNS, table["other"], strict=True)
    ]
    for number, of_signs in ((OMIT, table["sign"]), (SPLIT, table["spaced"]), (OTHER, others)):
        rates[number, signs] = np.array(of_signs)[character[signs] - _SPACE]
    return rates.T
