"""The result of perturbing a file, or a folder. Private."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perturb.rows.counts import RowCounts
from perturb.rows.seen_ids import SeenIds


class Summary(NamedTuple):
    """The result of perturbing a file, or a folder.

    Attributes:
        source: the name of the input.
        counts: the counts of its rows.
        bad_lines: how many of its lines were left out.
        ids: the ids of its rows.
        limit: how many rows of a file were to be read; None for all.
        shards: how many files a folder has.
        done_before: how many of them were done already.
        shared_ids: two rows of one id in two of them, by their places; one pair a file at most.
    """

    source: str
    counts: RowCounts
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
