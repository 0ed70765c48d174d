"""Blocks of lines, in order, on one process or several."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from perturb.plan.job import Job
from perturb.stream.blocks import Block, perturb_block


def perturb_blocks(
    job: Job,
    blocks: Iterator[tuple[int, Any]],
    *,
    stop_at_bad: bool,
    workers: int,
    tables: bool = False,
) -> Iterator[Block]:
    """Perturb blocks of lines, in order; the bytes do not depend on the number of workers.

    Args:
        job: the instructions for each row.
        blocks: the number of the first row, and whole lines or a table of Arrow.
        stop_at_bad: whether nothing after the first bad line of a block is looked at.
        workers: the number of processes; 1 works in this one.
        tables: whether the blocks are tables, as their results are.

    Raises:
        DataError: a worker died.
    """
    if tables:
        from perturb.stream.table_blocks import perturb_tables

        return perturb_tables(job, blocks, stop_at_bad=stop_at_bad, workers=workers)
    work = partial(perturb_block, job, stop_at_bad)
    if workers == 1:
        return (work(first, lines) for first, lines in blocks)
    from perturb.stream.workers import shared_out  # most runs need none of it

    return shared_out(work, blocks, workers)
