"""The kernel of the tags of words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.engine.native import binding
from perturb.engine.native.binding import Struct
from perturb.values.arrays import Bool, Int32, NDArray, UInt8

# Classes of words, as in contexts.h.
LOOKED_THROUGH, POLITE, MODAL, FINITE, OPENS_CLAUSE, NOT_FINITE = (1 << bit for bit in range(6))
TAKES_PARTICIPLE, TAKES_BASE, ONE, LEADS_NOUN = (1 << bit for bit in range(6, 10))
OPENS_OBJECT, DETERMINER = 1 << 10, 1 << 11  # the highest bits, since they select a row
Column = NDArray[Any]


def tags(
    words: tuple[Int32, UInt8, Bool, Bool],
    wanted: Bool | None,
    facts: Sequence[Column],
    tables: Sequence[Column],
) -> UInt8 | None:
    """Return the tag of each word, 0 for none.

    Args:
        words: the columns of `perturb.lexicon.tokens.Words`; a surface is a row of the facts, -1
            the last.
        wanted: shape (words,); the words to tag; None for all.
        facts: the columns of Facts in contexts.h, contiguous and of its types.
        tables: likewise the columns of Tables.
    """
    numbers = np.empty(len(words[0]), np.uint8)
    of_facts = Struct(*facts, len(facts[0]) - 1, len(facts[4]))
    structs = of_facts.numbers, Struct(*tables).numbers
    count = binding.called("perturb_tags", *words, wanted, len(numbers), *structs, numbers)
    return None if count is None else numbers
