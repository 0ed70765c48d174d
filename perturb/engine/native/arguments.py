"""Arrays as kernels take them."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from perturb.values.arrays import NDArray

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

from perturb.engine.text.strings import Strings


def like(array: NDArray[Any], kind: DTypeLike) -> NDArray[Any]:
    """Return the array as kernels read it: of one kind, in one piece, and aligned."""
    flags = array.flags
    if array.dtype == kind and flags.c_contiguous and flags.aligned:
        return array
    return np.require(array, kind, ["C", "A"])


def address(array: NDArray[Any]) -> int:
    """Return where the elements of an array lie."""
    if array.flags.writeable and array.size:  # three times as fast
        return ctypes.addressof(ctypes.c_char.from_buffer(array.data))
    return array.ctypes.data


class StringColumn:
    """A column of strings, as kernels take it."""

    def __init__(self, strings: Strings) -> None:
        self.wide = strings.codes.dtype != np.uint8
        self.codes = like(strings.codes, np.uint32 if self.wide else np.uint8)
        self._edges = like(strings.starts, np.int64), like(strings.ends, np.int64)

    def with_flag(self) -> tuple[int, bool, int]:
        """Return where the codes are, whether they have four bytes each, and how many there are."""
        return address(self.codes), self.wide, len(self.codes)

    def as_bytes(self) -> tuple[int, int, int, int]:
        """Return where codes of one byte are, how many there are, and where the edges are."""
        return address(self.codes), len(self.codes), *self.edges()

    def edges(self) -> tuple[int, int]:
        """Return where the starts and the ends are."""
        return address(self._edges[0]), address(self._edges[1])
