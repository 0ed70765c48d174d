"""Texts of rows that the page shows, read again instead of kept in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import orjson

from perturb.arrays import Int64
from perturb.errors import DataError, PerturbError
from perturb.io import json_path
from perturb.records.edit import Edit, edits_and_original, rebuild
from perturb.robustness.scoring.record_text import written_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence, Set

    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.sources import Row, RowSource


class Notes(NamedTuple):
    """One entry a pair: the number of its edits, and its value of each field to slice by."""

    edits: Int64
    values: dict[str, list[str]]


def notes(sources: Sequence[RowSource], pairs: Pairs, fields: Sequence[str]) -> Notes:
    """Read the number of edits and the fields of the perturbed rows.

    Raises:
        DataError: a row has no such field, or several values there (named).
    """
    edits = np.zeros(pairs.place.size, np.int64)
    values: dict[str, list[str]] = {field: [] for field in fields}
    for at, (where, row) in enumerate(rows_at(sources, set(pairs.place.tolist()))):
        edits[at] = len(row["perturbation"].get("edits") or ())
        for field, column in values.items():
            try:
                column.append(_value(row, field))
            except PerturbError as error:
                raise DataError(f"{where}: {error}") from None
    return Notes(edits, values)


def _value(row: Row, field: str) -> str:
    found = json_path.locate(row, field)
    if len(found) != 1:
        raise DataError(f"the field {field!r} leads to {len(found)} values; expected one")
    value = found[0][1]
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def rows_at(sources: Sequence[RowSource], places: Set[int]) -> Iterator[tuple[str, Row]]:
    """Return the rows at these places among all rows of the sources, each with its location."""
    place = 0
    for source in sources:
        for number, row in source.rows:
            if place in places:
                yield source.at(number), row
            place += 1


def texts(row: Row) -> tuple[str | None, list[Edit] | None, str | None]:
    """Return the original, the edits, and the perturbed text of a row, as far as it holds them.

    The original is restored from the text where the record is a compact one.
    """
    record = row["perturbation"]
    text = written_text(row)
    if record.get("edits") is None:
        return record.get("original"), None, text
    edits, original = edits_and_original(record, text)
    return (
        (original, None, text) if original is None else (original, edits, rebuild(original, edits))
    )
