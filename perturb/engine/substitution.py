"""Characters replaced by one of their alternatives, which is what most typos are."""

from __future__ import annotations

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.edits import Edits
from perturb.engine.native import kernels
from perturb.engine.sites import Chosen, MaskSites, Sites
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.strings import Strings
from perturb.values.arrays import Int64


class Substitution:
    """The function that writes for each chosen character one of its alternatives.

    As an object, and not any function, it tells the engine that the whole step can be one kernel.

    Attributes:
        table: the alternatives of each character.
    """

    __slots__ = ("table",)

    def __init__(self, table: Alternatives) -> None:
        self.table = table

    def __call__(self, chosen: Chosen) -> Strings:
        """Return what is written for each chosen character."""
        return self.table.draw(chosen.first, chosen.draw())


def substitutions(batch: Batch, table: Alternatives, *, unit: str = "character") -> Sites:
    """Return a site at every character that has alternatives, one of which is written.

    Args:
        batch: the texts.
        table: the alternatives.
        unit: see `Batch.sites_where`.
    """
    return batch.sites_where(table.characters, Substitution(table), unit=unit)


def substituted(batch: Batch, sites: Sites, counts: Int64, wanted: Int64) -> Edits | None:
    """Choose, write and apply in one, where a kernel can.

    Args:
        batch: the texts.
        sites: where the step may act.
        counts: shape (texts,); the number of sites of each text.
        wanted: shape (texts,); how many to choose in each text, at most its count.

    Returns:
        The edits, which all change something; None where the sites are none of a substitution, or
        there is no kernel.
    """
    write = sites.write
    if not isinstance(write, Substitution) or not isinstance(sites, MaskSites) or sites.inserts:
        return None
    if sites.note is not None or not kernels.pays(len(batch.texts), len(batch.codes)):
        return None
    table = write.table.latin_1 if batch.codes.dtype == np.uint8 else None
    if table is None:
        return None
    native = kernels.substitute(
        batch.codes, sites.mask, table, batch.keys, batch.edges, counts, wanted
    )
    if native is None:
        return None
    after, places, written = native
    return Edits.of_characters(places, written, batch.texts, after)
