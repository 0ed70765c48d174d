"""Records in files that hold no objects: as JSON text in one column, or spread over several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.errors import DataError
from perturb.io.jsonl import value_of_json
from perturb.records.schema import LINKAGE, RECORD

_PREFIX = f"{LINKAGE}."
# Every record says by which contract it was made.
_TOLD_BY = f"{_PREFIX}contract"
_KINDS = {f"{_PREFIX}{field.name}": field.kind for field in RECORD}


def with_record(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a row with its record as an object, however its file holds it.

    Raises:
        DataError: the text of the record is not JSON.
    """
    said = row.get(LINKAGE)
    if isinstance(said, str):
        return {**row, LINKAGE: _parsed(said)} if said else _without(row)
    if said is not None or not row.get(_TOLD_BY):
        return row
    record = {name.removeprefix(_PREFIX): _value(name, row.get(name)) for name in _KINDS}
    rest = {name: value for name, value in row.items() if name not in _KINDS}
    return {**rest, LINKAGE: {name: one for name, one in record.items() if one is not None}}


def _parsed(text: str) -> Any:
    try:
        return value_of_json(text)
    except DataError as error:
        raise DataError(
            f"{LINKAGE} must be an object, or its JSON as text; got {text!r:.60}: {error}"
        ) from None


def _without(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != LINKAGE}


def _value(name: str, value: Any) -> Any:
    if _KINDS[name] == "string":
        return value
    if isinstance(value, str):
        return value_of_json(value) if value else None
    return value


def record_names(*, compact: bool, spans: bool, answer: bool) -> list[str]:
    """Return the names of the columns over which the records of a job are spread.

    Args:
        compact: whether they are without their originals.
        spans: whether they hold the caller's spans.
        answer: whether they hold the right answer.
    """
    kept = {"original": not compact, "spans": spans, "answer": answer}
    return [f"{_PREFIX}{field.name}" for field in RECORD if kept.get(field.name, True)]
