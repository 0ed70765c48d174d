"""Arrow arrays from the buffers of lists of texts and NumPy columns. Needs pyarrow.

`pyarrow.array` imports pandas if it is installed, which takes longer than a small file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from perturb.values.arrays import Int64

_TEXT = pa.string()


def text_array(texts: Sequence[str | None], kind: Any = _TEXT) -> pa.Array:
    """Return texts as an array of strings, perhaps of the large type; None means missing.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair, which Arrow can't hold.
    """
    there: Sequence[str] = texts  # type: ignore[assignment]
    valid = None
    if None in texts:
        there = [text or "" for text in texts]
        valid = pa.py_buffer(np.packbits([text is not None for text in texts], bitorder="little"))
    whole = "".join(there)
    data = whole.encode()
    if kind == _TEXT and len(data) > np.iinfo(np.int32).max:
        return pa.array(texts, kind)  # in chunks
    # Each character is one byte only in ASCII.
    sized = there if len(data) == len(whole) else map(str.encode, there)
    offsets = np.zeros(len(there) + 1, np.int32 if kind == _TEXT else np.int64)
    np.cumsum(np.fromiter(map(len, sized), np.int64, len(there)), out=offsets[1:])
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, len(there), buffers)


def number_array(values: Int64) -> pa.Array:
    """Return numbers as an array."""
    data = pa.py_buffer(np.ascontiguousarray(values))
    return pa.Array.from_buffers(pa.int64(), len(values), [None, data])


def with_columns(table: pa.Table, columns: Mapping[str, Any]) -> pa.Table:
    """Return a table with columns of one whole number or text each, in place of those so named."""
    for name, value in columns.items():
        kind = pa.int64() if isinstance(value, int) else pa.string()
        column = pa.array([value] * table.num_rows, kind)
        at = table.schema.get_field_index(name)
        add = table.append_column if at < 0 else partial(table.set_column, at)
        table = add(name, column)
    return table
