"""The ways to show a verdict or a comparison: in words, as tables, as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

from perturb.robustness.scoring.findings import Findings, One
from perturb.robustness.scoring.headline import headlines
from perturb.robustness.tables.formats import (
    WIDTH,
    Table,
    as_csv,
    as_html,
    as_json,
    as_latex,
    as_markdown,
    as_text,
)
from perturb.robustness.tables.tables import flat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Results(Findings[One], Generic[One]):
    """The findings, and the ways to show them."""

    @property
    def sentence(self) -> str:
        """What is found in words, the most important first; where conditions disagree, of each."""
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

    def to_pandas(self) -> Any:
        """Return a DataFrame with a row for each condition and metric; needs pandas."""
        import pandas

        return pandas.DataFrame([*map(flat, (*self.conditions, *self.overall))])

    def _repr_html_(self) -> str:
        return as_html(self._table())

    def __str__(self) -> str:
        return as_text(self._table())

    def _table(self, wide: bool = False) -> Table:
        raise NotImplementedError

    def _rows(self) -> Sequence[One]:
        """Return the rows of a sheet, in order."""
        return [*self.conditions, *self.overall]


# The forms in which commands write; each takes whether to show all measures, and what colours a
# verdict.
FORMS: dict[str, Callable[[Results[Any], bool, Callable[[str], str]], str]] = {
    "table": lambda results, wide, paint: as_text(
        results._table(wide), None if wide else WIDTH, paint
    ),
    "md": lambda results, wide, _: as_markdown(results._table(wide)),
    "latex": lambda results, wide, _: as_latex(results._table(wide)),
    "tsv": lambda results, *_: as_csv([*map(flat, results._rows())], "\t"),
    "csv": lambda results, *_: as_csv([*map(flat, results._rows())]),
    "json": lambda results, *_: as_json(results.to_dict()),
}
