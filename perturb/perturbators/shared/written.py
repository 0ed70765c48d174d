"""Places with replacements that are known before any of them is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, stack
from perturb.values.arrays import Bool, Int64


class Written(NamedTuple):
    """Places and their replacements; every row is one."""

    starts: Int64
    ends: Int64
    texts: Strings

    def keep(self, mask: Bool) -> Written:
        """Return the places where `mask` is true."""
        (rows,) = mask.nonzero()
        return Written(self.starts[rows], self.ends[rows], self.texts.take(rows))

    def sites(self, unit: str) -> Sites:
        """Return a site at each place."""

        def written(chosen: Chosen) -> Strings:
            return self.texts.take(chosen.rows)

        return Sites(self.starts, self.ends, unit, written)


def in_order(found: Sequence[Written]) -> Written:
    """Return the places of all rules, in order and apart; where two meet the first stays."""
    starts = np.concatenate([one.starts for one in found])
    ends = np.concatenate([one.ends for one in found])
    texts = found[0].texts
    for one in found[1:]:
        texts = stack(texts, one.texts)
    order = np.lexsort((ends, starts))
    starts, ends = starts[order], ends[order]
    reached = np.maximum.accumulate(np.append(-1, ends))[:-1]
    return Written(starts, ends, texts.take(order)).keep(starts > reached)
