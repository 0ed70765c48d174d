"""Records as an Arrow array, built from the columns of their batch."""

from __future__ import annotations

import pyarrow as pa

from perturb.io.arrow_arrays import repeated, text_array
from perturb.records.batch import RecordBatch
from perturb.records.schema import arrow_type


def record_array(batch: RecordBatch) -> pa.StructArray:
    """Return the records of a batch as an array of structs.

    Args:
        batch: the records of at least one text.

    Returns:
        One struct a text, of the type `perturb.records.schema.arrow_type()`.
    """
    rows = len(batch)
    columns = [
        repeated(values, pa.string(), rows) if isinstance(values, str) else text_array(values)
        for values in batch.columns()
    ]
    return pa.StructArray.from_arrays(columns, fields=list(arrow_type()))
