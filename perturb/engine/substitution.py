"""Characters replaced by one of their alternatives, as in most typos."""

from __future__ import annotations

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.characters import Alternatives
from perturb.engine.text.strings import Strings


class Substitution:
    """The function that replaces each chosen character by one of its alternatives.

    A class instead of a plain function lets the engine see that the step can be one kernel.

    Attributes:
        table: the alternatives of each character.
    """

    __slots__ = ("table",)

    def __init__(self, table: Alternatives) -> None:
        self.table = table

    def __call__(self, chosen: Chosen) -> Strings:
        """Return the replacement of each chosen character."""
        return self.table.draw(chosen.first, chosen.draw())


def substitutions(batch: Batch, table: Alternatives, *, unit: str = "character") -> Sites:
    """Return a site at every character that has alternatives, to write one of them.

    Args:
        batch: the texts.
        table: the alternatives.
        unit: see `Batch.sites_where`.
    """
    return batch.sites_where(table.characters, Substitution(table), unit=unit)
