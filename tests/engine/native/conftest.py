"""The library of kernels, compiled for the tests where none is installed."""

import os
import shlex
from contextlib import contextmanager
from pathlib import Path

import pytest

from perturb.engine.native import binding
from perturb.engine.native.build import NAME, compile_to, compiler

# What the compiler is told, to test a library of its own and not the one that is installed.
FLAGS = shlex.split(os.environ.get("KERNEL_FLAGS", ""))
HERE = Path(__file__).parents[3] / "perturb/engine/native"


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The library that is installed, or one of the sources."""
    if binding.LIBRARY is not None and not FLAGS:
        return binding.LIBRARY
    if compiler() is None:
        pytest.skip("there is no C compiler")
    file = tmp_path_factory.mktemp("native") / NAME
    compile_to(file, None, *(FLAGS or ["-O1"]), folder=HERE)
    return binding.load(file)


@pytest.fixture(scope="session")
def using():
    """Do the work of a block with a library, or without one."""

    @contextmanager
    def _using(other):
        before, binding.LIBRARY = binding.LIBRARY, other
        try:
            yield
        finally:
            binding.LIBRARY = before

    return _using
