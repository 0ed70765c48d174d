"""Tables: perturb the texts in a column, and add the column of their linkage records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from perturb.engine.edits import followed
from perturb.engine.text.strings import SEPARATOR, Strings, as_list, repeated, stack
from perturb.errors import DataError, suggestion
from perturb.io import json_path
from perturb.io.frames import Frame, listed, rows_of
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records.ids import hashes_of_rows, id_changes, id_of_text, is_no_id
from perturb.records.notation import ABSENT, NAMES, arrow_type, read
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts
from perturb.rows.counts import RowCounts
from perturb.rows.dict_rows import perturb_numbered
from perturb.rows.seen_ids import id_column, own_ids
from perturb.values.arrays import Bool, Int64, NDArray

if TYPE_CHECKING:
    import pyarrow as pa

# The columns of the parts of records.
FLAT = [f"{LINKAGE}.{name}" for name in NAMES]
# The types of usual ids.
_ID_TYPES = {str, int, type(None), type(ABSENT)}
# Perturbs the rows at these places, each as an object.
Others = Callable[[list[int]], list[tuple[dict[str, Any], ...]]]
# The places of some rows in the table that is made, and their new columns; a string in place of a
# column is in each of its rows.
Piece = tuple[Int64, Mapping[str, Any]]
Column = Sequence[Any] | Strings


class Perturbed(NamedTuple):
    """A table after a job.

    Attributes:
        data: a table of the same kind, each row repeated for its versions.
        names: the id of each row's original; None for a row that was left out.
    """

    data: Any
    names: list[str | None]


def perturb_table(
    frame: Frame, job: Job, *, counts: RowCounts | None = None, others: Others | None = None
) -> Perturbed:
    """Perturb the texts of a table.

    Rows with a string in a column are perturbed as columns, and all others as objects.

    Args:
        frame: the table.
        job: the instructions for each row.
        counts: the counts to which these rows are added.
        others: perturbs the rows at some places as objects; by default an error names the row.

    Raises:
        DataError: a column is missing, or a row is wrong; the message has its number, from 1.
    """
    counts = counts or RowCounts()
    root = checked_roots(frame.names, job)[0]
    texts = frame.texts(root)
    if (ids := ids_of_table(frame, job.id_field, as_texts=True)) is None:
        ids = [ABSENT] * len(texts)
    usual = _are_usual(texts, ids, job, root)
    if json_path.is_path(job.id_field) and job.id_field not in frame.names:
        usual[:] = False
    versions: list[tuple[int, Int64, dict[str, Any]]] = []
    names: Any = np.empty(len(texts), object)
    own = np.flatnonzero(usual)
    if len(own):
        some = _apart(texts) if len(own) == len(texts) else _at(as_list(texts), own)
        given = _texts(some, _at(ids, own), job, lambda: hashes_of_rows(_at(rows_of(frame), own)))
        seen = RowCounts()
        try:
            versions = list(_by_column(given, job, seen, not frame.arrow))
            if not isinstance(ids, Strings):  # else no row is without an id
                names[own] = as_list(given.names)
            counts.add(seen)
        except DataError:  # the row at fault is found among objects
            usual[:] = False
    left = np.flatnonzero(~usual)
    made: list[tuple[dict[str, Any], ...]] = []
    if len(left):
        made = (others or partial(_numbered, frame, job, counts))(left.tolist())
        names[left] = [each[0][LINKAGE]["original_id"] if each else None for each in made]
    copies = np.full(len(texts), job.rows_each)
    copies[left] = list(map(len, made))
    first = np.cumsum(copies) - copies
    pieces = [(first[own[rows]] + number, columns) for number, rows, columns in versions]
    if len(left) or not pieces:
        places = np.flatnonzero(~usual.repeat(copies))
        pieces.append((places, _columns_of(frame, job, list(chain.from_iterable(made)))))
    columns = _with_records(frame, *_merged(pieces))
    rows = np.arange(len(texts)).repeat(copies)
    return Perturbed(frame.replaced(rows, columns, job.id_field), names.tolist())


def ids_of_table(frame: Frame, id_field: str, *, as_texts: bool = False) -> Any:
    """Return the ids of the rows of a table, as a list or as texts; None if no column has them."""
    column = id_column(frame.names, id_field)
    if column is None or column == id_field:
        read = frame.texts if as_texts else frame.column
        return None if column is None else read(column)
    return own_ids([{column: value} for value in frame.column(column)], id_field)


def _numbered(
    frame: Frame, job: Job, counts: RowCounts, places: list[int]
) -> list[tuple[dict[str, Any], ...]]:
    """Perturb rows as objects; an error has the number of the row, from 1."""
    rows = rows_of(frame)
    numbers = [place + 1 for place in places]
    return perturb_numbered([rows[place] for place in places], job, numbers, counts)


def _are_usual(texts: Column, ids: Column, job: Job, root: str) -> Bool:
    """Mark the rows whose text is a string in a column, and whose id is usual."""
    if job.reads_more or job.field != (root,):
        return np.zeros(len(texts), np.bool_)
    kinds = [{str} if isinstance(each, Strings) else set(map(type, each)) for each in (texts, ids)]
    if kinds[0] <= {str} and kinds[1] <= _ID_TYPES:
        return np.ones(len(texts), np.bool_)
    pairs = zip(as_list(texts), as_list(ids), strict=True)
    return np.array([type(text) is str and type(name) in _ID_TYPES for text, name in pairs])


def _apart(texts: Column) -> Column:
    """Return the texts of a column as `Strings.of_texts` gives them, if they are strings."""
    if not isinstance(texts, Strings):
        return texts
    parted = followed(texts, SEPARATOR)
    codes: NDArray[Any] = np.insert(parted.codes, 0, 0)
    return Strings(codes, parted.starts + 1, parted.ends)


def _at(values: Any, rows: Int64) -> Any:
    """Return the values of some rows, in order."""
    if len(rows) == len(values):
        return values
    if isinstance(values, Strings):
        return values.take(rows)
    return [values[row] for row in rows.tolist()]


def _texts(texts: Column, ids: Column, job: Job, hashes: Callable[[], list[str]]) -> Texts:
    """Return the texts of rows with usual ids; `hashes` returns those of the rows."""
    names: list[str] | Strings | None = None
    apart: list[str] | None = None
    if isinstance(ids, Strings):
        names = ids
    elif set(map(type, ids)) <= {str, int}:  # as most are
        names = list(map(str, ids))
    elif not all(map(is_no_id, ids)):
        known = zip(ids, as_list(texts), hashes(), strict=True)
        names = [
            id_of_text(text, row) if is_no_id(name) else str(name) for name, text, row in known
        ]
    else:
        apart = hashes()
    return Texts(
        texts,
        names,
        fields=[job.field[0]] * len(texts),
        id_changes=id_changes(job.id_field, ids),
        apart=apart,
    )


def _by_column(
    texts: Texts, job: Job, counts: RowCounts, decoded: bool
) -> Iterator[tuple[int, Int64, dict[str, Any]]]:
    """Yield the new columns of texts: the number of the version, the texts, and their columns.

    Args:
        texts: the texts.
        job: the instructions for each row.
        counts: the counts to which these rows are added.
        decoded: whether strings of Python are wanted, and not those of the engine.
    """
    counts.rows += len(texts)
    counts.texts += len(texts)
    counts.written += len(texts) * job.rows_each
    if job.with_original:
        own = texts.texts if decoded else texts.source
        record = (
            *(texts.names, own if job.has_original else "", "original", "original"),
            *("same", texts.id_changes or "", texts.checks, written_original(job)),
        )
        columns: dict[str, Any] = {job.field[0]: own, job.id_field: texts.names}
        yield 0, np.arange(len(texts)), {**columns, **dict(zip(FLAT, record, strict=True))}
    for number, version in enumerate(job.versions, job.with_original):
        for rows, batch in perturb_batches(texts, version, decoded):
            counts.see_edits(batch)
            counts.see_reasons(version.condition.label, batch.outcome.reasons)
            now = batch.texts if decoded else batch.outcome.result
            columns = {job.field[0]: now, job.id_field: batch.ids}
            yield number, rows, {**columns, **dict(zip(FLAT, batch.columns(), strict=True))}


def _columns_of(frame: Frame, job: Job, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the new columns of rows that were perturbed as objects."""
    paths = (*job.field, *job.target, *job.choice_paths, *(source.path for source in job.spans))
    changed = {json_path.root_of(path, frame.names) for path in paths}
    if job.choices or job.copies == "follow":  # fields that no path names may be changed too
        changes = [read(row[LINKAGE]["edits"]) for row in rows]
        told = {path for each in changes for path in (*each.texts, *each.values)}
        changed |= {json_path.root_of(path, frame.names) for path in told}
        changed &= {*frame.names}
    names = dict.fromkeys([*sorted(changed), id_column(frame.names, job.id_field) or job.id_field])
    columns = {name: [row[name] for row in rows] for name in names}
    of_records = [[row[LINKAGE][name] for row in rows] for name in NAMES]
    return {**columns, **dict(zip(FLAT, of_records, strict=True))}


def _merged(pieces: Sequence[Piece]) -> tuple[dict[str, Any], int]:
    """Return the columns of all pieces, each row in its place, and the number of rows."""
    places = np.concatenate([places for places, _ in pieces])
    order = None if (places[1:] > places[:-1]).all() else np.argsort(places)
    if len(pieces) == 1 and order is None:
        return {**pieces[0][1]}, len(places)
    merged: dict[str, Any] = {}
    for name in pieces[0][1]:
        parts = [columns[name] for _, columns in pieces]
        if isinstance(parts[0], str) and parts.count(parts[0]) == len(parts):
            merged[name] = parts[0]
            continue
        pairs = [(part, len(places)) for part, (places, _) in zip(parts, pieces, strict=True)]
        if all(isinstance(part, str | Strings) for part in parts):
            texts = stack(
                *(repeated(part, size) if isinstance(part, str) else part for part, size in pairs)
            )
            merged[name] = texts if order is None else texts.take(order)
            continue
        lists = ([part] * size if isinstance(part, str) else listed(part) for part, size in pairs)
        whole = list(chain.from_iterable(lists))
        merged[name] = whole if order is None else list(map(whole.__getitem__, order.tolist()))
    return merged, len(places)


def _with_records(frame: Frame, columns: dict[str, Any], rows: int) -> dict[str, Any]:
    """Return columns with records in the form that a table has.

    Args:
        frame: the table.
        columns: the columns, with one for each part of records; one string where it is the same in
            all.
        rows: the number of rows.
    """
    parts = [columns.pop(name) for name in FLAT]
    if frame.arrow:
        return {**columns, LINKAGE: record_array(parts, rows)}
    whole = (repeat(part, rows) if isinstance(part, str) else listed(part) for part in parts)
    records = [dict(zip(NAMES, values, strict=True)) for values in zip(*whole, strict=True)]
    return {**columns, LINKAGE: records}


def record_array(columns: Sequence[Any], rows: int) -> pa.StructArray:
    """Return records as an array of structs; see `_with_records`."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import text_array

    # `pyarrow.repeat` imports pandas too where it is given a string.
    arrays = [
        pa.repeat(text_array([values])[0], rows) if isinstance(values, str) else text_array(values)
        for values in columns
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(arrow_type()))


def checked_roots(names: Sequence[str], job: Job) -> list[str]:
    """Return the names of the columns that hold the texts of a table with columns of these names.

    Raises:
        DataError: there is none, or one for the records is there already.
    """
    paths = (*job.field, *job.choice_paths)
    roots = [json_path.root_of(path, names) for path in paths]
    for root in roots:
        if root not in names:
            raise DataError(
                f"the table has no column {root!r} with the text: "
                f"{suggestion(root, names, json_path.NEAR)}; say with field= (--field) which it is"
            )
    if LINKAGE in names or not set(FLAT).isdisjoint(names):
        raise DataError(
            f"the table has a column {LINKAGE!r} already; to perturb a text several times "
            "give all steps in one run"
        )
    return roots


def new_types(job: Job) -> dict[str, pa.DataType]:
    """Return the Arrow types of the columns that a job adds to a table, or replaces in it."""
    record = arrow_type()
    import pyarrow as pa  # which arrow_type tells to install

    return {job.id_field: pa.string(), LINKAGE: record}
