"""Numbers and other scalars of callers, who may have them from NumPy or the like. Private."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from operator import index
from typing import Any, ParamSpec, TypeVar

from perturb.errors import UsageError, shown

P = ParamSpec("P")
T = TypeVar("T")


def plain(value: Any) -> Any:
    """Return a number, or another scalar of a library, as one of Python; all else as it is.

    Examples:
        >>> import numpy as np
        >>> plain(np.int64(3)), plain(np.float64(0.1)), plain(np.bool_(True)), plain("3")
        (3, 0.1, True, '3')
    """
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        value = value.item()
    kind = type(value)
    if kind in (int, float, bool) or getattr(value, "ndim", 0) > 0:
        return value
    if hasattr(kind, "__index__"):
        return index(value)
    return float(value) if hasattr(kind, "__float__") else value


def checked_whole(what: str, value: Any, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number.

    Raises:
        TypeError: it is none; true and false are not numbers here.
        UsageError: it is out of the range.
    """
    number = plain(value)
    if type(number) is not int:
        raise TypeError(f"{what} must be a whole number; got {shown(value)}")
    if number < least:
        raise UsageError(f"{what} must be at least {least}; got {shown(number)}")
    if number > most:
        raise UsageError(f"{what} must be at most {most}; got {shown(number)}")
    return number


def checked_real(what: str, value: Any, kind: str = "a number") -> float:
    """Return a number, a whole one as it is; whether it lies in a range is for the caller to check.

    Args:
        what: the noun for it in the message.
        value: the number.
        kind: which numbers there are, for the message.

    Raises:
        TypeError: it is no number; true and false are not numbers here.
    """
    number = plain(value)
    if type(number) not in (int, float):
        raise TypeError(f"{what} must be {kind}; got {shown(value)}")
    return number  # type: ignore[no-any-return]


def in_python(function: Callable[P, T]) -> Callable[P, T]:
    """Give a function numbers of Python in place of those of other libraries."""

    @wraps(function)
    def called(*args: P.args, **named: P.kwargs) -> T:
        numbers = {name: plain(value) for name, value in named.items()}
        return function(*map(plain, args), **numbers)

    return called
