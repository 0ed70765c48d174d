"""Counts of what a job did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from perturb.engine.one_text import SingleOutcome
from perturb.engine.run import Outcome
from perturb.engine.step import REASONS


class RowCounts:
    """The counts of the rows so far, and of what was done with them by condition.

    Attributes:
        rows: that were read.
        texts: in these rows.
        written: rows that were written.
        edits: by condition.
        units: by condition.
        statuses: how many rows have each status, by condition.
    """

    def __init__(self) -> None:
        self.rows = self.texts = self.written = 0
        self.edits: Counter[str] = Counter()
        self.units: Counter[str] = Counter()
        self.statuses: dict[str, Counter[str]] = {}

    def add(self, more: RowCounts) -> None:
        """Add counts that were made elsewhere."""
        self.rows += more.rows
        self.texts += more.texts
        self.written += more.written
        self.edits += more.edits
        self.units += more.units
        for condition, statuses in more.statuses.items():
            self.statuses.setdefault(condition, Counter()).update(statuses)

    def see(self, condition: str, outcome: Outcome | SingleOutcome) -> None:
        """Count the outcome of a run of the engine on texts that each are all of their row."""
        self.see_edits(condition, outcome)
        statuses = self.statuses.setdefault(condition, Counter())
        for reason, number in zip(REASONS, np.bincount(outcome.reasons).tolist(), strict=False):
            if number:
                statuses[reason or "changed"] += number

    def see_edits(self, condition: str, outcome: Outcome | SingleOutcome) -> None:
        """Count the edits and units of a run of the engine."""
        for tally in outcome.tallies:
            self.edits[condition] += int(tally.edits.sum())
            self.units[condition] += int(tally.units.sum())

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> RowCounts:
        """Return the counts that a manifest holds; it does not say how many texts there were."""
        counts = cls()
        counts.rows, counts.written = content["rows_read"], content["rows_written"]
        for condition, about in content["conditions"].items():
            counts.statuses[condition] = Counter(about["statuses"])
            counts.units[condition], counts.edits[condition] = about["units"], about["edits"]
        return counts

    def to_dict(self) -> dict[str, object]:
        """Return the counts as a manifest holds them."""
        return {
            "rows_read": self.rows,
            "rows_written": self.written,
            "conditions": {
                condition: {
                    "statuses": dict(sorted(statuses.items())),
                    "units": self.units[condition],
                    "edits": self.edits[condition],
                    "rate": round(self.edits[condition] / max(self.units[condition], 1), 6),
                }
                for condition, statuses in self.statuses.items()
            },
        }
