"""One system or two, the perturbed rows that both were asked, and what tells conditions apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.scoring.conditions import KEPT
from perturb.robustness.scoring.join import shared_rows
from perturb.values.arrays import Bool, Float64, Int64, Intp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from perturb.robustness.scoring.findings import Finding
    from perturb.robustness.scoring.join import Pairs
    from perturb.robustness.scoring.score import Judged
    from perturb.robustness.scoring.sources import RowSource


class Series(NamedTuple):
    """The scored rows of one system.

    Attributes:
        name: "A" or "B"; "" where there is one alone.
        file: the name of the file.
        system: what was asked, as far as it is known; "" otherwise.
        asked: the day or days of the answers; "" where they are not known.
        sources: the rows, with their originals.
        judged: what was found in them.
    """

    name: str
    file: str
    system: str
    asked: str
    sources: Sequence[RowSource]
    judged: Judged


class Shared(NamedTuple):
    """The pairs that all series have, in one order.

    Attributes:
        rows: of each series, the numbers of its pairs.
        sizes: of each series, how many pairs it has in all.
        original: of each pair, as the first series counts them.
        condition: as `original`.
        judged: whether the text of each was changed, and its right answer is known.
        clean: by series, pair and measure.
        perturbed: as `clean`.
    """

    rows: list[Intp]
    sizes: list[int]
    original: Intp
    condition: Int64
    judged: Bool
    clean: Float64
    perturbed: Float64

    def whole(self, at: int, chosen: Bool) -> Bool:
        """Return a choice among the shared pairs as one among all pairs of a series."""
        every = np.zeros(self.sizes[at], bool)
        every[self.rows[at][chosen]] = True
        return every


def share(pairs: Sequence[Pairs]) -> Shared:
    """Return the pairs that all series have, in the order of the first one's rows.

    Raises:
        DataError: there is none.
    """
    shared = shared_rows(*pairs)
    order, first = np.argsort(shared[0]), pairs[0]
    rows = [at[order] for at in shared]
    return Shared(
        rows=rows,
        sizes=[one.place.size for one in pairs],
        original=first.original[rows[0]].astype(np.intp),
        condition=first.condition[rows[0]].astype(np.int64),
        judged=(first.changed & first.counted)[rows[0]],
        clean=np.stack([one.clean[at] for one, at in zip(pairs, rows, strict=True)]),
        perturbed=np.stack([one.perturbed[at] for one, at in zip(pairs, rows, strict=True)]),
    )


def key_of(finding: Finding) -> tuple[str, float | None, int | None, str]:
    """Return what tells a condition from the others."""
    return finding.perturbator, finding.p, finding.severity, finding.expect


def strength(finding: Finding) -> str:
    """Return the strength of a finding in words; "" where it has none."""
    expect = "" if finding.expect == KEPT else f"expect {finding.expect}"
    severity = "" if finding.severity is None else f"severity {finding.severity}"
    p = "" if finding.p is None else f"p = {finding.p:g}"
    return ", ".join(filter(None, (severity or p, expect)))
