"""A tally of what broke: the kinds of edits, what they touch, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from perturb.report.edit_kinds import GROUPS

if TYPE_CHECKING:
    from perturb.values.arrays import Bool, Int64


class Tally(NamedTuple):
    """The rows with an edit of one kind, and how many of them broke.

    Attributes:
        bit: its number among the kinds.
        label: its name.
        rows: changed rows with such an edit that had something to lose.
        broke: those of them that turned bad.
        explained: flips of which an edit of this kind is among the smallest set that flips them.
    """

    bit: int
    label: str
    rows: int
    broke: int
    explained: int

    @property
    def share(self) -> float:
        """The share of the rows that broke."""
        return self.broke / self.rows


def tally(kinds: Int64, explained: Int64, good: Bool, broke: Bool) -> dict[str, list[Tally]]:
    """Count, by group, the kinds of edits that rows have, the most harmful first.

    Args:
        kinds: of each row, its kinds as bits.
        explained: of each row, the kinds of the edits that explain its flip.
        good: of each row, whether it had something to lose.
        broke: of each row, whether it was lost; only where `good`.
    """
    found: dict[str, list[Tally]] = {}
    bit = 0
    for group, labels in GROUPS.items():
        tallies = []
        for label in labels:
            has = (kinds >> bit & 1).astype(bool) & good
            causes = int((explained >> bit & 1).sum())
            tallies.append(Tally(bit, label, int(has.sum()), int((has & broke).sum()), causes))
            bit += 1
        kept = [one for one in tallies if one.rows]
        in_order = group == "place in the text"
        found[group] = kept if in_order else sorted(kept, key=lambda one: -one.share)
    return {group: tallies for group, tallies in found.items() if tallies}
