"""How a verdict is printed: its form, its colours, and the rules that it has to pass."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from perturb.boundary import Escaped, display, opened, visible
from perturb.cli.talk import say, takes_colours
from perturb.robustness.grading.ways import DEFAULT, way_of
from perturb.robustness.tables.formats import FORMS, WIDTH, VerdictWord, as_pieces

if TYPE_CHECKING:
    from perturb.robustness.scoring.gate import Gated, Rule
    from perturb.robustness.scoring.results import Shown

_WORDS = {
    31: "worse, B loses more, insensitive, A reacts more, loses",
    34: "better, A loses more, B reacts more, A tolerates more, B tolerates more",
    32: "robust, no worse, B loses no more, same, sensitive, B reacts no less, same reaction"
    ", tolerates",
    33: "undecided",
    35: "cannot judge",
    2: "control",
    0: "tolerance",
}
_COLOURS = {word: colour for colour, words in _WORDS.items() for word in words.split(", ")}
_FAILED = 3


_FORMS = ",".join(FORMS)
FORM = f"""\
--format {{{_FORMS}}} [table]  the form of the output (default: table)
| --json
| --csv"""
# Forms for citing a verdict, besides the forms of every table.
CARDS = ("card", "model-index")
FORM_OR_CARD = FORM.replace(_FORMS, ",".join([_FORMS, *CARDS]))
JUNIT = "--junit FILE  also write the rules as JUnit test cases"


def pieces_of(args: argparse.Namespace, results: Shown) -> list[str]:
    """Return a verdict, a comparison or a plan in pieces, in the form that the arguments choose.

    Each verdict word stays a piece until it is printed, so that escaping doesn't touch its colour.
    """
    wide = getattr(args, "wide", False)
    if args.format == "table":
        return as_pieces(results._table(wide), None if wide else WIDTH)
    return [FORMS[args.format](results, wide)]


def print_pieces(pieces: Sequence[str]) -> None:
    """Print the pieces of a text, verdicts in colour and control characters of others escaped."""
    coloured = takes_colours()
    shown = (
        f"\x1b[{_COLOURS[piece]}m{piece}\x1b[0m"
        if coloured and isinstance(piece, VerdictWord)
        else visible(piece)
        for piece in pieces
    )
    display(Escaped("".join(shown)))


def rules_of(args: argparse.Namespace) -> list[Rule]:
    """Read the rules first, so that a wrong one costs no time."""
    from perturb.robustness.scoring.gate import rule_of

    match = args.match or DEFAULT
    free = match.startswith("python:") or not way_of(match).higher_is_better
    shares = not (args.score or args.metrics or free)  # all other ways score from 0 to 1
    return [rule_of(text, shares=shares) for text in args.fail_if]


def print_gated(
    args: argparse.Namespace,
    rules: Sequence[Rule],
    conditions: Sequence[Gated],
    pieces: Sequence[str],
    results: Shown,
) -> int:
    """Print a verdict and the rules that it breaks, and return the status of the command.

    Args:
        args: the arguments of the command.
        rules: the rules for the verdict.
        conditions: the conditions that they apply to.
        pieces: the verdict as `pieces_of` gives it.
        results: the verdict, whose words the test cases repeat.
    """
    from perturb.robustness.scoring.gate import junit, markdown

    checked = [(rule, rule.checked(conditions)) for rule in rules]
    print_pieces(pieces)
    if rules and args.format == "md":
        display("\n" + markdown(checked))
    failures = [check.failure for _, checks in checked for check in checks if check.failure]
    for failure in failures:
        say(f"fails: {failure}")
    if args.junit is not None:
        with opened(args.junit, "wb") as file:
            words = results.sentence, checked, conditions, results.hints
            file.write(junit(args.parser.prog, *words).encode())
    return _FAILED if failures else 0
