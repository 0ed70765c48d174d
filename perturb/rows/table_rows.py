"""Tables: perturb the texts in a column, and add the column of their linkage records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.errors import DataError
from perturb.io import json_path
from perturb.io.frames import Frame, listed, rows_of
from perturb.plan.job import Job, Version
from perturb.plan.options import LINKAGE
from perturb.records.batch import RecordBatch
from perturb.records.ids import checked_id, hashes_of_rows, is_no_id
from perturb.records.notation import ABSENT, arrow_type
from perturb.records.perturb_texts import perturb_batches
from perturb.records.texts import Texts, in_order, places_in_order
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_numbered, plain_texts, untouched
from perturb.rows.row_texts import row_texts
from perturb.rows.text_field import MISSING_HINT, is_missing
from perturb.values.arrays import Bool, Int64

if TYPE_CHECKING:
    import pyarrow as pa


def perturb_table(frame: Frame, job: Job, *, counts: RowCounts | None = None) -> Any:
    """Perturb the texts of a table.

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
    is_column = job.is_plain and root == job.field[0]
    if set(map(type, texts)) == {str}:
        there = np.ones(len(texts), np.bool_)
    elif is_column or job.missing == "error":
        there = np.array([not is_missing(text) for text in texts], np.bool_)
    else:
        there = np.array([_has_text(row, job) for row in rows_of(frame)], np.bool_)
    if job.missing == "error" and not there.all():
        raise DataError(f"row {int(there.argmin()) + 1} has no text in {root!r}; {MISSING_HINT}")
    keeps = job.missing == "keep" and not there.all()
    rows = np.arange(len(texts)).repeat(np.where(there, job.rows, int(keeps)))
    numbers = np.flatnonzero(there).tolist()
    ids = frame.column(job.id_field) if job.id_field in frame.names else [ABSENT] * len(texts)
    plain = None
    if is_column:
        own = _at(texts, numbers), _at(ids, numbers)
        plain = plain_texts(*own, job, lambda: hashes_of_rows(_at(rows_of(frame), numbers)))
    if plain is not None:
        columns = _by_column(frame, job, plain, counts)
    else:
        for row in numbers if is_column else ():
            _check_cells(row, texts[row], ids[row], job)
        columns = _by_row(frame, job, numbers, counts)
    counts.rows += len(texts) - len(numbers)
    if keeps:
        counts.written += len(texts) - len(numbers)
        columns = _with_missing(frame, job, columns, rows, there)
    return frame.replaced(rows, columns, job.id_field)


def _has_text(row: Mapping[str, Any], job: Job) -> bool:
    try:
        return not row_texts(row, job).is_missing
    except DataError:
        return True  # it is met again where an error says in which row it is


def _check_cells(row: int, text: Any, name: Any, job: Job) -> None:
    """Refuse what can be neither a text nor an id, by the names of the columns."""
    if not isinstance(text, str | list | np.ndarray):
        raise DataError(f"row {row + 1}: {job.field[0]!r} must be a text; got {text!r}")
    try:
        _ = is_no_id(name) or checked_id(name)
    except TypeError as error:
        raise DataError(f"row {row + 1}: the column {job.id_field!r}: {error}") from None


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
    if LINKAGE in names:
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


def _by_column(frame: Frame, job: Job, texts: Texts, counts: RowCounts) -> dict[str, Any]:
    """Return the new columns of the rows that have a text, from the engine's columns."""
    versions = [_version(texts, version, frame.arrow, counts) for version in job.versions]
    counts.rows += len(texts)
    counts.texts += len(texts)
    counts.written += len(texts) * len(versions)
    names = (job.field[0], job.id_field, LINKAGE)
    return {
        name: _interleaved([version[at] for version in versions]) for at, name in enumerate(names)
    }


def _by_row(frame: Frame, job: Job, numbers: list[int], counts: RowCounts) -> dict[str, Any]:
    """Return the new columns of the rows that have a text, perturbed as rows."""
    rows = rows_of(frame)
    perturbed = perturb_numbered(
        [rows[row] for row in numbers], job, [row + 1 for row in numbers], counts
    )
    paths = (*job.field, *job.target, *(source.path for source in job.spans))
    changed = {path if path in frame.names else json_path.parse(path)[0] for path in paths}
    columns: dict[str, Any] = {
        name: [row[name] for row in perturbed] for name in [*sorted(changed), job.id_field, LINKAGE]
    }
    if frame.arrow:
        import pyarrow as pa

        columns[LINKAGE] = pa.array(columns[LINKAGE], new_types(job)[LINKAGE])
    return columns


def _at(values: list[Any], rows: list[int]) -> list[Any]:
    """Return the values of some rows, in order."""
    return values if len(rows) == len(values) else [values[row] for row in rows]


def _version(
    texts: Texts, version: Version, arrow: bool, counts: RowCounts
) -> tuple[list[str], list[str], Any]:
    """Return the texts, the ids and the records of one version of each text, in order."""
    texts_after: list[str] = []
    names: list[str] = []
    order: list[Int64] = []
    records: list[Any] = []
    for rows, batch in perturb_batches(texts, version):
        counts.see(batch)
        order.append(rows)
        texts_after += batch.texts
        names += batch.ids
        if arrow:
            records.append(record_array(batch))
        else:
            records += batch.linkages
    whole = _joined(records, order) if arrow else in_order(order, records)
    return in_order(order, texts_after), in_order(order, names), whole


def record_array(batch: RecordBatch) -> pa.StructArray:
    """Return the records of a batch of at least one text as an array of structs, one a text."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import text_array

    # `pyarrow.repeat` imports pandas too where it is given a string.
    columns = [
        pa.repeat(text_array([values])[0], len(batch))
        if isinstance(values, str)
        else text_array(values)
        for values in batch.columns()
    ]
    return pa.StructArray.from_arrays(columns, fields=list(arrow_type()))


def _joined(parts: list[pa.StructArray], order: list[Int64]) -> pa.Array:
    """Return the records of all batches in the order of their texts."""
    import pyarrow as pa

    from perturb.io.arrow_arrays import number_array

    if not parts:
        return pa.array([], arrow_type())
    whole, places = pa.concat_arrays(parts), places_in_order(order)
    return whole if places is None else whole.take(number_array(places))


def _interleaved(versions: Sequence[Any]) -> Any:
    """Return the values of each row's versions side by side."""
    if len(versions) == 1:
        return versions[0]
    if isinstance(versions[0], list):
        return [value for row in zip(*versions, strict=True) for value in row]
    import pyarrow as pa

    from perturb.io.arrow_arrays import number_array

    rows = len(versions[0])
    by_row = np.arange(rows * len(versions)).reshape(len(versions), rows).T.ravel()
    return pa.concat_arrays(versions).take(number_array(by_row))


def _with_missing(
    frame: Frame, job: Job, columns: Mapping[str, Any], rows: Int64, there: Bool
) -> dict[str, Any]:
    """Return columns in which rows without a text stand as they were, with records of that."""
    filled_columns, filled = {}, there[rows]
    kept = {
        row: untouched(row_texts({name: frame.column(name)[row] for name in frame.names}, job), job)
        for row in np.flatnonzero(~there).tolist()
    }
    for name, values in columns.items():
        new = iter(listed(values))
        pairs = zip(rows.tolist(), filled.tolist(), strict=True)
        column = [next(new) if has else kept[row][name] for row, has in pairs]
        if hasattr(values, "type"):
            import pyarrow as pa

            column = pa.array(column, values.type)
        filled_columns[name] = column
    return filled_columns
