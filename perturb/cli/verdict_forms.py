"""The forms of a table that commands write, and its colours on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from perturb.robustness.scoring.results import Results

_COLOURS = {
    "worse": 31,
    "B loses more": 31,
    "better": 34,
    "A loses more": 34,
    "robust": 32,
    "same": 32,
    "undecided": 33,
    "cannot judge": 35,
    "control": 2,
}


def add_formats(parser: argparse.ArgumentParser) -> None:
    """Declare the form to write in."""
    from perturb.robustness.scoring.results import FORMS

    form = parser.add_mutually_exclusive_group()
    form.add_argument("--format", choices=FORMS, help="how to write (default: table)")
    form.add_argument("--json", action="store_const", const="json", dest="format")
    form.add_argument("--csv", action="store_const", const="csv", dest="format")


def written(args: argparse.Namespace, found: Results[Any]) -> str:
    """Return a verdict or a comparison in the form that the arguments choose."""
    from perturb.robustness.scoring.results import FORMS

    return FORMS[args.format or "table"](found, getattr(args, "wide", False), paint())


def paint() -> Callable[[str], str]:
    """Return a function that colours a verdict, on a terminal that shows colours."""
    from perturb.cli.terminal import takes_colours

    if takes_colours():
        return lambda word: f"\x1b[{_COLOURS[word]}m{word}\x1b[0m"
    return str
