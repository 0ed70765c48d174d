"""Other inflected forms of a word."""

from __future__ import annotations

import numpy as np

from perturb.engine.text.strings import Strings
from perturb.lexicon.lookup import spellings
from perturb.lexicon.store import load
from perturb.lexicon.tags import WIDTHS
from perturb.values.arrays import Int32, Int64


def forms_of(surfaces: Int32 | Int64, part: int, column: int | Int64) -> Int32:
    """Return another form of each word as one part of speech.

    Args:
        surfaces: shape (n,); from `lookup`.
        part: the part of speech, by its column.
        column: which of its forms, in the order of `tags.POS_TAGS`.

    Returns:
        Shape (n,): surfaces; -1 where the lexicon has no such form.
    """
    lexicon = load()
    entry = lexicon.entry[surfaces, part]
    known = (surfaces >= 0) & (entry >= 0)
    slots = lexicon.first_form[part] + WIDTHS[part] * (entry - lexicon.first_entry[part]) + column
    found: Int32 = np.where(known, lexicon.forms[np.where(known, slots, 0)], -1).astype(np.int32)
    return found


def spelled(surfaces: Int32) -> Strings:
    """Return how surfaces are spelled; none of them is -1."""
    return Strings(*spellings(surfaces))
