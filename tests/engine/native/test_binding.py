"""The library: where it is used, and where it is not."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from perturb.engine.native import binding, build

SOURCES = Path(__file__).parents[3] / "perturb/engine/native"


@pytest.mark.slow
def test_the_library_may_be_switched_off() -> None:
    code = "from perturb.engine.native import binding; print(binding.LIBRARY)"
    environment = {**os.environ, "PERTURB_NATIVE": "0"}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"


def test_a_library_of_other_sources_is_not_used(compiled, monkeypatch) -> None:
    """It would give other bytes, or fall."""
    monkeypatch.setattr(binding, "_INTERFACE", 0)
    with pytest.warns(RuntimeWarning, match="compiled from other sources"):
        assert binding.load(compiled._name) is None


def test_a_machine_of_the_other_byte_order_is_refused(monkeypatch) -> None:
    monkeypatch.setattr(sys, "byteorder", "big")
    assert binding._installed() is None


@pytest.mark.parametrize(
    ("target", "told"), [("x86_64-linux-gnu", True), ("x86_64-windows", False)]
)
def test_a_library_for_another_platform(tmp_path, monkeypatch, target, told) -> None:
    """What a compiler is told that fails; it can't be told of places on Windows."""
    monkeypatch.setattr(build.sys, "platform", "linux")
    failing = [sys.executable, "-c", "import sys; sys.exit(' '.join(sys.argv))", target]
    with pytest.raises(build.CannotCompileError) as error:
        build.compile_to(tmp_path / "x", failing)
    assert target in str(error.value)
    assert ("-fPIC" in str(error.value)) == told


@pytest.mark.slow
@pytest.mark.parametrize(
    "told", ["-D__SIZEOF_POINTER__=4", "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__"]
)
@pytest.mark.usefixtures("compiled")
def test_kernels_are_for_little_endian_machines_of_64_bits(tmp_path, told) -> None:
    with pytest.raises(build.CannotCompileError, match="NumPy does their work elsewhere"):
        build.compile_to(tmp_path / "x", None, told, folder=SOURCES)


def test_a_compiler_that_is_not_there_or_fails_says_so(tmp_path, monkeypatch) -> None:
    with pytest.raises(build.CannotCompileError, match="can't be run"):
        build.compile_to(tmp_path / "x", ["no-such-compiler"])
    with pytest.raises(build.CannotCompileError, match="false failed"):
        build.compile_to(tmp_path / "x", ["false"])
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(build.CannotCompileError, match="no C compiler was found"):
        build.compile_to(tmp_path / "x")
    assert not list(tmp_path.iterdir())
