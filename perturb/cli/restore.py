"""`perturb restore`: the rows as they were before they were perturbed."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli.apply import OUTPUT_OF_APPLY
from perturb.io.addresses import is_address
from perturb.io.outputs import make_parents, writing

if TYPE_CHECKING:
    from perturb.io.inputs import Inputs

# Rows written at a time. One by one, JSON lines take a sixth more time and CSV a third; from 50 to
# 20,000 the time is the same, and this many take no memory.
_AT_ONCE = 1000
MANUAL = f"""
Write each original of FILE once, with its own id, texts, answers and labels. The records alone give
the original and prove it, so the input isn't needed. Rows that --rows found inside a file come back
as rows; of a file that --nested wrote, the input is the original.

-o, --output FILE [-]  a file, or a folder with a file for each (default: standard output)
{OUTPUT_OF_APPLY}
"""


def run(args: argparse.Namespace) -> int:
    """Write the originals."""
    from perturb.io.inputs import expanded
    from perturb.stream.perturb_folder import check_places, is_to_be_folder

    if not is_to_be_folder([args.file], args.output):
        _restore(args.file, args.output, args.format)
        return 0
    shards, folder = expanded([args.file]), args.output.rstrip("/")
    check_places([args.file], shards, folder, args.format)
    for shard in shards:
        path = f"{folder}/{shard.place}"
        if not is_address(path):
            make_parents(Path(path))
        _restore(str(shard), path, args.format)
    return 0


def _restore(file: str, output: str, given: str | None) -> None:
    from perturb.io.formats import output_format
    from perturb.io.inputs import open_input
    from perturb.stream.pieces import PlainColumns

    with contextlib.closing(open_input(file, given)) as source, writing(output) as (out, _):
        form = output_format(output, given, file, source.format)
        writer = form.writer(out, output, PlainColumns(source, form))
        rows = _originals(source)
        while batch := list(islice(rows, _AT_ONCE)):
            writer.write(b"".join(batch))
        writer.finish()


def _originals(source: Inputs) -> Iterator[bytes]:
    """Yield each original once. Its versions are neighbours, and no two have one recipe."""
    name, seen = None, set[tuple[str, str]]()
    for original, record in _restored_rows(source):
        version = record["condition"], record["recipe"]
        if record["original_id"] != name or version in seen:
            yield original
            name, seen = record["original_id"], set()
        seen.add(version)


def _restored_rows(source: Inputs) -> Iterator[tuple[bytes, Mapping[str, str]]]:
    """Yield the original of each row as a line, and its record."""
    from perturb.io.jsonl import at_line, dumps, lines_of, loads
    from perturb.rows.stored import stored
    from perturb.rows.stored_block import stored_lines

    def restored(number: int, row: Any) -> tuple[bytes, Mapping[str, str]]:
        with at_line(source.at(number)):
            parts = stored(row)
        return dumps(parts.row), parts.linkage

    if source.format.name != "jsonl":
        yield from (restored(number, row) for number, row in source.rows())
        return
    for first, block in source.blocks():
        numbered = list(lines_of(first, block.replace(b"\r\n", b"\n")))
        parts = stored_lines([line for _, line in numbered])
        for (number, line), part in zip(numbered, parts, strict=True):
            if part is not None:
                yield part.original + b"\n", part.record
                continue
            with at_line(source.at(number)):
                row = loads(line, as_written=True)
            yield restored(number, row)
