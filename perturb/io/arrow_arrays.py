"""Arrow arrays made of lists of texts and of NumPy columns, by their buffers. Needs pyarrow.

`pyarrow.array` imports pandas wherever it is installed, which takes longer than a small file does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from perturb.values.arrays import NDArray

_TEXT = pa.string()


def text_array(texts: Sequence[str | None], kind: Any = _TEXT) -> pa.Array:
    """Return texts as an array of strings, which may be of the large type; None is missing.

    Raises:
        UnicodeEncodeError: a text holds half of a surrogate pair, which Arrow can't.
    """
    there: Sequence[str] = texts  # type: ignore[assignment]
    valid = None
    if None in texts:
        there = [text or "" for text in texts]
        valid = _bits(np.array([text is not None for text in texts]))
    whole = "".join(there)
    data = whole.encode()
    if kind == _TEXT and len(data) > np.iinfo(np.int32).max:
        return pa.array(texts, kind)  # in chunks
    # Only in ASCII is each character one byte.
    sized = there if len(data) == len(whole) else list(map(str.encode, there))
    return bytes_array(data, np.fromiter(map(len, sized), np.int64, len(sized)), kind, valid)


def bytes_array(data: Any, lengths: NDArray[Any], kind: Any = _TEXT, valid: Any = None) -> pa.Array:
    """Return texts in UTF-8, one after the other, as an array of strings of these lengths."""
    offsets = _buffer(_offsets(lengths), np.int32 if kind == _TEXT else np.int64)
    return pa.Array.from_buffers(kind, len(lengths), [valid, offsets, pa.py_buffer(data)])


def number_array(values: NDArray[Any], kind: pa.DataType | None = None) -> pa.Array:
    """Return numbers or truth values as an array of a type, or of the one they have."""
    kind = pa.from_numpy_dtype(values.dtype) if kind is None else kind
    data = _bits(values) if kind == pa.bool_() else _buffer(values, kind.to_pandas_dtype())
    return pa.Array.from_buffers(kind, len(values), [None, data])


def repeated(value: str | float, kind: pa.DataType, times: int) -> pa.Array:
    """Return an array of one value."""
    one = text_array([value]) if isinstance(value, str) else number_array(np.array([value]), kind)
    return pa.repeat(one[0], times)


def _offsets(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)])


def _buffer(values: NDArray[Any], dtype: Any) -> pa.Buffer:
    return pa.py_buffer(np.ascontiguousarray(values, dtype))


def _bits(values: NDArray[np.bool_]) -> pa.Buffer:
    return pa.py_buffer(np.packbits(values, bitorder="little"))
