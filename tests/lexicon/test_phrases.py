"""Words beside words."""

import numpy as np
import pytest

from perturb.engine.batch import Batch
from perturb.lexicon.phrases import among


@pytest.mark.parametrize(
    ("texts", "rows", "expected"),
    [
        (["One two.", "ONE"], [0, 1, 2, -1], [True, False, True, False]),
        (["One"], [-1, -1], [False, False]),
        (["one"], [], []),
        # No word at all, and a row that stands for none.
        (["...", ""], [-1, -1], [False, False]),
        ([], [], []),
    ],
)
def test_among(texts, rows, expected) -> None:
    found = among(Batch.of(texts), np.array(rows, np.int64), frozenset(["one"]))
    assert found.tolist() == expected
