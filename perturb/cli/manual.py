"""The manual of a command, which gives its parser; and functions that read the values."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_ROW = re.compile(
    r"(?P<names>(?:-\w, )?[\w-]+)(?P<mark>[*!]?)"
    r"(?: (?P<value>.+?)(?P<count>[?*+]?))?(?: \[(?P<default>.*)\])?"
)


def declare(
    parser: argparse.ArgumentParser, manual: str, types: Mapping[str, Callable[[str], Any]]
) -> None:
    """Declare the arguments of a command from its manual.

    A manual is an optional paragraph, and rows such as `-o, --output FILE [-]  where to write`:
    names, a value, the default in brackets, and after two spaces the help, which continues on
    indented lines; the default is added to a help that doesn't have the word. `[]` is an empty
    default. An option without a value is a switch; a value such as `{a,b}` is one of these words.
    `--where* FIELD` may be repeated, and `--output! FILE` is required. `| --json` below a row is
    short for this word as its value. An argument without hyphens is positional; `?`, `*` and `+`
    after its value say how often it may come, and `?` after the value of an option says that the
    value has a default. Rows after `title:` form a group; rows after `options:` are in none.

    Args:
        parser: the parser of the command.
        manual: see above.
        types: the function that reads a value, by the name of its argument. Without one, N is a
            whole number and any other single letter a number.
    """
    about, _, rows = manual.strip().rpartition("\n\n")
    parser.description = " ".join(about.split()) or parser.description
    group: argparse._ActionsContainer = parser
    groups: dict[str, argparse._ActionsContainer] = {"options:": parser}
    for row in re.split(r"\n(?=[^ |])", rows):
        head, _, text = row.partition("  ")
        if head.endswith(":"):
            if head not in groups:
                groups[head] = parser.add_argument_group(head[:-1])
            group = groups[head]
        else:
            head, *instead = head.split("\n| ")
            text, *others = text.split("\n| ")
            _declare_row(group, head, " ".join(text.split()), [*instead, *others], types)


def _declare_row(
    group: argparse._ActionsContainer,
    head: str,
    text: str,
    instead: list[str],
    types: Mapping[str, Callable[[str], Any]],
) -> None:
    match = _ROW.fullmatch(head)
    if match is None:
        raise ValueError(f"this isn't a row of a manual: {head}")
    names, value, default = match["names"].split(", "), match["value"], match["default"]
    dest = names[-1].strip("-").replace("-", "_")
    if default and "default" not in text:
        text += f" (default: {default})"
    settings: dict[str, Any] = {"help": text or None}
    if value is None:
        settings["action"] = "store_true"
    elif value.startswith("{"):
        settings["choices"] = value[1:-1].split(",")
    else:
        usual = {"N": int}.get(value, float if re.fullmatch("[A-Z]", value) else None)
        settings |= {"metavar": value, "type": types.get(dest, usual)}
    if match["count"]:
        settings["nargs"] = match["count"]
    if match["mark"]:
        settings |= {"action": "append"} if match["mark"] == "*" else {"required": True}
    if default is not None:
        kind = "const" if match["count"] == "?" and names[0].startswith("-") else "default"
        settings[kind] = default if default or match["mark"] != "*" else []
    if instead:
        group = group.add_mutually_exclusive_group()
    group.add_argument(*names, **settings)
    for option in instead:
        group.add_argument(option, action="store_const", const=option.strip("-"), dest=dest)


# The arguments, of all commands, that name files to read or files to write.
_READ = "input file pairs beside scored other clean records metrics prompt judge_prompt".split()
_READ += ["read_batch"]
_WRITTEN = {"output": "output", "junit": "JUnit file", "write_batch": "batch"}


def check_apart(options: Mapping[str, Any], **more: str) -> None:
    """Refuse a call that would overwrite its input.

    Args:
        options: the options of the call; some of them name files.
        more: further paths that it writes to, by their content.
    """
    named = {what: options.get(name) for name, what in _WRITTEN.items()}
    written = [(what, str(path)) for what, path in {**named, **more}.items() if path is not None]
    values = [options.get(name) or [] for name in _READ]
    read = [each for value in values for each in (value if isinstance(value, list) else [value])]
    if written and read:
        from perturb.io import inputs

        inputs.check_apart(map(str, read), *written)


def at_least(least: int, most: int = 1 << 62) -> Callable[[str], int]:
    """Return a type of argument: whole numbers from `least` to `most`."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"must be a whole number >= {least}; got {text!r}")
        if int(text) > most:
            raise argparse.ArgumentTypeError(f"must be at most {most}; got {text[:40]!r}")
        return int(text)

    return number


def group(text: str) -> int | str:
    """Read the number of rows of a group, or `all`."""
    return text if text == "all" else at_least(1)(text)


def seconds(text: str) -> float:
    """Read seconds above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1e6:
        raise argparse.ArgumentTypeError(f"must be a number of seconds above 0; got {text!r}")
    return number


def margin(text: str) -> float:
    """Read a margin, a finite number of at least 0; argparse puts this name into messages."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(text)
    return value


def reaction(text: str) -> float:
    """Read a reaction, from 0 to below 1; argparse puts this name into messages."""
    value = float(text)
    if not 0 <= value < 1:
        raise ValueError(text)
    return value


def answers(text: str) -> Path:
    """Read the path of scored rows; of a folder that perturb test wrote, those of its answers."""
    folder = Path(text, "answers")
    is_tested = folder.is_dir() and folder.with_name("suite.yaml").is_file()
    return folder if is_tested else Path(text)


# The functions that read values, by names of arguments that mean the same in all commands.
TYPES: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(("other", "clean", "metrics", "junit", "plot", "save"), Path),
    "scored": answers,
    **dict.fromkeys(("train", "test", "results_dir", "judge_prompt", "cache"), Path),
    **dict.fromkeys(("rpm", "tpm", "versions", "conditions"), at_least(1)),
    **dict.fromkeys(("n", "retries"), at_least(0)),
    **dict.fromkeys(("timeout", "seconds"), seconds),
    **dict.fromkeys(("draw", "originals"), at_least(2)),
    "concurrency": at_least(1, 1000),
    "group": group,
    "seeds": at_least(1, 10_000),
    "repeats": at_least(1, 100),
    **dict.fromkeys(("seed", "port"), int),
    "margin": margin,
    "at_least": reaction,
}
