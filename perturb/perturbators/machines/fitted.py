"""Noise as it was counted from pairs of a clean and a noisy text."""

from __future__ import annotations

from functools import cache

import numpy as np

from perturb.boundary import File
from perturb.engine.batch import Batch
from perturb.engine.sites import OrderedSites, Sites
from perturb.engine.spread import with_spread
from perturb.engine.text.strings import every, ranges
from perturb.perturbators.declaration import perturbator
from perturb.perturbators.shared.character_tables import has_digit, in_scripts
from perturb.perturbators.shared.noise import THREE, WORD, Noise, checked, noise_of
from perturb.resources import read_json
from perturb.rng import uniform
from perturb.values.arrays import Bool, Float64, Int64, UInt32

# Errors follow each other within such stretches of characters.
STRETCH = 16
# Lanes of the draws: what kind an edit is of, how bad a stretch is, and when its clock rings.
_KIND, _STRETCHES, _RINGS = 1, 2, 3
# The rate of a clock that hardly goes.
_LEAST = 1e-12


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
    version=3,
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


def noisy_sites(batch: Batch, noise: Noise) -> Sites:
    """Return the sites at which a noise has edits."""
    starts = np.arange(1, len(batch.codes))
    # A place has edits of several kinds; it is a site for one, which is drawn by their rates.
    kinds, rates = noise.kinds(batch, batch.uniform(starts, _KIND))
    ends = starts + np.minimum(kinds, THREE)
    (rows,) = (kinds == WORD).nonzero()
    ends[rows] = batch.words.ends[batch.words.starts.searchsorted(starts[rows])]
    if noise.bursts:
        rates *= _by_stretch(batch, starts, noise.bursts)
    stays = rates > 0
    ranks = _arrivals(batch, starts, rates)
    stays &= _unnested(starts, ends, ranks)
    if not every(stays):
        (rows,) = stays.nonzero()
        starts, ends, ranks = starts[rows], ends[rows], ranks[rows]
    sites = OrderedSites(starts, ends, "character", ranks)
    sites.write = lambda chosen: noise.write(chosen, kinds[chosen.texts.starts - 1])
    known = noise.knows(batch)
    some = sites if every(known) else sites.of_texts(known, batch.edges)
    return in_scripts(batch, some, noise.scripts) if noise.scripts else some


def _arrivals(batch: Batch, starts: Int64, rates: Float64) -> UInt32:
    """Return when a clock first rings that goes at the rate of each site, as a rank.

    So the chance to be the next one chosen is as the rate. The rates are overwritten.
    """
    times = np.log1p(-uniform(batch.draw(starts, _RINGS)))
    times /= np.maximum(rates, _LEAST, out=rates)
    times /= times - 1
    times *= 0xFFFFFFFF
    return times.astype(np.uint32)


def _unnested(starts: Int64, ends: Int64, ranks: UInt32) -> Bool:
    """Mark the sites that stay: of one and those that end within it, whose clock rings first."""
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


def _by_stretch(batch: Batch, starts: Int64, bursts: float) -> Float64:
    """Return how bad the stretch of each place is."""
    counts = batch.texts.lengths // STRETCH + 1
    numbers = ranges(np.zeros_like(counts), counts)
    factors = with_spread(batch.uniform_for(numbers, counts, _STRETCHES), bursts)
    firsts = starts.searchsorted(batch.texts.starts.repeat(counts) + numbers * STRETCH)
    return factors.repeat(np.diff(firsts, append=len(starts)))
