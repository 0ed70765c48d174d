"""One system or two, the perturbed rows that both were asked, and what tells conditions apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from perturb.robustness.grading.reply_state import MISSING
from perturb.robustness.linking.conditions import KEPT
from perturb.robustness.pairs.alignment import shared_rows
from perturb.robustness.pairs.join import Pairs
from perturb.values.arrays import Bool, Float64, Int32, Rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from perturb.robustness.linking.sources import RowSource
    from perturb.robustness.measures.findings import Finding
    from perturb.robustness.scoring.score import Judged


class Series(NamedTuple):
    """The scored rows of one system.

    Attributes:
        name: that of its run; "" where there is one alone.
        file: the name of the file.
        system: the system's name or call, as far as it is known; "" otherwise.
        asked: the day or days of the answers; "" where they are not known.
        sources: the rows, with their originals.
        judged: the findings in them.
    """

    name: str
    file: str
    system: str
    asked: str
    sources: Sequence[RowSource]
    judged: Judged


class Shared(NamedTuple):
    """The pairs that all series have, in the order of the first one's rows.

    Attributes:
        rows: for each series, the numbers of its pairs.
        sides: for each series, its pairs.
        original: the original of each pair, as the first series counts them.
        condition: as `original`.
        judged: whether the text of each was changed, its right answer is known, and so are replies.
    """

    rows: list[Int32]
    sides: list[Pairs]
    original: Int32
    condition: Rows
    judged: Bool

    def scores(self, measure: int) -> Iterator[tuple[Float64, Float64]]:
        """Yield the scores of the clean rows and of the perturbed ones, for each series."""
        for pairs in self.sides:
            yield pairs.clean[:, measure], pairs.perturbed[:, measure]

    def by(self, measure: int) -> Shared:
        """Return the same pairs; see `Pairs.by`."""
        sides = [pairs.by(measure) for pairs in self.sides]
        judged = np.logical_and.reduce([self.judged, *(one.there for one in sides)])
        return self._replace(sides=sides, judged=judged)


def share(pairs: Sequence[Pairs]) -> Shared:
    """Return the pairs that all series have, but for rows that are missing in one.

    Raises:
        DataError: there is none.
    """
    shared, first = shared_rows(*pairs), pairs[0]
    order = np.argsort(first.place[shared[0]])
    written = np.all([one.state[at] != MISSING for one, at in zip(pairs, shared, strict=True)], 0)
    rows: list[Int32] = [at[order][written[order]].astype(np.int32) for at in shared]
    sides = [one.take(at) for one, at in zip(pairs, rows, strict=True)]
    judged = (first.changed & first.counted)[rows[0]]
    judged &= np.all([one.there for one in sides], axis=0)
    return Shared(rows, sides, sides[0].original, sides[0].condition, judged)


def key_of(finding: Finding) -> tuple[str, float | None, int | None, str]:
    """Return what tells a condition from the others."""
    return finding.perturbator, finding.p, finding.severity, finding.expect


def strength(finding: Finding) -> str:
    """Return the strength of a finding in words; "" where it has none."""
    expect = "" if finding.expect == KEPT else f"expect {finding.expect}"
    severity = "" if finding.severity is None else f"severity {finding.severity}"
    p = "" if finding.p is None else f"p = {finding.p:g}"
    return ", ".join(filter(None, (severity or p, expect)))
