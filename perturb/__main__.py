"""The entry of the command `perturb` and of `python -m perturb`. Private."""

import gc
import os
import signal
import sys


def start() -> int:
    """Run the command line as a process of its own and return its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Python turns an exception that interrupts the import of NumPy into another one.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _fill_closed_streams()
    _set_libraries()
    # Modules are many objects that live as long as the process; the default thresholds would search
    # them for garbage for 15 ms. A row leaves no cycles, so rare searches lose nothing.
    gc.set_threshold(100_000, 50, 100)
    from perturb.cli import main
    from perturb.cli.signals import StoppedError, ending_cleanly
    from perturb.cli.talk import say

    try:
        with ending_cleanly():
            return main()
    except StoppedError as error:  # before or after main, which handles its own
        say(str(error))
        return 128 + error.signal
    finally:
        gc.freeze()  # the process is about to end, so a last search for garbage would be wasted


def _fill_closed_streams() -> None:
    """Open the null device where a standard stream is closed.

    The next file to open would take its number, and messages that a library writes to standard
    error would land in that file. Writing a result to standard output still fails.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the next line opens this number, the lowest one that is free
            os.open(os.devnull, os.O_RDONLY if number == 1 else os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", errors="backslashreplace", closefd=False)  # noqa: SIM115


def _set_libraries() -> None:
    """Keep NumPy from starting threads, and Arrow from keeping 60 MB of freed memory.

    The threads, for linear algebra, take longer to start than a small file takes to perturb. A call
    that starts the caller's own program, as a system or a judge, leaves its environment alone.
    """
    if not any(word.startswith("--command") for word in sys.argv):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")


if __name__ == "__main__":
    sys.exit(start())
