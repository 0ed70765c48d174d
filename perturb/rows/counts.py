"""Counts of what a job did, and the summary of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from perturb.engine.protection import Rules
from perturb.engine.step import REASONS, Reasons
from perturb.plan.job import Job
from perturb.records.batch import RecordBatch
from perturb.rows.seen_ids import SeenIds

# The rows of a file that are looked at, once a copy was found: a layout shows in its first rows,
# and more would cost what perturbing them does.
COPIES_IN = 1000


class RowCounts:
    """The counts of the rows so far, and of their edits and statuses by condition.

    Attributes:
        rows: that were read.
        repeats: those that are another one again, and share its id.
        texts: in these rows.
        written: rows that were written.
        edits: by condition.
        units: by condition.
        statuses: how many rows have each status, by condition.
        copies: of texts, that stay as they were in some rows, by the words for each.
        followed: copies that were changed by the edits of their texts, likewise.
        matched: the rules of the job's `named_rules` that match somewhere.
        refused: why rows stayed that were to change, by condition; a manifest has none.
    """

    def __init__(self) -> None:
        self.rows = self.repeats = self.texts = self.written = 0
        self.edits: Counter[str] = Counter()
        self.units: Counter[str] = Counter()
        self.statuses: dict[str, Counter[str]] = {}
        self.copies: Counter[str] = Counter()
        self.followed: Counter[str] = Counter()
        self.matched: set[str] = set()
        self.refused: dict[str, Counter[str]] = {}

    def add(self, more: RowCounts) -> None:
        """Add counts that were made elsewhere."""
        self.rows += more.rows
        self.repeats += more.repeats
        self.texts += more.texts
        self.written += more.written
        self.edits += more.edits
        self.units += more.units
        self.copies += more.copies
        self.followed += more.followed
        self.matched |= more.matched
        for own, others in ((self.statuses, more.statuses), (self.refused, more.refused)):
            for condition, numbers in others.items():
                own.setdefault(condition, Counter()).update(numbers)

    def see_reasons(self, condition: str, reasons: Reasons) -> None:
        """Count rows by the reasons why they are as they were, as numbers of `REASONS`."""
        statuses = self.statuses.setdefault(condition, Counter())
        for reason, number in zip(REASONS, np.bincount(reasons).tolist(), strict=False):
            if number:
                statuses[reason or "changed"] += number

    def see_edits(self, batch: RecordBatch) -> None:
        """Count the edits and units of texts, and see which rules match."""
        condition = batch.version.condition.label
        for tally in batch.outcome.tallies:
            self.edits[condition] += int(tally.edits.sum())
            self.units[condition] += int(tally.units.sum())
        for rule in batch.version.job.named_rules.keys() - self.matched:
            if len(batch.given.spans_of(Rules.of(rule)).starts):
                self.matched.add(rule)

    def see_left(self, batch: RecordBatch, own: slice, why: str) -> None:
        """Take back the edits of a row that stays after all, and see why."""
        condition = batch.version.condition.label
        self.edits[condition] -= sum(int(each.edits[own].sum()) for each in batch.outcome.tallies)
        self.refused.setdefault(condition, Counter())[why] += 1

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> RowCounts:
        """Return the counts that a manifest holds; it does not say how many texts there were."""
        counts = cls()
        counts.rows, counts.written = content["rows_read"], content["rows_written"]
        counts.repeats = content.get("rows_repeated") or 0  # 0 too where nobody counted them
        counts.copies = Counter(content.get("copies", {}))
        counts.followed = Counter(content.get("followed", {}))
        for condition, about in content["conditions"].items():
            counts.statuses[condition] = Counter(about["statuses"])
            counts.units[condition], counts.edits[condition] = about["units"], about["edits"]
        return counts

    def to_dict(self) -> dict[str, object]:
        """Return the counts as a manifest holds them."""
        return {
            "rows_read": self.rows,
            "rows_repeated": self.repeats,
            "rows_written": self.written,
            **({"copies": dict(sorted(self.copies.items()))} if self.copies else {}),
            **({"followed": dict(sorted(self.followed.items()))} if self.followed else {}),
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


class Summary(NamedTuple):
    """The result of perturbing a file, or a folder.

    Attributes:
        source: the name of the input.
        counts: the counts of its rows.
        job: the instructions for each row.
        bad_lines: how many of its lines were left out.
        ids: the ids of its rows.
        limit: how many rows of a file were to be read; None for all.
        shards: how many files a folder has.
        done_before: how many of them were done already.
        shared_ids: two rows of one id in two of them, by their places; one pair a file at most.
    """

    source: str
    counts: RowCounts
    job: Job
    bad_lines: int
    ids: SeenIds
    limit: int | None = None
    shards: int = 0
    done_before: int = 0
    shared_ids: Sequence[tuple[str, str]] = ()

    @property
    def ids_not_kept(self) -> int:
        """How many rows came after the most whose ids are kept: two of them may share one."""
        return self.ids.not_kept

    def notes(self) -> Iterator[str]:
        """Yield notes on the rows: on those that are missing or alike, and on copies in them."""
        if not self.counts.rows and not self.bad_lines:
            yield f"{self.source} has no rows, so none were written"
        if self.bad_lines:
            lines = "1 bad line" if self.bad_lines == 1 else f"{self.bad_lines} bad lines"
            yield f"left out {lines} of {self.source}"
        if repeats := self.counts.repeats:
            some = "1 row repeats" if repeats == 1 else f"{repeats:,} rows repeat"
            yield (
                f"{some} another row of {self.source} exactly, without an id of its own: equal "
                "rows share their id and noise, and perturb score counts them once"
            )
        if self.ids_not_kept:
            from perturb.rows.seen_ids import MOST_IDS

            yield (
                f"the ids of the last {self.ids_not_kept:,} rows of {self.source} were checked "
                f"against the first {MOST_IDS:,} ids, but not against each other"
            )
        if self.counts.copies or self.counts.followed:
            yield from _of_copies(self.counts, self.job, self.shards)


def _of_copies(counts: RowCounts, job: Job, shards: int) -> Iterator[str]:
    """Yield notes on the copies in rows.

    Args:
        counts: the counts of the rows.
        job: the instructions for each row.
        shards: how many files the rows are of, if the output is a folder.
    """
    if counts.followed:
        yield f"of the rows written, {_most(counts.followed)}: these fields follow"
    named = "name them with --field, --target, --choices or --spans"
    if counts.copies and job.copies == "follow":
        yield (
            f"of the rows written, {_most(counts.copies)}, but not so that edits can be told of "
            f"it: there these fields stay as they were; {named}, or leave them out"
        )
    elif counts.copies:
        rows = "rows of each file" if shards else f"{min(counts.rows, COPIES_IN):,} rows"
        yield (
            f"of the first {rows}, {_most(counts.copies)}: these fields stay as they were; "
            f"{named}, or apply with --copies {'' if job.moves_whole_items else 'follow or '}ignore"
        )


def _most(copies: Mapping[str, int]) -> str:
    """Return the most frequent copies, each with the number of its rows; of equal ones by name."""
    most = sorted(copies, key=lambda how: (-copies[how], how))
    fields = ", ".join(f"{how} in {copies[how]:,}" for how in most[:3])
    return fields + f" and {len(most) - 3} more" * (len(most) > 3)
