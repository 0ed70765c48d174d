"""Options of the commands that print a verdict: its form, and the rules that it has to pass."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from perturb.boundary import display, opened
from perturb.cli.talk import say, takes_colours

if TYPE_CHECKING:
    from perturb.robustness.scoring.gate import Gated, Rule
    from perturb.robustness.scoring.results import Shown

_WORDS = {
    31: "worse, B loses more, insensitive, A reacts more, loses",
    34: "better, A loses more, B reacts more, A bears more, B bears more",
    32: "robust, no worse, B loses no more, same, sensitive, B reacts no less, same reaction"
    ", bears",
    33: "undecided",
    35: "cannot judge",
    2: "control",
    0: "tolerance",
}
_COLOURS = {word: colour for colour, words in _WORDS.items() for word in words.split(", ")}
_FAILED = 3


def add_forms(parser: argparse.ArgumentParser, further: Sequence[str] = ()) -> None:
    """Declare the form to write in."""
    from perturb.robustness.tables.formats import FORMS

    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--format",
        choices=(*FORMS, *further),
        default="table",
        help="how to write (default: table)",
    )
    for name in ("json", "csv"):
        form.add_argument(f"--{name}", action="store_const", const=name, dest="format")


def add_at_least(parser: argparse.ArgumentParser) -> None:
    """Declare the smallest reaction that counts."""
    parser.add_argument(
        "--at-least",
        type=reaction,
        default=0.1,
        metavar="R",
        help="where the answers should change: the smallest reaction that counts, the share that "
        "does less that under a condition which keeps the answer (default: 0.1)",
    )


def reaction(text: str) -> float:
    """Read a reaction, from 0 to below 1; messages name this function."""
    value = float(text)
    if not 0 <= value < 1:
        raise ValueError(text)
    return value


def text_of(args: argparse.Namespace, results: Shown) -> str:
    """Return a verdict, a comparison or a plan in the form that the arguments choose."""
    from perturb.robustness.tables.formats import FORMS

    return FORMS[args.format](results, getattr(args, "wide", False), _paint())


def _paint() -> Callable[[str], str]:
    """Return a function that colours a verdict, on a terminal that shows colours."""
    if takes_colours():
        return lambda word: f"\x1b[{_COLOURS[word]}m{word}\x1b[0m"
    return str


def add_gate(parser: argparse.ArgumentParser, example: str) -> None:
    """Declare the options of a gate in continuous integration.

    Args:
        parser: the parser of a command that prints a verdict.
        example: rules, and what they say.
    """
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="RULE",
        help=f"exit with 3 where it holds: {example}; may be given again",
    )
    parser.add_argument(
        "--junit", type=Path, metavar="FILE", help="also write the rules as JUnit test cases"
    )


def rules_of(args: argparse.Namespace) -> list[Rule]:
    """Read the rules, before anything else is done."""
    from perturb.robustness.scoring.gate import rule_of

    free = args.score or args.metrics or (args.match or "").startswith(("distance", "python:"))
    shares = not free  # what else compares answers scores from 0 to 1
    return [rule_of(text, shares=shares) for text in args.fail_if]


def print_gated(
    args: argparse.Namespace,
    rules: Sequence[Rule],
    conditions: Sequence[Gated],
    text: str,
    sentence: str,
) -> int:
    """Print a verdict, and which rules it breaks; return the status of the command.

    Args:
        args: the arguments of the command.
        rules: that the verdict is to pass.
        conditions: to which they apply.
        text: the verdict, as it is printed.
        sentence: the verdict in words.
    """
    from perturb.robustness.scoring.gate import junit, markdown

    checked = [(rule, rule.checked(conditions)) for rule in rules]
    display(text)
    if rules and args.format == "md":
        display("\n" + markdown(checked))
    failures = [check.failure for _, checks in checked for check in checks if check.failure]
    for failure in failures:
        say(f"fails: {failure}")
    if args.junit is not None:
        with opened(args.junit, "wb") as file:
            file.write(junit(args.parser.prog, sentence, checked, conditions).encode())
    return _FAILED if failures else 0
