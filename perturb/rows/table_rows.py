"""Tables: perturb the texts in a column, and add the column of their linkage records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.frames import Frame, rows_of
from perturb.plan.job import Job
from perturb.plan.options import LINKAGE
from perturb.plan.recipe import written_original
from perturb.records.ids import id_change, id_changes, id_of_text
from perturb.records.notation import NAMES, arrow_type
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_numbered
from perturb.rows.text_field import MISSING_HINT, is_missing
from perturb.values.arrays import Bool, Int64

if TYPE_CHECKING:
    import pyarrow as pa

# The columns of records in a table of text.
FLAT = [f"{LINKAGE}.{name}" for name in NAMES]
# The places of some rows in the table that is made, and their new columns.
Piece = tuple[Int64, Mapping[str, Any]]


def perturb_table(frame: Frame, job: Job, *, counts: RowCounts | None = None) -> Any:
    """Perturb the texts of a table.

    Rows with a string in a column are perturbed as columns, and all others as objects.

    Args:
        frame: the table.
        job: the instructions for each row.
        counts: the counts to which these rows are added.

    Returns:
        A table of the same kind, each row repeated for its versions.

    Raises:
        DataError: a column is missing, or a row is wrong; the message has its number, from 1.
    """
    counts = counts or RowCounts()
    root = checked_roots(frame.names, job)[0]
    texts = frame.column(root)
    ids = frame.column(job.id_field) if job.id_field in frame.names else [None] * len(texts)
    if job.missing == "error" and (row := _first_missing(texts)) is not None:
        raise DataError(f"row {row + 1} has no text in {root!r}; {MISSING_HINT}")
    usual = _are_usual(texts, ids, job, root)
    others = np.flatnonzero(~usual)
    made: list[tuple[dict[str, Any], ...]] = []
    if len(others):
        given = _at(rows_of(frame), others)
        made = perturb_numbered(given, job, (others + 1).tolist(), counts)
    copies = np.full(len(texts), job.rows)
    copies[others] = list(map(len, made))
    first = np.cumsum(copies) - copies
    pieces: list[Piece] = []
    if usual.any():
        own = usual.nonzero()[0]
        pieces += _by_column(
            frame, _texts(_at(texts, own), _at(ids, own), job), first[own], job, counts
        )
    if len(others) or not pieces:
        places = np.flatnonzero(~usual.repeat(copies))
        pieces.append((places, _columns_of(frame, job, list(chain.from_iterable(made)))))
    rows = np.arange(len(texts)).repeat(copies)
    return frame.replaced(rows, _merged(pieces), job.id_field)


def _first_missing(texts: Sequence[Any]) -> int | None:
    """Return the number of the first row without a text."""
    if set(map(type, texts)) <= {str}:
        return None
    return next((row for row, text in enumerate(texts) if is_missing(text)), None)


def _are_usual(texts: Sequence[Any], ids: Sequence[Any], job: Job, root: str) -> Bool:
    """Mark the rows whose text is a string in a column, and whose id is usual."""
    more = job.target, job.spans, job.protect_sources, job.only_sources
    if any(more) or job.field != (root,):
        return np.zeros(len(texts), np.bool_)
    if set(map(type, texts)) <= {str} and set(map(type, ids)) <= {str, int, type(None)}:
        return np.ones(len(texts), np.bool_)
    pairs = zip(texts, ids, strict=True)
    return np.array(
        [type(text) is str and (name is None or type(name) in (str, int)) for text, name in pairs]
    )


def _at(values: Sequence[Any], rows: Int64) -> Sequence[Any]:
    """Return the values of some rows, in order."""
    if len(rows) == len(values):
        return values
    return [values[row] for row in rows.tolist()]


def _texts(texts: Sequence[str], ids: Sequence[Any], job: Job) -> Texts:
    """Return the texts of rows with usual ids."""
    names: list[str] | None = None
    changes: list[str] | str | None
    if set(map(type, ids)) == {type(None)}:
        changes = id_change(job.id_field, None)
    else:
        pairs = zip(ids, texts, strict=True)
        names = [id_of_text(text) if name is None else str(name) for name, text in pairs]
        changes = id_changes(job.id_field, ids)
    return Texts(texts, names, fields=[job.field[0]] * len(texts), id_changes=changes)


def _by_column(
    frame: Frame, texts: Texts, first: Int64, job: Job, counts: RowCounts
) -> Iterator[Piece]:
    """Yield the versions of texts, each with the places of these.

    Args:
        frame: the table.
        texts: the texts.
        first: the place of the first version of each.
        job: the instructions for each row.
        counts: the counts to which these rows are added.
    """
    counts.rows += len(texts)
    counts.texts += len(texts)
    counts.written += len(texts) * job.rows
    if job.with_original:
        of_ids = texts.id_changes or ""
        record = (
            *(texts.names, texts.texts if job.has_original else "", "original", "original"),
            *("same", of_ids, texts.checks, written_original(job)),
        )
        names = (job.field[0], texts.texts), (job.id_field, texts.names)
        yield first, dict(names) | _records(frame, record, len(texts))
    for number, version in enumerate(job.versions, job.with_original):
        for rows, batch in perturb_batches(texts, version):
            counts.see(batch)
            columns = {job.field[0]: batch.texts, job.id_field: batch.ids}
            yield first[rows] + number, columns | _records(frame, batch.columns(), len(batch))


def _records(frame: Frame, columns: Sequence[Any], rows: int) -> dict[str, Any]:
    """Return the column of records.

    Args:
        frame: the table that they are for.
        columns: the columns of the records; one string where it is the same in all.
        rows: their number.
    """
    if frame.records == "arrow":
        return {LINKAGE: record_array(columns, rows)}
    whole = [[each] * rows if isinstance(each, str) else list(each) for each in columns]
    if frame.records == "columns":
        return dict(zip(FLAT, whole, strict=True))
    return {LINKAGE: [dict(zip(NAMES, values, strict=True)) for values in zip(*whole, strict=True)]}


def record_array(columns: Sequence[Any], rows: int) -> pa.StructArray:
    """Return records as an array of structs; see `_records`."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import text_array

    # `pyarrow.repeat` imports pandas too where it is given a string.
    arrays = [
        pa.repeat(text_array([values])[0], rows) if isinstance(values, str) else text_array(values)
        for values in columns
    ]
    return pa.StructArray.from_arrays(arrays, fields=list(arrow_type()))


def _columns_of(frame: Frame, job: Job, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the new columns of rows that were perturbed as objects."""
    paths = (*job.field, *job.target, *(source.path for source in job.spans))
    changed = {path if path in frame.names else json_path.parse(path)[0] for path in paths}
    columns = {name: [row[name] for row in rows] for name in [*sorted(changed), job.id_field]}
    records = [[row[LINKAGE][name] for row in rows] for name in NAMES]
    return columns | _records(frame, records, len(rows))


def _merged(pieces: Sequence[Piece]) -> dict[str, Any]:
    """Return the columns of all pieces, each row in its place."""
    places = np.concatenate([places for places, _ in pieces])
    order = None if (places[1:] > places[:-1]).all() else np.argsort(places)
    return {
        name: _ordered([columns[name] for _, columns in pieces], order) for name in pieces[0][1]
    }


def _ordered(parts: Sequence[Any], order: Int64 | None) -> Any:
    """Return the parts of a column as one, in an order."""
    if isinstance(parts[0], list):
        whole = parts[0] if len(parts) == 1 else list(chain.from_iterable(parts))
        return whole if order is None else [whole[place] for place in order.tolist()]
    import pyarrow as pa

    from perturb.io.arrow_arrays import number_array

    array = parts[0] if len(parts) == 1 else pa.concat_arrays(parts)
    return array if order is None else array.take(number_array(order))


def checked_roots(names: Sequence[str], job: Job) -> list[str]:
    """Return the names of the columns that hold the texts of a table with columns of these names.

    Raises:
        DataError: there is none, or one for the records is there already.
    """
    roots = [path if path in names else json_path.parse(path)[0] for path in job.field]
    for root in roots:
        if root not in names:
            there_are = ", ".join(map(str, names))
            raise DataError(
                f"the table has no column {root!r} with the text; it has {there_are}; say with "
                "field= (--field) which holds it"
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
