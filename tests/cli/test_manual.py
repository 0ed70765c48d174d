"""The manual of a command: each kind of row declares what it says, for the `run` of the command."""

import argparse
from inspect import Parameter, signature

import pytest

from perturb.cli.manual import at_least, declare
from perturb.cli.parser import COMMANDS, parser_of

MANUAL = """
Do a thing, and
say so.

file FILE  what to read
more MORE*
-o, --output! FILE  where to write, and
    how
--switch  on or off
how:
-n N [3]
--share X
--level {low,high} [low]
--name* NAME []
--ask NAME? [anyone]
options:
--format {table,json} [table]  how to write
| --json
"""


@pytest.fixture
def parser():
    parser = argparse.ArgumentParser(exit_on_error=False)
    declare(parser, MANUAL, {"n": at_least(1)})
    return parser


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("f -o g", {"file": "f", "more": [], "n": 3, "share": None, "name": [], "ask": None}),
        ("f g h -o i", {"more": ["g", "h"], "output": "i", "switch": False, "format": "table"}),
        ("f -o g --switch --share 2", {"switch": True, "share": 2.0, "level": "low"}),
        ("f -o g --name a --name b --ask", {"name": ["a", "b"], "ask": "anyone"}),
        ("f -o g --ask b --json --level high", {"ask": "b", "format": "json", "level": "high"}),
    ],
)
def test_a_row_declares_an_argument(parser, line, values) -> None:
    assert vars(parser.parse_args(line.split())).items() >= {**values}.items()


@pytest.mark.parametrize(
    "line", ["f -o g -n 0", "f -o g --level mid", "f -o g --json --format table"]
)
def test_a_value_that_is_none_is_refused(parser, line) -> None:
    with pytest.raises(argparse.ArgumentError):
        parser.parse_args(line.split())


def test_help_has_the_texts_in_their_groups(parser) -> None:
    text = parser.format_help()
    assert "Do a thing, and say so." in text
    assert "where to write, and how" in " ".join(text.split())
    assert "how to write (default: table)" in text
    assert text.index("\n  --switch") < text.index("\n  --json") < text.index("\nhow:")


def test_what_is_no_row_is_named() -> None:
    with pytest.raises(ValueError, match="isn't a row of a manual: --a, --b"):
        declare(argparse.ArgumentParser(), "--a, --b FILE  help", {})


def annotation(action):
    """The type of the values of an option, as a module writes it."""
    if action.nargs == 0:
        return "bool"
    kind = action.type or str
    one = getattr(kind, "__annotations__", {}).get("return", kind.__name__)
    if isinstance(action, argparse._AppendAction) or action.nargs in ("*", "+"):
        one = f"list[{one}]"
    may_lack = action.nargs == "?" if not action.option_strings else not action.required
    return f"{one} | None" if may_lack and action.default is None else one


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_runs_with_is_what_its_manual_declares(name) -> None:
    """By its name and with its type; what it passes on, or leaves out, may have any."""
    parser = parser_of(name)
    declared = {
        action.dest: annotation(action)
        for action in parser._actions
        if not isinstance(action, (argparse._HelpAction, argparse._StoreConstAction))
        or isinstance(action, argparse._StoreTrueAction)
    }
    run = signature(parser.get_default("run"))
    run.bind(**declared)
    own = {
        each.name: each.annotation
        for each in run.parameters.values()
        if each.kind is Parameter.KEYWORD_ONLY
    }
    assert own == {key: declared.get(key) for key in own}
    assert len(run.parameters) - len(own) == (declared.keys() != own.keys())
