"""Rows inside the values of a file, such as the questions of an article, made rows of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.io.jsonl import as_given, at_line, broken, dumps, loads, parsed

if TYPE_CHECKING:
    from perturb.io.formats import Input

# The field of a row with the object around it. Paths lead into it as into any other, so what
# reads, records and restores texts needs no second way for the fields of parents.
AROUND = "^"


def around_hint(row: Mapping[str, Any], name: str) -> str:
    """Return a clause with the path of a field of the objects around a row; "" if none has it."""
    path, here = f"{AROUND}.{name}", row.get(AROUND)
    while isinstance(here, Mapping) and name not in here:
        path, here = f"{AROUND}.{path}", here.get(AROUND)
    return f"; around it is {path}" if here else ""


class InnerRows(NamedTuple):
    """Where rows are in the values of a file, and the fields of the objects around that they keep.

    Attributes:
        path: the path from a value to its rows.
        kept: objects and lists of the objects around a row that it keeps besides their plain
            values: how far out each is, from 1, and its key; None for all. A log repeats its
            configuration and statistics for each sample otherwise.
    """

    path: str
    kept: frozenset[tuple[int, str]] | None = None

    @classmethod
    def of(cls, path: str, read: Iterable[str]) -> InnerRows:
        """Return the rows at a path, which keep what these paths read of the objects around."""
        kept = set[tuple[int, str]]()
        for each in map(json_path.parse, read):
            out = next((at for at, part in enumerate(each) if part != AROUND), len(each))
            kept.update((out, part) for part in each[out : out + 1] if out)
        return cls(path, frozenset(kept))

    @property
    def outermost(self) -> tuple[str, ...]:
        """The keys to the outermost list if each of its elements may hold rows; else none."""
        parts = json_path.selections(self.path)
        at = next((n for n, part in enumerate(parts) if part[0] == "["), 0)
        streams = at and json_path.is_each(parts[at]) and json_path.ANY not in parts[:at]
        return tuple(parts[:at]) if streams else ()

    @property
    def depth(self) -> int:
        """How many objects are around a row."""
        return sum(part[0] != "[" for part in json_path.parse(self.path))

    def keeps(self, out: int, key: str, *, is_plain: bool) -> bool:
        """Return true if rows keep a field of an object around them, so far out."""
        return is_plain or self.kept is None or (out, key) in self.kept

    def rows_of(self, value: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows in a value.

        Raises:
            DataError: the path leads nowhere, or to a value that isn't a row.
        """
        if not isinstance(value, Mapping):
            raise DataError(f"expected an object that holds {self.path!r}; got {shown(value)}")
        known: dict[json_path.Location, dict[str, Any]] = {}
        for location, row in json_path.locate(value, self.path):
            if isinstance(row, str):
                row = {"text": row}
            if not isinstance(row, dict):
                raise DataError(
                    f"{json_path.written(location)!r} must be an object or a text to be a row; "
                    f"got {shown(row)}"
                )
            if AROUND in row:
                place_of = json_path.written(location)
                raise DataError(f"the row in {place_of!r} has a field {AROUND!r} already")
            place = location
            while isinstance(place[-1], int):
                place = place[:-1]
            if place not in known:
                known[place] = self._around(value, place)
            yield {**row, AROUND: known[place]} if known[place] else row

    def lines(self, blocks: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """Yield the rows in values as numbered lines of JSON without line ends.

        Args:
            blocks: lines of JSON with the values, each block with the number of the first.
        """
        number = 1
        for first, block in blocks:
            for line in parsed(first, block, as_written=True):
                try:
                    if line.error is not None:
                        raise line.error
                    made = [dumps(row)[:-1] for row in self.rows_of(line.value)]
                except DataError as error:
                    made = [broken(f"value {line.number}: {error}", as_given(line.data))]
                yield from enumerate(made, number)
                number += len(made)

    def rows(self, file: Input) -> Iterator[tuple[int, Any]]:
        """Yield the rows in the values of a file, numbered.

        Raises:
            DataError: a value can't be read, or has no rows; the message says where.
        """
        for number, line in self.lines(file.blocks()):
            with at_line(f"{file.name}:{number}"):
                yield number, loads(line)

    def _around(self, value: Any, place: json_path.Location) -> dict[str, Any]:
        """Return the fields of the objects around a row, each with those further out in it."""
        around: dict[str, Any] = {}
        out = self.depth
        for key in place:
            if isinstance(key, str):
                kept = {
                    name: field
                    for name, field in value.items()
                    if name != key
                    and self.keeps(out, name, is_plain=not isinstance(field, dict | list))
                }
                around = {**kept, AROUND: around} if around else kept
                out -= 1
            value = value[key]
        return around
