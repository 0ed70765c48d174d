"""The starts of extended grapheme clusters, after UAX #29 of Unicode 18, for whole arrays at once.

A cluster starts everywhere except where a rule joins a character to the one before it. Most rules
look only at those two; each is one bit, set for the classes that it allows on its left and for
those that it allows on its right, so that all of them together are two look-ups and an `&`.

Three rules look back further, over a run of any length. Each needs the last place before the run,
which is a running maximum for all positions at once: write the position of every character outside
the classes of the run, -1 at all others, and accumulate with `maximum`.

- GB9c, conjuncts: `Linker Extend* x Consonant`, with the classes of Indic_Conjunct_Break. A
  consonant joins if the last character that isn't Extend is a linker. (Until Unicode 17 the rule
  also required a consonant before the linker.)
- GB11, pictures: `Pictographic Extend* ZWJ x Pictographic`. A picture after a ZWJ joins if the last
  character before the ZWJ that isn't Extend is a picture.
- GB12 and GB13, flags: pairs of regional indicators, counted from the start of their run. An
  indicator joins if its distance from the last character that isn't one is even.
"""

from __future__ import annotations

import numpy as np

from perturb.engine.text.characters import Break
from perturb.values.arrays import Bool, Int64, UInt8

_ANY = frozenset(Break)
_ENDS = frozenset({Break.CR, Break.LF, Break.CONTROL})
_EXTEND = frozenset({Break.EXTEND, Break.EXTEND_LINKER, Break.NON_JOINER})
_CONJUNCT_LINKER = frozenset({Break.LINKER, Break.EXTEND_LINKER})
_CONJUNCT_EXTEND = frozenset({Break.EXTEND, Break.ZWJ})

# The rules that look at two neighbours: the classes on the left and on the right of the joint.
_JOINTS = (
    ({Break.CR}, {Break.LF}),  # GB3
    ({Break.L}, {Break.L, Break.V, Break.LV, Break.LVT}),  # GB6
    ({Break.LV, Break.V}, {Break.V, Break.T}),  # GB7
    ({Break.LVT, Break.T}, {Break.T}),  # GB8
    (_ANY - _ENDS, _EXTEND | {Break.ZWJ, Break.SPACING_MARK}),  # GB9, GB9a
    ({Break.PREPEND}, _ANY - _ENDS),  # GB9b
)


def _bits(side: int) -> UInt8:
    """Return for each class the bits of the joints that allow it on that side."""
    bits = np.zeros(len(Break), np.uint8)
    for number, joint in enumerate(_JOINTS):
        bits[list(joint[side])] |= 1 << number
    return bits


def _members(classes: frozenset[Break]) -> Bool:
    """Return for each class whether it is one of `classes`."""
    return np.array([value in classes for value in Break])


_LEFT, _RIGHT = _bits(0), _bits(1)
_IS_EXTEND = _members(_EXTEND)
_IS_CONJUNCT_LINKER = _members(_CONJUNCT_LINKER)
_IS_CONJUNCT_EXTEND = _members(_CONJUNCT_EXTEND)


def cluster_starts(breaks: UInt8) -> Bool:
    r"""Find the positions at which an extended grapheme cluster starts.

    Args:
        breaks: shape (n,); the `Break` of each code point.

    Returns:
        Shape (n,); position 0 always starts a cluster.

    Examples:
        >>> from perturb.engine.text.characters import breaks
        >>> cluster_starts(breaks()[[ord(c) for c in "e\u0301\r\n"]]).tolist()
        [True, False, True, False]
    """
    starts = np.ones(len(breaks), np.bool_)
    if breaks.max(initial=0) < Break.CR:  # in most texts no rule joins anything
        return starts
    starts[1:] = (_LEFT.take(breaks[:-1]) & _RIGHT.take(breaks[1:])) == 0
    for joined in (_joined_consonants, _joined_pictures, _paired_indicators):
        starts[joined(breaks)] = False
    return starts


def _last(mask: Bool) -> Int64:
    """Return for each position the last one up to it where `mask` holds, else -1."""
    return np.maximum.accumulate(np.where(mask, np.arange(len(mask)), -1))


def _joined_consonants(breaks: UInt8) -> Int64:
    """Return the positions that GB9c joins to the one before."""
    extend = _IS_CONJUNCT_EXTEND.take(breaks)
    linker = _IS_CONJUNCT_LINKER.take(breaks)
    here = 1 + np.flatnonzero((extend | linker)[:-1] & (breaks[1:] == Break.CONSONANT))
    if not len(here):
        return here
    base = _last(~extend)[here - 1]
    return here[(base >= 0) & linker[base]]


def _joined_pictures(breaks: UInt8) -> Int64:
    """Return the positions that GB11 joins to the one before."""
    here = 1 + np.flatnonzero((breaks[:-1] == Break.ZWJ) & (breaks[1:] == Break.PICTOGRAPHIC))
    here = here[here >= 2]
    if not len(here):
        return here
    base = _last(~_IS_EXTEND.take(breaks))[here - 2]
    joined: Int64 = here[(base >= 0) & (breaks[base] == Break.PICTOGRAPHIC)]
    return joined


def _paired_indicators(breaks: UInt8) -> Int64:
    """Return the positions that GB12 and GB13 join to the one before."""
    indicator = breaks == Break.REGIONAL_INDICATOR
    here = np.flatnonzero(indicator)
    if not len(here):
        return here
    joined: Int64 = here[(here - _last(~indicator)[here]) % 2 == 0]
    return joined
