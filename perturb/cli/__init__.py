"""The command line: `perturb COMMAND ...`, one module a command. Private.

Exit status: 0 done; 1 the data is wrong or can't be read or written; 2 the call is wrong; 70 a
defect of perturb; 128 and the number of a signal that ended it, such as 130 for Ctrl-C. Results go
to standard output, everything else to standard error; what went wrong is said in one line.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, NoReturn

from perturb.boundary import display
from perturb.cli.talk import say, say_failure
from perturb.errors import UsageError, unknown

COMMANDS = {
    "apply": "perturb the rows of a file: JSON lines, CSV, TSV or Parquet",
    "list": "list the perturbators",
    "show": "describe a perturbator",
    "verify": "make the rows of a file again and compare",
    "diff": "show what was changed, inline",
    "restore": "write the rows as they were before they were perturbed",
    "play": "try perturbators on a page of this machine",
    "run": "ask a system the questions of rows, and keep its answers",
    "score": "judge the scores of perturbed rows against those of their originals",
    "compare": "compare two systems under the same noise",
    "report": "write the verdict, the flips and how to get them again as one web page",
    "explain": "find the fewest edits that it takes to flip an answer",
    "flips": "list the rows whose metrics changed sides of a threshold",
    "dispersion": "measure how much the scores of systems vary, and rank the systems",
    "summarize": "summarize runs over prompts and benchmarks",
    "split-check": "fail when two files share an original",
    "completion": "print what a shell needs to complete the command line",
}

# The commands that look up perturbators by name, and so take --plugin.
NAMING = ("apply", "list", "show", "verify", "report")

# Options that newcomers try, and what stands for them.
HINTS = {
    "-v": "for the version: perturb --version",
    "-V": "for the version: perturb --version",
    "--step": "steps stand without an option: perturb apply keyboard_typos",
    "--steps": "steps stand without an option: perturb apply keyboard_typos",
    "--text": "a text comes from a file or standard input: "
    """echo '{"text": "The quick brown fox"}' | perturb apply keyboard_typos""",
    **dict.fromkeys(
        ("--p", "--rate", "--prob", "--probability", "--strength", "--level", "--amount"),
        "a strength is -p, such as -p 0.1",
    ),
    **dict.fromkeys(("--column", "--key", "--text-field"), "the text is in --field"),
    **dict.fromkeys(("--in", "--file", "--data"), "rows are read from -i FILE"),
}

# The bits of whole numbers that options take, beside the sign; a seed may have more.
_BITS = 63

# One call of each command, for the map that `perturb` and `perturb help` print.
EXAMPLES = {
    "apply": "perturb apply keyboard_typos -p 0.05 -i in.jsonl -o out.jsonl",
    "list": "perturb list --language de --max-risk low",
    "show": "perturb show keyboard_typos",
    "verify": "perturb verify out.jsonl",
    "diff": "perturb diff out.jsonl -n 10",
    "restore": "perturb restore out.jsonl -o in.jsonl",
    "play": "perturb play --port 8000",
    "run": "perturb run out.jsonl --command ./model -o answers.jsonl",
    "score": "perturb score answers.jsonl",
    "compare": "perturb compare a.jsonl b.jsonl",
    "report": "perturb report answers.jsonl -o report.html",
    "explain": "perturb explain answers.jsonl --command ./model",
    "flips": "perturb flips answers.jsonl",
    "dispersion": "perturb dispersion scores.jsonl --by prompt",
    "summarize": "perturb summarize runs/",
    "split-check": "perturb split-check train.jsonl test.jsonl",
    "completion": "perturb completion bash",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # No `list` here: once imported, the command of that name stands in its place.
    arguments = sys.argv[1:] if argv is None else [*argv]
    _prepare_stdout()
    try:
        status = _run(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        status = say_failure(error)
    _drop_unwritten()
    return status


def _run(arguments: Sequence[str]) -> int:
    try:
        args = _parsed(arguments)
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    _load_plugins(getattr(args, "plugin", ()))
    with _short_warnings():
        status: int = args.run(args)
    return status


def _prepare_stdout() -> None:
    """Make standard output write all that it is given, and escape what its encoding lacks."""
    if not isinstance(sys.stdout, io.TextIOWrapper):
        return
    sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stdout is sys.__stdout__ and isinstance(sys.stdout.buffer, io.RawIOBase):
        # Unbuffered, as with PYTHONUNBUFFERED: a short write would be taken for a whole one.
        sys.stdout = open(  # noqa: SIM115
            sys.stdout.fileno(),
            "w",
            buffering=1,
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
            closefd=False,
        )


def _load_plugins(paths: Sequence[str]) -> None:
    if paths:
        from perturb.registry.plugins import load_file

        for path in paths:
            load_file(path)


@contextlib.contextmanager
def _short_warnings() -> Iterator[None]:
    """Print warnings in one line, without the place in our code."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        say(f"warning: {message}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _drop_unwritten() -> None:
    """Discard what standard output no longer takes, so that the interpreter does not complain."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with contextlib.closing(open(os.devnull, "wb")) as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


class _Once(argparse._StoreAction):
    """Store the value of an option, and refuse a second one, which would win in silence."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        seen = vars(namespace).setdefault("_seen", set())
        if option_string is not None and self.dest in seen:
            parser.error(f"{option_string} is given twice; it takes one value")
        seen.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


class _Parser(argparse.ArgumentParser):
    """Parse arguments, and report what is wrong in one line."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **{**given, "allow_abbrev": False, "formatter_class": _formatter})
        for name in (None, "store"):
            self.register("action", name, _Once)

    def _get_values(self, action: argparse.Action, arg_strings: Any) -> Any:
        """Refuse values that no option and no argument has, whoever is to read them."""
        if action.option_strings and "--" in arg_strings:
            raise argparse.ArgumentError(action, "-- is no value")  # argparse would drop it
        files = {"FILE", "DIR"} & {*re.findall(r"[A-Z]+", f"{action.metavar}")}
        if "" in arg_strings and (files or not action.option_strings):
            message = "the value is empty; is a variable of the shell not set?"
            raise argparse.ArgumentError(action, message)
        values = super()._get_values(action, arg_strings)
        if isinstance(values, int) and values.bit_length() > _BITS and action.dest != "seed":
            raise argparse.ArgumentError(action, f"must be a whole number within {_BITS + 1} bits")
        return values

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message)  # argparse is silent where that fails

    def error(self, message: str) -> NoReturn:
        message = message.replace("invalid int value:", "must be a whole number; got")
        message = message.replace("invalid float value:", "must be a number; got")
        raise UsageError(f"{message} (see {self.prog} --help)")


def _formatter(prog: str) -> argparse.HelpFormatter:
    return argparse.HelpFormatter(prog, width=_columns() - 2)


def _columns() -> int:
    """Return the width of the terminal, as `shutil` does, which loads the libraries of archives."""
    with contextlib.suppress(KeyError, ValueError):
        if (told := int(os.environ["COLUMNS"])) > 0:
            return told
    with contextlib.suppress(AttributeError, ValueError, OSError):  # closed, or no terminal
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80  # type: ignore[union-attr]
    return 80


def _print_map(_: argparse.Namespace) -> int:
    """Print every command with an example."""
    width = max(map(len, COMMANDS))
    display("Small, seeded, exactly recorded changes to text.\n")
    for name, summary in COMMANDS.items():
        display(f"{name:<{width}}  {summary}\n{'':<{width}}  $ {EXAMPLES[name]}")
    display("\nRun perturb COMMAND --help for the options of a command.")
    return 0


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    if not arguments or arguments[:2] == ["help"]:
        return argparse.Namespace(run=_print_map)
    if arguments[0] == "help":
        arguments = [*arguments[1:], "--help"]
    command = next((one for one in arguments if not one.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        raise _unknown_command(command)
    if command is None and arguments[0] not in ("-h", "--help", "--version"):
        raise _unexpected(arguments[0], _parser())
    if arguments[0] in COMMANDS:
        parser = parser_of(arguments[0])
        args, others = parser.parse_known_intermixed_args(arguments[1:])
    else:
        parser = _parser()
        args, others = parser.parse_known_args(arguments)
    for one in (*others, *getattr(args, "steps", ())):
        if dashes := re.match(r"[‐-―−]+(?=\w)", one):
            name = one.removeprefix(dashes[0])
            raise UsageError(
                f"{one!r} begins with {dashes[0]!r}, a dash of print; an option is written with "
                f"hyphens: {'-' if len(name) == 1 else '--'}{name}"
            )
    if others:
        raise _unexpected(others[0], parser)
    return args


def _unknown_command(name: str) -> UsageError:
    """Return the error for what is no command, but perhaps a step."""
    if name == "version":
        return UsageError(f"unknown command {name!r}: {HINTS['-v']}")
    from perturb.registry.registry import is_known

    if is_known(name.partition(":")[0]):
        return UsageError(f"{name} is a step, and a command comes first: perturb apply {name}")
    return unknown("command", name, COMMANDS)


def _unexpected(argument: str, parser: argparse.ArgumentParser) -> UsageError:
    """Return the error for an argument that a command does not take."""
    if argument.startswith("-"):
        name = argument.partition("=")[0]
        if name in HINTS:
            return UsageError(f"{parser.prog} has no option {name}: {HINTS[name]}")
        options = set(re.findall(r"--[a-z-]+", parser.format_help()))
        return unknown(f"option of {parser.prog}", name, options)
    positional = [one for one in parser._actions if not one.option_strings]
    if not positional:
        return UsageError(
            f"{parser.prog} takes options alone; got {argument!r} (see {parser.prog} --help)"
        )
    return UsageError(f"unexpected argument {argument!r} (see {parser.prog} --help)")


def _parser() -> argparse.ArgumentParser:
    """Return the parser of a call without a command."""
    from perturb import __version__

    parser = _Parser(
        prog="perturb",
        description="Small, seeded, exactly recorded changes to text.",
        epilog="Run perturb COMMAND --help for the options of a command.",
    )
    parser.add_argument("--version", action="version", version=f"perturb {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary)
    return parser


def parser_of(command: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    summary = COMMANDS[command]
    parser = _Parser(prog=f"perturb {command}", description=f"{summary[0].upper()}{summary[1:]}.")
    module = import_module(f"perturb.cli.{command.replace('-', '_')}")
    module.add_arguments(parser)
    if command in NAMING:
        parser.add_argument(
            "--plugin",
            action="append",
            default=[],
            metavar="FILE",
            help="a Python file with perturbators of yours; it is run; may be given again",
        )
    parser.set_defaults(run=module.run, parser=parser)
    return parser
