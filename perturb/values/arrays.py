"""Arrays: their types by element, and their distinct values. Private."""

from typing import Any, TypeVar

import numpy as np

Scalar = TypeVar("Scalar", bound=np.generic)
Number = TypeVar("Number", bound=np.number)
# The type of `numpy.typing`, which takes longer to import than several of our modules.
NDArray = np.ndarray[tuple[Any, ...], np.dtype[Scalar]]

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
UInt8 = NDArray[np.uint8]
UInt16 = NDArray[np.uint16]
UInt32 = NDArray[np.uint32]
UInt64 = NDArray[np.uint64]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Intp = NDArray[np.intp]
# The numbers of rows, in as many bits as needed.
Rows = NDArray[np.signedinteger[Any]]
Float32 = NDArray[np.float32]
Float64 = NDArray[np.float64]
# Code points: one byte each if all fit.
Codes = UInt8 | UInt32


# Values that are worked on at once, where what that takes for a moment would add up over all.
_PART = 1 << 16


def parts(values: NDArray[Any]) -> list[slice]:
    """Return slices of a column, in order, to work on one after another."""
    return [slice(at, at + _PART) for at in range(0, len(values), _PART)]


def numbered(values: NDArray[Number]) -> tuple[NDArray[Number], Int32]:
    """Return the distinct values, in order, and the number of each value among them."""
    names, numbers = distinct(values), np.empty(len(values), np.int32)
    for part in parts(values):
        numbers[part] = names.searchsorted(values[part])
    return names, numbers


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return the distinct values, in order; NumPy's `unique` first imports its masked arrays.

    Most values are one or two sorted columns already, which a stable sort handles at once.
    """
    ordered = np.sort(values, kind="stable")
    first = np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)]
    different: NDArray[Number] = ordered[first]
    return different
