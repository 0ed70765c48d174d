"""`perturb diff`: originals with their edits marked inline."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from perturb.cli.file_format import add_format
from perturb.cli.terminal import diff_style
from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.records.record import Record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument(
        "file", metavar="FILE", help="a file that perturb apply wrote; - for standard input"
    )
    parser.add_argument("-n", type=int, default=None, metavar="N", help="only the first N texts")
    add_format(parser)
    parser.add_argument("--id-field", default="id", metavar="FIELD", help="default: id")


def run(args: argparse.Namespace) -> int:
    """Print each text with what was removed and what was written."""
    if args.n is not None and args.n < 0:
        raise UsageError(f"-n must be at least 0; got {args.n}")
    style = diff_style()
    for record in islice(_records(args.file, args.format, args.id_field), args.n):
        why = f" ({record.reason})" if record.reason else ""
        print(f"{record.id}  {record.status}{why}")
        print(f"{record.diff(style)}\n")
    return 0


def _records(path: str, form: str | None, id_field: str) -> Iterator[Record]:
    from perturb.io.formats import open_input, read_rows
    from perturb.io.jsonl import at_line
    from perturb.rows.read_records import records_of

    with contextlib.closing(open_input(path, form)) as source:
        for number, row in read_rows(source):
            with at_line(source.name, number):
                records = list(records_of(row, id_field))
            yield from records
