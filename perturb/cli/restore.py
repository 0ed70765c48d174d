"""`perturb restore`: the rows as they were before they were perturbed."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from perturb.cli.apply import add_output_of_apply
from perturb.errors import UsageError
from perturb.io.outputs import same_file, writing

if TYPE_CHECKING:
    from perturb.io.inputs import Inputs

_AT_ONCE = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.description = (
        "Write each original of FILE once, with its own id, texts, answers and labels. Records "
        "alone say what it was, and prove it: the input is not needed."
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help="default: standard output"
    )
    add_output_of_apply(parser)


def run(args: argparse.Namespace) -> int:
    """Write the originals."""
    from perturb.io.formats import output_format
    from perturb.io.inputs import open_input
    from perturb.io.jsonl import dumps_all
    from perturb.stream.columns import PlainColumns

    if same_file(args.file, args.output):
        raise UsageError(f"{args.output} would be written over while it is read: name another")
    with (
        contextlib.closing(open_input(args.file, args.format)) as source,
        writing(args.output) as (out, _),
    ):
        form = output_format(args.output, args.format)
        writer, rows = form.writer(out, args.output, PlainColumns(source)), _originals(source)
        while batch := list(islice(rows, _AT_ONCE)):
            writer.write(dumps_all(batch))
        writer.finish()
    return 0


def _originals(source: Inputs) -> Iterator[dict[str, Any]]:
    """Yield each original once: its versions, of which no two are made alike, are neighbours."""
    from perturb.io.jsonl import at_line
    from perturb.rows.stored import stored

    name, seen = None, set[tuple[str, str]]()
    for number, row in source.rows():
        with at_line(source.at(number)):
            parts = stored(row)
        version = parts.linkage["condition"], parts.linkage["recipe"]
        if parts.linkage["original_id"] != name or version in seen:
            yield parts.row
            name, seen = parts.linkage["original_id"], set()
        seen.add(version)
