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
    matches = ((match.span(), ways(match)) for match in pattern.finditer(decode(batch.codes)))
    places = [(span, options) for span, options in matches if options]
    starts, ends = np.array([span for span, _ in places], np.int64).reshape(-1, 2).T

    def written(chosen: Chosen) -> Strings:
        options = (places[row][1] for row in chosen.rows.tolist())
        draws = chosen.draw().tolist()
        return column(
            texts[draw * len(texts) >> 32] for texts, draw in zip(options, draws, strict=True)
        )

    return Sites(starts, ends, "place", written)
