"""Noise as it was counted from pairs of a clean and a noisy text."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.native import noise as native
from perturb.engine.native.noise import Places
from perturb.engine.sites import OrderedSites, Sites
from perturb.engine.spread import with_spread
from perturb.engine.text.strings import every, ranges
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.shared.character_tables import has_digit, in_scripts
from perturb.perturbators.shared.noise import Noise, checked, noise_of
from perturb.resources import read_json
from perturb.values.arrays import Bool, Float64, Int64, UInt8, UInt32

# Errors follow each other within such stretches of characters.
STRETCH = 16
# Lanes of the draws: what kind an edit is of, how bad a stretch is, and how long an edit waits.
_KIND, _STRETCHES, _WAITS = 1, 2, 3


@perturbator(
    "fitted",
    unit="character",
    summary="Make the errors that were counted in a file of noise, as perturb fit writes it.",
    label_risk="medium",
    scripts=("latin",),
    touches={"letters", "words", "digits", "case", "punctuation", "space", "meaning"},
    expect="same",
    source="counts of typed questions in NoiseQA (A. Ravichander et al., EACL 2021), or the "
    "caller's own",
    version=4,
)
def fitted(batch: Batch, *, file: File | None = None) -> Sites:
    """Make errors as often as they were counted, each where it fits; `p` is a share of characters.

    An error is likelier where others are, as it was in the pairs. Their rates differ from text to
    text too: `spread=` says by how much, and `perturb fit` what it was.

    Args:
        batch: the texts.
        file: what `perturb fit` wrote; the step then holds the SHA-256 of the file behind its path.
            Without it, errors that people make when they type questions.
    """
    return noisy_sites(batch, shipped("typing") if file is None else noise_of(file))


@cache
def shipped(name: str, digits: bool = True) -> Noise:
    """Return a noise that comes with perturb, with its edits of digits or without."""
    content = checked(read_json("noise", f"{name}.json"), name)
    if not digits:
        content["edits"] = [row for row in content["edits"] if not has_digit("".join(row[:4]))]
        content["words"] = [row for row in content["words"] if not has_digit(row[0] + row[1])]
    return Noise(content)


def noisy_sites(batch: Batch, noise: Noise, closed: Bool | None = None) -> Sites:
    """Return the sites at which a noise has edits.

    Args:
        batch: the texts.
        noise: the edits.
        closed: shape (code points,); where no edit may begin or end. None for nowhere.
    """
    starts = np.arange(1, len(batch.texts.codes))
    places = Places(
        noise.numbers(batch.codes),
        noise.words(batch),
        None if closed is None else np.append(closed[1:], (False, False)),
        _by_stretch(batch, noise.bursts) if noise.bursts else None,
        batch.draw(starts, _KIND),
        batch.draw(starts, _WAITS),
    )
    by_kernel = native.noisy_sites(noise.struct, places)
    starts, ends, ranks, kinds = by_kernel or _by_numpy(noise, places)
    sites = OrderedSites(starts, ends, "character", ranks)
    sites.write = lambda chosen: noise.write(chosen, places, kinds)
    known = noise.knows(batch, places)
    some = sites if every(known) else sites.of_texts(known, batch.edges)
    return in_scripts(batch, some, noise.scripts) if noise.scripts else some


def _by_numpy(noise: Noise, places: Places) -> tuple[Int64, Int64, UInt32, UInt8]:
    """Do what the kernel does."""
    kinds, lengths, rates = noise.edits_at(places)
    starts = np.arange(len(kinds))
    ends = starts + lengths
    if places.factors is not None:
        rates *= places.factors
    if places.closed is not None:
        rates[places.closed[starts] | places.closed[ends - (ends > starts)]] = 0
    stays = rates > 0
    ranks = _ranks(places.waits, rates)
    stays &= _unnested(starts, np.where(stays, ends, starts), ranks)
    (rows,) = stays.nonzero()
    return rows + 1, ends[rows] + 1, ranks[rows], kinds


def _ranks(waits: UInt32, rates: Float64) -> UInt32:
    """Return ranks by which each site is chosen as often as its rate says, as long as few are.

    Draws over rates are put in order: E. Ohlsson, Sequential Poisson Sampling, Journal of Official
    Statistics 14 (1998).
    """
    drawn = waits + 0.5
    ranks = drawn / (rates * 2.0**32 + drawn)
    ranks *= 0xFFFFFFFF
    return ranks.astype(np.uint32)


def _unnested(starts: Int64, ends: Int64, ranks: UInt32) -> Bool:
    """Mark the sites that stay: of one and those that end within it, whose rank is lower."""
    (long,) = (ends > starts + 1).nonzero()
    reach = ends[long] - starts[long] - 1
    counts = np.minimum(reach, len(starts) - 1 - long)
    outer, inner = long.repeat(counts), ranges(long + 1, counts)
    nested = ends[inner] < ends[outer]
    outer, inner = outer[nested], inner[nested]
    stays = np.ones(len(starts), np.bool_)
    stays[outer[ranks[inner] < ranks[outer]]] = False
    stays[inner[stays[outer]]] = False
    return stays


def _by_stretch(batch: Batch, bursts: float) -> Float64:
    """Return how bad the stretch of each place is, from the first one of a text on."""
    counts = batch.texts.lengths // STRETCH + 1
    numbers = ranges(np.zeros_like(counts), counts)
    factors = with_spread(batch.uniform_for(numbers, counts, _STRETCHES), bursts)
    firsts = batch.texts.starts.repeat(counts) + numbers * STRETCH
    return factors.repeat(np.diff(firsts, append=len(batch.codes)))
