"""Typing errors of all kinds, mixed by weight, at a given character error rate.

The character error rate is the Levenshtein distance over the length. A swap costs two, any other
edit one; and the distance of edits close together is less than their sum: a deletion next to an
insertion is only a substitution. With s edits a character, the rate is

    one * s - saved * s**2

to about one part in a hundred; `one` and `saved` follow from the weights alone.
`benchmarks/error_rate.py` fits the constants of `saved` and shows the resulting rates.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

import numpy as np

from perturb.engine.batch import Batch, of_kind
from perturb.engine.places import marked_before
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.case import (
    alphabet_scripts,
    draw_from_alphabet,
    in_alphabet,
    letters_in_alphabet,
)
from perturb.engine.text.characters import Kind
from perturb.engine.text.strings import Strings, concatenate
from perturb.errors import UsageError
from perturb.perturbators.declaration import letter_perturbator
from perturb.perturbators.letters.keyboard import neighbours
from perturb.perturbators.shared.character_tables import ALPHABETS
from perturb.registry.definition import LETTERS, Range
from perturb.rng import uniform
from perturb.values.arrays import Bool, Float64, UInt8, UInt32

# The kinds of errors, in the order of the thresholds that a draw is compared with.
INSERT, REPEAT, DELETE, SUBSTITUTE, SWAP, NOTHING = range(6)
KINDS = ("insert", "repeat", "delete", "substitute", "swap")
# The number of units that get their kinds at once, so that their arrays of 8 bytes a unit (256 KB
# each) stay in the cache.
_PART = 1 << 15

_Weight = Annotated[float, Range(0)]

# The decrease of the distance by a pair of kinds, for each square of the share of edits.
SAVED = {
    ("insert", "delete"): 1.04,
    ("repeat", "delete"): 1.71,
    ("swap", "insert"): 1.76,
    ("swap", "repeat"): 2.27,
    ("swap", "delete"): 2.35,
    ("swap", "substitute"): 0.92,
    ("swap", "swap"): 1.04,
}


def cost(**weight_of: float) -> tuple[float, float]:
    """Return `one` and `saved` of the module's formula for the weights of all kinds."""
    weights = dict(zip(KINDS, _weights(**weight_of).tolist(), strict=True))
    swap = weights["swap"]
    one = 1 + swap / (1 - swap * (weights["insert"] + weights["repeat"]))
    return one, sum(by * weights[kind] * weights[other] for (kind, other), by in SAVED.items())


def _share(p: float, *, layout: str | None, digits: bool, **weights: float) -> float:  # noqa: ARG001
    """Return the share for the weights of a mix."""
    return edits_per_character(p, *cost(**weights))


def edits_per_character(p: float, one: float, saved: float) -> float:
    """Return the edits a character that give the error rate `p`; 1 if that is out of reach."""
    return min(1.0, 2 * p / (one + math.sqrt(max(0.0, one * one - 4 * saved * p))))


@letter_perturbator(
    "typo_mix",
    scripts=ALPHABETS,
    source="F. J. Damerau, A technique for computer detection and correction of errors, 1964",
    version=2,
    intensities=LETTERS,
    share=_share,
)
def typo_mix(
    batch: Batch,
    *,
    insert: _Weight = 0.2,
    delete: _Weight = 0.2,
    substitute: _Weight = 0.4,
    swap: _Weight = 0.1,
    repeat: _Weight = 0.1,
    layout: str | None = None,
    digits: bool = False,
) -> Sites:
    """Insert, delete, substitute, swap and repeat letters, so that `p` is the error rate.

    Mix typing errors; `p` is the expected character error rate, whatever the weights.

    This holds if most of a text is letters of one code point each; above 0.5 the rate falls short
    of `p`. Letters of scripts without an alphabet here, such as Chinese, are sites only if the
    weights of insertions and substitutions are 0.

    Args:
        batch: the texts.
        insert: weight of inserting a random letter before a letter.
        delete: weight of deleting a letter.
        substitute: weight of replacing a letter by another of its alphabet, in the same case.
        swap: weight of swapping two different neighbours.
        repeat: weight of doubling a letter.
        layout: a keyboard; inserted and substituted letters are then neighbours of the right key,
            see `keyboard_typos`.
        digits: whether digits are sites as well as letters.
    """
    weights = _weights(
        insert=insert, delete=delete, substitute=substitute, swap=swap, repeat=repeat
    )
    keys = None if layout is None else neighbours(layout, digits=digits)
    draws_letters = bool(weights[INSERT] or weights[SUBSTITUTE])
    if draws_letters:
        known = in_alphabet() if digits else letters_in_alphabet()
    else:
        known = of_kind(Kind.LETTER, Kind.MARK, *([Kind.DIGIT] if digits else []))
    sites = batch.sites_at_clusters(known)
    units = Strings(batch.codes, sites.starts, sites.ends)
    kinds = np.empty(len(units), np.uint8)
    for part in _parts(units):
        spans = Strings(units.codes, units.starts[part], units.ends[part])
        kinds[part] = _kinds(spans, batch.draw(spans.starts), weights)
    units = units.take(np.flatnonzero(kinds != NOTHING))
    kinds = kinds[kinds != NOTHING]

    starts, ends = units.starts, units.ends.copy()
    (inserts,), (swaps,) = (kinds <= REPEAT).nonzero(), (kinds == SWAP).nonzero()
    ends[inserts], ends[swaps] = starts[inserts], batch.past_cluster(ends[swaps])

    def write(chosen: Chosen) -> Strings:
        rows, starts = chosen.rows, chosen.texts.starts
        kind, middles = kinds[rows], units.ends[rows]
        again_ends = np.where((kind == SWAP) | (kind == REPEAT), middles, starts)
        again = Strings(batch.codes, starts, again_ends)
        (fresh,) = ((kind == INSERT) | (kind == SUBSTITUTE)).nonzero()
        right, draws = chosen.first[fresh], chosen.take(fresh).draw(1)
        wrong = draw_from_alphabet(right, draws)
        if keys is not None:
            (near,) = keys.characters.mask(right).nonzero()
            wrong[near] = keys.draw(right[near], draws[near]).flat()
        # A wrong letter or, in a swap, the second of the two; then, in a swap or repeat, the first.
        codes = np.concatenate([batch.codes, wrong])
        first = Strings(codes, middles, np.where(kind == SWAP, chosen.texts.ends, middles))
        first.starts[fresh] = len(batch.codes) + np.arange(len(fresh))
        first.ends[fresh] = first.starts[fresh] + 1
        return concatenate(first, again)

    scripts = alphabet_scripts() if draws_letters else None
    return Sites(starts, ends, "character", write).limited(scripts=scripts)


def _weights(**weight_of: float) -> Float64:
    """Return the weights as shares of one, in the order of the kinds."""
    weights: Float64 = np.array([weight_of[kind] for kind in KINDS], np.float64)
    if not weights.any() or not math.isfinite(sum(weight_of.values())):
        pairs = ", ".join(f"{kind}={weight:g}" for kind, weight in weight_of.items())
        raise UsageError(f"typo_mix: one weight must be above 0, and their sum finite; got {pairs}")
    weights /= weights.sum()
    return weights


def _parts(units: Strings) -> Iterator[slice]:
    """Cut the units into parts of whole runs, about `_PART` units each, to save memory."""
    firsts = np.append(_opens(units).nonzero()[0], len(units))
    first = 0
    while first < len(units):
        last = int(firsts[np.searchsorted(firsts, min(first + _PART, len(units)))])
        yield slice(first, last)
        first = last


def _opens(units: Strings) -> Bool:
    """Mark the first unit of each run of adjacent units."""
    opens = np.ones(len(units), np.bool_)
    np.not_equal(units.ends[:-1], units.starts[1:], out=opens[1:])
    return opens


def _kinds(units: Strings, draws: UInt32, weights: Float64) -> UInt8:
    """Draw the kind of error that each unit gets if it is chosen.

    A swap needs a letter after it, which the last letter of a run lacks. To give swaps their full
    weight, the other letters of the run are swapped more often; if that is not enough, some letters
    that can't be swapped stay.
    """
    opens = _opens(units)
    pairs = _pairs(units, opens)
    chances, open_share = _chances(opens, pairs, weights[SWAP])
    others = weights[:SWAP].sum() or 1.0
    draw = uniform(draws)
    swaps = draw < chances
    draw -= chances
    room = (1 - chances) * open_share
    kinds = np.zeros(len(units), np.uint8)
    for limit in np.cumsum(weights[:SWAP]) / others:
        kinds += draw >= limit * room
    np.copyto(kinds, NOTHING, where=kinds == SWAP)
    np.copyto(kinds, SWAP, where=swaps)
    # An insertion within a swapped pair.
    np.copyto(kinds[1:], NOTHING, where=swaps[:-1] & (kinds[1:] <= REPEAT))
    return kinds


def _chances(opens: Bool, pairs: Bool, weight: float) -> tuple[Float64, Float64]:
    """Return for each unit the chance that it is swapped, and that it is a site if it can't be."""
    (firsts,) = opens.nonzero()
    sizes, before = np.diff(firsts, append=len(opens)), marked_before(pairs)
    able = before[firsts + sizes] - before[firsts]
    chances = np.minimum(1, weight * sizes / np.maximum(able, 1))
    shares = able * (1 - weight) / np.maximum(weight * (sizes - able), 1e-9)
    shares[able == 0] = 1
    return chances.repeat(sizes) * pairs, np.minimum(shares, 1).repeat(sizes)


def _pairs(units: Strings, opens: Bool) -> Bool:
    """Mark the units directly followed by one that begins with another code point."""
    first = units.codes.take(units.starts)
    pairs = np.zeros(len(units), np.bool_)
    pairs[:-1] = ~opens[1:] & (first[:-1] != first[1:])
    return pairs
