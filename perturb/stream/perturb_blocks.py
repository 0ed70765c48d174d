"""Blocks of lines, in order, on one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from perturb.io.parquet_files import table_bytes, table_of
from perturb.rows.job import Job
from perturb.stream.blocks import Block, perturb_block, perturb_table_block

Work = Callable[[int, Any], Block]


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
    work = partial(perturb_table_block if tables else perturb_block, job, stop_at_bad)
    if workers == 1:
        return (work(first, lines) for first, lines in blocks)
    from perturb.stream.workers import shared_out  # most runs need none of it

    if not tables:
        return shared_out(work, blocks, workers)
    sent = ((first, table_bytes(table)) for first, table in blocks)
    return map(_received, shared_out(partial(_on_bytes, work), sent, workers))


def _on_bytes(work: Work, first: int, data: bytes) -> Block:
    made = work(first, table_of(data))
    made.data = table_bytes(made.data)
    return made


def _received(made: Block) -> Block:
    made.data = table_of(made.data)
    return made
