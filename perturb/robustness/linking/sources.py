"""Rows and where they stand, so that an error can name the place."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from perturb.errors import DataError, UsageError
from perturb.io import files, json_path
from perturb.io.inner_rows import InnerRows, around_hint
from perturb.io.inputs import Inputs, expanded, is_device, place_of
from perturb.io.jsonl import at_line, text_of_json

Row = dict[str, Any]

# Rows that are looked at together, which an embedding model, a judge and arrays are faster with.
# They are held in memory meanwhile.
_BATCH = 2048


class RowSource(NamedTuple):
    """Numbered rows that can be read more than once, and their places, as in `scored.jsonl:3`."""

    at: Callable[[int], str]
    rows: Iterable[tuple[int, Row]]

    def reading(self, *names: str | None) -> RowSource:
        """Return these rows, with what a path leads to under the path itself, as one of its fields.

        Args:
            names: fields or paths to values, such as `filtered_resps[0]`; None for none. A field
                that is called so is no path.
        """
        paths = [name for name in names if name is not None and _IS_PATH.search(name)]
        return self._replace(rows=_Reached(self.rows, paths)) if paths else self

    @contextlib.contextmanager
    def naming(self, number: int) -> Iterator[None]:
        """Name the place of a row in errors about it."""
        try:
            yield
        except DataError as error:
            raise DataError(f"{self.at(number)}: {error}") from None


# Dots and brackets are what a name of a field seldom has.
_IS_PATH = re.compile(r"[.\[]")


@dataclass(frozen=True)
class _Reached:
    """Rows with the values that paths lead to; where one leads nowhere, they lack that field."""

    rows: Iterable[tuple[int, Row]]
    paths: Sequence[str]

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        for number, row in self.rows:
            found = {}
            for path in self.paths:
                with contextlib.suppress(DataError):
                    values = [value for _, value in json_path.locate(row, path)]
                    found[path] = values if json_path.is_many(path) else values[0]
            yield number, {**row, **found}


@dataclass(frozen=True)
class FileRows:
    """The rows of files, numbered by line; blank lines are passed over.

    Args:
        paths: the paths of the files.
        inner: the path to the rows in a line or a file that holds several; see `InnerRows`.
        where: fields of a row, or paths, and the text that each must hold; other rows are passed
            over.
        reply: the field of a reply; in it, an empty cell of a table is null, as tables write it.

    Raises:
        DataError: the file can't be read, or a line is no JSON object (file and line named).
        UsageError: it is standard input or a pipe, which can be read but once.
    """

    paths: Sequence[str]
    inner: str | None
    where: Sequence[tuple[str, str]]
    reply: str | None = None

    def __post_init__(self) -> None:
        for path in self.paths:
            if path == files.STANDARD or is_device(path):
                raise UsageError(
                    "scored rows are read more than once: give a file, since "
                    f"{files.title_of(path)} can be read only once"
                )

    def __iter__(self) -> Iterator[tuple[int, Row]]:
        inner = None if self.inner is None else InnerRows(self.inner)
        every = kept = 0
        with contextlib.closing(Inputs(self.paths, hashed=False, inner=inner)) as source:
            is_table = source.format.tables == "text" and inner is None
            reply = self.reply if is_table else None
            for each in source.rows():
                number, row = each
                if reply is not None and row.get(reply) == "":
                    row[reply] = None
                if not self.where and type(row) is dict:
                    yield each  # as most are
                    continue
                if not isinstance(row, dict):
                    raise DataError(f"{source.at(number)}: a row is a JSON object; got {row!r:.40}")
                every += 1
                with at_line(source.at(number)):
                    if not all(value in _texts(row, field) for field, value in self.where):
                        continue
                kept += 1
                yield number, row
        if every and not kept:
            where = " ".join(f"--where {field}={value}" for field, value in self.where)
            raise DataError(f"{where} leaves none of the {every:,} rows of {', '.join(self.paths)}")


def _texts(row: Row, field: str) -> list[str]:
    """Return the values of a field as they are written on a command line."""
    is_path = _IS_PATH.search(field)
    places = json_path.locate(row, field) if field in row or is_path else ()
    if not places and not (is_path and json_path.is_many(field)):  # which may select nothing
        inner = [name for name, one in row.items() if isinstance(one, dict) and field in one]
        nested = "".join(f"; did you mean {name}.{field}?" for name in inner[:1])
        known = f"{', '.join(map(str, row))}{nested or around_hint(row, field)}"
        raise DataError(f"the row has no field {field!r}; it has {known}")
    return [each if isinstance(each, str) else text_of_json(each) for _, each in places]


def file_source(path: Path) -> RowSource:
    """Return the rows of a file, folder, pattern or address; see `FileRows`."""
    return files_source(expanded([str(path)]))


def files_source(
    paths: Sequence[str],
    inner: str | None = None,
    where: Sequence[tuple[str, str]] = (),
    reply: str | None = None,
) -> RowSource:
    """Return the rows of files; see `file_source`."""
    return RowSource(partial(place_of, paths), FileRows(paths, inner, where, reply))


def all_rows(sources: Iterable[RowSource]) -> Iterator[Row]:
    """Read the rows of all sources, in order."""
    return (row for source in sources for _, row in source.rows)


def batches(sources: Iterable[RowSource]) -> Iterator[tuple[RowSource, list[tuple[int, Row]]]]:
    """Yield the rows of all sources, in order, many together, each with its number."""
    for source in sources:
        numbered = iter(source.rows)
        while batch := list(islice(numbered, _BATCH)):
            yield source, batch


def rows_at(
    sources: Iterable[RowSource], places: Iterable[int]
) -> Iterator[tuple[RowSource, int, Row]]:
    """Read the rows at these places among those of all sources again, each with its number."""
    wanted = {int(place) for place in places}
    every = ((source, *each) for source in sources for each in source.rows)
    for place, each in enumerate(islice(every, max(wanted, default=-1) + 1)):
        if place in wanted:
            yield each


NO_ROW = (
    "rows are dicts, as json.loads makes of a file's lines and to_dict('records') of a frame; got "
    "{!r:.60}"
)


def listed_source(rows: Iterable[Row], names: Iterable[str] = ()) -> RowSource:
    """Return rows in memory.

    Args:
        rows: the rows.
        names: the fields of replies and scores; NaN in one is null, as frames of pandas write it.

    Raises:
        TypeError: they are no rows, but perhaps the name of a file of them.
    """
    kept, listed, names = list[Row](), [rows] if isinstance(rows, (str, Path)) else rows, [*names]
    for row in listed:
        if not isinstance(row, dict):
            raise TypeError(NO_ROW.format(row))
        for name in names:
            if type(row.get(name)) is float and row[name] != row[name]:
                row = {**row, name: None}
        kept.append(row)
    return RowSource("row {}".format, list(enumerate(kept)))
