"""The commands in one table, and the parser of their arguments.

Help, the map of commands, completion, the site and messages derive from the table.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from perturb.boundary import display
from perturb.cli.manual import TYPES, declare
from perturb.errors import MEANT, UsageError, suggestion, unknown


class Command(NamedTuple):
    """A command: the module of its name has its `MANUAL`, and `run`.

    Attributes:
        summary: a clause that describes it.
        example: a call of it.
        plugins: whether it looks up perturbators by name, and so takes --plugin.
    """

    summary: str
    example: str
    plugins: bool = False


# In the order in which help lists them.
COMMANDS = {
    "test": Command("test a system in one call, from rows to a verdict",
                    "perturb test rows.jsonl python:system.py:answer", plugins=True),
    "apply": Command("perturb the rows of a file, or of a folder",
                     "perturb apply keyboard_typos -p 0.05 -i in.jsonl -o out.jsonl", plugins=True),
    "list": Command("list the perturbators",
                    "perturb list --language de --max-risk low", plugins=True),
    "run": Command("ask a system the questions of rows, and keep its answers",
                   "perturb run out.jsonl --command ./model -o answers.jsonl"),
    "score": Command("compare the scores of perturbed rows with those of their originals",
                     "perturb score answers.jsonl"),
    "report": Command("write the verdict, the flips and how to reproduce them as one web page",
                      "perturb report answers.jsonl -o report.html", plugins=True),
    "show": Command("describe a perturbator",
                    "perturb show keyboard_typos", plugins=True),
    "verify": Command("make the rows of a file again, and compare",
                      "perturb verify out.jsonl", plugins=True),
    "diff": Command("show the edits of each text inline",
                    "perturb diff out.jsonl -n 10"),
    "restore": Command("write the rows as they were before they were perturbed",
                       "perturb restore out.jsonl -o in.jsonl"),
    "fit": Command("count the errors of pairs of texts, for the step fitted",
                   "perturb fit pairs.tsv -o noise.json"),
    "paraphrase": Command("make a table of checked rewordings, for the step of this name",
                          "perturb paraphrase rows.jsonl --command ./model -o table.jsonl"),
    "play": Command("try perturbators on a local web page",
                    "perturb play --port 8000"),
    "power": Command("plan how many originals a verdict takes, before asking them",
                     "perturb power --accuracy 0.8 --drop 0.05"),
    "compare": Command("compare systems under the same noise, and rank them",
                       "perturb compare a.jsonl b.jsonl"),
    "tolerance": Command("find how much noise a system tolerates before it loses a given score",
                         "perturb tolerance answers.jsonl --lose 0.05"),
    "explain": Command("find the fewest edits that flip an answer",
                       "perturb explain answers.jsonl --command ./model"),
    "flips": Command("list the rows whose metrics crossed a threshold",
                     "perturb flips answers.jsonl"),
    "dispersion": Command("measure how much the scores of systems vary, and rank the systems",
                          "perturb dispersion scores.jsonl --by prompt"),
    "summarize": Command("summarize runs over prompts and benchmarks",
                         "perturb summarize runs/"),
    "split-check": Command("fail when two files share an original",
                           "perturb split-check train.jsonl test.jsonl"),
    "completion": Command("print the script with which a shell completes the command line",
                          "perturb completion bash"),
}  # fmt: skip
# The commands that a first verdict takes; help gives the others as more.
_FIRST = 6

# Options that newcomers try, each with the option that does it here.
HINTS = {
    **dict.fromkeys(("-v", "-V"), "perturb --version prints the version"),
    **dict.fromkeys(
        ("--step", "--steps"), "steps need no option, as in perturb apply keyboard_typos"
    ),
    **dict.fromkeys(("--cer", "--wer"), "for an error rate of 1 to 20 % give --severity 1 to 5"),
    **dict.fromkeys(
        ("--share", "--fraction", "--ratio", "--probability"),
        "a share of the texts takes a step as 'sometimes(0.5, ocr)', in quotes",
    ),
    "--save-recipe": "rows and their manifest hold it: give its text as --recipe",
    "--p": "give a strength as -p, such as -p 0.1",
    **dict.fromkeys(("--confidence", "--alpha", "--ci"), "all intervals are 95 % intervals"),
    **dict.fromkeys(("--family", "--search", "--name"), "give a word alone: perturb list typo"),
}

_PLUGIN = """
--plugin* FILE []  a Python file with your own perturbators, which perturb runs; may be repeated
"""

# The bits of whole numbers that options take, beside the sign: NumPy and kernels count in 64. A
# longer seed has a better error of its own.
_BITS = 63


class _Once(argparse._StoreAction):
    """Store the value of an option, and refuse a second one, which would win silently."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        seen = vars(namespace).setdefault("_seen", set())
        if option_string is not None and self.dest in seen:
            parser.error(f"{option_string} is given twice, but takes one value")
        seen.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


def _columns() -> int:
    """Return the width of the terminal as `shutil` would, which imports archive libraries."""
    with contextlib.suppress(KeyError, ValueError):
        if (columns := int(os.environ["COLUMNS"])) > 0:
            return columns
    with contextlib.suppress(AttributeError, ValueError, OSError):  # closed, or no terminal
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


class _Parser(argparse.ArgumentParser):
    """Parse arguments, and report an error in one line."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        formatter = partial(argparse.HelpFormatter, width=_columns() - 2)
        settings |= {"allow_abbrev": False, "formatter_class": formatter}
        super().__init__(*args, **settings)
        # Also "-2,0" is a value, as in --range: argparse takes numbers alone for such.
        self._negative_number_matcher = re.compile(r"-\.?\d")
        for name in (None, "store"):
            self.register("action", name, _Once)

    def _get_values(self, action: argparse.Action, arg_strings: Any) -> Any:
        """Refuse values that can't be right for any option or argument."""
        if action.option_strings and "--" in arg_strings:
            raise argparse.ArgumentError(action, "-- isn't a value")  # argparse would drop it
        files = {"FILE", "DIR"} & {*re.findall(r"[A-Z]+", f"{action.metavar}")}
        if "" in arg_strings and (files or not action.option_strings):
            raise argparse.ArgumentError(action, "the value is empty; is a shell variable unset?")
        values = super()._get_values(action, arg_strings)
        if isinstance(values, int) and values.bit_length() > _BITS and action.dest != "seed":
            raise argparse.ArgumentError(action, f"must fit into {_BITS + 1} bits")
        return values

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message)  # argparse would ignore an error here, such as no space

    def error(self, message: str) -> NoReturn:
        message = message.replace("invalid int value:", "must be a whole number; got")
        message = message.replace("invalid float value:", "must be a number; got")
        if percent := re.search(r"number; got '([\d.]+) ?%'$", message):
            message += f"; {percent[1]} % is {float(percent[1]) / 100:g}"
        raise UsageError(f"{message} (see {self.prog} --help)")


def parsed(words: Sequence[str]) -> tuple[Callable[..., int], dict[str, Any]]:
    """Return the function of the command of a call, and all its options, to call it with."""
    if not words or words[0] in ("-h", "--help") or words[:2] == ["help"]:
        return _print_map, {}
    if words[0] == "help":
        words = [*words[1:], "--help"]
    command = next((word for word in words if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise _unknown_command(command)
    if words[0] not in COMMANDS:
        parser = _parser()
        args, others = parser.parse_known_args(words)
        raise _unexpected((others or words)[0], parser)
    parser = parser_of(words[0])
    args, others = parser.parse_known_intermixed_args(words[1:])
    for word in (*others, *getattr(args, "steps", ())):
        if dashes := re.match(r"[‐-―−]+(?=\w)", word):
            name = word.removeprefix(dashes[0])
            raise UsageError(
                f"{word!r} begins with {dashes[0]!r}, a typographic dash; write the option with "
                f"hyphens: {'-' if len(name) == 1 else '--'}{name}"
            )
    if others:
        raise _unexpected(others[0], parser)
    options = vars(args)
    options.pop("_seen", None)
    return options.pop("run"), options


def _print_map() -> int:
    """Print the commands, the first of them with examples."""
    width = max(map(len, COMMANDS))
    display("Small, seeded, exactly recorded changes to text.\n")
    for place, (name, command) in enumerate(COMMANDS.items()):
        if place == _FIRST:
            display("\nMore:")
        display(f"{name:<{width}}  {command.summary}")
        if place < _FIRST:
            display(f"{'':<{width}}  $ {command.example}")
    display("\nRun perturb COMMAND --help for the options of a command.")
    return 0


def _unknown_command(name: str) -> UsageError:
    """Return the error for an unknown command, which may be a step."""
    if name == "version":
        return UsageError(f"unknown command {name!r}: {HINTS['-v']}")
    from perturb.registry.registry import is_known

    if is_known(name.partition(":")[0]):
        show = f"perturb show {name.partition(':')[0]}"
        return UsageError(
            f"{name} is a step; put a command before it: perturb apply {name}, or {show}"
        )
    if (meant := MEANT.get(name)) in COMMANDS:
        return UsageError(f"unknown command {name!r}: did you mean {meant}?")
    return unknown("command", name, COMMANDS)


def _unexpected(argument: str, parser: argparse.ArgumentParser) -> UsageError:
    """Return the error for an argument that a command doesn't take."""
    if argument.startswith("-"):
        name = argument.partition("=")[0]
        key = name.lstrip("-").replace("-", "_")
        meant = MEANT.get(key, key)
        if hint := HINTS.get(name) or HINTS.get(f"--{meant}"):
            return UsageError(f"{parser.prog} has no option {name}: {hint}")
        from perturb.registry.described import step_with

        if parser.prog == "perturb apply" and (step := step_with(key)):
            return UsageError(f"{name} is a setting of a step; write it as {step}:{key}=...")
        options = {word[2:] for one in parser._actions for word in one.option_strings if word[2:]}
        near = suggestion(name.lstrip("-"), options)
        hint = f"did you mean {meant}?" if meant in options else near
        hint = "--".join(re.split(r"(?<=mean )|(?<= or )", hint))
        hint = f"{parser.prog} --help lists all" if hint.startswith("known") else hint
        others = [other for other in COMMANDS if name in parser_of(other)._option_string_actions]
        if others:
            more = f" and {len(others) - 2} more" * (len(others) > 2)
            hint = f"it is one of perturb {', '.join(others[:2])}{more}"
        return UsageError(f"unknown option {name} of {parser.prog}: {hint}")
    message = f"unexpected argument {argument!r}"
    if parser.prog == "perturb score":
        message += "; score takes one file, perturb compare takes several"
    elif argument.startswith("python:"):
        message += f"; a system to ask is --command {argument}"
    return UsageError(f"{message} (see {parser.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    """Return the parser of a call without a command."""
    from perturb._version import __version__

    parser = _Parser(prog="perturb")
    parser.add_argument("--version", action="version", version=f"perturb {__version__}")
    return parser


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    command = COMMANDS[name]
    description = f"{command.summary[0].upper()}{command.summary[1:]}."
    parser = _Parser(prog=f"perturb {name}", description=description)
    module = import_module(f"perturb.cli.{name.replace('-', '_')}")
    declare(parser, module.MANUAL, {**TYPES, **getattr(module, "TYPES", {})})
    if further := getattr(module, "add_further", None):
        further(parser)
    if command.plugins:
        declare(parser, _PLUGIN, TYPES)
    parser.set_defaults(run=module.run)
    return parser
