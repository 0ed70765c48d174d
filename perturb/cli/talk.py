"""Messages on standard error, and failures in one line each.

`PERTURB_DEBUG=1` shows the trace of every failure.
"""

from __future__ import annotations

import os

from perturb.boundary import complain
from perturb.errors import PerturbError, UsageError, reason, shortened

DEFECT = 70  # sysexits.h: an internal software error
_FRAMES = 4
_PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120


def say(message: str) -> None:
    """Write one line to standard error; where nothing can be written there, go on."""
    line = " ".join(shortened(message).splitlines())
    complain(f"perturb: {line}\n")


def say_failure(error: BaseException) -> int:
    """Say what went wrong and return the exit status.

    What can be expected is one line. Anything else is a defect: its line asks for a report, with
    the last places in the code that it came through.
    """
    if isinstance(error.__cause__, KeyboardInterrupt):  # some of Python's own calls wrap all
        error = error.__cause__
    if os.environ.get("PERTURB_DEBUG") == "1":
        import traceback  # only failures need it

        complain("".join(traceback.format_exception(error)))
    match error:
        case BrokenPipeError():
            return 0  # the reader of our output has seen enough
        case PerturbError():
            status, message = 2 if isinstance(error, UsageError) else 1, str(error)
        case KeyboardInterrupt():
            status, message = 128 + getattr(error, "signal", 2), str(error) or "interrupted"
        case MemoryError():
            status, message = (
                1,
                (
                    "not enough memory; fewer --workers, fewer versions of a row or a smaller "
                    "--max-line need less"
                ),
            )
        case RecursionError():
            status, message = 1, "the input is nested too deeply"
        case OSError():
            at = "standard output" if error.filename is None else str(error.filename)
            status, message = 1, f"can't read or write {at}: {reason(error)}"
            if error.filename is None:
                message = f"can't write {at}: {reason(error)}"
        case _:
            status, message = DEFECT, _defect(error)
    say(message)
    return status


def _defect(error: BaseException) -> str:
    """Return the message for an error that nobody foresaw."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_PACKAGE)][-_FRAMES:]
    places = " > ".join(
        f"{os.path.relpath(frame.filename, _PACKAGE)}:{frame.lineno} {frame.name}" for frame in own
    )
    what = shortened(" ".join(f"{type(error).__name__}: {error}".split()))
    return (
        f"this is a defect of perturb, please report it with the call and this line: {what} "
        f"({places}); PERTURB_DEBUG=1 shows all of the trace"
    )
