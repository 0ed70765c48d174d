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
TAKES_PARTICIPLE, TAKES_BASE, ONE, LEADS_NOUN = (1 << bit for bit in range(6, 10))
OPENS_OBJECT, DETERMINER = 1 << 10, 1 << 11  # the highest, for they choose a row
# The types of the columns of Around in contexts.h.
_AROUND = (np.uint8,) * 5 + (np.bool_, np.bool_, np.int8, np.bool_, np.bool_)


Column = NDArray[Any]


def contexts(
    surfaces: Int32, shapes: UInt8, first: Bool, apart: Bool, facts: Sequence[Column]
) -> list[Column] | None:
    """Return the columns of `perturb.lexicon.tagger.Around`, in its order.

    Args:
        surfaces: shape (words,); the row of each in the facts, -1 for the last.
        shapes: shape (words,); as in words.h.
        first: shape (words,); whether it begins a sentence.
        apart: shape (words,); whether something stands between it and the word before.
        facts: the columns of Facts in contexts.h, of its types and in one piece each.
    """
    around = [np.empty(len(surfaces), kind) for kind in _AROUND]
    words = surfaces, shapes, first, apart, len(surfaces)
    count = binding.called("perturb_contexts", *words, _struct_of(facts), _addresses(around))
    return None if count is None else around


def tags(
    words: tuple[Int32, UInt8, Bool],
    wanted: Bool | None,
    facts: Sequence[Column],
    around: Sequence[Column],
    tables: Sequence[Column],
) -> UInt8 | None:
    """Return the tag of each word, 0 for those that have none.

    Args:
        words: surfaces, shapes and what is apart, as for `contexts`.
        wanted: shape (words,); which are to be tagged, all if None.
        facts: as for `contexts`.
        around: what `contexts` gave, or the same by NumPy.
        tables: the columns of Tables in contexts.h, of its types and in one piece each.
    """
    numbers = np.empty(len(words[0]), np.uint8)
    structs = _struct_of(facts), _addresses(around), _addresses(tables, len(tables[-1]))
    count = binding.called("perturb_tags", *words, wanted, len(numbers), *structs, numbers)
    return None if count is None else numbers


def _struct_of(facts: Sequence[Column]) -> Column:
    return _addresses(facts, len(facts[0]) - 1, len(facts[4]))


def _addresses(columns: Sequence[Column], *sizes: int) -> Column:
    return np.array([*map(address, columns), *sizes], np.int64)
