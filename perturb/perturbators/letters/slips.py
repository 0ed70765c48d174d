"""Typing errors as people make them, at a wanted character error rate.

How often each kind occurs, and that first letters are rarely wrong, follows published counts
(`WEIGHTS`). The error rate follows from the weights as in `typo_mix`: what takes a character out,
puts one in, writes one twice, another one, or exchanges two.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings
from perturb.engine.text.unicode import Kind
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.letters import typos
from perturb.perturbators.letters.keyboard import slips, typed_scripts
from perturb.perturbators.shared.character_tables import in_scripts
from perturb.registry.definition import LETTERS
from perturb.values.arrays import Codes, Int64, UInt8, UInt32, UInt64

OMIT, NEIGHBOUR, INSERT, DOUBLE, SPLIT, TRANSPOSE, UNDOUBLE, RUN_ON, NOTHING = range(9)
KINDS = ("omit", "neighbour", "insert", "double", "split", "transpose", "undouble", "run_on")
# The share of each kind: see wordlists/SOURCES.md.
WEIGHTS = dict(zip(KINDS, (0.29, 0.20, 0.15, 0.10, 0.01, 0.15, 0.03, 0.07), strict=True))
# What each kind is in `typo_mix`.
_MIXED = dict(
    zip(KINDS, "delete substitute insert repeat insert swap delete delete".split(), strict=True)
)
_ERRORS = np.array([*map(typos.KINDS.index, _MIXED.values()), typos.NOTHING], np.uint8)
# How often the first letter of a word is wrong, beside the others.
FIRST = 0.2
# How many places for each kind there are, for each letter of running English text; a first letter
# counts as `FIRST` of one. Fitted so that the edits have the shares above.
PLACES = dict(zip(KINDS, (0.855, 0.845, 0.765, 0.745, 0.76, 0.555, 0.025, 0.222), strict=True))
# What the rate loses, beside `SAVED`, since transpositions are left out where others crowd them.
_CROWDED = 0.085
# The share of a text's letters that are sites: more would leave no room for the rarest kinds.
_SITES = 0.8
# The sort of the spaces between words; letters have lower numbers.
_SPACE = 8
# So many upper bits of a draw tell the kind but near the end of a slice.
_BITS = 12
_OPEN = 255


def _share(p: float, *, layout: str) -> float:  # noqa: ARG001
    """Return the edits a character that give the error rate `p`."""
    weights = dict.fromkeys(typos.KINDS, 0.0)
    for kind, error in _MIXED.items():
        weights[error] += WEIGHTS[kind]
    one, saved = typos.cost(**weights)
    return typos.edits_per_character(p, one, saved + _CROWDED)


@perturbator(
    "human_typos",
    unit="character",
    summary="Mistype as people do: a letter left out, doubled or transposed, a neighbouring key.",
    label_risk="medium",
    touches={"letters", "space"},
    source="J. J. Pollock, A. Zamora, Collection and characterization of spelling errors in "
    "scientific and scholarly text, 1983; counts of codespell's dictionary (wordlists/SOURCES.md)",
    version=2,
    intensities=LETTERS,
    share=_share,
)
def human_typos(batch: Batch, *, layout: str = "auto") -> Sites:
    """Make the typing errors that people make, as often; `p` is the character error rate.

    Of the errors 29 % leave a letter out, 20 % hit a neighbouring key, four times out of five in
    the same row, 15 % hit one besides the right key, 15 % transpose two letters, 10 % write one
    twice, 3 % write a double letter once, 7 % leave out a space and 1 % put one into a word. So it
    is in running English text; other texts have more or fewer places for some. The first letter of
    a word is wrong a fifth as often as the others. Digits and signs stay. The error rate is `p`
    where letters are the larger part of a text, and falls short of it above 0.4.

    Args:
        batch: the texts.
        layout: the keyboard: us, gb, de, fr, ru, ... (`wordlists/keyboards`); or "auto" for one by
            the script of each letter.
    """
    keys = slips(layout)
    # Letters that the keyboard types, and the single spaces between two of them.
    marks = batch.marked(keys.characters)
    marks[1:-1] |= (batch.codes[1:-1] == ord(" ")) & marks[:-2] & marks[2:]
    (starts,) = marks.nonzero()
    kinds = _kinds(batch, starts)
    some = kinds != NOTHING
    starts, kinds = starts[some], kinds[some]

    def wrong(chosen: Chosen) -> Codes:
        (hit,) = (kinds[chosen.rows] != SPLIT).nonzero()
        near = keys.draw(chosen.first[hit], chosen.draw(1)[hit]).flat()
        # A key beside one of Latin-1 may type a letter beyond it, whatever the text is made of.
        letters = np.full(len(chosen), ord(" "), near.dtype)
        letters[hit] = near
        return letters

    units = Strings(batch.codes, starts, starts + 1)
    sites = typos.error_sites(batch, units, _ERRORS[kinds], wrong)
    return in_scripts(batch, sites, typed_scripts(layout))


def _kinds(batch: Batch, starts: Int64) -> UInt8:
    """Draw the kind of error that each unit gets if it is chosen.

    Each kind takes a slice of the numbers that are drawn, as wide as it is frequent; a kind that is
    not possible at a unit leaves its slice empty.
    """
    codes = batch.codes
    letters = batch.marked(of_kind(Kind.LETTER))
    here, behind = codes[starts], codes[starts + 1]
    space = here == ord(" ")
    first = ~letters[starts - 1]
    next_too = letters[starts + 1]
    next_too[:-1] &= starts[1:] == starts[:-1] + 1
    next_too[-1:] = False
    # The units are of few sorts, which the bits of a number tell.
    sort = (first + 2 * next_too + 4 * (here == behind)).astype(np.uint8)
    sort[space] = _SPACE
    kinds = _drawn(batch.draw(starts), sort)
    # An insertion within a transposed pair.
    inside = np.append(False, kinds[:-1] == TRANSPOSE)
    kinds[inside & (_ERRORS[kinds] <= typos.REPEAT)] = NOTHING
    return kinds


@cache
def _limits() -> UInt64:
    """Return where the slices end, for each sort of unit, as 32-bit numbers.

    Shape (sorts, kinds): a draw gets the kind of so many limits as it reaches.
    """
    sorts = np.arange(_SPACE + 1)
    space = sorts == _SPACE
    first, next_too = (sorts & 1 > 0) & ~space, (sorts & 2 > 0) & ~space
    doubled = next_too & (sorts & 4 > 0)
    possible = np.array([~space] * 4 + [~space & ~first, next_too & ~doubled, doubled, space])
    chances = np.array([WEIGHTS[kind] / PLACES[kind] for kind in KINDS]) * _SITES
    slices = possible * chances[:, None] * np.where(first, FIRST, 1.0)
    # A double letter is rare: the other kinds share what undoubling leaves.
    others = slices[:UNDOUBLE].sum(axis=0)
    slices[:UNDOUBLE] *= np.minimum(1, (1 - slices[UNDOUBLE]) / np.maximum(others, 1e-9))
    limits: UInt64 = np.ceil(np.cumsum(slices, axis=0).T * 2.0**32).astype(np.uint64)
    return limits


@cache
def _at_sight() -> UInt8:
    """Return the kind by the sort and the upper bits of a draw; `_OPEN` where more are needed.

    Shape (sorts * 2**_BITS,).
    """
    lows = np.arange(1 << _BITS, dtype=np.uint64) << np.uint64(32 - _BITS)
    highs = lows + np.uint64((1 << 32 - _BITS) - 1)
    least, most = (
        (draws >= _limits()[:, :, None]).sum(axis=1).astype(np.uint8) for draws in (lows, highs)
    )
    return np.where(least == most, least, _OPEN).ravel()


def _drawn(draws: UInt32, sort: UInt8) -> UInt8:
    """Return the kind that each draw gives a unit of its sort."""
    place = draws >> np.uint32(32 - _BITS) | sort.astype(np.uint32) << np.uint32(_BITS)
    kinds = _at_sight()[place]
    (rows,) = (kinds == _OPEN).nonzero()
    kinds[rows] = (draws[rows, None] >= _limits()[sort[rows]]).sum(axis=1)
    return kinds
