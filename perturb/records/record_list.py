"""A list of records, and the table that a notebook shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, overload

from perturb.errors import OF_RECORDS, likely
from perturb.records.marked import html_text

if TYPE_CHECKING:
    from perturb.records.record import Record

# The number of records in a table; a longer one says how many more there are.
_ROWS = 20


class RecordList(list["Record"]):
    """A list of records; in a notebook it shows as a table of texts with their edits marked."""

    @overload
    def __getitem__(self, at: SupportsIndex) -> Record: ...
    @overload
    def __getitem__(self, at: slice) -> RecordList: ...
    def __getitem__(self, at: SupportsIndex | slice) -> Record | RecordList:
        records = super().__getitem__(at)
        return RecordList(records) if isinstance(records, list) else records

    def __getattr__(self, name: str) -> NoReturn:
        """Say which attribute of its records is meant."""
        known = dir(self[0]) if self else ()
        hint = likely(name, known, OF_RECORDS, "[record.text for record in records], or record.")
        raise AttributeError(f"a list of records has no attribute {name!r}{hint}")

    def _repr_html_(self) -> str:
        return html_table(self)


def html_table(records: Sequence[Record]) -> str:
    """Return the first records as a table of HTML: id, what was done, and the text with marks."""
    rows = "".join(map(_row, records[:_ROWS]))
    more = len(records) - _ROWS
    below = f"<caption style='caption-side:bottom'>and {more:,} more</caption>" if more > 0 else ""
    return (
        f"<table>{below}<thead><tr><th>id</th><th>edits</th><th>text</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(record: Record) -> str:
    done = f"{len(record.edits)}" if record.edits else html_text(record.status)
    return (
        f"<tr><td>{html_text(record.id)}</td><td>{done}</td>"
        f"<td style='text-align:left;white-space:pre-wrap'><bdi>{record.diff('html')}</bdi></td>"
        "</tr>"
    )
