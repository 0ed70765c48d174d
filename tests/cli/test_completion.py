"""Completion: the words that may follow, and the scripts of the shells that ask for them."""

import os
import shutil
import subprocess
import sys

import pytest

from perturb.cli.completion import SCRIPTS, following


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["a"], ["apply"]),
        (["apply", "keyb"], ["keyboard_typos"]),
        (["apply", "--with"], ["--with-original"]),
        (["apply", "ocr", "--span-policy", ""], ["drop", "grow", "refuse"]),
        (["apply", "ocr", "-i", ""], []),
        (["verify", ""], []),
        (["show", "yz"], ["yz_swap"]),
        (["completion", "f"], ["fish"]),
        (["nonsense", ""], []),
    ],
)
def test_words_that_may_follow(words, found) -> None:
    assert following(words) == found


def test_all_commands_and_names() -> None:
    import perturb
    from perturb.cli import COMMANDS

    assert following([]) == following([""]) == sorted(COMMANDS)
    assert set(perturb.names()) <= set(following(["apply", ""]))


ASK = {
    "bash": "COMP_WORDS=(perturb apply keyb); COMP_CWORD=2; _perturb; echo ${COMPREPLY[@]}",
    "fish": "complete -C 'perturb apply keyb'",
}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_shell_reads_its_script(shell, tmp_path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_text(SCRIPTS[shell])
    subprocess.run([shell, "-n", script], check=True)


@pytest.mark.parametrize("shell", ASK)
def test_a_shell_completes(shell, tmp_path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    program = tmp_path / "perturb"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m perturb "$@"\n')
    program.chmod(0o755)
    script = SCRIPTS[shell] + ASK[shell]
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(tmp_path)}
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["keyboard_typos"], done.stderr
