"""The kernel of what stands around words: the first half of a tagger."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import address
from perturb.values.arrays import Bool, Int32, NDArray, UInt8

# The classes of kinds of words, as in contexts.h.
LOOKED_THROUGH, POLITE, MODAL, FINITE, OPENS_CLAUSE, NOT_FINITE = (1 << bit for bit in range(6))
# The types of the columns of Around in contexts.h.
_AROUND = (np.uint8,) * 5 + (np.bool_, np.bool_, np.int8, np.bool_, np.bool_)


def contexts(
    surfaces: Int32, shapes: UInt8, first: Bool, apart: Bool, facts: Sequence[NDArray[Any]]
) -> list[NDArray[Any]] | None:
    """Return the columns of `perturb.lexicon.tagger.Around`, in its order.

    Args:
        surfaces: shape (words,); the row of each in the facts, -1 for the last.
        shapes: shape (words,); as in words.h.
        first: shape (words,); whether it begins a sentence.
        apart: shape (words,); whether something stands between it and the word before.
        facts: the columns of Facts in contexts.h, of its types and in one piece each.
    """
    around = [np.empty(len(surfaces), kind) for kind in _AROUND]
    sizes = len(facts[0]) - 1, len(facts[4])
    columns = np.array([*map(address, facts), *sizes], np.int64)
    room = np.array([*map(address, around)], np.int64)
    words = surfaces, shapes, first, apart, len(surfaces)
    count = binding.called("perturb_contexts", *words, columns, room)
    return None if count is None else around
