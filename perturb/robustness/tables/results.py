"""The ways to show a verdict or a comparison: in words, as tables, as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from perturb.robustness.measures.findings import ALL, Result
from perturb.robustness.tables.formats import Table, as_html, as_text
from perturb.robustness.tables.headline import headlines
from perturb.robustness.tables.tables import flat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from perturb.robustness.measures.metric import Metric

One = TypeVar("One", bound=Result, covariant=True)


class Shown:
    """Anything that is shown as a sentence and a table, with hints."""

    hints: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The findings in words, the most important first."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Return all measures under their own names, ready for JSON."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """Return a DataFrame, with a row for each condition and metric; needs pandas."""
        import pandas

        return pandas.DataFrame(self._rows())

    def _repr_html_(self) -> str:
        return as_html(self._table())

    def __str__(self) -> str:
        return as_text(self._table())

    def _table(self, wide: bool = False) -> Table:
        raise NotImplementedError

    def _paper(self, wide: bool = False) -> Table:
        """Return the table as a paper has it."""
        return self._table(wide)

    def _rows(self) -> Sequence[dict[str, Any]]:
        """Return the rows of a sheet, in order."""
        raise NotImplementedError


class Results(Shown, Generic[One]):
    """What a verdict and a comparison have in common: findings, and the ways to show them.

    Attributes:
        conditions: by metric, perturbator and strength.
        overall: over all conditions.
        metrics: by name, when the values of each are good.
        margin: differences within it are none to speak of.
        hints: what to do next, each in one sentence.
    """

    conditions: Sequence[One]
    overall: Sequence[One]
    metrics: Mapping[str, Metric]
    margin: float
    hints: tuple[str, ...]

    def whole(self, metric: str) -> tuple[list[One], One]:
        """Return the findings by a metric on all rows: of each condition, and over all."""
        conditions, overall = (
            [one for one in part if (one.metric, one.scope) == (metric, ALL)]
            for part in (self.conditions, self.overall)
        )
        return conditions, overall[0]

    @property
    def sentence(self) -> str:
        """The findings in words, the most important first; where conditions disagree, of each."""
        return " ".join(map(str, headlines(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return all measures under their own names, ready for JSON."""
        return {
            "sentence": self.sentence,
            "hints": list(self.hints),
            "margin": self.margin,
            "conditions": list(map(flat, self.conditions)),
            "overall": list(map(flat, self.overall)),
        }

    def _rows(self) -> Sequence[dict[str, Any]]:
        """Return the rows of a sheet, in order."""
        return [*map(flat, (*self.conditions, *self.overall))]
