"""`perturb diff`: originals with their edits marked inline."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from perturb.errors import UsageError

if TYPE_CHECKING:
    from perturb.record import Record

_PLAIN = ("[-", "-]", "{+", "+}")
_COLOURS = ("\x1b[31;9m", "\x1b[0m", "\x1b[32;1m", "\x1b[0m")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("file", help="a file that perturb apply wrote; - for standard input")
    parser.add_argument("-n", type=int, default=None, metavar="N", help="only the first N texts")
    parser.add_argument("--id-field", default="id", metavar="FIELD", help="default: id")


def run(args: argparse.Namespace) -> int:
    """Print each text with what was removed and what was written."""
    if args.n is not None and args.n < 0:
        raise UsageError(f"-n must be at least 0; got {args.n}")
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    marks = _COLOURS if colours else _PLAIN
    for record in islice(_records(args.file, args.id_field), args.n):
        why = f" ({record.reason})" if record.reason else ""
        print(f"{record.id}  {record.status}{why}")
        print(f"{inline(record, marks)}\n")
    return 0


def inline(record: Record, marks: tuple[str, str, str, str] = _PLAIN) -> str:
    """The original with what was removed and what was written between marks."""
    parts, at = [], 0
    for start, end, replacement in record.edits:
        parts.append(record.original[at:start])
        if end > start:
            parts += [marks[0], record.original[start:end], marks[1]]
        if replacement:
            parts += [marks[2], replacement, marks[3]]
        at = end
    return "".join([*parts, record.original[at:]])


def _records(path: str, id_field: str) -> Iterator[Record]:
    from perturb.io.files import Source
    from perturb.io.jsonl import at_line, read
    from perturb.verification import records_of

    with contextlib.closing(Source(path)) as source:
        for number, row in read(source):
            with at_line(source.name, number):
                records = list(records_of(row, id_field))
            yield from records
