"""Compile the kernels with the system's C compiler; it needs nothing but the standard library.

python perturb/engine/native/build.py puts the library beside its sources, for a checkout.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# The ending says nothing to those that load it, so it is the same everywhere.
NAME = "_kernels.so"
# No sum is contracted: a rounding less would be other bytes.
FLAGS = [
    *("-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno"),
    *("-shared", "-fvisibility=hidden", "-Wall", "-Wextra"),
]


class CannotCompileError(Exception):
    """There is no compiler, or it failed."""


def compiler() -> list[str] | None:
    """Return the command of the C compiler: $CC, or the first of cc, gcc and clang."""
    import shutil

    for command in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        words = command.split()
        if words and shutil.which(words[0]):
            return words
    return None


def compile_to(
    target: Path, command: list[str] | None = None, *flags: str, folder: Path = FOLDER
) -> None:
    """Compile the kernels into a library.

    Args:
        target: where to put it.
        command: the compiler; None for the system's.
        flags: what it is told beyond `FLAGS`.
        folder: where the sources are.

    Raises:
        CannotCompileError: there is no compiler, or it failed; the message says which.
    """
    import subprocess  # these are slow to import, and the library's name is here too
    import tempfile

    command = command or compiler()
    if command is None:
        raise CannotCompileError("no C compiler was found (tried $CC, cc, gcc, clang)")
    # All code of Windows may lie anywhere.
    windows = sys.platform == "win32" or any("windows" in word for word in command)
    position = [] if windows else ["-fPIC"]
    # A process that has the old library loaded keeps it.
    with tempfile.TemporaryDirectory(dir=target.parent) as beside:
        library = Path(beside, NAME)
        full = [*command, *FLAGS, *position, *flags, "-o", str(library), str(folder / "kernels.c")]
        try:
            done = subprocess.run([*full, "-lm"], capture_output=True, text=True, check=False)
        except OSError as error:
            raise CannotCompileError(f"{command[0]} can't be run: {error}") from error
        if done.returncode:
            raise CannotCompileError(f"{command[0]} failed: {done.stderr.strip()[:2000]}")
        library.replace(target)


if __name__ == "__main__":
    compile_to(FOLDER / NAME)
