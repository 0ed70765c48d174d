"""What a verdict and a comparison of two systems have in common: their words, and their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perturb.robustness.measures.findings import Findings, One, Result
from perturb.robustness.tables.formats import Shown
from perturb.robustness.tables.headline import headlines
from perturb.robustness.tables.tables import flat

if TYPE_CHECKING:
    from collections.abc import Sequence


class Results(Findings[One], Shown):
    """Findings, and the ways to show them."""

    @property
    def sentence(self) -> str:
        """The findings in words, the most important first; where conditions disagree, of each."""
        return " ".join(map(str, headlines(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return all measures under their own names, ready for JSON."""
        return {
            **super().to_dict(),
            "margin": self.margin,
            "conditions": [*map(self._flat, self.conditions)],
            "overall": [*map(self._flat, self.overall)],
        }

    def _rows(self) -> Sequence[dict[str, Any]]:
        """Return the rows of a sheet, in order."""
        return [*map(self._flat, (*self.conditions, *self.overall))]

    def _flat(self, result: Result) -> dict[str, Any]:
        """Return every measure of a finding under its own name."""
        return flat(result)
