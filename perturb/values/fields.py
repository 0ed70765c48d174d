"""Classes with fields that never change, and the checks of numbers in them. Private."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection
from operator import index
from typing import Any, ClassVar, Self, dataclass_transform

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


def check_word(what: str, word: object, known: Collection[str]) -> None:
    """Refuse an unknown word.

    Raises:
        UsageError: the word isn't one of the known ones.
    """
    if word not in known:
        raise UsageError(f"{what} must be one of {', '.join(known)}; got {shown(word)}")


@dataclass_transform(frozen_default=True)
class Frozen:
    """A class with its annotated names as fields, like a frozen dataclass.

    A dataclass writes and compiles its methods at every import, and the command line imports a
    dozen of such classes before the first row: that would take all of its time besides NumPy's.
    This class shares its methods among all. Objects take longer to make, so classes with an object
    for each text don't derive from it.

    A class with `__post_init__` checks its fields there.
    """

    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **_: bool) -> None:  # `kw_only=True` is for type checkers
        cls._fields = tuple(dict.fromkeys((*cls._fields, *cls.__annotations__)))

    def __init__(self, *values: Any, **given: Any) -> None:
        if len(values) > len(self._fields):
            raise TypeError(
                f"{type(self).__name__} takes at most {len(self._fields)} values; got {len(values)}"
            )
        mine = vars(self)
        mine.update(zip(self._fields, values, strict=False))
        for name, value in given.items():
            if name not in self._fields:
                known = ", ".join(self._fields)
                raise TypeError(f"{type(self).__name__} has no {name!r}; known: {known}")
            if name in mine:
                raise TypeError(f"{type(self).__name__} got {name!r} twice: by place and by name")
            mine[name] = value
        for name in self._fields:
            if name not in mine:
                if not hasattr(type(self), name):
                    raise TypeError(f"{type(self).__name__} needs {name!r}, which was not given")
                mine[name] = getattr(type(self), name)
        if check := getattr(self, "__post_init__", None):
            check()

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        return type(self)(**{**self.field_values(), **changes})

    def field_values(self) -> dict[str, Any]:
        """Return the value of each field, by its name."""
        mine = vars(self)
        return {name: mine[name] for name in self._fields}

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of pickles and copies: the fields, without cached values."""
        return self.field_values()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"a {type(self).__name__} can't be changed: make a new one with another {name!r}"
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a {type(self).__name__} can't be changed, so {name!r} stays")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Frozen) or type(other) is not type(self):
            return NotImplemented
        return self.field_values() == other.field_values()

    def __hash__(self) -> int:
        return hash(tuple(self.field_values().values()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.field_values().items())
        return f"{type(self).__name__}({said})"
