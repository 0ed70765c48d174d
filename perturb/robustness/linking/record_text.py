"""The record of a row, and the texts before and after its edits, as far as the row holds them."""

from __future__ import annotations

import contextlib
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from perturb.errors import PerturbError
from perturb.io import json_path
from perturb.io.jsonl import value_of_json
from perturb.plan.options import LINKAGE
from perturb.plan.recipe_text import cut, read_options
from perturb.records.edit import Edit, restore
from perturb.records.notation import ABSENT, NAMES, checked, read
from perturb.records.option_sets import option_sets, options_in
from perturb.records.text_field import texts_at
from perturb.values.spans import rebuild

if TYPE_CHECKING:
    from collections.abc import Iterable

    from perturb.robustness.linking.sources import Row

# The fields of a record that say how its row was made.
TOLD = itemgetter("condition", "recipe", "expect", "status")


def record_of(row: Row) -> dict[str, str] | None:
    """Return the record of a row; None where it has none.

    Raises:
        DataError: it is none.
    """
    linkage = linkage_of(row)
    return None if linkage is None else checked(linkage)


def linkage_of(row: Row) -> Any:
    """Return the record of a row as it stands there, unchecked; None where it has none."""
    linkage = row.get(LINKAGE)
    if linkage is None and f"{LINKAGE}.edits" in row:
        linkage = {name: row.get(f"{LINKAGE}.{name}") for name in NAMES}
        if not any(linkage.values()):  # a table has the columns in rows without a record too
            return None
    return linkage


def id_field_of(row: Row) -> str:
    """Return the field with the id of a row, or the path to it, as its record says."""
    record = linkage_of(row)
    recipe = record.get("recipe") if isinstance(record, dict) else None
    return "id" if recipe is None else str(read_options(recipe)["id_field"])


def expect_of(row: Row) -> Any:
    """Return the field `expect` of a row's record, unchecked, since every row is asked for it."""
    linkage = row.get(LINKAGE)
    return linkage.get("expect") if isinstance(linkage, dict) else row.get(f"{LINKAGE}.expect")


def original_and_edits(row: Row) -> tuple[str | None, tuple[Edit, ...]]:
    """Return the first text of a row before its edits, None where it can't be had, and the edits.

    Raises:
        DataError: the edits are damaged.
    """
    record = record_of(row)
    if record is None:
        return None, ()
    edits = read(record["edits"]).texts
    if record["original"] and len(edits) < 2:  # as most are
        return record["original"], next(iter(edits.values()), ())
    path, text = _first_text(row, _paths(record))
    first = edits.get(path, ()) if path else next(iter(edits.values()), ())
    if record["original"]:
        return record["original"], first
    return None if text is None else restore(text, first), first


def original_text(row: Row, fields: Iterable[str]) -> str | None:
    """Return the text of one of the fields of a row before its edits; None if there is none."""
    record = record_of(row)
    if record is not None and record["original"]:
        return record["original"]
    path, text = _first_text(row, fields)
    if record is None or text is None:
        return text
    return restore(text, read(record["edits"]).texts.get(path, ()))


def written_text(row: Row) -> str | None:
    """Return the first text of a row after its edits; None where the row does not hold it."""
    record = record_of(row)
    return None if record is None else _first_text(row, _paths(record))[1]


def has_items(row: Row) -> bool:
    """Return true if the first text of a row that has a record is a list of texts."""
    record = record_of(row)
    return record is not None and isinstance(_first_value(row, _paths(record))[1], list)


def choices_in(row: Row, *, before: bool = False) -> tuple[tuple[str, ...], list[str]] | None:
    """Return the labels and texts of the options that the record of a row names.

    Args:
        row: the row.
        before: whether to return them as they were before the steps.
    """
    record = record_of(row)
    named = () if record is None else read_options(record["recipe"])["choices"]
    if record is None or not named:
        return None
    fields = dict(row)
    for path in named:
        fields |= _opened(row, cut(path)[1])
    if before:
        values = read(record["edits"]).values
        held = {path: value for path, value in values.items() if value is not ABSENT}
        places = [(at, held[path]) for path in held for at, _ in json_path.locate(fields, path)]
        json_path.put_into(fields, places)
    try:
        (options, text), *_ = option_sets(fields, named)
    except (PerturbError, ValueError):  # the options were left out when the row was scored
        return None
    return options.labels, options_in(text)


def _paths(record: dict[str, str]) -> list[str]:
    """Return the paths to the texts that changed, and to those that are perturbed."""
    return [*read(record["edits"]).texts, *read_options(record["recipe"])["field"]]


def _first_text(row: Row, paths: Iterable[str]) -> tuple[str, str | None]:
    """Return the path to the first text that is there, and the text."""
    path, value = _first_value(row, paths)
    return path, "\n".join(map(str, value)) if isinstance(value, list) else value


def _first_value(row: Row, paths: Iterable[str]) -> tuple[str, str | list[Any] | None]:
    for path in paths:
        try:
            located = texts_at(row if path in row else {**row, **_opened(row, path)}, path)
        except PerturbError:  # the text was left out when the row was scored
            continue
        for place, value in located[:1]:
            if isinstance(value, (str, list)):
                return json_path.written(place), value
    return "", None


def _opened(row: Row, path: str) -> dict[str, Any]:
    """Return the field that a path begins with as the list or object that its cell holds as JSON.

    Tables of text have them so. Of any other value, and of none, nothing is returned.
    """
    root = json_path.root_of(path, row)
    with contextlib.suppress(ValueError):
        if isinstance(cell := row.get(root), str) and cell.startswith(("[", "{")):
            return {root: value_of_json(cell)}
    return {}


def prompts(row: Row) -> tuple[str | None, str | None]:
    """Return the texts before and after the edits, restored or rebuilt where one is not there."""
    text = written_text(row)
    original, edits = original_and_edits(row)
    if text is None and original is not None and edits:
        text = rebuild(original, edits)
    return original, text


def has_target(record: dict[str, str] | None) -> bool:
    """Return true if a right answer followed the steps, as the record says."""
    return record is not None and bool(read_options(record["recipe"])["target"])
