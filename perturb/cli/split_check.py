"""`perturb split-check`: two files must not share an original."""

from __future__ import annotations

from pathlib import Path

from perturb.boundary import display

MANUAL = """
Fail if a row of TRAIN and a row of TEST come from the same original, by its id or its text. A row
without a perturbation record is an original, known by its id.

train TRAIN  rows, JSON Lines
test TEST  rows, JSON Lines
"""


def run(*, train: Path, test: Path) -> int:
    """Compare the originals of the two files."""
    from perturb.robustness.scoring.split import check_split

    of_train, of_test, bare = check_split(train, test)
    alone = f"; without a text, so compared by id only: {bare:,}" * bool(bare)
    display(f"no shared originals: {of_train} in {train}, {of_test} in {test}{alone}")
    return 0
