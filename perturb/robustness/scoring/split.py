"""Split leaks: variants of one original on both sides of a split."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from perturb.errors import DataError
from perturb.rng import key64
from perturb.robustness.scoring.conditions import link
from perturb.robustness.scoring.sources import RowSource, file_source
from perturb.values.arrays import UInt64

if TYPE_CHECKING:
    from pathlib import Path

_SHOWN = 5


def check_split(train: Path, test: Path) -> tuple[int, int]:
    """Return how many originals each file holds, if they share none.

    Raises:
        DataError: the files share an original (named), or a row cannot be read or linked.
    """
    sources = [file_source(train), file_source(test)]
    in_train, in_test = map(_originals, sources)
    shared = np.intersect1d(in_train, in_test)
    if shared.size:
        raise DataError(
            f"{train} and {test} share {shared.size} originals: {_names(sources[1], shared)}; "
            "keep all variants of an original on one side"
        )
    return in_train.size, in_test.size


def _originals(source: RowSource) -> UInt64:
    keys = array("Q")
    for number, row in source.rows:
        with source.naming(number):
            keys.append(key64(link(row).original_id))
    return np.unique(np.array(keys, np.uint64))


def _names(source: RowSource, shared: UInt64) -> str:
    first = set(shared[:_SHOWN].tolist())
    names = {link(row).original_id for _, row in source.rows}
    shown = sorted(name for name in names if key64(name) in first)
    return ", ".join(map(repr, shown)) + (", ..." if shared.size > _SHOWN else "")
