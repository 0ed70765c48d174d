"""A cache for functions of a text, by the length of the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Found = TypeVar("Found")

# Many texts below 2,000 characters fit in some tens of megabytes; few longer ones are kept, since
# one may be a book.
_SHORT, _MANY, _FEW = 2_000, 1 << 13, 64


def remembered(function: Callable[[str], Found]) -> Callable[[str], Found]:
    """Keep what a function finds: of many short texts, and of a few long ones.

    The originals of a grid come back once for each of its conditions, in the same order.
    """
    of_short, of_long = lru_cache(_MANY)(function), lru_cache(_FEW)(function)

    def result(text: str) -> Found:
        return (of_short if len(text) < _SHORT else of_long)(text)

    return result
