"""The command line: `perturb COMMAND ...`, one module a command.

Exit status: 0 done, 1 the data is wrong or can't be read or written, 2 the call is wrong,
130 interrupted. Results go to standard output, everything else to standard error.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from perturb.errors import PerturbError, UsageError

COMMANDS = {
    "apply": "perturb the rows of a JSON lines file",
    "list": "list the perturbators",
    "show": "describe a perturbator",
    "verify": "make the rows of a file again and compare",
    "diff": "show what was changed, inline",
    "score": "judge the scores of perturbed rows against those of their originals",
    "flips": "list the rows whose metrics changed sides of a threshold",
    "summarize": "summarize runs over prompts and benchmarks",
    "split-check": "fail when two files share an original",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if argv is None else list(argv)
    try:
        args = _parser(arguments).parse_args(arguments)
        status: int = args.run(args)
        sys.stdout.flush()
    except UsageError as error:
        print(f"perturb: {error}", file=sys.stderr)
        return 2
    except (PerturbError, TypeError) as error:
        print(f"perturb: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Who read our output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        print(f"perturb: can't write standard output: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("perturb: interrupted", file=sys.stderr)
        return 130
    return status


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    from perturb import __version__

    parser = argparse.ArgumentParser(
        prog="perturb",
        description="Small, seeded, exactly recorded changes to text.",
        epilog="perturb COMMAND --help says more of each.",
    )
    parser.add_argument("--version", action="version", version=f"perturb {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=f"{summary.capitalize()}.")
        if name in arguments[:1]:
            module = import_module(f"perturb.cli.{name.replace('-', '_')}")
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser
