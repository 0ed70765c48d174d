"""The command line: `perturb COMMAND ...`, one module a command. Private.

Exit status: 0 done; 1 the data is wrong or can't be read or written; 2 the call is wrong; 3 a
rule of `--fail-if` holds; 70 a defect of perturb; 128 and the number of a signal that ended it,
such as 130 for Ctrl-C. Results go to standard output, everything else to standard error; an error
is one line.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Sequence

from perturb.cli.manual import check_apart
from perturb.cli.parser import parsed
from perturb.cli.talk import say, say_failure


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    # No builtin `list` here: the import of the command `list` replaces it in this namespace.
    words = sys.argv[1:] if argv is None else [*argv]
    _prepare_stdout()
    try:
        status = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        status = say_failure(error)
    _drop_unwritten()
    return status


def _run(words: Sequence[str]) -> int:
    try:
        run, options = parsed(words)
    except SystemExit as end:  # argparse has printed the help or the version
        return int(end.code or 0)
    for path in options.get("plugin", ()):
        from perturb.registry.registry import load_file

        load_file(path)
    with warnings.catch_warnings():
        # A user needs the message, not the line of our code.
        warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}")
        if "steps" not in options:  # `apply` looks itself, as Python's does
            check_apart(options)
        return run(**options)


def _prepare_stdout() -> None:
    """Make standard output write everything, escaping characters that its encoding lacks."""
    if not isinstance(sys.stdout, io.TextIOWrapper):
        return
    sys.stdout.reconfigure(errors="backslashreplace")
    if sys.stdout is sys.__stdout__ and isinstance(sys.stdout.buffer, io.RawIOBase):
        # PYTHONUNBUFFERED leaves no buffer, and a short write would pass for a whole one.
        sys.stdout = open(  # noqa: SIM115
            sys.stdout.fileno(),
            "w",
            buffering=1,
            encoding=sys.stdout.encoding,
            errors="backslashreplace",
            closefd=False,
        )


def _drop_unwritten() -> None:
    """Discard the output that nobody reads any more, so that the interpreter doesn't complain."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        with contextlib.closing(open(os.devnull, "wb")) as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
