"""Read the records out of rows, as they were written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perturb.errors import DataError, VerificationError
from perturb.io import json_path
from perturb.records.record import LINKAGE, Record
from perturb.rows.answer_field import answer_after
from perturb.rows.text_field import text_of


def records_of(row: Mapping[str, Any], id_field: str) -> Iterator[Record]:
    """The records in a row of a file.

    Raises:
        DataError: the row holds no record, or a damaged one.
    """
    if not isinstance(row, Mapping) or LINKAGE not in row:
        raise DataError(f"the row has no {LINKAGE!r}: perturb apply did not write it")
    said = row[LINKAGE]
    for linkage in said if isinstance(said, list) else [said]:
        if not isinstance(linkage, dict) or not isinstance(linkage.get("field"), str):
            raise DataError(f"the {LINKAGE!r} of the row does not say its field")
        found = json_path.locate(row, linkage["field"])
        if len(found) != 1:
            raise DataError(f"the record's field {linkage['field']!r} is not one text of the row")
        ((_, value),) = found
        if not isinstance(row.get(id_field), str):
            raise DataError(f"the row has no id in {id_field!r}; say with --id-field where it is")
        text = text_of(value, linkage["field"])
        record = Record.from_dict({"id": row[id_field], "text": text, LINKAGE: linkage})
        if "answer" in linkage:
            _check_answer(row, record, linkage, value)
        yield record


def _check_answer(
    row: Mapping[str, Any], record: Record, linkage: Mapping[str, Any], value: Any
) -> None:
    """Check that the answer in a row is what the steps of its record make of the original one.

    The notes that this follows are compared with what the steps give again, as all of a step is.
    """
    try:
        ((_, got),) = json_path.locate(row, linkage["answer"]["field"])
        wanted = answer_after(linkage, record.original, value)
    except DataError:
        raise
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise VerificationError(f"{record.id}: its record is damaged: {error}") from error
    if type(got) is not type(wanted) or got != wanted:
        raise VerificationError(
            f"{record.id}: the answer in {linkage['answer']['field']!r} is {got!r}; "
            f"by its record it is {wanted!r}"
        )
