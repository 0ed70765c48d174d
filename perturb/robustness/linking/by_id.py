"""Rows of other programs' logs, which have ids alone: joined with the perturbed rows by these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from perturb.errors import DataError, shown
from perturb.plan.options import LINKAGE
from perturb.records.ids import given_id
from perturb.robustness.linking.record_text import id_field_of, linkage_of
from perturb.robustness.linking.sources import Row, RowSource, file_source


def joined(source: RowSource, records: str | None, id_field: str) -> RowSource:
    """Return rows with what the perturbed rows of their ids have, their own fields first.

    Args:
        source: the rows.
        records: the file of the perturbed rows; None if the rows have their records.
        id_field: the field with the id of a row, or a path to one.
    """
    return source._replace(rows=_Joined(source, records, id_field))


@dataclass(frozen=True)
class _Joined:
    """The rows of `joined`; the perturbed ones are in memory, from the first on."""

    source: RowSource
    records: str | None
    id_field: str

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        for number, row in self.source.rows:
            with self.source.naming(number):
                name = given_id(row, self.id_field)
                if name is None:
                    raise DataError(f"the row has no id in {self.id_field!r}: see --id-field")
                if self.records is not None:
                    if str(name) not in self._perturbed:
                        raise DataError(f"{self.records} has no row with the id {shown(name)}")
                    asked = self._perturbed[str(name)]
                    row = {**asked, **row, LINKAGE: linkage_of(asked)}
            yield number, {**row, "id": name}

    @cached_property
    def _perturbed(self) -> dict[str, Row]:
        source = file_source(Path(str(self.records)))
        perturbed = {}
        for number, row in source.rows:
            with source.naming(number):
                perturbed[str(given_id(row, id_field_of(row)))] = row
        return perturbed
