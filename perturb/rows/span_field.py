"""Labels: spans of a text that stand in a field of its row, read and written back in their form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perturb.engine.protection import Span
from perturb.errors import DataError, shown
from perturb.io import json_path
from perturb.rows.text_field import kind_of


def spans_in(row: Mapping[str, Any], path: str | None, texts: Sequence[str]) -> Sequence[Span]:
    """Return the spans in a field, as pairs; none where no field is named."""
    return () if path is None else [ends_of(label) for label in labels_in(row, path, texts)]


def labels_in(row: Mapping[str, Any], path: str | None, texts: Sequence[str]) -> Sequence[Any]:
    """Return the spans in a field as they stand: pairs, pairs with a label, or mappings."""
    if path is None:
        return ()
    if len(texts) != 1:
        raise DataError(f"the spans in {path!r} are for one text, but the row has {len(texts)}")
    found = json_path.locate(row, path)
    if len(found) != 1:
        raise DataError(f"the path {path!r} must lead to one list of spans; found {len(found)}")
    ((_, labels),) = found
    if not isinstance(labels, list):
        raise DataError(f"the field {path!r} must be a list of spans; got {kind_of(labels)}")
    for label in labels:
        start, end = ends_of(label)
        if not 0 <= start <= end <= len(texts[0]):
            raise DataError(
                f"the span {shown(label)} in {path!r} does not lie in its text, "
                f"of {len(texts[0])} code points"
            )
    return labels


def ends_of(label: Any) -> Span:
    """Return the start and the end of a span in any of its forms.

    Raises:
        DataError: it is none.
    """
    if isinstance(label, Mapping):
        label = [label.get("start"), label.get("end")]
    match label:
        case [int(start), int(end), *_]:
            return start, end
    raise DataError(
        f"a span is written [start, end], [start, end, label] or "
        f'{{"start": ..., "end": ...}}; got {shown(label)}'
    )


def with_moved(
    row: dict[str, Any], path: str, labels: Sequence[Any], moved: Sequence[Mapping[str, int]]
) -> dict[str, Any]:
    """Return the row with its spans moved; those that were dropped are left out.

    Args:
        row: the row.
        path: to its spans.
        labels: the spans as they stand there.
        moved: the spans as its record holds them.
    """
    ((location, _),) = json_path.locate(row, path)
    kept: list[Any] = []
    for label, span in zip(labels, moved, strict=True):
        if span["start"] < 0:
            continue
        if isinstance(label, Mapping):
            kept.append({**label, **span})
        else:
            kept.append([span["start"], span["end"], *label[2:]])
    changed: dict[str, Any] = json_path.put(row, location, kept)
    return changed
