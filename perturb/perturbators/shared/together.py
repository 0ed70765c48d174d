"""Places of a text that change together or not at all."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Sites, Write
from perturb.perturbators.shared.english import Language, in_english
from perturb.values.arrays import Int64


def in_prose_rows(batch: Batch, starts: Int64, ends: Int64, language: Language) -> Sites:
    """Return the spans that are in English prose, as sites of their own."""
    return in_english(batch, Sites(starts, ends, "place"), language)


def together(batch: Batch, prose: Sites, write: Write) -> GroupedSites:
    """Return one site for each text with such places, of which all are parts.

    Args:
        batch: the texts.
        prose: the places, as `in_prose_rows` gives them.
        write: gives the replacement of each part; `Chosen.rows` are rows of `prose`.
    """
    counts = batch.count(prose.starts)
    sites = GroupedSites(prose.starts, prose.ends, counts[counts > 0], "place", write)
    return sites.limited(prose.scripts, prose.refused)


def kept_rows(all_starts: Int64, prose: Sites) -> Int64:
    """Return the rows of the places that are in prose, among all."""
    rows: Int64 = np.searchsorted(all_starts, prose.starts)
    return rows
