"""The library of kernels: loaded if it was compiled, and called with arrays."""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import float64, int32, int64, uint8, uint16, uint32, uint64

from perturb.engine.native.build import NAME
from perturb.engine.text.strings import Strings
from perturb.resources import folder
from perturb.values.arrays import Codes, Int64, NDArray

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

# INTERFACE in kernels.c: a library compiled from other declarations is not called.
_INTERFACE = 45
_NO_MEMORY, _DECLINED = -2, -3
_POINTER, _SIZE, _FLAG = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int
_BYTES, _MASK = ctypes.c_char_p, np.bool_
# Elements of any type: the array is passed unchanged.
_ANY = np.generic
_address, _first_byte = ctypes.addressof, ctypes.c_char.from_buffer


# Codes of one byte or of four each, as `codes_of` gives them, and a column of strings, as
# `column_of` does; columns of bytes alone have no flag.
_CODES = (_ANY, _FLAG, _SIZE)
_COLUMN, _NARROW = (*_CODES, int64, int64), (uint8, _SIZE, int64, int64)
# The arguments of each kernel: arrays by their elements, and what else there is.
_ARGUMENTS: dict[str, tuple[type, ...]] = {
    "perturb_keys": (*_COLUMN, _SIZE, uint64),
    "perturb_checks": (*_COLUMN, _SIZE, uint64),
    "perturb_utf8": (*_COLUMN, _SIZE, uint8, _SIZE, int64),
    "perturb_narrow": (*_COLUMN, _SIZE, int64, _SIZE, uint8, _FLAG, uint8, _MASK),
    "perturb_draws": (uint64, int64, _SIZE, int64, _SIZE, _FLAG, uint32),
    "perturb_numbers": (*_CODES, uint16, int64, int64),
    "perturb_noise": (
        *(int64, uint8, _SIZE, int32, _MASK, float64, uint32, uint32),
        *(uint8, int64, int64, uint32),
    ),
    "perturb_noise_edits": (int64, uint8, _SIZE, int32, uint8, int64, uint32, _SIZE, int64),
    "perturb_line_ends": (_BYTES, _SIZE),
    "perturb_in_tables": (*_NARROW, _SIZE, uint8, int64),
    "perturb_choose_marks": (_MASK, _SIZE, int64, _SIZE, uint64, int64, int64, _SIZE, int64),
    "perturb_choose_sites": (
        *(int64, int64, uint32, _SIZE, _FLAG, int64, _SIZE, uint64, int64, int64),
        *(_SIZE, int64, int64),
    ),
    "perturb_apply": (
        *(*_COLUMN, _SIZE, int64, int64, _SIZE, *_COLUMN),
        *(_ANY, _SIZE, int64, int64),
    ),
    "perturb_compose": (
        *(*_CODES, *_CODES, int64, int64, int64, _SIZE, int64, int64, int64, _SIZE),
        *(int64, int64, int64, int64),
    ),
    "perturb_text": (_BYTES, _SIZE, _POINTER, _FLAG, ctypes.c_uint64, _POINTER),
    "perturb_texts": (
        *(*_NARROW, int64, _SIZE, uint64, int64, _SIZE, uint8),
        *(uint8, int64, uint8, int64),
    ),
    "perturb_words": (uint8, _SIZE, uint8, _SIZE, int64, int64),
    "perturb_hash_words": (uint8, _SIZE, uint8, int64, int64, _SIZE, uint64),
    "perturb_find_hashes": (uint64, _SIZE, uint64, _SIZE, uint8, int32, _FLAG, int64, int64),
    "perturb_read_words": (
        *(uint8, _SIZE, uint8, uint8, ctypes.c_uint8, int64, int64, _SIZE),
        *(int64, uint64, uint8, uint8),
    ),
    "perturb_languages": (*_COLUMN, _SIZE, int64, _FLAG, uint8, float64),
    "perturb_tags": (int32, uint8, _MASK, _MASK, _MASK, _SIZE, int64, int64, uint8),
    "perturb_stops": (
        *(*_COLUMN, _SIZE, uint16, _SIZE, int64, _SIZE),
        *(int64, int64, int64, int64, _MASK, _MASK),
    ),
    "perturb_asking": (*_NARROW, _SIZE, int64, int64, _SIZE, _MASK, _SIZE, _MASK),
    "perturb_edit_texts": (int64, _BYTES, _SIZE, uint8, _SIZE, int64),
    "perturb_read_block": (_BYTES, _SIZE, int64, int64, _SIZE),
    "perturb_restore_block": (int64, int64, int64, uint8, _SIZE, int64, uint64),
    "perturb_write_block": (int64, int64, int64, int64, _SIZE, _SIZE, uint8, _SIZE, int64),
}


def load(file: Path) -> ctypes.CDLL | None:
    """Load a library of kernels; None if it was compiled from other sources.

    Raises:
        OSError: the file is not a library for this machine.
    """
    library = ctypes.CDLL(str(file))
    if library.perturb_interface() != _INTERFACE:
        warnings.warn(
            f"{file} was compiled from other sources and is not used: run "
            "python perturb/engine/native/build.py, or install perturb again",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    for name, kinds in _ARGUMENTS.items():
        function = getattr(library, name)
        function.argtypes = [_POINTER if issubclass(kind, _ANY) else kind for kind in kinds]
        function.restype = ctypes.c_int64
    return library


def _installed() -> ctypes.CDLL | None:
    file = folder() / "engine" / "native" / NAME
    if os.environ.get("PERTURB_NATIVE") == "0" or sys.byteorder != "little" or not file.exists():
        return None
    return load(file)


# None if NumPy does all the work.
LIBRARY = _installed()


def called(name: str, *arguments: NDArray[Any] | float | bytes | None) -> int | None:
    """Call a kernel.

    Args:
        name: the name of the kernel.
        arguments: as `_ARGUMENTS` lists them; output arrays must be contiguous and of that type.

    Returns:
        The count that the kernel returns; None if there is no library, or the kernel leaves these
        arguments to NumPy.

    Raises:
        IndexError: offsets lie outside their array.
        MemoryError: the kernel got no memory.
    """
    if LIBRARY is None:
        return None
    values: list[float | bytes | None] = []
    arrays = []  # kept alive until the call returns, since it gets addresses
    for kind, value in zip(_ARGUMENTS[name], arguments, strict=True):
        if isinstance(value, np.ndarray):
            array = value if kind is _ANY else like(value, kind)
            arrays.append(array)
            values.append(address(array))
        else:
            values.append(value)
    count: int = getattr(LIBRARY, name)(*values)
    if count >= 0:
        return count
    if count == _DECLINED:
        return None
    if count == _NO_MEMORY:
        raise MemoryError(name)
    raise IndexError(f"{name}: offsets do not lie in their array, or are not in order")


def like(array: NDArray[Any], kind: DTypeLike) -> NDArray[Any]:
    """Return the array as kernels read it: of one type, contiguous, and aligned."""
    flags = array.flags
    if array.dtype == kind and flags.c_contiguous and flags.aligned:
        return array
    return np.require(array, kind, ["C", "A"])


def address(of: NDArray[Any] | bytes) -> int:
    """Return the address of the elements of an array, or of bytes."""
    if isinstance(of, bytes):
        return ctypes.c_void_p.from_buffer(ctypes.c_char_p(of)).value or 0
    try:  # six times as fast
        return _address(_first_byte(of))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # read-only, or empty
        return of.ctypes.data


class Struct:
    """A structure of C: numbers of eight bytes, and addresses of what stays alive with it.

    Args:
        values: numbers; bytes, with their sizes; arrays; structures that lie in this one; and lists
            of what lies elsewhere, one behind the other.
    """

    def __init__(self, *values: int | bytes | NDArray[Any] | Struct | list[Any]) -> None:
        numbers: list[int] = []
        self._alive: list[Any] = [*values]
        for value in values:
            if isinstance(value, np.ndarray):
                numbers.append(address(value))
            elif isinstance(value, bytes):
                numbers += (address(value), len(value))
            elif isinstance(value, Struct):
                numbers += value.numbers.tolist()
            elif isinstance(value, list):
                self._alive.append(Struct(*value))
                numbers.append(address(self._alive[-1].numbers))
            else:
                numbers.append(int(value))
        self.numbers: Int64 = np.array(numbers, np.int64)


def codes_of(codes: Codes) -> tuple[NDArray[Any], bool, int]:
    """Return codes, whether they have four bytes each, and how many there are."""
    wide = codes.dtype != uint8
    return like(codes, uint32 if wide else uint8), wide, len(codes)


def column_of(strings: Strings) -> tuple[NDArray[Any], bool, int, NDArray[Any], NDArray[Any]]:
    """Return the codes of strings, as `codes_of` does, and where each starts and ends."""
    return *codes_of(strings.codes), strings.starts, strings.ends
