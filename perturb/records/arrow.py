"""Records as an Arrow array, built from the columns of their batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from perturb.engine.step import Tally
from perturb.engine.text.strings import Strings, packed
from perturb.io.arrow_arrays import ascii_array, list_array, number_array, repeated, text_array
from perturb.io.jsonl import text_of_json
from perturb.records.batch import RecordBatch
from perturb.records.json_template import in_rows
from perturb.records.schema import arrow_type
from perturb.values.arrays import NDArray


def record_array(batch: RecordBatch) -> pa.StructArray:
    """Return the `perturbation` objects of a batch as an array of structs.

    Args:
        batch: the records of at least one text.

    Returns:
        One struct a text, of the type `perturb.records.schema.arrow_type()`.
    """
    kind = arrow_type(spans=batch.carries_spans)
    config, outcome, texts = batch.config, batch.outcome, len(batch)
    reasons = outcome.reasons
    made: dict[str, Any] = {
        "original_id": text_array(batch.original_ids),
        "original": text_array(batch.originals),
        "edits": _edits(batch, kind.field("edits").type),
        "rate": number_array(np.asarray(batch.rates(), np.float64)),
    }
    if not config.pipeline.by_chance:
        made["steps"] = _steps(batch, kind.field("steps").type)
        made["categories"] = _same_list(["perturbed", *config.categories], texts)
    if not reasons.any():
        made["status"] = repeated("changed", pa.string(), texts)
    columns, template = [], batch.template()
    for field in kind:
        column, value = made.get(field.name), template.get(field.name)
        if isinstance(value, (str, int)):
            column = repeated(value, field.type, texts)
        elif column is None:
            values = list(in_rows(value, texts))
            column = (
                text_array(values) if field.type == pa.string() else pa.array(values, field.type)
            )
        columns.append(column)
    return pa.StructArray.from_arrays(columns, fields=list(kind))


def _same_list(values: list[str], times: int) -> pa.ListArray:
    counts = np.full(times, len(values))
    return list_array(counts, text_array(values * times), pa.list_(pa.string()))


def _edits(batch: RecordBatch, kind: pa.ListType) -> pa.ListArray:
    """Return the edits of each text."""
    edits, source = batch.outcome.edits, batch.outcome.source
    counts = edits.per_text(source)
    base = source.starts.repeat(counts)
    columns = [number_array((ends - base).astype(np.int32)) for ends in (edits.starts, edits.ends)]
    columns.append(string_array(edits.replacements))
    structs = pa.StructArray.from_arrays(columns, fields=list(kind.value_type))
    return list_array(counts, structs, kind)


def string_array(strings: Strings) -> pa.StringArray:
    """Return a column of strings as an array."""
    flat, lengths = strings.flat(), strings.lengths
    if flat.dtype != np.uint8 or (len(flat) and flat.max() >= 128):
        return text_array(packed(flat, lengths).to_list())
    return ascii_array(flat, lengths)


def _steps(batch: RecordBatch, kind: pa.ListType) -> pa.ListArray:
    """Return what each step did with each text, where every text took every step."""
    specs, tallies = batch.config.specs, batch.outcome.tallies
    texts, fields = len(batch), list(kind.value_type)
    by_step = [
        pa.StructArray.from_arrays(
            [_step_column(field, spec, tally, texts) for field in fields], fields=fields
        )
        for spec, tally in zip(specs, tallies, strict=True)
    ]
    structs = by_step[0]
    if len(by_step) > 1:
        by_text = np.arange(texts * len(specs)).reshape(len(specs), texts).T.ravel()
        structs = pa.concat_arrays(by_step).take(number_array(by_text))
    return list_array(np.full(texts, len(specs)), structs, kind)


def _step_column(field: pa.Field, spec: dict[str, Any], tally: Tally, texts: int) -> pa.Array:
    if field.name == "note" and tally.notes:
        notes = [""] * texts
        for row, note in tally.notes.items():
            notes[row] = text_of_json(note)
        return text_array(notes)
    found: NDArray[Any] | None = getattr(tally, field.name, None)
    if field.name in spec or found is None:
        empty = "" if field.type == pa.string() else 0
        return repeated(spec.get(field.name, empty), field.type, texts)
    return number_array(found, field.type)
