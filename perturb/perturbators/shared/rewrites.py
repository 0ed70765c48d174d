"""Matches of a pattern, each with the ways in which it can be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from perturb.engine.batch import Batch
from perturb.engine.sites import Chosen, Sites
from perturb.engine.text.strings import Strings, column, decode

Match = re.Match[str]
# From a match to what may be written for it; nothing where it is no site.
Ways = Callable[[Match], Sequence[str]]


def rewrites(batch: Batch, pattern: re.Pattern[str], ways: Ways) -> Sites:
    """Return a site at each match that can be written in another way.

    Args:
        batch: the texts.
        pattern: what is looked for in all texts at once; it matches no zero character, which
            stands between them, and no empty string.
        ways: gives what may be written, without what stands there already.
    """
    found = ((match, ways(match)) for match in pattern.finditer(decode(batch.codes)))
    kept = [(match.start(), match.end(), written) for match, written in found if written]
    starts = np.array([start for start, _, _ in kept], np.int64)
    ends = np.array([end for _, end, _ in kept], np.int64)

    def written(chosen: Chosen) -> Strings:
        pairs = zip(chosen.rows.tolist(), chosen.draw().tolist(), strict=True)
        return column(_drawn(kept[row][2], draw) for row, draw in pairs)

    return Sites(starts, ends, "place", written)


def _drawn(options: Sequence[str], draw: int) -> str:
    return options[draw * len(options) >> 32]
