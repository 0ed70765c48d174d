"""Errors of whole words: those of a caller's pairs, and those counted of a recogniser."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import OrderedSites, Sites
from perturb.engine.text.characters import Kind, Script, of_kind
from perturb.engine.text.strings import with_rows
from perturb.lexicon.phrases import before
from perturb.perturbators.machines._misheard import chances, misheard
from perturb.perturbators.machines.asr import heard_as
from perturb.perturbators.shared.character_tables import in_scripts
from perturb.perturbators.shared.edit_tables import by_stretch, ranks_by
from perturb.perturbators.shared.noise import Noise
from perturb.perturbators.shared.written import Written

# Lanes of the random numbers, beside those of a recogniser: which of both makes an error, the wait
# of an edit, and how bad a stretch is.
_SOURCE, _WAITS, _STRETCHES = 11, 12, 13


def heard_sites(batch: Batch, noise: Noise) -> Sites:
    """Return the sites at which a noise of words has edits."""
    words, codes = batch.words, batch.codes
    own, written = noise.at_words(batch)
    rates = own
    if noise.factor:
        table = misheard(noise.like)
        factors, losses, sort = chances(batch, np.arange(len(words)), table)
        rates = own + noise.factor * factors * of_kind(Kind.LETTER).mask(codes[words.starts])
    (rows,) = rates.nonzero()
    starts = words.starts[rows]
    levels = batch.uniform(starts, _SOURCE) * rates[rows]
    by_pairs = levels < own[rows]
    (mine,) = by_pairs.nonzero()
    texts = written(rows[mine], levels[mine])
    # A lost word takes the space before it along, and one without that space stays.
    lost, follows = texts.lengths == 0, before(batch, rows[mine]) >= 0
    stays = ~by_pairs
    stays[mine] = follows | ~lost
    places = Written(starts[mine] - lost, words.ends[rows[mine]], texts)
    if noise.factor:
        heard = heard_as(batch, rows, losses[rows], sort[rows], False, table)
        heard.starts[mine] = places.starts
        places = Written(heard.starts, heard.ends, with_rows(heard.texts, mine, texts))
    badness = by_stretch(batch, noise.bursts, _STRETCHES)[starts - 1] if noise.bursts else 1.0
    ranks = ranks_by(batch.draw(starts, _WAITS), rates[rows] * badness)
    places, ranks = places.keep(stays), ranks[stays]
    sites = OrderedSites(places.starts, places.ends, "character", ranks)
    sites.write = places.write
    scripts = noise.scripts | ({Script.LATIN} if noise.factor else frozenset())
    return in_scripts(batch, sites, scripts)
