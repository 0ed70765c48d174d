"""The forms in which commands write a verdict or a comparison; help lists them without NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perturb.robustness.tables.formats import (
    WIDTH,
    as_csv,
    as_json,
    as_latex,
    as_markdown,
    as_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from perturb.robustness.scoring.results import Shown

# Each takes whether to show all measures, and what colours a verdict.
FORMS: dict[str, Callable[[Shown, bool, Callable[[str], str]], str]] = {
    "table": lambda results, wide, paint: as_text(
        results._table(wide), None if wide else WIDTH, paint
    ),
    "md": lambda results, wide, _: as_markdown(results._paper(wide)),
    "latex": lambda results, wide, _: as_latex(results._paper(wide)),
    "tsv": lambda results, *_: as_csv(results._rows(), "\t"),
    "csv": lambda results, *_: as_csv(results._rows()),
    "json": lambda results, *_: as_json(results.to_dict()),
}
