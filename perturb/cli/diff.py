"""`perturb diff`: originals with their edits marked inline."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import islice

from perturb.boundary import Escaped, display
from perturb.cli.apply import OUTPUT_OF_APPLY
from perturb.cli.talk import diff_style

MANUAL = f"""
-n N  only the first N texts
{OUTPUT_OF_APPLY}
"""


def run(*, file: str, format: str | None, n: int | None) -> int:
    """Print each text with its removed and its inserted characters, or else moved options."""
    for head, diff in islice(_diffs(file, format), n):
        display(head)
        display(Escaped(f"{diff}\n"))
    return 0


def _diffs(path: str, form: str | None) -> Iterator[tuple[str, str]]:
    from perturb.io.inputs import open_input
    from perturb.io.jsonl import at_line
    from perturb.records.edit import marked
    from perturb.rows.stored import changed_values, id_in, records_in

    style = diff_style()
    with contextlib.closing(open_input(path, form)) as source:
        for number, row in source.rows():
            with at_line(source.at(number)):
                records = list(records_in(row))
                values = [] if records else list(changed_values(row))
            yield from ((f"{one.id}  {one.status}", one.diff(style)) for one in records)
            for at, text, edits in values:
                yield f"{id_in(row)}  {at}", marked(text, edits, style)
