"""The entry of the command `perturb` and of `python -m perturb`. Private."""

import os
import sys


def start() -> int:
    """Run the command line as a process of its own and return its exit status."""
    try:
        _fill_closed_streams()
        from perturb.cli import main
        from perturb.cli.signals import ending_cleanly

        with ending_cleanly():
            return main()
    except KeyboardInterrupt as error:  # while modules were imported, or at the very end
        if sys.stderr is not None:
            sys.stderr.write("perturb: interrupted\n")
        return 128 + getattr(error, "signal", 2)


def _fill_closed_streams() -> None:
    """Open the null device where a standard stream is closed.

    The next file that is opened would take its number, and what a library writes to standard error
    would land in that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(start())
