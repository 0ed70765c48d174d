"""The reference of the command line: a page for each command, from its parser."""

import argparse
import re
from collections.abc import Iterator

from perturb.cli.parser import COMMANDS, parser_of

STATUSES = """\
| status | meaning |
|---|---|
| 0 | done |
| 1 | the data is wrong, or can't be read or written |
| 2 | the call is wrong |
| 3 | `--fail-if`: a rule holds |
| 70 | a defect of perturb |
| 128 + n | signal n ended it, such as 130 for Ctrl-C |
"""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of each command, and the one that lists them."""
    for name in COMMANDS:
        yield f"reference/commands/{name}.md", page(name)
    rows = [
        f"| [`{name}`]({name}.md) | {text(command.summary)} | `{command.example}` |"
        for name, command in COMMANDS.items()
    ]
    parts = [
        "# Commands\n",
        "`perturb help` prints this map. Results go to standard output, all else to stderr.\n",
        "| command | use | example |\n|---|---|---|\n" + "\n".join(rows) + "\n",
        f"## Exit statuses\n\n{STATUSES}",
        "```{toctree}\n:hidden:\n\n" + "\n".join(COMMANDS) + "\n```\n",
    ]
    yield "reference/commands/index.md", "\n".join(parts)


def page(name: str) -> str:
    """Return the page of a command."""
    parser = parser_of(name)
    summary, example, _ = COMMANDS[name]
    parts = [
        f"# perturb {name}\n",
        f"{text(summary[0].upper() + summary[1:])}.\n",
        *([text(parser.description) + "\n"] if parser.description else []),
        f"```sh\n{example}\n```\n",
    ]
    for group in parser._action_groups:
        actions = [one for one in group._group_actions if one.help != argparse.SUPPRESS]
        if actions:
            parts += [f"## {heading(group.title or '')}\n", table(parser, actions)]
    if parser.epilog:
        folded = "\n" not in parser.epilog.strip()
        parts.append(text(parser.epilog) + "\n" if folded else f"```text\n{parser.epilog}\n```\n")
    return "\n".join(parts)


def heading(title: str) -> str:
    """Return the title of a group of options, as a heading."""
    named = {"positional arguments": "Arguments", "options": "Options"}
    return named.get(title, text(title[:1].upper() + title[1:]))


def table(parser: argparse.ArgumentParser, actions: list[argparse.Action]) -> str:
    """Return the options as rows of a table."""
    rows = []
    for action in actions:
        said = (action.help or "") % {**vars(action), "prog": parser.prog}
        rows.append(f"| {shown(action)} | {text(said)} |")
    return "| option | meaning |\n|---|---|\n" + "\n".join(rows) + "\n"


def shown(action: argparse.Action) -> str:
    """Return an option as it is written on the command line."""
    value = metavar(action)
    names = action.option_strings or [value]
    words = [f"{name} {value}" if action.option_strings and value else name for name in names]
    return ", ".join(f"`{word}`" for word in words).replace("|", "\\|")


def metavar(action: argparse.Action) -> str:
    """Return what stands for the value of an option; nothing for one that takes none."""
    if action.nargs == 0:
        return ""
    if action.metavar is None and action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    named = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return {"*": f"[{named} ...]", "+": f"{named} ...", "?": f"[{named}]"}.get(
        str(action.nargs), named
    )


def text(said: str) -> str:
    """Return text in which no sign is taken for markup."""
    for sign in "\\`*_|<>[]{}$":
        said = said.replace(sign, f"\\{sign}")
    return re.sub(r"\s+", " ", said)
