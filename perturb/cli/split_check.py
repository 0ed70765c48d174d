"""`perturb split-check`: two files must not share an original."""

from __future__ import annotations

import argparse

from perturb.boundary import display

MANUAL = """
Fail if a row of TRAIN and a row of TEST come from the same original: one with the same id, or with
the same text. A row without a perturbation record is an original, known by its id.

train TRAIN  rows, JSON Lines
test TEST  rows, JSON Lines
"""


def run(args: argparse.Namespace) -> int:
    """Compare the originals of the two files."""
    from perturb.robustness.scoring.split import check_split

    train, test, bare = check_split(args.train, args.test)
    alone = f"; known by id alone, for want of a text: {bare:,}" * bool(bare)
    display(f"no original is shared: {train} in {args.train}, {test} in {args.test}{alone}")
    return 0
