"""What becomes of the right answer when several steps have acted on a text.

Each perturbator declares it for itself: the answer stays the `same`, it is `mapped`, which is moved
or rewritten with the text, it is an`other`, or it is `unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.registry.definition import EXPECTS
from perturb.values.arrays import Int8

_SAME, _MAPPED, _OTHER, _UNKNOWN = range(len(EXPECTS))
# By the codes of two steps. The opposite of the opposite may be the old answer or a third one, so
# "other" stands with "same" alone. The order of steps and how they are grouped make no difference.
_TABLE = np.full((len(EXPECTS), len(EXPECTS)), _UNKNOWN, np.int8)
_TABLE[_SAME] = _TABLE[:, _SAME] = range(len(EXPECTS))
_TABLE[_MAPPED, _MAPPED] = _MAPPED


def composed_codes(words: Sequence[str], acted: Any) -> Int8:
    """Return what becomes of the right answer to each text after the steps that acted on it.

    Args:
        words: what each step declares.
        acted: for each step, whether it edited each of the texts; of the shape (steps, texts).

    Returns:
        For each text an index into `EXPECTS`; that of "same" where no step acted.

    Examples:
        >>> codes = composed_codes(["same", "mapped", "other"], [[1, 0, 1], [1, 0, 1], [0, 0, 1]])
        >>> [EXPECTS[code] for code in codes]
        ['mapped', 'same', 'unknown']
    """
    steps = np.asarray(acted, bool)
    codes = np.full(steps.shape[1:], _SAME, np.int8)
    for word, here in zip(words, steps, strict=True):
        codes[here] = _TABLE[codes[here], EXPECTS.index(word)]
    return codes
