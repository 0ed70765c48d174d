"""The texts before and after the edits of a row, as far as its record holds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from perturb.errors import PerturbError
from perturb.io import json_path
from perturb.records.edit import Edit, edits_and_original, rebuild

if TYPE_CHECKING:
    from perturb.robustness.scoring.sources import Row


def original_and_edits(row: Row) -> tuple[str | None, list[Edit]]:
    """Return the original of a row, None where it can't be restored, and the edits.

    Raises:
        DataError: the edits are damaged.
    """
    record = row["perturbation"]
    if not isinstance(record.get("edits"), list):
        original = record.get("original")
        return original if isinstance(original, str) else None, []
    text = written_text(row) if record.get("original") is None else None
    edits, original = edits_and_original(record, text)
    return original, edits


def written_text(row: Row) -> str | None:
    """Return the text of the field that was perturbed; None where the row does not hold it."""
    field: Any = row["perturbation"].get("field")
    if not isinstance(field, str):
        return None
    try:
        found = json_path.locate(row, field)
    except PerturbError:  # the text was left out when the row was scored
        return None
    return found[0][1] if len(found) == 1 and isinstance(found[0][1], str) else None


def prompts(row: Row) -> tuple[str | None, str | None]:
    """Return the texts before and after the edits, restored or rebuilt where one is not there."""
    text = written_text(row)
    original, edits = original_and_edits(row)
    if text is None and original is not None and edits:
        text = rebuild(original, edits)
    return original, text
