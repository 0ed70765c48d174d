"""Compile the kernels with the system's C compiler; needs only the standard library.

python perturb/engine/native/build.py puts the library beside its sources, for a checkout.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
# `ctypes` loads a library whatever its suffix, so one name serves all systems.
NAME = "_kernels.so"
PARTS = range(3)  # of the library, each for other machines: see platform.h
# A product and a sum must not be contracted: one rounding fewer would change bytes.
FLAGS = [
    *("-std=gnu11", "-O3", "-ffp-contract=off", "-fno-math-errno"),
    *("-fvisibility=hidden", "-Wall", "-Wextra"),
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
        target: the path of the library.
        command: the compiler; None for the system's.
        flags: flags beyond `FLAGS`.
        folder: the folder of the sources.

    Raises:
        CannotCompileError: there is no compiler, or it failed; the message says which.
    """
    import tempfile  # slow to import, and `binding` needs only the name of the library
    from concurrent.futures import ThreadPoolExecutor

    command = command or compiler()
    if command is None:
        raise CannotCompileError("no C compiler was found (tried $CC, cc, gcc, clang)")
    # On Windows all code is position-independent, and clang there rejects the flag.
    windows = sys.platform == "win32" or any("windows" in word for word in command)
    told = [*command, *FLAGS, *([] if windows else ["-fPIC"]), *flags]
    # A process that has the old library loaded keeps it.
    with tempfile.TemporaryDirectory(dir=target.parent) as beside, ThreadPoolExecutor() as pool:

        def compiled(part: int) -> str:
            made = str(Path(beside, f"{part}.o"))
            _run(*told, f"-DPERTURB_PART={part}", "-c", str(folder / "kernels.c"), "-o", made)
            return made

        library = Path(beside, NAME)
        _run(*told, "-shared", *pool.map(compiled, PARTS), "-o", str(library), "-lm")
        library.replace(target)


def _run(*command: str) -> None:
    """Run a compiler; raise an error with its own message if it fails."""
    import subprocess

    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise CannotCompileError(f"{command[0]} can't be run: {error}") from error
    if done.returncode:
        raise CannotCompileError(f"{command[0]} failed: {done.stderr.strip()[:2000]}")


if __name__ == "__main__":
    compile_to(FOLDER / NAME)
