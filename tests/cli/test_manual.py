"""The manual of a command: each kind of row declares what it says."""

import argparse

import pytest

from perturb.cli.manual import at_least, declare

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
