"""Arrow arrays from the buffers of lists of texts and NumPy columns. Needs pyarrow.

`pyarrow.array` imports pandas if it is installed, which takes longer than a small file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from perturb.engine.native.kernels import utf8
from perturb.engine.text.strings import Strings, column
from perturb.values.arrays import Int64

_TEXT = pa.string()
_BEYOND_ASCII = 0x80


def text_array(texts: Sequence[str | None] | Strings, kind: Any = _TEXT) -> pa.Array:
    """Return texts as an array of strings, perhaps of the large type; None means missing.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair, which Arrow can't hold.
    """
    given, valid = texts, None
    if not isinstance(texts, Strings):
        if None in texts:
            marks = np.packbits([text is not None for text in texts], bitorder="little")
            valid = pa.py_buffer(marks)
            texts = [text or "" for text in texts]
        texts = column(texts)  # type: ignore[arg-type]
    made = utf8(texts)
    if made is None or (kind == _TEXT and len(made[0]) > np.iinfo(np.int32).max):  # in chunks
        return pa.array(given.to_list() if isinstance(given, Strings) else given, kind)
    data, edges = made
    offsets = edges.astype(np.int32) if kind == _TEXT else edges
    buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(kind, len(texts), buffers)


def strings_of(given: pa.ChunkedArray) -> Strings | None:
    """Return a column of texts of ASCII as it lies; None for one of others or with missing ones."""
    if given.type not in (_TEXT, pa.large_string()) or given.null_count or given.num_chunks != 1:
        return None
    (array,) = given.chunks
    _, places, data = array.buffers()
    kind = np.int32 if given.type == _TEXT else np.int64
    edges: Int64 = np.frombuffer(places, kind)[array.offset :][: len(array) + 1].astype(np.int64)
    if edges[0] == edges[-1]:
        return None
    codes = np.frombuffer(data, np.uint8)[edges[0] : edges[-1]]
    if codes.max() >= _BEYOND_ASCII:
        return None
    return Strings(codes, edges[:-1] - edges[0], edges[1:] - edges[0])


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
