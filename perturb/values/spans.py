"""Spans of a text, in the forms that annotators write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perturb.errors import DataError, shown

# The names of the ends of a span in an object, in the order in which they are looked for.
ENDS = (
    ("start", "end"),
    ("start_char", "end_char"),
    ("start_offset", "end_offset"),
    ("begin", "end"),
)


def ends_of(label: Any) -> tuple[int, int]:
    """Return the start and the end of a span in any of its forms.

    Raises:
        DataError: it is none.
    """
    match label:
        case [int(start), int(end), *_]:
            return start, end
        case {"answer_start": int(start), "text": str(text)}:
            return start, start + len(text)
        case Mapping():
            for first, last in ENDS:
                if first in label and last in label:
                    return ends_of([label[first], label[last]])
    raise DataError(
        "a span is written [start, end], [start, end, label], "
        f'{{"start": ..., "end": ...}} or {{"answer_start": ..., "text": ...}}; got {shown(label)}'
        ". Tags of tokens need the list of tokens as the field of the text"
    )
