"""The terminal that standard output may be: whether it shows colours."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perturb.records.marked import Style


def takes_colours() -> bool:
    """Return whether standard output is a terminal, and its user has not refused colours."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def diff_style() -> Style:
    """Return the style of marks around edits: colours where the terminal has them."""
    return "ansi" if takes_colours() else "plain"
