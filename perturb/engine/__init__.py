"""The engine: batches of texts, sites, selection, edits; and the names that authors need.

Texts go `Batch -> Sites -> selection -> writing -> Edits -> apply`. Each arrow is one module, and
nothing flows back. The engine knows no perturbator by name.

Public is what `__all__` lists: a perturbator is a function from a `Batch` to `Sites` (or another
kind of them), which may write a column of `Strings` for the `Chosen` ones.
"""

from perturb.engine.batch import Batch
from perturb.engine.grouped_sites import GroupedSites
from perturb.engine.sites import Chosen, MaskSites, OrderedSites, Sites
from perturb.engine.text.characters import Alternatives, CharacterSet
from perturb.engine.text.strings import Strings, column, packed, repeated, single

__all__ = [
    "Alternatives",
    "Batch",
    "CharacterSet",
    "Chosen",
    "GroupedSites",
    "MaskSites",
    "OrderedSites",
    "Sites",
    "Strings",
    "column",
    "packed",
    "repeated",
    "single",
]
