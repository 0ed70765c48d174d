"""Tables of text, such as those of CSV: rows of a file as columns, before anything has a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple


class TextTable(NamedTuple):
    """Some rows of a file; sliced as a table of Arrow is.

    Attributes:
        columns: the values of each column by its name: strings, but for columns that come from the
            path of the file or hold lists.
        numbers: the number of each row's first line.
        broken: by their places the rows that can't be read, as `perturb.io.jsonl.broken` writes
            them; their values are None.
    """

    columns: Mapping[str, Sequence[Any]]
    numbers: Sequence[int]
    broken: Mapping[int, bytes]

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """The characters of all values, for bounds of memory."""
        return sum(sum(map(len, map(str, values))) for values in self.columns.values())

    def slice(self, at: int, rows: int) -> TextTable:
        """Return some rows."""
        part = slice(at, at + rows)
        columns = {name: values[part] for name, values in self.columns.items()}
        broken = {n - at: row for n, row in self.broken.items() if at <= n < at + rows}
        return TextTable(columns, self.numbers[part], broken)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows as mappings."""
        values = zip(*self.columns.values(), strict=True)
        return (dict(zip(self.columns, row, strict=True)) for row in values)

    def further(self, start: int, told: Mapping[str, Any]) -> TextTable:
        """Return the rows of a later file, with the columns from its path."""
        columns = {**self.columns, **{name: [told[name]] * self.num_rows for name in told}}
        return TextTable(columns, [start + number for number in self.numbers], self.broken)
