"""`perturb diff`: originals with their edits marked inline."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from perturb.boundary import Escaped, display
from perturb.cli.apply import OUTPUT_OF_APPLY
from perturb.cli.talk import diff_style

if TYPE_CHECKING:
    from perturb.records.record import Record


MANUAL = f"""
-n N  only the first N texts
{OUTPUT_OF_APPLY}
"""


def run(args: argparse.Namespace) -> int:
    """Print each text with its removed and its inserted characters."""
    style = diff_style()
    for record in islice(_records(args.file, args.format), args.n):
        display(f"{record.id}  {record.status}")
        display(Escaped(f"{record.diff(style)}\n"))
    return 0


def _records(path: str, form: str | None) -> Iterator[Record]:
    from perturb.io.inputs import open_input
    from perturb.io.jsonl import at_line
    from perturb.rows.stored import records_in

    with contextlib.closing(open_input(path, form)) as source:
        for number, row in source.rows():
            with at_line(source.at(number)):
                records = list(records_in(row))
            yield from records
