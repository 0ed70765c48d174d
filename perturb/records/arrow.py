"""Records as an Arrow array, built from the columns of their batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from perturb.engine.step import Tally
from perturb.engine.text.strings import Strings, packed
from perturb.io.jsonl import text_of_json
from perturb.records.batch import RecordBatch
from perturb.records.json_template import in_rows
from perturb.records.schema import arrow_type


def record_array(batch: RecordBatch) -> pa.StructArray:
    """Return the `perturbation` objects of a batch as an array of structs.

    Args:
        batch: the records of at least one text.

    Returns:
        One struct a text, of the type `perturb.records.schema.arrow_type()`.
    """
    kind = arrow_type(spans=batch.carries_spans)
    config, outcome, texts = batch.config, batch.outcome, len(batch.originals)
    reasons = outcome.reasons
    made: dict[str, Any] = {
        "original_id": pa.array(batch.original_ids, pa.string()),
        "original": pa.array(batch.originals, pa.string()),
        "edits": _edits(batch, kind.field("edits").type),
        "rate": pa.array(batch.rates(), pa.float64()),
    }
    if not config.pipeline.by_chance:
        made["steps"] = _steps(batch, kind.field("steps").type)
        made["categories"] = _same_list(["perturbed", *config.categories], pa.string(), texts)
    if not reasons.any():
        made["status"] = _repeated("changed", pa.string(), texts)
    columns, template = [], batch.template()
    for field in kind:
        column, value = made.get(field.name), template.get(field.name)
        if isinstance(value, (str, int)):
            column = _repeated(value, field.type, texts)
        elif column is None:
            column = pa.array(list(in_rows(value, texts)), field.type)
        columns.append(column)
    return pa.StructArray.from_arrays(columns, fields=list(kind))


def _repeated(value: Any, kind: pa.DataType, times: int) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), times)


def _same_list(values: list[str], kind: pa.DataType, times: int) -> pa.ListArray:
    offsets = np.arange(times + 1, dtype=np.int32) * len(values)
    return pa.ListArray.from_arrays(offsets, pa.array(values * times, kind))


def _edits(batch: RecordBatch, kind: pa.ListType) -> pa.ListArray:
    """Return the edits of each text."""
    edits, source = batch.outcome.edits, batch.outcome.source
    counts = edits.per_text(source)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    base = source.starts.repeat(counts)
    columns = [pa.array((ends - base).astype(np.int32)) for ends in (edits.starts, edits.ends)]
    columns.append(string_array(edits.replacements))
    structs = pa.StructArray.from_arrays(columns, fields=list(kind.value_type))
    return pa.ListArray.from_arrays(offsets, structs, type=kind)


def string_array(strings: Strings) -> pa.StringArray:
    """Return a column of strings as an array; ASCII, which is UTF-8 already, as it lies there."""
    flat, lengths = strings.flat(), strings.lengths
    if flat.dtype != np.uint8 or (len(flat) and flat.max() >= 128):
        return pa.array(packed(flat, lengths).to_list(), pa.string())
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    data = pa.py_buffer(np.ascontiguousarray(flat))
    return pa.StringArray.from_buffers(len(lengths), pa.py_buffer(offsets), data)


def _steps(batch: RecordBatch, kind: pa.ListType) -> pa.ListArray:
    """Return what each step did with each text, where every text took every step."""
    specs, tallies = batch.config.specs, batch.outcome.tallies
    texts, fields = len(batch.originals), list(kind.value_type)
    by_step = [
        pa.StructArray.from_arrays(
            [_step_column(field, spec, tally, texts) for field in fields], fields=fields
        )
        for spec, tally in zip(specs, tallies, strict=True)
    ]
    offsets = np.arange(texts + 1, dtype=np.int32) * len(specs)
    structs = by_step[0]
    if len(by_step) > 1:
        by_text = np.arange(texts * len(specs)).reshape(len(specs), texts).T.ravel()
        structs = pa.concat_arrays(by_step).take(pa.array(by_text))
    return pa.ListArray.from_arrays(offsets, structs, type=kind)


def _step_column(field: pa.Field, spec: dict[str, Any], tally: Tally, texts: int) -> pa.Array:
    if field.name == "note":
        notes = [""] * texts
        for row, note in tally.notes.items():
            notes[row] = text_of_json(note)
        return pa.array(notes, field.type)
    found: NDArray[Any] | None = getattr(tally, field.name, None)
    if field.name in spec or found is None:
        return _repeated(spec.get(field.name, 0), field.type, texts)
    if field.type == pa.bool_():
        return pa.array(found, field.type)
    return pa.array(found.astype(field.type.to_pandas_dtype(), copy=False))
