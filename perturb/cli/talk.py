"""Messages and failures for standard error, and results in colour for a terminal.

`PERTURB_DEBUG=1` shows the traceback of every failure.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from perturb.boundary import complain, display
from perturb.errors import PerturbError, UsageError, reason, shortened

if TYPE_CHECKING:
    from perturb.records.edit import Style

DEFECT = 70  # sysexits.h: an internal software error
_FRAMES = 4  # places: those above are the same for all calls of a command
_PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120


def say(message: str) -> None:
    """Write one line to standard error; if nothing can be written there, continue."""
    line = " ".join(shortened(message).splitlines())
    complain(f"perturb: {line}\n")


def display_json(value: Any) -> None:
    """Print a value as JSON, for programs."""
    from perturb.io.jsonl import dumps

    display(dumps(value).decode(), end="")


def is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def takes_colours() -> bool:
    """Return whether standard output is a terminal whose user hasn't refused colours."""
    return is_terminal() and "NO_COLOR" not in os.environ


def diff_style() -> Style:
    """Return the style of marks around edits: colours if the terminal takes them."""
    return "ansi" if takes_colours() else "plain"


def say_failure(error: BaseException) -> int:
    """Report a failure in one line, and return the exit status.

    An unexpected error is a defect; its line asks for a report, with the last places in the code
    that it came through.
    """
    if isinstance(error.__cause__, KeyboardInterrupt):  # some of Python's calls wrap any exception
        error = error.__cause__
    if os.environ.get("PERTURB_DEBUG") == "1":
        import traceback  # here, since only failures should pay for it

        complain("".join(traceback.format_exception(error)))
    match error:
        case BrokenPipeError():
            return 0  # the reader of our output has seen enough
        case PerturbError():
            status, message = 2 if isinstance(error, UsageError) else 1, str(error)
        case KeyboardInterrupt():
            status, message = 128 + getattr(error, "signal", 2), str(error) or "interrupted"
        case MemoryError():
            status = 1
            message = (
                "out of memory; use fewer --workers, fewer versions of a row or a smaller "
                "--max-line"
            )
        case RecursionError():
            status, message = 1, "the input is nested too deeply"
        case OSError():
            what = "write standard output"
            if error.filename is not None:
                what = f"read or write {error.filename}"
            status, message = 1, f"can't {what}: {reason(error)}"
        case _:
            status, message = DEFECT, _defect(error)
    say(message)
    return status


def _defect(error: BaseException) -> str:
    """Return the message for an error that nobody foresaw."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if frame.filename.startswith(_PACKAGE)][-_FRAMES:]
    places = " > ".join(
        f"{os.path.relpath(frame.filename, _PACKAGE)}:{frame.lineno} {frame.name}" for frame in ours
    )
    what = shortened(" ".join(f"{type(error).__name__}: {error}".split()))
    return (
        f"this is a defect of perturb; please report it with your call and this line: {what} "
        f"({places}); PERTURB_DEBUG=1 shows the whole traceback"
    )
