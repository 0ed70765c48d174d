"""The options of a gate in continuous integration, and its outcome."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from perturb.boundary import display, opened
from perturb.cli.talk import say

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from perturb.robustness.scoring.gate import Gated, Rule

_FAILED = 3


def add_gate(parser: argparse.ArgumentParser, example: str) -> None:
    """Declare the options of a gate.

    Args:
        parser: of a command that prints a verdict.
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


def rules(args: argparse.Namespace) -> list[Rule]:
    """Read the rules, before anything else is done."""
    from perturb.robustness.scoring.gate import rule_of

    return [rule_of(text) for text in args.fail_if]


def printed(
    args: argparse.Namespace,
    given: Sequence[Rule],
    conditions: Sequence[Gated],
    written: str,
    sentence: str,
) -> int:
    """Print a verdict, and which rules it breaks; return the status of the command.

    Args:
        args: of the command.
        given: the rules.
        conditions: to which they apply.
        written: the verdict, as it is printed.
        sentence: the verdict in words.
    """
    from perturb.robustness.scoring.gate import junit, markdown

    checked = [(rule, rule.checked(conditions)) for rule in given]
    display(written)
    if given and args.format == "md":
        display("\n" + markdown(checked))
    failures = [one.failure for _, each in checked for one in each if one.failure]
    for failure in failures:
        say(f"fails: {failure}")
    if args.junit is not None:
        with opened(args.junit, "wb") as file:
            file.write(junit(args.parser.prog, sentence, checked).encode())
    return _FAILED if failures else 0
