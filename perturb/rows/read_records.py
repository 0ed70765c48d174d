"""Read the records out of rows, as they were written, and check the answers beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from perturb.errors import DataError, VerificationError, shown
from perturb.io import json_path
from perturb.io.jsonl import text_of_json
from perturb.records.record import Record, records_in
from perturb.records.schema import LINKAGE
from perturb.rows.answer_field import answer_after


def records_of(row: Mapping[str, Any], id_field: str) -> Iterator[Record]:
    """Yield the records in a row of a file, of either contract.

    Raises:
        DataError: the row holds no record, or a damaged one.
        VerificationError: its answer is not what its record makes of the original one.
    """
    for record in records_in(row, id_field):
        linkage = record.to_dict()[LINKAGE]
        if linkage.get("answer") is not None:
            _check_answer(row, record, linkage, flat=not isinstance(row.get(LINKAGE), Mapping))
        yield record


def _check_answer(
    row: Mapping[str, Any], record: Record, linkage: Mapping[str, Any], *, flat: bool
) -> None:
    """Check that the answer in a row is what the steps of its record make of the original one.

    Where the row is `flat`, from a file that holds only texts, the answer is one too.

    The notes that this follows are compared with what the steps give again, as all of a step is.
    """
    try:
        ((_, got),) = json_path.locate(row, linkage["answer"]["field"])
        ((_, value),) = json_path.locate(row, record.field)
        wanted = answer_after(linkage, record.original, value)
    except DataError:
        raise
    except (TypeError, ValueError, KeyError, IndexError) as error:
        raise VerificationError(f"{record.id}: its record is damaged: {error}") from error
    if flat and not isinstance(wanted, str):
        wanted = text_of_json(wanted)
    if type(got) is not type(wanted) or got != wanted:
        raise VerificationError(
            f"{record.id}: the answer in {linkage['answer']['field']!r} is {shown(got)}; "
            f"by its record it is {shown(wanted)}"
        )
