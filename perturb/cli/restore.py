"""`perturb restore`: the rows as they were before they were perturbed."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perturb.cli.apply import OUTPUT_OF_APPLY
from perturb.cli.manual import check_apart
from perturb.cli.talk import say
from perturb.errors import PerturbError
from perturb.io.addresses import is_address
from perturb.io.outputs import make_parents, writing

if TYPE_CHECKING:
    from perturb.io.inputs import Inputs

# Keeps a line that can't be restored, or stops at it.
Leave = Callable[[PerturbError, bytes], None]
# Rows written at a time. One by one, JSON lines take a sixth more time and CSV a third; from 50 to
# 20,000 the time is the same, and this many take no memory.
_AT_ONCE = 1000
MANUAL = f"""
Write each original of FILE once, with its own id, texts, answers and labels. The records alone give
the original and prove it, so the input isn't needed. Rows that --rows found inside a file come back
as rows; of a file that --nested wrote, the input is the original.

-o, --output FILE [-]  a file, or a folder with a file for each (default: standard output)
--bad-lines stop|skip|FILE [stop]  what to do with a row that was changed since, or has no record:
    stop (default); skip it and count it; or write it to FILE. Another version of it may still give
    its original
{OUTPUT_OF_APPLY}
"""


def run(args: argparse.Namespace) -> int:
    """Write the originals."""
    from perturb.io.inputs import expanded
    from perturb.stream.perturb_file import bad_lines_file
    from perturb.stream.perturb_folder import check_places, is_to_be_folder

    if not is_to_be_folder([args.file], args.output):
        check_apart(args, **dict(bad_lines_file(args.bad_lines)))
        with _leaving(args.bad_lines) as leave:
            _restore(args.file, args.output, args.format, leave)
        return 0
    shards, folder = expanded([args.file]), args.output.rstrip("/")
    check_places([args.file], shards, folder, args.format, args.bad_lines)
    with _leaving(args.bad_lines) as leave:
        for shard in shards:
            path = f"{folder}/{shard.place}"
            if not is_address(path):
                make_parents(Path(path))
            _restore(str(shard), path, args.format, leave)
    return 0


@contextlib.contextmanager
def _leaving(bad_lines: str) -> Iterator[Leave]:
    """Yield a function to call with each line that can't be restored; tell of these in the end."""
    from perturb.stream.perturb_file import bad_lines_file

    count, first = 0, ""
    kept = [writing(path) for _, path in bad_lines_file(bad_lines)]
    with kept[0] if kept else contextlib.nullcontext((None, None)) as (file, _):

        def leave(error: PerturbError, line: bytes) -> None:
            if bad_lines == "stop":
                hint = " (--bad-lines skip|FILE goes on without such rows)"
                raise type(error)(f"{error}{hint}") from None
            nonlocal count, first
            count, first = count + 1, first or str(error)
            if file is not None:
                file.write(line.rstrip(b"\n") + b"\n")

        yield leave
    if count:
        say(f"left out {count:,} bad {'line' if count == 1 else 'lines'}, the first {first}")


def _restore(file: str, output: str, given: str | None, leave: Leave) -> None:
    from perturb.io.formats import output_format
    from perturb.io.inputs import open_input
    from perturb.stream.pieces import PlainColumns

    with contextlib.closing(open_input(file, given)) as source, writing(output) as (out, _):
        form = output_format(output, given, file, source.format)
        writer = form.writer(out, output, PlainColumns(source, form))
        rows = _originals(_restored_rows(source, leave))
        while batch := list(islice(rows, _AT_ONCE)):
            writer.write(b"".join(batch))
        writer.finish()


def _originals(rows: Iterator[tuple[bytes, Mapping[str, str]]]) -> Iterator[bytes]:
    """Yield each original once. Its versions are neighbours, and no two have one recipe."""
    name, seen = None, set[tuple[str, str]]()
    for original, record in rows:
        version = record["condition"], record["recipe"]
        if record["original_id"] != name or version in seen:
            yield original
            name, seen = record["original_id"], set()
        seen.add(version)


def _restored_rows(source: Inputs, leave: Leave) -> Iterator[tuple[bytes, Mapping[str, str]]]:
    """Yield the original of each row as a line, and its record; leave those that have none."""
    from perturb.io.jsonl import at_line, dumps, lines_of, loads
    from perturb.rows.stored import stored
    from perturb.rows.stored_block import stored_lines

    def restored(
        number: int, row: Any, line: bytes | None = None
    ) -> Iterator[tuple[bytes, Mapping[str, str]]]:
        try:
            with at_line(source.at(number)):
                parts = stored(row if line is None else loads(line, as_written=True))
        except PerturbError as error:
            leave(error, dumps(row) if line is None else line)
        else:
            yield dumps(parts.row), parts.linkage

    if source.format.name != "jsonl":
        for number, row in source.rows():
            yield from restored(number, row)
        return
    for first, block in source.blocks():
        numbered = list(lines_of(first, block.replace(b"\r\n", b"\n")))
        parts = stored_lines([line for _, line in numbered])
        for (number, line), part in zip(numbered, parts, strict=True):
            if part is None:
                yield from restored(number, None, line)
            else:
                yield part.original + b"\n", part.record
