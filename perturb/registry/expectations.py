"""What happens to the right answer when several steps have edited a text.

Each perturbator declares its own effect: the answer stays the `same`, it is `mapped` (moved or
rewritten with the text), it becomes an`other`, nobody can know it any more, so that a system should
`abstain`, or it is `unknown`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from perturb.registry.definition import EXPECTS
from perturb.values.arrays import Int8

_SAME, _MAPPED, _OTHER, _ABSTAIN, _UNKNOWN = range(len(EXPECTS))
# By the codes of two steps. The opposite of the opposite may be the old answer or a third one, so
# "other" remains known only beside "same"; a lost answer stays lost wherever the rest moves.
# Neither the order of steps nor their grouping matters.
_TABLE = np.full((len(EXPECTS), len(EXPECTS)), _UNKNOWN, np.int8)
_TABLE[_SAME] = _TABLE[:, _SAME] = range(len(EXPECTS))
_TABLE[_MAPPED, _MAPPED] = _MAPPED
_TABLE[_ABSTAIN, [_MAPPED, _ABSTAIN]] = _TABLE[_MAPPED, _ABSTAIN] = _ABSTAIN


def composed_codes(words: Sequence[str], acted: Any) -> Int8:
    """Return the effect on each text's right answer of the steps that edited it.

    Args:
        words: the declaration of each step.
        acted: for each step, whether it edited each text; of the shape (steps, texts).

    Returns:
        For each text an index into `EXPECTS`; that of "same" if no step edited it.

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
