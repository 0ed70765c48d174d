"""Numbers and other scalars from callers, who may use NumPy or similar libraries. Private."""

from __future__ import annotations

import math
import sys
from operator import index
from typing import Any

from perturb.errors import UsageError, shown

# The smallest number above 0, and the largest that is finite.
TINY, FINITE = math.ulp(0.0), sys.float_info.max


def plain(value: Any) -> Any:
    """Return a number or other scalar of a library as a Python one; other values unchanged.

    Examples:
        >>> import numpy as np
        >>> plain(np.int64(3)), plain(np.float64(0.1)), plain(np.bool_(True)), plain("3")
        (3, 0.1, True, '3')
    """
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    kind = type(value)
    if kind in (int, float, bool) or getattr(value, "ndim", 0) != 0:
        return value
    if hasattr(kind, "__index__"):
        return index(value)
    return float(value) if hasattr(kind, "__float__") else value


def checked_whole(what: str, value: Any, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number.

    Raises:
        TypeError: it isn't a whole number; true and false aren't numbers here.
        UsageError: it is out of the range.
    """
    number = plain(value)
    if type(number) is not int:
        raise TypeError(f"{what} must be a whole number; got {shown(value)}")
    if not least <= number <= most:
        limit = f"at least {least}" if number < least else f"at most {most}"
        raise UsageError(f"{what} must be {limit}; got {shown(number)}")
    return number


def checked_real(
    what: str, value: Any, kind: str, least: float = -math.inf, most: float = math.inf
) -> float:
    """Return a number; whole numbers stay unchanged.

    Args:
        what: the noun for it in the message.
        value: the number.
        kind: the allowed numbers, for the message.
        least: the smallest.
        most: the largest.

    Raises:
        TypeError: it isn't a number; true and false aren't numbers here.
        UsageError: it is out of the range.
    """
    number = plain(value)
    if type(number) not in (int, float):
        raise TypeError(f"{what} must be {kind}; got {shown(value)}")
    if not least <= number <= most:
        raise UsageError(f"{what} must be {kind}; got {shown(number)}")
    return number  # type: ignore[no-any-return]
