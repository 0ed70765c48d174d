"""Options of the commands that print a verdict: its form, and the rules that it has to pass."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from perturb.boundary import display, opened
from perturb.cli.talk import say, takes_colours
from perturb.robustness.tables.formats import FORMS

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


_FORMS = ",".join(FORMS)
FORM = f"""\
--format {{{_FORMS}}} [table]  how to write (default: table)
| --json
| --csv"""
# What is written to be cited, beside the forms of every table.
CARDS = ("card", "model-index")
FORM_OR_CARD = FORM.replace(_FORMS, ",".join([_FORMS, *CARDS]))
AT_LEAST = """\
--at-least R [0.1]  where the answers should change: the smallest reaction that counts, the share
    that does less that under a condition which keeps the answer (default: 0.1)"""
JUNIT = "--junit FILE  also write the rules as JUnit test cases"


def text_of(args: argparse.Namespace, results: Shown) -> str:
    """Return a verdict, a comparison or a plan in the form that the arguments choose."""
    return FORMS[args.format](results, getattr(args, "wide", False), _paint())


def _paint() -> Callable[[str], str]:
    """Return a function that colours a verdict, on a terminal that shows colours."""
    if takes_colours():
        return lambda word: f"\x1b[{_COLOURS[word]}m{word}\x1b[0m"
    return str


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
    results: Shown,
) -> int:
    """Print a verdict, and which rules it breaks; return the status of the command.

    Args:
        args: the arguments of the command.
        rules: that the verdict is to pass.
        conditions: to which they apply.
        text: the verdict, as it is printed.
        results: the verdict, whose words the test cases have too.
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
            words = results.sentence, checked, conditions, results.hints
            file.write(junit(args.parser.prog, *words).encode())
    return _FAILED if failures else 0
