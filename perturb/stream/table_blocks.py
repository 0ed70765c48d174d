"""Blocks of tables: perturb their rows, and add the column of their linkage records."""

from __future__ import annotations

from typing import Any

import orjson

from perturb import resources
from perturb.errors import DataError
from perturb.io.frames import frame_of
from perturb.io.parquet_files import table_bytes, table_of
from perturb.plan.job import Job
from perturb.rows.counts import RowCounts
from perturb.rows.perturb import perturb_rows
from perturb.rows.seen_ids import ids_in
from perturb.rows.table_rows import checked_roots, perturb_table
from perturb.stream.blocks import Bad, Block


def perturb_table_block(job: Job, stop_at_bad: bool, first: int, table: Any) -> Block:
    """Perturb the rows of a table of Arrow.

    Args:
        job: the instructions for each row.
        stop_at_bad: whether nothing after the first bad row is looked at.
        first: the number of the first row.
        table: the rows.
    """
    block = Block()
    checked_roots(table.column_names, job)
    try:
        block.data = perturb_table(frame_of(table, "arrow"), job, counts=block.counts)
    except DataError:
        table, block.bad = _good_rows(table, job, stop_at_bad, first)
        if not block.bad:
            raise
        block.counts = RowCounts()
        block.data = perturb_table(frame_of(table, "arrow"), job, counts=block.counts)
    if job.id_field in table.column_names:
        bad = {line.number for line in block.bad}
        numbers = range(first, first + table.num_rows + len(bad))
        good = [number for number in numbers if number not in bad][: table.num_rows]
        block.ids = ids_in(table[job.id_field].to_pylist(), good)
    block.tables = resources.used()
    return block


def _good_rows(table: Any, job: Job, stop_at_bad: bool, first: int) -> tuple[Any, list[Bad]]:
    """Return the rows of a table that can be perturbed, up to the first bad one, and the bad."""
    import pyarrow as pa

    good: list[int] = []
    bad: list[Bad] = []
    for index, row in enumerate(table.to_pylist()):
        try:
            perturb_rows([row], job)
            good.append(index)
        except DataError as error:
            bad.append(Bad(first + index, str(error), orjson.dumps(row, default=str)))
            if stop_at_bad:
                break
    return table.take(pa.array(good, pa.int64())), bad


def perturb_table_bytes(job: Job, stop_at_bad: bool, first: int, data: bytes) -> Block:
    """Do what `perturb_table_block` does, for a table from another process and back to it."""
    block = perturb_table_block(job, stop_at_bad, first, table_of(data))
    block.data = table_bytes(block.data)
    return block


def received(block: Block) -> Block:
    """Return a block of `perturb_table_bytes` with its table."""
    block.data = table_of(block.data)
    return block
