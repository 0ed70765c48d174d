"""The library of kernels, loaded where there is one."""

from __future__ import annotations

import ctypes
import os
import sys
import warnings
from pathlib import Path

from perturb.engine.native.build import NAME

# What kernels.c has as INTERFACE.
_INTERFACE = 18
_OUT_OF_RANGE, _NO_MEMORY, _DECLINED = -1, -2, -3
_POINTER, _SIZE, _FLAG = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int
_ARGUMENTS = {
    "perturb_uniforms": [
        *(_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _SIZE, _FLAG),
        *(ctypes.c_double, ctypes.c_double, _POINTER),
    ],
    "perturb_find_pairs": [_POINTER, _SIZE, _POINTER, _POINTER],
    "perturb_spans": [_POINTER, _SIZE, _POINTER, _POINTER],
    "perturb_rates": [
        *(_POINTER, _SIZE, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER, _POINTER, _SIZE),
        *(_POINTER, _POINTER, _POINTER),
    ],
    "perturb_draws": [*(_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _SIZE, _FLAG, _POINTER)],
    "perturb_contexts": [*(_POINTER, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER)],
    "perturb_words": [_POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _POINTER],
    "perturb_hash_words": [_POINTER, _SIZE, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER],
    "perturb_find_hashes": [
        *(_POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _POINTER, _FLAG, _POINTER, _POINTER)
    ],
    "perturb_word_forms": [
        *(_POINTER, _SIZE, _POINTER, ctypes.c_uint8, _POINTER, _POINTER, _SIZE),
        *(_POINTER, _POINTER),
    ],
    "perturb_interface": [],
    "perturb_keys": [_POINTER, _FLAG, _SIZE, _POINTER, _POINTER, _SIZE, _POINTER],
    "perturb_checks": [_POINTER, _FLAG, _SIZE, _POINTER, _POINTER, _SIZE, _POINTER],
    "perturb_narrow": [_POINTER, _SIZE, _POINTER, _FLAG, _POINTER],
    "perturb_choose_marks": [
        *(_POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER)
    ],
    "perturb_choose_sites": [
        *(_POINTER, _POINTER, _POINTER, _SIZE, _FLAG, _POINTER, _SIZE),
        *(_POINTER, _POINTER, _POINTER, _POINTER, _POINTER),
    ],
    "perturb_apply": [
        *(_POINTER, _FLAG, _SIZE, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER, _SIZE),
        *(_POINTER, _FLAG, _SIZE, _POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER),
    ],
    "perturb_compose": [
        *(_POINTER, _FLAG, _SIZE, _POINTER, _FLAG, _SIZE),
        *(_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER, _POINTER, _SIZE),
        *(_POINTER, _POINTER, _POINTER, _POINTER),
    ],
    "perturb_substitute": [
        *(_POINTER, _POINTER, _SIZE, _POINTER, _SIZE, _POINTER, _POINTER, _POINTER),
        *(_POINTER, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER),
    ],
    "perturb_edit_texts": [
        *(_POINTER, _SIZE, _POINTER, _FLAG, _SIZE, _POINTER, _POINTER),
        *(_POINTER, _FLAG, _SIZE, _POINTER, _POINTER, _POINTER, _POINTER, _SIZE),
        *(ctypes.c_char_p, _SIZE, _FLAG, _POINTER, _POINTER),
    ],
    "perturb_join": [ctypes.c_char_p, _SIZE, _SIZE, _POINTER, _POINTER],
    "perturb_read_rows": [
        *(ctypes.c_char_p, _SIZE, ctypes.c_char_p, _SIZE, ctypes.c_char_p, _SIZE),
        *(ctypes.c_char_p, _SIZE, _POINTER, _POINTER, _SIZE),
    ],
    "perturb_text": [ctypes.c_char_p, _SIZE, _POINTER, _FLAG, ctypes.c_uint64, _POINTER],
    "perturb_texts": [
        *(_POINTER, _SIZE, _POINTER, _POINTER, _SIZE, _POINTER, _POINTER),
        *(_POINTER, _POINTER, _POINTER, _POINTER),
    ],
    "perturb_unquote": [
        *(_POINTER, _SIZE, _POINTER, _POINTER, _SIZE, _FLAG, _POINTER, _SIZE, _POINTER),
    ],
}


def load(file: Path) -> ctypes.CDLL | None:
    """Load a library of kernels; None where it was compiled from other sources than these.

    Raises:
        OSError: it is no library for this machine.
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
    for name, arguments in _ARGUMENTS.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, ctypes.c_int64
    return library


def _installed() -> ctypes.CDLL | None:
    file = Path(__file__).with_name(NAME)
    if os.environ.get("PERTURB_NATIVE") == "0" or sys.byteorder != "little" or not file.exists():
        return None
    return load(file)


# None where NumPy does it all.
LIBRARY = _installed()


def called(name: str, *arguments: float | bytes | None) -> int | None:
    """Call a kernel.

    Returns:
        What it counted; None where there is no library, or the kernel leaves these arguments to
        NumPy.

    Raises:
        IndexError: offsets that do not lie in their array.
        MemoryError: there was no memory.
    """
    if LIBRARY is None:
        return None
    count: int = getattr(LIBRARY, name)(*arguments)
    if count >= 0:
        return count
    if count == _DECLINED:
        return None
    if count == _NO_MEMORY:
        raise MemoryError(name)
    raise IndexError(f"{name}: offsets do not lie in their array, or are not in order")
