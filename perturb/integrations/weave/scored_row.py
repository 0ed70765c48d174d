"""One row of an evaluation, with what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Row = Mapping[str, Any]
Summary = dict[str, Any]


class ScoredRow(NamedTuple):
    """One row of the data set with what became of it.

    Attributes:
        row: the row.
        output: of the model; None where it raised.
        scores: of each scorer, by its name; none where the model raised.
        error: what the model or a scorer raised; None where all went well.
    """

    row: Row
    output: Any
    scores: dict[str, Any]
    error: str | None
