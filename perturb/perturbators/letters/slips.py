"""Typing errors as people make them, at a wanted character error rate.

How often each kind is made where it can be follows counts of typed text (`wordlists/noise`). The
error rate follows from the shares of the kinds as in `typo_mix`: what takes a character out, puts
one in, writes one twice, another one, or exchanges two.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, OrderedSites, Sites
from perturb.engine.text.case import case_maps
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.strings import Strings, concatenate, stack
from perturb.engine.text.unicode import CODE_POINTS, Kind
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.letters import typos
from perturb.perturbators.letters.keyboard import KEYS, slips, typed_scripts
from perturb.perturbators.shared.character_tables import in_scripts
from perturb.registry.definition import LETTERS
from perturb.resources import read_json
from perturb.rng import uniform
from perturb.values.arrays import Bool, Codes, Float64, Int64, UInt8, UInt16, UInt32

Typing = Literal["any", "copied", "own"]
OMIT, NEIGHBOUR, INSERT, DOUBLE, TRANSPOSE, STRAY, SPLIT, UNDOUBLE, CONFUSE, CASE = range(10)
SKIP, BLEND, OTHER = range(CASE + 1, CASE + 4)
NOTHING = OTHER + 1
KINDS = """omit neighbour insert double transpose stray split undouble confuse case
skip blend other""".split()
# What each kind is in `typo_mix`. The last three write something else: nothing for two letters, for
# two a wrong one and the first, and another string for a sign.
_MIXES = """delete substitute insert repeat swap insert insert delete substitute substitute
swap swap substitute""".split()
_MIXED = dict(zip(KINDS, _MIXES, strict=True))
_ERRORS = np.array([*map(typos.KINDS.index, _MIXES), typos.NOTHING], np.uint8)
# What the rate loses, beside `SAVED`, since kinds of two letters are left out where others crowd
# them; and what an edit costs more, since texts have fewer signs than those that were counted.
_CROWDED, _LETTERS = -0.03, 1.012
# The units are of sorts. A sort is a number of these bits, and what the character is: any other
# letter, one of a to z, or one of the signs that people leave out. What is led is the first of a
# text, or stands behind a capital.
_FIRST, _BEFORE_LETTER, _DOUBLED, _CAPITAL, _LED, _CHARACTER = 1, 2, 4, 8, 16, 32
_ALPHABET, _SIGNS = "abcdefghijklmnopqrstuvwxyz", " '?.,-!"
_SPACE = 1 + len(_ALPHABET)
_SORTS = (_SPACE + len(_SIGNS)) * _CHARACTER
# So many upper bits of a draw tell the kind.
_BITS = 10
# The lane of the draws by which the units are ordered.
_ORDER = 2


def _share(p: float, *, kind: Typing, layout: str) -> float:  # noqa: ARG001
    """Return the edits a character that give the error rate `p`."""
    weights = dict.fromkeys(typos.KINDS, 0.0)
    for name, share in counts(kind)["shares"].items():
        weights[_MIXED[name]] += share
    one, saved = typos.cost(**weights)
    return typos.edits_per_character(p, one * _LETTERS, saved + _CROWDED)


@cache
def counts(kind: Typing) -> Any:
    """Return the rates that were counted, as `wordlists/build/typed_noise.py` writes them."""
    return read_json("noise", "slips.json")[kind]


@perturbator(
    "human_typos",
    unit="character",
    summary="Mistype as people do: a letter left out, a neighbouring key, a sign or a space lost.",
    label_risk="medium",
    scripts=KEYS,
    touches={"letters", "space", "case", "punctuation"},
    source="counts of typed questions in NoiseQA (A. Ravichander et al., EACL 2021) and of the "
    "English Web Treebank (N. Silveira et al., LREC 2014)",
    version=5,
    intensities=LETTERS,
    share=_share,
)
def human_typos(batch: Batch, *, kind: Typing = "any", layout: str = "auto") -> Sites:
    """Make the typing errors that people make, as often; `p` is the character error rate.

    Letters are left out, hit beside the right key, doubled, put in and exchanged, double letters
    written once, capitals written small, vowels taken for each other, apostrophes, question marks
    and spaces left out, and words split, each as often as it was counted at the beginning, in the
    midst and at the end of words. Numbers stay, and what stands beside one. The error rate is `p`
    where letters are the larger part of a text, and falls short of it above 0.4. Rates differ from
    text to text: `spread=1.15` is what was counted.

    Args:
        batch: the texts.
        kind: "copied" for the slips of people who type questions that they read, "own" for what is
            left in their own words on the web: apostrophes lost, words split, vowels confused;
            "any" for both, as often.
        layout: the keyboard: us, gb, de, fr, ru, ... (`wordlists/keyboards`); or "auto" for one by
            the script of each letter.
    """
    keys = slips(layout, counts(kind)["same row"])
    letters = batch.marked(of_kind(Kind.LETTER))
    # Letters that the keyboard types, the single spaces between two of them, and signs behind one.
    marks = batch.marked(keys.characters)
    table = _characters()[:256] if batch.codes.dtype == np.uint8 else _characters()
    (signs,) = (table.take(batch.codes) >= _SPACE * _CHARACTER).nonzero()
    marks[signs] = marks[signs - 1]
    numbers = batch.in_numbers()
    if numbers is not None:
        marks[1:] &= ~numbers[:-1]
        marks[:-1] &= ~numbers[1:]
    spaces = signs[batch.codes[signs] == ord(" ")]
    marks[spaces] &= marks[spaces + 1] | (batch.codes[spaces + 1] == 0)
    (starts,) = marks.nonzero()
    sorts = _sorts(batch, starts, letters, table)
    kinds = _kinds(batch, starts, sorts, kind)
    some = kinds != NOTHING
    starts, kinds, sorts = starts[some], kinds[some], sorts[some]

    def wrong(chosen: Chosen) -> Codes:
        mine, codes, draws = kinds[chosen.rows], chosen.first, chosen.draw(1)
        letters = np.full(len(chosen), ord(" "), np.uint32)
        tables = {NEIGHBOUR: keys, INSERT: keys}
        tables |= {CONFUSE: _others(kind, "confused"), STRAY: _others(kind, "strayed")}
        for error, table in tables.items():
            (rows,) = (mine == error).nonzero()
            letters[rows] = table.draw(codes[rows], draws[rows]).flat()
        (rows,) = (mine == CASE).nonzero()
        small, capital = (table.take(codes[rows]) for table in case_maps())
        letters[rows] = np.where(small == codes[rows], capital, small)
        return letters

    def write(chosen: Chosen) -> Strings:
        assert sites.write
        errors, written = kinds[chosen.rows], sites.write(chosen)
        written.ends[errors == SKIP] = written.starts[errors == SKIP]
        place, draws = np.arange(len(chosen)), chosen.draw(1)
        for error, table in ((BLEND, keys), (OTHER, _signs(kind))):
            (rows,) = (errors == error).nonzero()
            instead = table.draw(chosen.first[rows], draws[rows])
            if error == BLEND:
                firsts = chosen.texts.starts[rows]
                instead = concatenate(instead, Strings(batch.codes, firsts, firsts + 1))
            place[rows] = len(written) + np.arange(len(rows))
            written = stack(written, instead)
        return written.take(place)

    units = Strings(batch.codes, starts, starts + 1)
    sites = typos.error_sites(batch, units, _ERRORS[kinds], wrong)
    ordered = OrderedSites(
        sites.starts, sites.ends, "character", _ranks(batch, starts, sorts, kind)
    )
    ordered.write = write
    return in_scripts(batch, ordered, typed_scripts(layout))


@cache
def _characters() -> UInt16:
    """Return what each code point is, as a part of the sort."""
    table = np.zeros(CODE_POINTS, np.uint16)
    table[[*map(ord, _ALPHABET + _SIGNS)]] = np.arange(_CHARACTER, _SORTS, _CHARACTER)
    table[ord("’")] = table[ord("'")]
    lower, _ = case_maps()
    table = table.take(lower)
    table[lower != np.arange(CODE_POINTS)] += _CAPITAL
    return table


def _sorts(batch: Batch, starts: Int64, letters: Bool, table: UInt16) -> UInt16:
    """Return the sort of each unit."""
    codes = batch.codes
    here = codes[starts]
    sorts = table.take(here)
    before_letter = letters[starts + 1]
    # What is exchanged, or written once for twice, are two units.
    before_letter[:-1] &= starts[1:] == starts[:-1] + 1
    before_letter[-1:] = False
    sorts += ~letters[starts - 1] * np.uint16(_FIRST)
    sorts += before_letter * np.uint16(_BEFORE_LETTER)
    sorts += (here == codes[starts + 1]) * np.uint16(_DOUBLED)
    led = (codes[starts - 1] == 0) | (table.take(codes[starts - 1]) & _CAPITAL > 0)
    sorts += led * np.uint16(_LED)
    return sorts


def _kinds(batch: Batch, starts: Int64, sorts: UInt16, kind: Typing) -> UInt8:
    """Draw the kind of error that each unit gets if it is chosen.

    Each kind takes a slice of the numbers that are drawn, as wide as it is frequent in units of the
    sort.
    """
    place = batch.draw(starts) >> np.uint32(32 - _BITS)
    place |= sorts.astype(np.uint32) << np.uint32(_BITS)
    kinds = _drawn(kind).take(place)
    # An insertion within a transposed pair.
    inside = np.append(False, _ERRORS[kinds[:-1]] == typos.SWAP)
    kinds[inside & (_ERRORS[kinds] <= typos.REPEAT)] = NOTHING
    return kinds


def _ranks(batch: Batch, starts: Int64, sorts: UInt16, kind: Typing) -> UInt32:
    """Return the ranks of the units, so that each is chosen about as often as its sort errs."""
    draws = uniform(batch.draw(starts, _ORDER))
    draws /= draws + _rates(kind).sum(axis=1).take(sorts) * (1 - draws)
    draws *= 0xFFFFFFFF
    return draws.astype(np.uint32)


@cache
def _others(kind: Typing, how: str) -> Alternatives:
    """Return the letters that are written for any other letter, or before one, as often as so."""
    others = {letter: [*counts(kind)[how].replace(letter, "")] for letter in _ALPHABET}
    return Alternatives(others | {a.upper(): [*map(str.upper, b)] for a, b in others.items()})


@cache
def _signs(kind: Typing) -> Alternatives:
    """Return what is written for signs, as often as it is."""
    others = {
        sign: [text for text, count in some.items() for _ in range(count)]
        for sign, some in counts(kind)["signs"].items()
    }
    return Alternatives(others | {"’": others["'"]})


@cache
def _rates(kind: Typing) -> Float64:
    """Return how often each kind of error is made, by the sort of the unit.

    Shape (sorts, kinds).
    """
    counted, sorts = counts(kind), np.arange(_SORTS)
    table, character = counted["rates"], sorts // _CHARACTER
    first, before, doubled, capital, led = (sorts & bit > 0 for bit in (1, 2, 4, 8, 16))
    place = np.where(first, 0, np.where(before, 1, 2))
    rates = np.zeros((len(KINDS), _SORTS))
    for number, name in enumerate(KINDS):
        rates[number] = np.resize(table[name], 3)[place]
    for name, factors in counted["letters"].items():
        rates[KINDS.index(name)] *= np.array([1, *factors, *[1] * len(_SIGNS)])[character]
    rates[:CASE, first] *= np.array(counted["first letters"])[capital[first].astype(np.int64)]
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
    rates[OMIT, signs] = np.array(table["sign"])[character[signs] - _SPACE]
    rates[SPLIT, signs] = np.array(table["spaced"])[character[signs] - _SPACE]
    others = [
        rate * (s in counted["signs"]) for s, rate in zip(_SIGNS, table["other"], strict=True)
    ]
    rates[OTHER, signs] = np.array(others)[character[signs] - _SPACE]
    # What is put in has no place within two letters that change together, see `_kinds`.
    some = rates[:, before & ~doubled & ~capital & ~signs]
    of_two = some[[TRANSPOSE, SKIP, BLEND]].sum() / some.sum()
    for put_in in (INSERT, DOUBLE, STRAY, SPLIT):
        rates[put_in, ~first] /= 1 - of_two
    return rates.T


@cache
def _drawn(kind: Typing) -> UInt8:
    """Return the kind of error by the sort of the unit and the upper bits of a draw.

    Shape (sorts * 2**_BITS,).
    """
    ends = np.cumsum(_rates(kind), axis=1)
    ends /= np.maximum(ends[:, -1:], 1e-9)
    draws = (np.arange(1 << _BITS) + 0.5) / (1 << _BITS)
    kinds: UInt8 = (draws >= ends[:, :, None]).sum(axis=1).astype(np.uint8).ravel()
    return kinds
