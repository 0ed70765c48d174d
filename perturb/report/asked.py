"""The days on which a system gave its answers, from the journal beside them."""

from __future__ import annotations

import re
from pathlib import Path

from perturb.boundary import opened

_AT = re.compile(rb'"at":"(\d{4}-\d\d-\d\d)T[^"]*"}$')


def days(scored: Path) -> str:
    """Return the first and last day of the answers; "" where no journal tells.

    Args:
        scored: the file of the answered rows.
    """
    journal = Path(f"{scored}.journal")
    if not journal.is_file():
        return ""
    with opened(journal) as lines:
        found = {match[1].decode() for line in lines if (match := _AT.search(line.rstrip()))}
    if not found:
        return ""
    first, last = min(found), max(found)
    return first if first == last else f"{first} to {last}"
